"""Servers play for a learner: with its weights, and with those after each step again."""

from __future__ import annotations

from collections.abc import Sequence

from prowess.errors import RecipeError
from prowess.models import Brain
from prowess.policies.sampling import SamplingSettings, context_limit
from prowess.policies.server.known import BARE, Known
from prowess.policies.server.servers import Servers
from prowess.policies.server.source import HereSource, Source
from prowess.policies.server.weights import WeightSender
from prowess.policies.vllm.policy import VllmPolicy
from prowess.policies.vllm.question import Question
from prowess.policies.vllm.weights import Learnt
from prowess.text.terminal import say
from prowess.types import Message

APART = 0.25
"""How far log-probabilities of the same tokens may be apart in the mean: rounding of bfloat16 is a tenth of it."""


class ServerPlayer:
    """Plays with a model's weights, on servers."""

    def __init__(
        self,
        brain: Brain,
        settings: SamplingSettings,
        learnt: Learnt | None = None,
        *,
        changing: bool = False,
        source: Source | None = None,
    ) -> None:
        """`source` has the weights where they are not in this process: of the brain only its description is used."""
        self.brain, self.settings = brain, settings
        self.source = source or HereSource(brain=brain, learnt=learnt)
        limit = context_limit(brain.model.config, settings)
        stops = tuple(sorted(brain.chat.stop_ids))
        self.servers = Servers(settings.server, stops=stops, limit=limit)
        if self.servers.limit < limit:
            most = f"at most {self.servers.limit} tokens a conversation (--max-model-len)"
            say(f"note: {self.servers!r}: {most}, not {limit}")
        self.sender = WeightSender(brain, self.source, changing=changing, settings=settings.server)
        self._compared: list[Known] = []
        """Servers that say what the model itself would."""

    def policy(self) -> VllmPolicy:
        """Plays with the weights as they are now, whatever becomes of them later."""
        self.servers.play(lambda: self.sender.give(self.servers))
        if new := [one for one in self.servers.known if one not in self._compared]:
            self._compare(new)
            if writing := self.servers.writing:
                urls = ", ".join(writing)
                say(f"note: text that nobody reads is made of each token ({urls}): {BARE} spares that time")
            self._compared = self.servers.known
        return VllmPolicy(self.servers, self.brain.chat, self.settings)

    def rest(self) -> None:
        """It holds nothing that a learner could use."""

    def _compare(self, new: Sequence[Known]) -> None:
        """Refuse servers that play something else: nothing later would tell that from rounding."""
        prompt = tuple(self.brain.chat.opening((Message(role="user", content="Print the numbers from 1 to 9."),)))
        temperature = self.settings.learnt_at
        room = min(16, self.servers.limit - len(prompt))
        question = Question(tokens=prompt, seed=1, temperature=temperature, room=room)
        for answer in [self.servers.ask(question, of=one) for one in new]:
            reply = answer.result()
            size = self.brain.model.get_input_embeddings().weight.shape[0]
            if max(reply.tokens) >= size:
                told = f"it says token {max(reply.tokens)}, and the model has {size}"
                raise RecipeError(f"{self.servers!r}: {told}", hint="is it started with the recipe's model?")
            ours = self.source.chances(prompt, reply.tokens, temperature=temperature)
            gap = sum(abs(one - other) for one, other in zip(ours, reply.logprobs, strict=True)) / len(ours)
            if gap > APART:
                hint = "is it started with the recipe's model, and did nobody else give it weights? then start it again"
                if temperature != 1:
                    hint = f"--logprobs-mode processed_logprobs, as sampling.temperature is {temperature:g}; or: {hint}"
                raise RecipeError(
                    f"{self.servers!r}: the log-probabilities of what it says are {gap:.2f} from the model's own",
                    hint=hint,
                )
