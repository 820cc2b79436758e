"""SAGE's loop from Python: a tiny model imitates an expert, then learns from playing. It takes a minute or two.

python examples/loop.py
"""

from __future__ import annotations

from statistics import fmean

import prowess
from prowess.commands.dataset import conversation_of
from prowess.commands.train import TrainSettings, chains_for
from prowess.credit.advantage import AdvantageSettings, make_advantage
from prowess.credit.reward import RewardSettings, make_reward
from prowess.credit.samples import samples_of
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models.load import ModelSettings, load
from prowess.models.tiny import TinySettings
from prowess.play import AgentSettings
from prowess.play.rollout import play_groups
from prowess.policies.sampling import SamplingSettings

LIMITS = AgentSettings(prompt="brief", turns=4, reply_tokens=140, context_tokens=480)
MODEL = ModelSettings(name="tiny", device="cpu", tiny=TinySettings(layers=2, hidden=64, inner=128, positions=512))
SPEECH = SamplingSettings(reply_tokens=LIMITS.reply_tokens, context_tokens=LIMITS.context_tokens)
CHAINS = TrainSettings(chains=2, length=2)


def main(epochs: int = 30, steps: int = 6) -> list[dict[str, float]]:
    """The figures of every step of learning from play."""
    retrieve = prowess.retriever("scenario")
    reward = make_reward(RewardSettings(name="skill"))
    advantage = make_advantage(AdvantageSettings(name="mean"))
    with prowess.open_suite("desk", part="starter", scenarios=1) as suite:
        # An expert shows how it is done, and the model imitates that.
        expert = prowess.Agent(policy=prowess.policy("expert"), retrieve=retrieve, limits=LIMITS)
        shown = [
            conversation_of(episode, expert.prompt, LIMITS, split="train", temperature=0)
            for chain in prowess.chains_of(suite, "train")
            for episode in prowess.rollout(expert, suite, chain).episodes
        ]
        brain = load(MODEL, texts=[message.content for one in shown for message in one.messages])
        learner = TorchLearner(brain, LearnerSettings(rate=5e-3), sampling=SPEECH)
        demonstrations = list(brain.chat.imitate_all(shown))
        for _ in range(epochs):
            for at in range(0, len(demonstrations), 8):
                learner.step(demonstrations[at : at + 8])
        # It plays groups of rollouts, and learns from how they compare.
        told = []
        for step in range(steps):
            agent = prowess.Agent(policy=learner.policy(), retrieve=retrieve, limits=LIMITS)
            groups = play_groups(agent, suite, chains_for(suite, CHAINS, seed=step), size=8, seed=step)
            rewards = [reward(group.rollouts) for group in groups]
            samples = [
                sample
                for group, table in zip(groups, rewards, strict=True)
                for sample in samples_of(group, advantage(table))
            ]
            figures = learner.step(samples, per=sum(len(group.rollouts) for group in groups))
            mean = fmean(value for table in rewards for row in table for value in row if value is not None)
            told.append({"reward": mean, **figures})
        return told


if __name__ == "__main__":
    for number, figures in enumerate(main()):
        print(f"step {number}: reward {figures['reward']:.2f}, loss {figures['learn/loss']:.4f}")
