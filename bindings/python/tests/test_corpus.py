"""A corpus from arrays and from files, and what it answers."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import gibbous

START, WORD, COUNT = [0, 2, 2, 3], [0, 2, 1], [3, 1, 2]
WORDS = ["moon", "bread", "tide"]


def made(**given: object) -> gibbous.Corpus:
    arguments = {"start": START, "word": WORD, "count": COUNT, "vocabulary": WORDS, **given}
    return gibbous.Corpus.from_arrays(**arguments)  # type: ignore[arg-type]


def test_a_corpus_says_what_it_was_made_of() -> None:
    tags = gibbous.Field(
        "tags",
        "response",
        "several",
        class_name=["wet", "old"],
        start=np.array([0, 2, 2, 2], np.uint64),
        class_of=np.array([1, 0], np.uint32),
        is_missing=np.array([False, False, True]),
    )
    year = gibbous.Field("year", "covariate", "number", numbers=np.array([1990, np.nan, 2000]))
    corpus = made(fields=[tags, year], ids=["a", None, "c"])
    assert (len(corpus), corpus.n_tokens, corpus.n_words) == (3, 6, 3)
    assert corpus.ids == ["a", "2", "c"]
    assert corpus.vocabulary == WORDS
    assert [(f.name, f.role, f.kind) for f in corpus.fields] == [
        ("tags", "response", "several"),
        ("year", "covariate", "number"),
    ]
    assert corpus.classes_of("tags") == [["old", "wet"], [], None]
    np.testing.assert_array_equal(corpus.numbers("year"), [1990, np.nan, 2000])
    np.testing.assert_array_equal(corpus.tokens(0), [0, 0, 0, 2])
    assert corpus.tokens(1).size == 0
    assert corpus.notes["source"] == {"format": "arrays"}
    with pytest.raises(gibbous.ArgumentError, match="it has: tags, year"):
        corpus.numbers("yaer")
    with pytest.raises(IndexError):
        corpus.tokens(3)


def test_a_view_outlives_its_corpus() -> None:
    year = gibbous.Field("year", "covariate", "number", numbers=np.arange(3.0))
    numbers = made(fields=[year]).numbers("year")
    gc.collect()
    np.testing.assert_array_equal(numbers, [0, 1, 2])
    with pytest.raises(ValueError, match="read-only"):
        numbers[0] = 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"start": []}, "start must have a value for each document"),
        ({"start": [0, -1, 2, 3]}, "start has a number below 0"),
        ({"start": [0, 2, 1, 3]}, "number 2 begins at entry 2 and ends at 1"),
        ({"word": [0, 2]}, "word must have 3 values, as start says, not 2"),
        ({"word": [0, 2, 3]}, "document 3: word number 3, but the vocabulary has 3"),
        ({"word": [0, -2, 1]}, "word has a number below 0"),
        ({"count": [1, 1]}, "count must have 3 values, not 2"),
        ({"count": [1, 1.5, 1]}, "count must be whole numbers, not float64"),
        ({"count": [1, -1, 1]}, "count has a number below 0"),
        ({"count": [[1, 1, 1]]}, "count must have one dimension, not 2"),
        ({"count": [2**40, 1, 1]}, "count has a number above 4294967295"),
        ({"vocabulary": ["a", "b", "a"]}, 'the word "a" is in the vocabulary twice'),
        ({"ids": ["a"]}, "there are 3 documents, but 1 ids"),
        ({"vocabulary": ["a", "b\0", "c"]}, "vocabulary, word 1 has a NUL character in it: 'b"),
        ({"ids": ["a", "b\0", "c"]}, "id 1 has a NUL character in it"),
    ],
)
def test_arrays_that_cannot_be_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(gibbous.GibbousError, match=message):
        made(**given)


@pytest.mark.parametrize("dtype", [">i4", "<i4", ">u4", "<u4", ">i8", "<i8", ">u2"])
def test_numbers_of_any_order_of_bytes_are_the_same_numbers(dtype: str) -> None:
    corpus = made(
        **{
            name: np.array(values, dtype=dtype)
            for name, values in (("start", START), ("word", WORD), ("count", COUNT))
        }
    )
    assert [corpus.tokens(d).tolist() for d in range(3)] == [[0, 0, 0, 2], [], [1, 1]]


def test_a_file_is_read_as_the_command_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("text,kind\nThe moon and the tide,sky\nbread and yeast,kitchen\n", "utf-8")
    corpus = gibbous.Corpus.read(path, label="kind", stopwords="en")
    assert corpus.vocabulary == ["bread", "moon", "tide", "yeast"]
    assert corpus.classes_of("kind") == [["sky"], ["kitchen"]]
    assert gibbous.Corpus.read([path, path], label="kind").n_docs == 4
    with pytest.raises(gibbous.FormatError, match=r"d\.csv.*kinds"):
        gibbous.Corpus.read(path, label="kinds")
    with pytest.raises(OSError, match=r"absent\.csv"):
        gibbous.Corpus.read(tmp_path / "absent.csv")
    with pytest.raises(TypeError, match="has no option topics"):
        gibbous.Corpus.read(path, topics=3)


def test_a_corpus_file_can_be_kept(tmp_path: Path) -> None:
    corpus = made()
    corpus.write(tmp_path / "c")
    with pytest.raises(gibbous.ArgumentError, match="exists"):
        corpus.write(tmp_path / "c", force=False)
    corpus.write(tmp_path / "c")
    assert gibbous.Corpus.read(tmp_path / "c").vocabulary == WORDS


@pytest.mark.parametrize("name", ["c.gbc", "c.jsonl", "c.svmlight", "c.mtx", "c.ldac", "c.npz"])
def test_a_corpus_in_another_format_is_read_back(tmp_path: Path, name: str) -> None:
    corpus = made()
    notes = corpus.export(tmp_path / name)
    assert notes["files"][0] == str(tmp_path / name)
    back = gibbous.Corpus.read(tmp_path / name, **notes["read_with"])
    assert back.vocabulary == corpus.vocabulary
    assert [sorted(back.tokens(d)) for d in range(3)] == [
        sorted(corpus.tokens(d)) for d in range(3)
    ]
    assert back.fields == corpus.fields
    with pytest.raises(gibbous.ArgumentError, match="exists"):
        corpus.export(tmp_path / name, force=False)


def test_scipy_reads_an_exported_matrix_and_is_read(tmp_path: Path) -> None:
    corpus = made()
    corpus.export(tmp_path / "c.npz")
    matrix = scipy.sparse.load_npz(tmp_path / "c.npz")
    counts = [np.bincount(corpus.tokens(d), minlength=corpus.n_words) for d in range(3)]
    np.testing.assert_array_equal(matrix.toarray(), counts)
    words = tmp_path / "c.vocabulary.txt"
    for i, kind in enumerate([matrix.tocsc(), matrix.astype(float), matrix.astype(np.uint8)]):
        scipy.sparse.save_npz(tmp_path / f"{i}.npz", kind, compressed=i > 0)
        back = gibbous.Corpus.read(tmp_path / f"{i}.npz", vocabulary=str(words))
        assert [list(back.tokens(d)) for d in range(3)] == [
            sorted(corpus.tokens(d)) for d in range(3)
        ]


def test_a_word_that_is_no_text_is_named() -> None:
    with pytest.raises(TypeError, match=r"vocabulary, word 1 is 3 \(int\), expected str"):
        made(vocabulary=["a", 3, "c"])


def test_a_nul_in_a_text_is_refused_and_not_its_end(tmp_path: Path) -> None:
    corpus = made()
    year = gibbous.Field("ye\0ar", "covariate", "number", numbers=np.zeros(3))
    kind = gibbous.Field(
        "kind", "response", "one", class_name=["a\0b"], class_of=np.zeros(3, np.uint32)
    )
    calls: list[tuple[str, Callable[[], object]]] = [
        ("a path", lambda: corpus.write(tmp_path / "c\0d", force=True)),
        ("a path", lambda: corpus.export(f"{tmp_path}/c.npz\0d")),
        ("the format", lambda: corpus.export(tmp_path / "c", "npz\0d")),
        ("a path", lambda: gibbous.Corpus.read([tmp_path / "c", "c\0d"])),
        ("a path", lambda: gibbous.Model.read("m\0n")),
        ("the name of a field", lambda: made(fields=[year])),
        ("field 'kind', class 0", lambda: made(fields=[kind])),
        ("a name", lambda: corpus.numbers("year\0")),
        ("the option topics", lambda: gibbous.train(corpus, topics="3\x009")),
        ("the option stopwords", lambda: gibbous.Corpus.read("c", stopwords="en\0")),
        ("an option", lambda: gibbous.train(corpus, **{"topics\0": 3})),
    ]
    for what, call in calls:
        with pytest.raises(gibbous.ArgumentError, match=f"{what} has a NUL character in it"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_names_of_files_may_be_any_bytes(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    made().write(path)
    assert gibbous.Corpus.read(path).n_docs == 3
    assert gibbous.Corpus.read([path, path]).n_docs == 6


def test_texts_get_phrases_and_new_texts_the_same() -> None:
    texts = ["New York is big", "the big city of New York", "to new-york by train", "big trains"]
    options: dict[str, object] = {"ngrams": 2, "phrase_min_df": 2, "phrase_score": 0}
    corpus = gibbous.Corpus.from_documents(texts, **options)
    assert "new_york" in corpus.vocabulary
    model = gibbous.train(texts, topics=2, sweeps=5, seed=1, **options)
    assert "new_york" in model.vocabulary
    assert corpus.notes["preparation"]["phrases"] == ["new\tyork"]
