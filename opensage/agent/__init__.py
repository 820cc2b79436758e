"""The agent (`agent`), the episode it has under way (`table`), and what is said in it."""

from __future__ import annotations

from opensage.agent.agent import UNGRADED, Agent
from opensage.agent.play import Play, played
from opensage.agent.settings import AgentSettings
from opensage.agent.talk import cut

__all__ = ["UNGRADED", "Agent", "AgentSettings", "Play", "cut", "played"]
