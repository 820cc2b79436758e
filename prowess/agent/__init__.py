"""The agent (`agent`), the episode it has under way (`table`), and what is said in it."""

from __future__ import annotations

from prowess.agent.agent import UNGRADED, Agent
from prowess.agent.play import Play, played
from prowess.agent.settings import AgentSettings
from prowess.agent.talk import cut

__all__ = ["UNGRADED", "Agent", "AgentSettings", "Play", "cut", "played"]
