"""The way to a server: its address, its key, which goes nowhere else, and its words, made fit to show."""

from __future__ import annotations

import ipaddress
import os
import re
from urllib.parse import urlsplit

from prowess.errors import RecipeError


def check_url(url: str, *, name: str = "url") -> None:
    """Refuse what is no address, and one with a key in it, which every log would tell."""
    try:
        address = urlsplit(url)
        good = address.scheme in ("http", "https") and address.hostname and address.port != 0
    except ValueError:  # half an IPv6 address, or a port that is none
        good = False
    if not good:
        raise RecipeError(f"{name} is '{url}'", hint="allowed: an address such as http://localhost:8000/v1")
    if address.username or address.password:
        raise RecipeError(f"{name} holds a name or a password", hint="put the key into the environment: see key_env")


def check_key_name(key_env: str) -> None:
    """Refuse what cannot be the name of a variable. It is not shown: it may be the key itself."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key_env):
        raise RecipeError("key_env is not the name of an environment variable", hint="such as OPENAI_API_KEY")


def key_in(name: str) -> str:
    """The key in an environment variable; empty where it is not set."""
    key = os.environ.get(name, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise RecipeError(f"the key in {name} holds characters that no key has", hint="copy it again")
    return key


def is_local(url: str) -> bool:
    """Whether a server is on this machine: a proxy has no business there."""
    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def proxy_to(url: str) -> str | None:
    """The proxy that the environment names for an address; none for one on this machine."""
    from urllib.request import getproxies, proxy_bypass  # slow to import, and recipes ask for addresses alone

    address = urlsplit(url)
    return None if is_local(url) or proxy_bypass(address.netloc) else getproxies().get(address.scheme)


def shown(text: str, key: str) -> str:
    """A stranger's words on one short line, without the key in case they repeat it."""
    hidden = text.replace(key, "***") if key else text
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in hidden).split())
    return line if len(line) <= 200 else f"{line[:197]}..."
