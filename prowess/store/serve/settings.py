"""How a library is served."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from prowess.errors import RecipeError, check_range

SHORTEST = 16
"""The shortest token, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """Which skills are served, and how."""

    namespace: str | None = None
    """Only the skills of this world; all unless said."""
    tools: int = 64
    """Up to this many active skills are a tool each; of more, clients get `search_skills` and `call_skill`."""
    found: int = 10
    """What a search answers at most."""
    result_chars: int = 20_000
    """The longest result of a call, in characters; the rest is cut."""
    at_once: int = 4
    """Calls that run at the same time, where they do not share a world."""
    host: str = "127.0.0.1"
    """Where HTTP listens: this machine alone unless said; elsewhere it needs a token."""
    port: int = 8722
    names: tuple[str, ...] = ()
    """Other names that clients may reach this server by, such as that of a proxy before it."""
    connections: int = 128
    """Connections open at the same time; further ones are told to come later."""
    request_seconds: float = 20.0
    """How long a client may take to send a request."""
    token: str = ""
    """What HTTP clients show as `Authorization: Bearer ...`; on this machine one is made up if none is given."""

    def __post_init__(self) -> None:
        check_range(self, 1, "found", "result_chars", "at_once", "connections")
        check_range(self, 0.1, "request_seconds")
        check_range(self, 0, "tools")
        if self.token and (len(self.token) < SHORTEST or not self.token.isascii() or not self.token.isprintable()):
            raise RecipeError(
                f"a token has at least {SHORTEST} printable ASCII characters, this one has {len(self.token)}",
                hint="python -c 'import secrets; print(secrets.token_urlsafe())'",
            )
        if not self.token and not self.local:
            raise RecipeError(
                f"host '{self.host}' lets other machines in, so a token is needed",
                hint="give one in PROWESS_SERVE_TOKEN, or leave the host at 127.0.0.1",
            )

    @property
    def local(self) -> bool:
        """Whether only this machine can connect."""
        try:
            return self.host == "localhost" or ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False
