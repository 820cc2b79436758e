"""The agent (`agent`), the episode it has under way (`table`), and what is said in it."""

from __future__ import annotations

from prowess.play.agent import UNGRADED, Agent
from prowess.play.play import Play, played
from prowess.play.settings import AgentSettings
from prowess.play.talk import cut

__all__ = ["UNGRADED", "Agent", "AgentSettings", "Play", "cut", "played"]
