"""A response, a prior and a question that pages of the manual add need no change of Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LIBRARY = Path(os.environ.get("GIBBOUS_LIBRARY", "")).parent / "tests" / "adding" / "libadding.so"
TRIES = """
import gibbous
from gibbous.sklearn import TopicClassifier

texts = ["sun beach sea sand sun", "snow ice wind frost snow"] * 40
labels = ["warm", "cold"] * 40
quick = {"topics": 4, "sweeps": 30, "chains": 1, "seed": 1}
model = gibbous.train(texts, label=labels, response="absolute", **quick)
assert [r.response for r in model.responses] == ["absolute"]
assert list(model.predict(texts).labels) == labels
assert len(model.effects(frame="arrays")["mean"]) > 0
spread = model.table("spread", frame="arrays")["spread"]
assert len(spread) == 4 and all(1 <= n <= 8 for n in spread)
estimator = TopicClassifier(topics=4, sweeps=30, chains=1, random_state=1, response="absolute")
assert estimator.fit(texts, labels).score(texts, labels) == 1
model = gibbous.train(texts, response="none", prior="truncated", used_topics=2, **quick)
assert (model.topic_shares > 0).tolist() == [True, True, False, False]
"""


@pytest.mark.skipif(not LIBRARY.exists(), reason="not a build with tests")
def test_what_the_pages_add_works_from_python() -> None:
    pytest.importorskip("sklearn")
    environment = {**os.environ, "GIBBOUS_LIBRARY": str(LIBRARY)}
    run = subprocess.run(
        [sys.executable, "-c", TRIES], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
