"""A stand-in for vLLM's server, which misbehaves on request."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prowess.policies.server.servers import Servers
from prowess.policies.server.settings import ServerSettings
from prowess.policies.vllm.question import Question

ASKED = Question(tokens=(1, 2, 3), seed=7, temperature=1.0, room=4)
Body = Any
Answer = tuple[int, Body]


def said(*tokens: int, logprobs: list[Any] | None = None, **more: Any) -> Answer:
    """A completion as vLLM sends it."""
    each = [-1.0] * len(tokens) if logprobs is None else logprobs
    choice = {"index": 0, "text": "x", "token_ids": list(tokens), "logprobs": {"token_logprobs": each}}
    return 200, {"choices": [choice | more], "usage": {"prompt_tokens": 3}}


class StandIn:
    """Takes any order, and says what it was told to say, the last for ever."""

    def __init__(self, *, model: str = "mine", limit: int = 300) -> None:
        self.routes = ["/v1/load_lora_adapter", "/collective_rpc"]
        self.says: list[Answer | Callable[[], Answer]] = [said(5, 6)]
        self.orders: dict[str, Answer] = {}
        self.asked: list[tuple[str, Body]] = []
        self.keys: set[str] = set()
        self.calls, self.pause = 0, ""
        self.models: Answer | None = None
        self.slow = 0.0
        self.gone = False
        """Every request is hung up on."""
        self.told: Body = {"data": [{"id": model, "max_model_len": limit}, {"id": "on it", "parent": model}]}
        outer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                outer.calls += 1

            def do_GET(self) -> None:
                outer.keys.add(self.headers.get("authorization", ""))
                time.sleep(outer.slow)
                told = {"/v1/models": outer.told, "/openapi.json": {"paths": {route: {} for route in outer.routes}}}
                as_proxy = "http://gpu.invalid:8000"
                self._answer(outer.models or (200, told[self.path.removeprefix(as_proxy)]))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with lock:
                    number = sum(path == self.path for path, _ in outer.asked)
                    outer.asked.append((self.path, body))
                    outer.keys.add(self.headers.get("authorization", ""))
                if self.path == "/v1/completions":
                    answer = outer.says[min(number, len(outer.says) - 1)]
                    self._answer(answer() if callable(answer) else answer)
                else:
                    self._answer(outer.orders.get(self.path, (200, "")))

            def _answer(self, answer: Answer) -> None:
                status, body = answer
                if not status or outer.gone:
                    self.close_connection = True
                    return
                text = (body if isinstance(body, str) else json.dumps(body)).encode()
                try:
                    self.send_response(status)
                    self.send_header("content-type", "application/json")
                    if outer.pause:
                        self.send_header("Retry-After", outer.pause)
                    if 300 <= status < 400:
                        self.send_header("location", text.decode())
                    self.send_header("content-length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    pass

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            request_queue_size = 256  # who is not taken at once would try again after seconds

        self.http = Server(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()

    def bodies(self, path: str) -> list[Body]:
        return [body for where, body in self.asked if where == path]


def servers(*stand_ins: StandIn, **more: Any) -> Servers:
    settings = ServerSettings(urls=tuple(one.url for one in stand_ins), **{"tries": 1, **more})
    return Servers(settings, stops=(9,), limit=200)
