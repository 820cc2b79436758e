# prowess on a CPU. The build steps are the README's two commands' set-up; nothing is copied but the project itself.
#   docker build -t prowess .
#   docker run --rm -it -v "$PWD/runs:/prowess/runs" prowess make quickstart
#   docker run --rm prowess prowess evaluate expert
# The sandbox confines model-written code with Landlock and seccomp, which Docker's default profile lets through. Its
# namespaces need more: `prowess doctor` says what holds inside the container.
FROM python:3.11-slim

RUN apt-get update && apt-get install --yes --no-install-recommends make git && rm -rf /var/lib/apt/lists/*
WORKDIR /prowess
COPY . .
RUN make learning
ENV PATH="/prowess/.venv/bin:$PATH"
CMD ["prowess", "--help"]
