"""Sampling for benchmarks/gpu.py: our policy on its engine, and vLLM alone on the same questions."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import Any

from gpu_cases import Case, Turns, brain_in, chat_in, on_gpu, openings, speech

from prowess.policies.vllm.shape import arguments, prepare
from prowess.seeds import derive


def ours(case: Case, turns: Turns) -> None:
    """Through the policy and what lets plays go on; weights are given anew each time, so nothing is remembered."""
    from gpu_ours import replies_to

    from prowess.policies.vllm.player import VllmPlayer

    mirror = VllmPlayer(brain_in(case), speech(case))
    for flight in case.flights:
        for number in range(case.steps):
            policy = mirror.policy()
            policy.rows = flight
            asked = openings(flight)
            turns.wait()
            begun = time.perf_counter()
            replies = replies_to(policy, asked, seed=number, workers=case.workers)
            seconds = time.perf_counter() - begun
            said = sum(len(reply.tokens) for reply in replies)
            turns.tell(label=f"{flight} in flight", rate=said / seconds, passes=policy.figures(), memory=turns.memory())


def same_arguments(case: Case, turns: Turns) -> None:
    """vLLM alone, built as our engine is."""
    from prowess.policies.vllm.player import shape_of

    shape = shape_of(brain_in(case), speech(replace(case, engines=1)))
    prepare(shape)
    _generate(case, turns, arguments(shape) | {"model": case.model, "load_format": "auto"})


def own_arguments(case: Case, turns: Turns) -> None:
    """vLLM alone, as it comes, in a process that it starts itself; only how much it may take is said."""
    os.environ.setdefault("VLLM_USE_FLASHINFER_SAMPLER", "0")  # compiled at the start; not used for these questions
    extras = {"gpu_memory_utilization": case.share} if on_gpu_here() else {"kv_cache_memory_bytes": 2**28}
    _generate(
        case, turns, {"model": case.model, "max_model_len": case.context, "max_num_seqs": case.rows, "seed": 0} | extras
    )


def on_gpu_here() -> bool:
    import torch  # noqa: F401

    return on_gpu()


def _generate(case: Case, turns: Turns, arguments: dict[str, Any]) -> None:
    from vllm import LLM, SamplingParams

    llm = LLM(**arguments)
    chat = chat_in(case.model)
    plain = SamplingParams(temperature=1.0, max_tokens=case.reply, ignore_eos=True, detokenize=False)
    for flight in case.flights:
        asked = [{"prompt_token_ids": list(chat.opening(prompt))} for prompt in openings(flight)]
        for number in range(case.steps):
            for kind in ("", ", no seeds, no log-probabilities")[: 1 + (flight == case.flights[0])]:
                seeded = [_told(plain, derive(number, place)) for place in range(flight)]
                llm.reset_prefix_cache()
                turns.wait()
                begun = time.perf_counter()
                outputs = llm.generate(asked, plain if kind else seeded, use_tqdm=False)
                seconds = time.perf_counter() - begun
                said = sum(len(output.outputs[0].token_ids) for output in outputs)
                assert said == flight * case.reply, "a reply is not as long as laid down"
                turns.tell(label=f"{flight} in flight{kind}", rate=said / seconds, memory=turns.memory())


def _told(plain: Any, seed: int) -> Any:
    """The same with a seed of its own and the log-probability of what is said."""
    params = plain.clone()
    params.seed, params.logprobs, params.flat_logprobs = seed, 0, True
    return params
