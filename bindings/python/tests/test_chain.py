"""Chains that are stepped by hand."""

from __future__ import annotations

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gibbous
from gibbous._library import library


@pytest.fixture
def plan(corpus: gibbous.Corpus) -> gibbous.Plan:
    return gibbous.Plan(corpus, topics=4, sweeps=30, chains=2, calibrate=0, seed=1)


KINDS: list[dict[str, Any]] = [
    {"response": "hinge"},
    {"response": "none", "prior": "logistic-normal"},
    {"response": "none", "prior": "graph", "graph": "chain"},
    {"response": "probit", "coefficient_prior": "horseshoe", "sampler": "sparse"},
    {"response": "none", "sampler": "mh"},
    {"response": "none", "topic_treatment": "sampled"},
]


@pytest.mark.parametrize("options", KINDS, ids=lambda options: "-".join(options.values()))
def test_arrays_are_the_same_after_a_load(options: dict[str, Any], tmp_path: Path) -> None:
    texts, n = ["goal team match win", "bank stock price fund"] * 20, 40
    fields: dict[str, Any] = {"label": [d % 2 for d in range(n)]}
    if options.get("prior") == "graph":
        fields["group"] = [d % 4 for d in range(n)]
    made = gibbous.Corpus.from_documents(texts, **fields)
    plan = gibbous.Plan(made, topics=4, sweeps=30, seed=1, **options)
    chain = gibbous.Chain(plan).run(7)
    chain.save(tmp_path / "chain.gbs")
    loaded = gibbous.Chain.load(plan, tmp_path / "chain.gbs")
    assert list(loaded.arrays) == list(chain.arrays)
    for name, array in chain.arrays.items():
        np.testing.assert_array_equal(loaded.arrays[name], array, err_msg=name)


def test_sweeps_are_the_same_in_any_steps(plan: gibbous.Plan) -> None:
    one, other = gibbous.Chain(plan), gibbous.Chain(plan).run(7)
    sweeps = [progress.sweep for progress in one.step(7)]
    assert sweeps == [1, 2, 3, 4, 5, 6, 7]
    assert one.log_joint() == other.log_joint()
    np.testing.assert_array_equal(one.arrays["coefficients"], other.arrays["coefficients"])


def test_arrays_are_read_only_views_of_the_state(plan: gibbous.Plan) -> None:
    chain = gibbous.Chain(plan).run(1)
    eta = chain.arrays["coefficients"]
    before = eta.copy()
    chain.run(1)
    assert not np.array_equal(before, eta)
    with pytest.raises(ValueError, match="read-only"):
        eta[0] = 0


def test_a_view_outlives_its_chain(plan: gibbous.Plan) -> None:
    chain = gibbous.Chain(plan).run(2)
    eta = chain.arrays["coefficients"]
    kept = eta.copy()
    del chain, plan
    gc.collect()
    for _ in range(5):
        np.ones(eta.size)  # memory that was freed would be written over
    np.testing.assert_array_equal(eta, kept)


def test_topics_have_the_order_of_the_corpus(corpus: gibbous.Corpus, plan: gibbous.Plan) -> None:
    chain = gibbous.Chain(plan).run(1)
    topics = chain.arrays["topics"]
    assert topics.shape == (corpus.n_tokens,)
    assert topics.max() < 4
    assert set(chain.arrays) >= {"coefficients", "scores", "topics"}
    with pytest.raises(KeyError):
        chain.arrays["topcs"]
    assert "topics\0" not in chain.arrays
    assert "topics\0" not in plan


def test_a_chain_that_was_saved_goes_on_with_the_same_bits(
    plan: gibbous.Plan, tmp_path: Path
) -> None:
    chain = gibbous.Chain(plan, 1).run(5)
    chain.save(tmp_path / "chain")
    again = gibbous.Chain.load(plan, tmp_path / "chain")
    assert (again.number, again.n_sweeps) == (1, 5)
    assert again.run(5).log_joint() == chain.run(5).log_joint()
    with pytest.raises(gibbous.ArgumentError, match="exists"):
        chain.save(tmp_path / "chain")
    chain.save(tmp_path / "chain", force=True)


def test_ctrl_c_finishes_the_sweep_and_keeps_the_chain(plan: gibbous.Plan) -> None:
    chain, whole = gibbous.Chain(plan), gibbous.Chain(plan).run(8)

    def press(progress: gibbous.Progress) -> None:
        if progress.sweep == 3 and not progress.is_partial:
            raise KeyboardInterrupt

    with pytest.raises(gibbous.Stopped) as stopped:
        chain.run(8, callback=press)
    assert stopped.value.chain is chain
    assert chain.n_sweeps == 3
    assert chain.run(5).log_joint() == whole.log_joint()


def test_a_builder_makes_the_model_of_a_training(
    corpus: gibbous.Corpus, plan: gibbous.Plan
) -> None:
    builder = gibbous.ModelBuilder(plan)
    for number in range(plan.n_chains):
        chain = gibbous.Chain(plan, number)
        for _ in chain.step(plan.n_sweeps):
            if chain.keeps:
                builder.add(chain)
        assert chain.is_done
    trained = gibbous.train(corpus, topics=4, sweeps=30, chains=2, calibrate=0, seed=1)
    assert builder.finish().to_bytes() == trained.to_bytes()


class Watched:
    """The library, which notes when two threads are inside a builder."""

    def __init__(self) -> None:
        self.inside = self.most = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(library, name)

    def gb_model_builder_add(self, *arguments: Any) -> int:
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0.002)  # another thread would come in
        status = library.gb_model_builder_add(*arguments)
        self.inside -= 1
        return int(status)


def test_a_builder_takes_draws_of_many_threads_one_at_a_time(
    corpus: gibbous.Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"topics": 4, "sweeps": 20, "chains": 4, "calibrate": 0, "seed": 1}
    plan = gibbous.Plan(corpus, threads=1, **options)
    builder, watched = gibbous.ModelBuilder(plan), Watched()
    monkeypatch.setattr("gibbous.chain.library", watched)

    def work(number: int) -> None:
        chain = gibbous.Chain(plan, number)
        for _ in chain.step(plan.n_sweeps):
            if chain.keeps:
                builder.add(chain)

    with ThreadPoolExecutor(plan.n_chains) as pool:
        list(pool.map(work, range(plan.n_chains)))
    assert watched.most == 1
    trained = gibbous.train(corpus, **options)
    model = builder.finish()
    assert builder.n_draws == model.n_draws
    assert model.to_bytes() == trained.to_bytes()


def test_a_chain_at_work_cannot_be_asked(plan: gibbous.Plan) -> None:
    chain = gibbous.Chain(plan)
    with pytest.raises(gibbous.GibbousError, match="at work"):
        chain.run(3, callback=lambda _: chain.log_joint())
    chain.run(1)


def test_the_progress_tells_the_log_joint_only_while_it_is_asked(plan: gibbous.Plan) -> None:
    seen: list[tuple[gibbous.Progress, float]] = []
    chain = gibbous.Chain(plan).run(
        1, callback=lambda p: p.is_partial or seen.append((p, p.log_joint()))
    )
    progress, log_joint = seen[-1]
    assert log_joint == chain.log_joint()
    with pytest.raises(ValueError, match="while it runs"):
        progress.log_joint()


def test_decisions_can_be_read(plan: gibbous.Plan) -> None:
    assert plan["topics"] == "4"
    assert plan["burn_in"] == plan["burn-in"]
    assert dict(plan)["sweeps"] == "30"
    assert "200 documents" in str(plan)
    with pytest.raises(KeyError):
        plan["topcs"]
