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
