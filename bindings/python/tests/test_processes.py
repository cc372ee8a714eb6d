"""Ctrl-C, threads, forks and the garbage collector."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gibbous

OPTIONS = {"topics": 4, "sweeps": 30, "chains": 1, "seed": 1}


def program(text: str, *, stop_after: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program; Ctrl-C is pressed once it has printed the line `stop_after`."""
    start = "import gibbous, signal, sys\n"
    # what a shell starts in the background ignores Ctrl-C, and so do its children
    start += "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    start += "corpus = gibbous.simulate(documents=300, length=30, seed=1)\n"
    command = [sys.executable, "-u", "-c", start + textwrap.dedent(text)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    shown = ""
    while stop_after is not None and stop_after not in shown:
        line = run.stdout.readline()
        assert line, run.communicate()[1]
        shown += line
    if stop_after is not None:
        time.sleep(0.2)  # most likely it works in C by now; it is to hold wherever it is
        run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    return subprocess.CompletedProcess(command, run.returncode, shown + out, err)


def test_ctrl_c_in_a_training_keeps_its_draws() -> None:
    run = program(
        """
        def say(p):
            if p.sweep == 20 and not p.is_partial:
                print("twenty")
        try:
            gibbous.train(corpus, topics=5, sweeps=10**6, burn_in=10, thin=1, seed=1, callback=say)
        except gibbous.Stopped as stopped:
            print("draws", stopped.model.n_draws >= 10)
        """,
        stop_after="twenty",
    )
    assert "draws True" in run.stdout, run.stderr


def test_ctrl_c_without_a_callback_stops_too() -> None:
    run = program(
        """
        chain = gibbous.Chain(gibbous.Plan(corpus, topics=5, seed=1)).run(1)
        try:
            print("begin")
            chain.run(10**6)
        except KeyboardInterrupt as stopped:
            print("the same chain", getattr(stopped, "chain", chain) is chain)
            chain.run(1)
            print("goes on")
        """,
        stop_after="begin",
    )
    assert "the same chain True\ngoes on" in run.stdout, run.stderr


def test_a_notebook_finds_the_model_of_a_stopped_training() -> None:
    run = subprocess.run(
        [sys.executable, "-i", "-c", "import gibbous, sys"],
        input="corpus = gibbous.simulate(documents=100, seed=1)\n"
        "def press(p):\n"
        "    if p.sweep == 20: raise KeyboardInterrupt\n\n"
        "gibbous.train(corpus, topics=4, sweeps=1000, burn_in=5, thin=1, callback=press)\n"
        "print('kept', sys.last_value.model.n_draws)\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "kept 15" in run.stdout, run.stderr
    assert "sys.last_value.model has the 15 draws kept so far" in run.stderr


def test_several_trainings_run_at_once(corpus: gibbous.Corpus) -> None:
    alone = gibbous.train(corpus, **OPTIONS).to_bytes()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: gibbous.train(corpus, **OPTIONS).to_bytes(), range(8)))
    assert set(together) == {alone}


def test_one_model_predicts_in_several_threads(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    scores = model.predict(corpus).scores
    with ThreadPoolExecutor(4) as pool:
        for other in pool.map(lambda _: model.predict(corpus).scores, range(8)):
            np.testing.assert_array_equal(scores, other)


def test_the_interpreter_is_free_while_a_chain_works(corpus: gibbous.Corpus) -> None:
    chain = gibbous.Chain(gibbous.Plan(corpus, topics=50, sweeps=10**6, seed=1, threads=1))
    is_done = threading.Event()

    def count() -> int:
        n = 0
        while not is_done.is_set():
            n += 1
            time.sleep(0.0005)
        return n

    with ThreadPoolExecutor(1) as pool:
        counted = pool.submit(count)
        chain.run(100)
        is_done.set()
        assert counted.result() > 2


def test_a_chain_is_used_by_one_thread_at_a_time(corpus: gibbous.Corpus) -> None:
    chain = gibbous.Chain(gibbous.Plan(corpus, topics=4, sweeps=10**6, seed=1))
    begun, may_end = threading.Event(), threading.Event()

    def wait(_: gibbous.Progress) -> bool:
        begun.set()
        may_end.wait(30)
        return False

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(chain.run, 5, callback=wait)
        begun.wait(30)
        with pytest.raises(gibbous.GibbousError, match="another thread"):
            chain.run(1)
        may_end.set()
        running.result()
    chain.run(1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_fork_trains_the_same(corpus: gibbous.Corpus) -> None:
    options = {**OPTIONS, "threads": 3}
    chain = gibbous.Chain(gibbous.Plan(corpus, **options)).run(3)
    alone = gibbous.train(corpus, **options).to_bytes()
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)

    def child() -> None:
        send.send((gibbous.train(corpus, **options).to_bytes(), chain.run(2).log_joint()))

    process = context.Process(target=child)
    process.start()
    assert receive.poll(60), "the child hangs"
    model, log_joint = receive.recv()
    process.join(10)
    assert process.exitcode == 0
    assert model == alone
    assert chain.run(2).log_joint() == log_joint


def test_objects_in_a_cycle_are_freed_in_order(corpus: gibbous.Corpus) -> None:
    for _ in range(20):
        plan = gibbous.Plan(corpus, topics=3, sweeps=10, seed=1)
        chain = gibbous.Chain(plan).run(1)
        cycle = {"plan": plan, "chain": chain, "view": chain.arrays["scores"]}
        cycle["self"] = cycle
        del plan, chain, cycle
    gc.collect()


def test_the_interpreter_ends_with_chains_alive() -> None:
    run = program(
        "chain = gibbous.Chain(gibbous.Plan(corpus, topics=4)).run(1); eta = chain.arrays"
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
