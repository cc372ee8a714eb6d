"""A training from Python, and how it ends."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import gibbous


def test_the_same_seed_gives_the_same_model(corpus: gibbous.Corpus, model: gibbous.Model) -> None:
    again = gibbous.train(corpus, topics=4, sweeps=30, chains=1, seed=1, threads=3)
    np.testing.assert_array_equal(again.coefficients, model.coefficients)


def test_an_unknown_option_is_refused_with_the_nearest_one(corpus: gibbous.Corpus) -> None:
    with pytest.raises(TypeError, match="did you mean topics"):
        gibbous.train(corpus, topcs=3)


def test_a_value_out_of_range_is_refused_by_the_library(corpus: gibbous.Corpus) -> None:
    with pytest.raises(ValueError, match="`topics` must be between 2 and 65535, not 1"):
        gibbous.train(corpus, topics=1)


def test_messages_name_options_as_python_does(corpus: gibbous.Corpus) -> None:
    with pytest.raises(gibbous.ArgumentError, match="`burn_in` 50"):
        gibbous.train(corpus, sweeps=50, burn_in=50)


def test_a_callback_that_says_stop_leaves_the_draws_so_far(corpus: gibbous.Corpus) -> None:
    model = gibbous.train(
        corpus,
        topics=4,
        sweeps=1000,
        burn_in=5,
        chains=1,
        seed=1,
        callback=lambda p: p.is_partial or p.sweep < 25,
    )
    assert model.n_draws == 20


def test_what_a_callback_raises_is_raised_after_the_sweep(corpus: gibbous.Corpus) -> None:
    def fail(p: gibbous.Progress) -> None:
        if p.sweep == 10:
            raise LookupError("in the callback")

    with pytest.raises(LookupError, match="in the callback") as raised:
        gibbous.train(corpus, topics=4, sweeps=1000, burn_in=5, chains=1, seed=1, callback=fail)
    assert raised.value.model.n_draws == 5  # type: ignore[attr-defined]


def test_ctrl_c_keeps_the_draws_so_far(corpus: gibbous.Corpus) -> None:
    def press(p: gibbous.Progress) -> None:
        if p.sweep == 10:
            raise KeyboardInterrupt

    with pytest.raises(gibbous.Stopped) as raised:
        gibbous.train(corpus, topics=4, sweeps=1000, burn_in=5, chains=1, seed=1, callback=press)
    assert isinstance(raised.value, KeyboardInterrupt)
    assert raised.value.model is not None
    assert raised.value.model.n_draws == 5


def test_a_training_without_a_draw_says_so(corpus: gibbous.Corpus) -> None:
    with pytest.raises(gibbous.NoDrawsError):
        gibbous.train(corpus, topics=4, sweeps=100, callback=lambda p: False)


def test_a_bar_shows_the_sweeps_of_all_chains(
    corpus: gibbous.Corpus, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    gibbous.train(corpus, topics=4, sweeps=15, chains=2, calibrate=0, seed=1, progress=True)
    assert "30/30" in capsys.readouterr().err
    chain = gibbous.Chain(gibbous.Plan(corpus, topics=4, sweeps=15, chains=1, seed=1)).run(5)
    chain.run(progress=True)
    assert chain.n_sweeps == 15
    assert "10/10" in capsys.readouterr().err


def test_without_tqdm_progress_is_told_in_lines(
    corpus: gibbous.Corpus, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    gibbous.train(corpus, topics=4, sweeps=15, chains=2, calibrate=0, seed=1, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "30 of 30 sweeps"
    assert 2 <= len(lines) <= 10


def test_a_run_that_has_not_settled_warns_once_where_it_was_called(corpus: gibbous.Corpus) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = gibbous.train(corpus, topics=4, sweeps=20, seed=1)
    (warning,) = caught
    assert warning.category is gibbous.ConvergenceWarning
    assert warning.filename == __file__
    said = model.diagnose().verdict
    lines = str(warning.message).splitlines()
    assert lines == [str(one) for one in said if one.holds is False or one.about == "next"]
    assert lines[0].startswith("the run was too short")
    assert lines[-1].startswith("next: use")


def test_a_run_that_has_settled_does_not_warn() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gibbous.train(["goal team match"] * 30, topics=2, sweeps=2000, seed=1)
    assert [str(w.message) for w in caught] == []


def test_the_warning_can_be_silenced_or_made_an_error(corpus: gibbous.Corpus) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", gibbous.ConvergenceWarning)
        gibbous.train(corpus, topics=4, sweeps=20, seed=1)
        warnings.simplefilter("error", gibbous.ConvergenceWarning)
        with pytest.raises(gibbous.ConvergenceWarning, match="too short"):
            gibbous.train(corpus, topics=4, sweeps=20, seed=1)


def test_a_training_that_is_interrupted_says_how_to_go_on(
    corpus: gibbous.Corpus, tmp_path: Path
) -> None:
    kept = str(tmp_path / "run.gbk")
    with pytest.raises(gibbous.NoDrawsError, match=r"after sweep 5 of 40; .*go on with resume="):
        gibbous.train(
            corpus,
            topics=4,
            sweeps=40,
            seed=1,
            chains=1,
            checkpoint=kept,
            callback=lambda p: p.is_partial or p.sweep < 5,
        )
