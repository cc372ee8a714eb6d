"""Files that only Python reads: Parquet, Arrow and Feather."""

from __future__ import annotations

from pathlib import Path

import pytest

import gibbous

TABLE = {"plot": ["red cat", "blue dog"] * 6, "kind": ["a", "b"] * 6, "words": [["x", "y"]] * 12}
FIT = {"text": "plot", "label": "kind", "topics": 2, "sweeps": 20, "seed": 1}


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_files_of_data_frames_are_read_by_name(tmp_path: Path, ending: str) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    path = tmp_path / f"films.{ending}"
    write = parquet.write_table if ending == "parquet" else feather.write_feather
    write(pa.table(TABLE), path)
    corpus = gibbous.Corpus.read(path, text="plot", label="kind")
    assert corpus.vocabulary == ["blue", "cat", "dog", "red"]
    assert corpus.classes_of("kind")[:2] == [["a"], ["b"]]
    assert gibbous.Corpus.read(str(path), text="words").n_tokens == 24
    model = gibbous.train(path, **FIT)
    assert model.documents(path, text="plot").corpus.n_docs == 12
    assert model.infer(path, text="plot").shape == (12, 2)
    assert "accuracy" in str(model.evaluate(path, text="plot", label="kind"))


@pytest.mark.parametrize(
    ("bytes_", "kind"), [(b"PAR1 and no more", "Parquet"), (b"ARROW1", "Arrow")]
)
def test_what_cannot_be_read_says_so(tmp_path: Path, bytes_: bytes, kind: str) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "films"
    path.write_bytes(bytes_)
    with pytest.raises(
        gibbous.FormatError, match=f"cannot be read as a{'n' * (kind == 'Arrow')} {kind} file"
    ):
        gibbous.train(path, **FIT)


def test_without_a_package_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gibbous.inputs import _files

    monkeypatch.setattr(_files, "find_spec", lambda _: None)
    path = tmp_path / "films.parquet"
    path.write_bytes(b"PAR1")
    with pytest.raises(gibbous.FormatError, match="read with polars or pyarrow; install one"):
        gibbous.Corpus.read(path)


@pytest.mark.parametrize("text", ["title,body", ["title", "body"], "title, body"])
def test_several_columns_make_one_text(tmp_path: Path, text: object) -> None:
    pd = pytest.importorskip("pandas")
    films = pd.DataFrame({"title": ["Big dogs", None], "body": ["cats", "birds"], "n": [1, 2]})
    corpus = gibbous.Corpus.from_documents(films, text=text)
    films.to_csv(tmp_path / "films.csv", index=False)
    read = gibbous.Corpus.read(tmp_path / "films.csv", text=text)
    assert corpus.vocabulary == read.vocabulary == ["big", "birds", "cats", "dogs"]
    assert [list(corpus.tokens(d)) for d in range(2)] == [[0, 3, 2], [1]]
    with pytest.raises(ValueError, match="plot"):
        gibbous.Corpus.from_documents(films, text="title,plot")
    with pytest.raises(TypeError, match='text "n", row 0: expected a text, got 1'):
        gibbous.Corpus.from_documents(films, text=["title", "n"])


def test_columns_can_be_bags(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    films = pd.DataFrame(
        {
            "Title": ["Big dogs", None] * 10,
            "body": ["big cats", "birds\x1ewild"] * 10,
            "n": [1.0, 2.0] * 10,
        }
    )
    text = "Title,body=body"
    corpus = gibbous.Corpus.from_documents(films, text=text)
    films["body"] = ["big cats", "birds wild"] * 10
    films.to_csv(tmp_path / "films.csv", index=False)
    read = gibbous.Corpus.read(tmp_path / "films.csv", text=text)
    words = ["body:big", "body:birds", "body:cats", "body:wild", "title:big", "title:dogs"]
    assert corpus.vocabulary == read.vocabulary == words
    assert [list(corpus.tokens(d)) for d in range(2)] == [[4, 5, 0, 2], [1, 3]]
    model = gibbous.train(films, text=text, target="n", topics=2, sweeps=20, seed=1)
    assert sorted(model.topic_words(2)[0], reverse=True)[0].startswith("title:")
    predicted = model.predict(films)  # with the columns of the training
    swapped = model.predict(films, text="body=body,title=Title")
    assert (predicted.topic_shares == swapped.topic_shares).all()
    assert list(predicted.n_known[:2]) == [4, 2]
    with pytest.raises(gibbous.ArgumentError, match='a bag "head"'):
        model.predict(films, text="head=Title")
    with pytest.raises(gibbous.FormatError, match="name of its bag"):
        model.predict(["big dogs"])
