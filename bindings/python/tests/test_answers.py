"""Every question has one answer: command, Python and page have the same cells."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_report import page_of

import gibbous
from gibbous.tables import Table, options_of

TEXTS = [
    "the goal of the match",
    "court and judge",
    "match goal goal team",
    "judge trial court law",
]
N = 120


def documents() -> dict[str, list[Any]]:
    return {
        "text": [TEXTS[i % 4] + (" river" if i % 7 == 0 else "") for i in range(N)],
        "label": [["sport", "law"][i % 2] for i in range(N)],
        "tags": [["sport"] * (i % 2) + ["long"] * (i % 3 == 0) for i in range(N)],
        "stars": [str(1 + i % 3) for i in range(N)],
        "size": [float(i % 4) + 0.1 * (i % 5) for i in range(N)],
        "year": [str(2000 + i // 40) for i in range(N)],
    }


KINDS: dict[str, dict[str, Any]] = {
    "no_response": {"response": "none"},
    "binary": {"label": "label", "response": "logistic", "chains": 2},
    "several_fields": {"label": "label", "target": "size", "covariates": "year"},
    "several_labels": {"labels": "tags"},
    "levels": {"label": "stars", "response": "ordinal"},
    "one_vs_rest": {"label": "stars", "strategy": "one-vs-rest"},
    "words": {"target": "size", "word_effects": "tfidf", "variance": {"words": 1}},
    "horseshoe": {"target": "size", "covariates": "year", "coefficient_prior": "horseshoe"},
    "cross_fitted": {"label": "label", "cross_fit": 2},
    "groups": {"response": "none", "prior": "graph", "group": "year", "graph": "chain"},
    "content": {"response": "none", "content": "label"},
    "evolution": {"response": "none", "evolve": "year"},
    "groups_and_scores": {
        "target": "size",
        "prior": "graph",
        "group": "year",
        "covariates": "label",
    },
}
WITHOUT_SCORES = {"no_response", "groups", "content", "evolution"}
#: Kinds with a row of numbers for each document, beside its words.
EMBEDDED: dict[str, dict[str, Any]] = {
    "embedding": {"label": "label", "response": "logistic"},
    "embedding_of_numbers": {"target": "size", "covariates": "year"},
    "embedding_and_words": {"labels": "tags", "word_effects": "tfidf", "variance": "words=1"},
    "embedding_one_vs_rest": {"label": "stars", "strategy": "one-vs-rest"},
}
#: Questions about documents, and options of those that say which.
ABOUT_DOCUMENTS: dict[str, dict[str, Any]] = {
    "evaluation": {"held_out": "completion"},
    "classes": {},
    "calibration": {},
    "confusion": {},
    "subgroups": {"subgroups": "stars"},
    "likelihood": {},
    "topic-documents": {"documents_shown": 2},
    "correlations": {"words": 2},
}
#: Questions that say what is asked, of which the page has none.
WITH_OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("contrasts", {"contrast": ["1,2", "label=law,label=sport", "1+2,4"]}),
    ("groups", {"trend": ["1,4"]}),
    ("group-contrasts", {"contrast": ["2002,2000"]}),
    ("group-prediction", {"prior_predictive": "2001"}),
]


def embeddings() -> Any:
    return np.random.default_rng(1).normal(size=(N, 3))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The documents and their embeddings as files."""
    folder = tmp_path_factory.mktemp("data")
    paths = {"documents": str(folder / "d.jsonl"), "embeddings": str(folder / "d.npy")}
    columns = documents()
    rows = [{name: values[i] for name, values in columns.items()} for i in range(N)]
    Path(paths["documents"]).write_text("".join(json.dumps(row) + "\n" for row in rows))
    np.save(paths["embeddings"], embeddings())
    return paths


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Models of all kinds in files; and one with names, unions and a topic that is left out."""
    pd = pytest.importorskip("pandas")
    folder, paths = tmp_path_factory.mktemp("models"), {}
    for kind, options in KINDS.items():
        paths[kind] = folder / f"{kind}.gibbous"
        frame = pd.DataFrame(documents())
        gibbous.train(frame, topics=4, sweeps=24, seed=1, **options).write(paths[kind])
    for kind, options in EMBEDDED.items():
        paths[kind] = folder / f"{kind}.gibbous"
        frame, more = pd.DataFrame(documents()), {"embeddings": embeddings(), **options}
        gibbous.train(frame, topics=4, sweeps=24, seed=1, **more).write(paths[kind])
    plain = gibbous.Model.read(paths["several_fields"])
    named = plain.unite_topics([[1, 2]], drop=[3]).name_topics({1: "games, and <b>law</b>"})
    paths["united"] = folder / "united.gibbous"
    named.write(paths["united"])
    paths["united_groups"] = folder / "united_groups.gibbous"
    grouped = gibbous.Model.read(paths["groups_and_scores"])
    grouped.unite_topics([[1, 2]], drop=[3]).write(paths["united_groups"])
    return paths


def cell_of(value: Any) -> Any:
    """A cell as JSON has it, with options as the command spells them."""
    if isinstance(value, np.ndarray):
        return [cell_of(one) for one in value]
    if isinstance(value, (float, np.floating)):
        return None if np.isnan(value) else float(f"{value:.9g}")
    if isinstance(value, str):
        return re.sub("`([a-z0-9_-]+)`", lambda m: "--" + m[1].replace("_", "-"), value)
    return value.item() if isinstance(value, np.generic) else value


def rows_of(table: Table) -> list[dict[str, Any]]:
    cells = {name: [cell_of(value) for value in table.columns[name]] for name in table.columns}
    return [{name: cells[name][i] for name in cells} for i in range(len(table.weights))]


def rows_of_page(answer: dict[str, Any]) -> list[dict[str, Any]]:
    columns = {}
    for column, cells in zip(answer["columns"], answer["cells"], strict=True):
        if isinstance(cells, dict):
            cells = ["" if code is None else cells["levels"][code] for code in cells["codes"]]
        columns[column["name"]] = cells
    return [{name: columns[name][i] for name in columns} for i in range(len(answer["weights"]))]


def ask_command(command: Path, question: str, layout: str, *arguments: Any) -> str:
    run = subprocess.run(
        [command, "ask", question, *arguments, "--table", layout, "-q"],
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def rows_of_command(command: Path, question: str, *arguments: Any) -> list[dict[str, Any]]:
    printed = ask_command(command, question, "jsonl", *arguments)
    return [json.loads(line) for line in printed.split("\n") if line]


def compare_with_command(
    command: Path, question: str, expected: list[dict[str, Any]], *arguments: Any
) -> None:
    """JSON Lines have the same cells, and CSV the same texts under the same names."""
    printed = rows_of_command(command, question, *arguments)
    assert [list(row) for row in printed] == [list(row) for row in expected], question
    assert printed == expected, question
    rows = csv.reader(io.StringIO(ask_command(command, question, "csv", *arguments)))
    names = next(rows)
    columns = dict(zip(names, zip(*rows, strict=True), strict=False))
    for row in expected[:1]:
        assert names == list(row)
        for name, cell in row.items():
            if isinstance(cell, str):
                assert list(columns[name]) == [row[name] for row in expected], question


def arguments_of(options: dict[str, Any]) -> list[str]:
    """Options as the command takes them."""
    return [
        argument
        for name, values in options.items()
        for value in (values if isinstance(values, list) else [values])
        for argument in ("--" + name.replace("_", "-"), str(value))
    ]


@pytest.mark.parametrize("kind", [*KINDS, *EMBEDDED, "united", "united_groups"])
def test_every_door_gives_the_same_cells(
    kind: str, models: dict[str, Path], command: Path, tmp_path: Path
) -> None:
    model = gibbous.Model.read(models[kind])
    page = page_of(model, tmp_path / "page.html")["tables"]
    assert page
    for question in page:
        expected = rows_of(model._answer(question))
        assert rows_of_page(page[question]) == expected, question
        compare_with_command(command, question, expected, "-m", models[kind])


@pytest.mark.parametrize(
    "kind", ["no_response", "binary", "several_fields", "levels", "words", *EMBEDDED, "united"]
)
def test_every_door_says_the_same_of_documents(
    kind: str, models: dict[str, Path], data: dict[str, str], command: Path, tmp_path: Path
) -> None:
    model, path = gibbous.Model.read(models[kind]), data["documents"]
    shared: dict[str, Any] = {"infer_sweeps": 6, "seed": 3}
    if kind in EMBEDDED:
        shared["embeddings"] = data["embeddings"]
    asked = set(ABOUT_DOCUMENTS)
    if kind == "no_response":
        asked -= {"classes", "calibration", "confusion"}
    frame = pytest.importorskip("pandas").read_json(path, lines=True, dtype={"year": str})
    in_memory = {**shared, "embeddings": embeddings()} if kind in EMBEDDED else shared
    for question in sorted(asked):
        options = {**shared, **ABOUT_DOCUMENTS[question]}
        expected = rows_of(model._answer(question, path, **options))
        compare_with_command(
            command, question, expected, path, "-m", models[kind], *arguments_of(options)
        )
        if question in ("evaluation", "likelihood", "subgroups"):
            of_frame = rows_of(
                model._answer(question, frame, **in_memory, **ABOUT_DOCUMENTS[question])
            )
            assert [row.pop("id", "") for row in of_frame] != [], question
            assert of_frame == [
                {name: cell for name, cell in row.items() if name != "id"} for row in expected
            ], question
    if model.responses:
        page = page_of(model, tmp_path / "page.html", path, **shared)["tables"]
        for question in ("evaluation", "classes", "calibration", "confusion"):
            expected = rows_of(model._answer(question, path, **shared, held_out="none"))
            assert rows_of_page(page[question]) == expected, question


def test_models_of_parts_are_asked_like_others(data: dict[str, str], command: Path) -> None:
    options = {"label": "label", "held_out": "completion", "topics": 2, "sweeps": 10, "seed": 1}
    found = gibbous.cross_validate(data["documents"], folds=2, **options)
    held_out = [data["documents"], "--folds", "2", *arguments_of(options)]
    assert set(found.tables) == {"evaluation", "parts", "likelihood", "predictions"}
    for question, table in found.tables.items():
        compare_with_command(command, question, rows_of(table), *held_out)
    del options["topics"]
    tried = gibbous.select(data["documents"], folds=2, topics=[2, 3], **options)
    grid = [data["documents"], "--folds", "2", "--grid", "topics=2,3", *arguments_of(options)]
    for question, table in tried.tables.items():
        rows = rows_of(table)
        printed = rows_of_command(command, question, *grid)
        assert [without_seconds(row) for row in printed] == [without_seconds(row) for row in rows]


def without_seconds(row: dict[str, Any]) -> dict[str, Any]:
    """No two runs take the same time."""
    is_time = row.get("score") == "seconds"
    return {
        name: cell
        for name, cell in row.items()
        if not (name.startswith("seconds") or (is_time and name in ("value", "se")))
    }


@pytest.mark.parametrize("kind", ["groups_and_scores", "united_groups"])
def test_options_say_the_same_to_python_and_the_command(
    kind: str, models: dict[str, Path], command: Path
) -> None:
    model = gibbous.Model.read(models[kind])
    for question, options in WITH_OPTIONS:
        expected = rows_of(model._answer(question, **options))
        given = ["-m", models[kind], *arguments_of(options)]
        assert rows_of_command(command, question, *given) == expected, question
        assert not any("3" in str(row.get("topic")) for row in expected) or kind != "united_groups"


#: Questions about documents: what `explain --table-of` and a method of Python call them.
EXPLAINED = {
    "parts": "explanation",
    "words": "explanation-words",
    "topic-words": "explanation-topic-words",
}


@pytest.mark.parametrize("kind", [*(set(KINDS) - WITHOUT_SCORES), "united"])
def test_explanations_have_the_same_cells_everywhere(
    kind: str, models: dict[str, Path], command: Path, tmp_path: Path
) -> None:
    model, path = gibbous.Model.read(models[kind]), tmp_path / "some.jsonl"
    columns = {name: cells[:12] for name, cells in documents().items()}
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = model.explain(path, without=3, seed=1)

    def of_command(*arguments: str) -> list[dict[str, Any]]:
        run = subprocess.run(
            [command, *arguments, "-m", models[kind], "--seed", "1", "--table", "jsonl", "-q"],
            capture_output=True,
            text=True,
            check=True,
        )
        return [json.loads(line) for line in run.stdout.splitlines()]

    for name, question in EXPLAINED.items():
        expected = rows_of(found._answer(question))
        assert of_command("explain", str(path), "--table-of", name) == expected, question
        assert of_command("ask", question, str(path)) == expected, question
        assert not any(
            row.get("topic", row.get("feature")) == "3" for row in expected if kind == "united"
        )
    page = page_of(model, tmp_path / "page.html", path, seed=1)["documents"]["docs"]
    parts, words = (rows_of(found._answer(EXPLAINED[name], rows=8)) for name in ("parts", "words"))
    whys = [(doc["id"], why) for doc in page for why in doc["why"]]
    shown = [(i, why["class"], why["score"], *part) for i, why in whys for part in why["parts"]]
    assert shown == [
        (row["id"], row["class"], row["score"], row["kind"], row["feature"], row["part"])
        for row in parts
    ]
    shown = [(i, why["class"], *word) for i, why in whys for word in why["words"]]
    assert shown == [(row["id"], row["class"], row["word"], row["part"]) for row in words]


def test_documents_of_questions_are_those_of_the_verbs(
    models: dict[str, Path], command: Path, tmp_path: Path
) -> None:
    model, path = gibbous.Model.read(models["united"]), tmp_path / "some.jsonl"
    columns = documents()
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:30]), encoding="utf-8")
    near = model.nearest_documents(path, path, 2, frame="arrays", seed=1)
    arguments = [
        ("explain", path, "--nearest-in", path, "--nearest", "2", "--table-of", "nearest"),
        ("ask", "nearest-documents", path, "--nearest-in", path, "--nearest", "2"),
        ("infer", path),
    ]
    lines = [
        subprocess.run(
            [command, *one, "-m", models["united"], "--seed", "1", "--table", "jsonl", "-q"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for one in arguments
    ]
    printed = [[json.loads(line) for line in some] for some in lines]
    assert (
        printed[0]
        == printed[1]
        == [
            {name: cell_of(cells[i]) for name, cells in near.items()}
            for i in range(len(near["id"]))
        ]
    )
    shares = model.table("topic-shares", path, frame="arrays", seed=1)
    assert list(shares) == ["id", "topic_1+2", "topic_4", "n_known"]
    for i, row in enumerate(printed[2]):
        assert all(row[name] == cell_of(cells[i]) for name, cells in shares.items())


def test_the_command_takes_what_questions_read(command: Path) -> None:
    dump = subprocess.run([command, "--dump-options"], capture_output=True, text=True, check=True)
    taken = {one["name"] for one in json.loads(dump.stdout)["options"] if "ask" in one["verbs"]}
    read = {option for question in gibbous.questions() for option in options_of(question)}
    assert read - taken == {"checkpoint", "resume"}  # of a run that goes on, which diagnose asks


def test_a_topic_that_is_left_out_is_nowhere(models: dict[str, Path], tmp_path: Path) -> None:
    model = gibbous.Model.read(models["united"])
    effects = model.table("effects", frame="arrays")
    topics = set(effects["feature"][effects["kind"] == "topic"])
    assert topics == {"1+2", "4"}


def test_changes_compare_with_an_earlier_model(models: dict[str, Path]) -> None:
    plain = gibbous.Model.read(models["several_fields"])
    united = gibbous.Model.read(models["united"])
    changes = united.table("changes", earlier=plain, words=2, frame="arrays")
    here = changes["what"] == "topics"
    assert set(changes["feature"][here]) == {"1+2", "4", ""}
    alone = changes["feature"] == "4"
    assert np.all(changes["difference"][alone] == 0)


def test_questions_have_help_and_refuse_other_options(models: dict[str, Path]) -> None:
    assert {"effects", "changes"} <= set(gibbous.questions())
    model = gibbous.Model.read(models["binary"])
    with pytest.raises(gibbous.UnknownOptionError, match="effects has no option topics"):
        model.table("effects", topics=3)
    with pytest.raises(gibbous.ArgumentError, match="needs an earlier model"):
        model.table("changes")
    with pytest.raises(gibbous.ArgumentError, match="no question"):
        model.table("chances")
