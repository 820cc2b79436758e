"""Desk's expert behind a server that speaks chat completions: a model that can do the tasks, on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prowess_desk.expert.expert import Expert

from prowess.types import Message


@contextmanager
def served_expert() -> Iterator[str]:
    """The address of a server in which the expert answers, and counts its tokens."""
    expert = Expert()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            messages = [Message(role=one["role"], content=one["content"]) for one in asked["messages"]]
            said = expert(messages, seed=asked.get("seed", 0))
            message = {"role": "assistant", "content": said.text}
            usage = {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.reply_tokens}
            answer = {"choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": usage}
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
