"""Graphs and other options that users have as objects."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from gibbous import inputs

EDGES = [["a", "b"], ["b", "c", 2.5]]


def edges(data, **names):
    return json.loads(inputs.graph(data, **names))


@pytest.mark.parametrize("text", ["chain", "complete", "grid:venues.csv", "edges.tsv"])
def test_a_text_is_the_option_itself(text):
    assert inputs.graph(text) == text


def test_edges_are_tuples_of_groups_weight_and_type():
    given = [("a", "b"), (1999, 2000.0), ("a", "c", 2), ("a", "d", None, "near"), ("island",)]
    assert edges(given) == [
        ["a", "b"],
        ["1999", "2000"],
        ["a", "c", 2],
        ["a", "d", 1, "near"],
        ["island"],
    ]
    assert edges(iter(given)) == edges(given)


def test_a_frame_has_columns_of_edges():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(
        {"to": ["b", None], "from": ["a", "c"], "weight": [2.0, None], "since": [1, 2]}
    )
    assert edges(frame) == [["a", "b", 2.0], ["c"]]
    assert edges(frame.to_pandas()) == edges(frame.to_arrow()) == edges(frame)
    with pytest.raises(ValueError, match='the data frame has no column "to"'):
        inputs.graph(frame.drop("to"))


def test_a_networkx_graph_gives_its_nodes_and_edges():
    nx = pytest.importorskip("networkx")
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=2.5, type="near")
    graph.add_edge(1, "a")
    graph.add_node("island")
    assert edges(graph) == [["a"], ["b"], ["1"], ["island"], ["a", "b", 2.5, "near"], ["a", "1"]]
    with pytest.raises(ValueError, match="edges have no direction here; call to_undirected"):
        inputs.graph(nx.DiGraph([("a", "b")]))


@pytest.mark.parametrize("make", [np.array, sparse.csr_array, sparse.coo_matrix, sparse.csc_array])
def test_an_adjacency_matrix_is_symmetric(make):
    matrix = make([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    assert edges(matrix) == [["0"], ["1"], ["2"], ["0", "1", 1.0], ["1", "2", 2.0]]
    assert edges(matrix, names=["x", "y", "z"])[3:] == [["x", "y", 1.0], ["y", "z", 2.0]]
    with pytest.raises(ValueError, match="must be symmetric"):
        inputs.graph(make([[0, 1], [0, 0]]))
    with pytest.raises(ValueError, match="2 names of groups for 3 rows"):
        inputs.graph(matrix, names=["x", "y"])


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (7, TypeError, "expected edges, a networkx graph or an adjacency matrix, got 7"),
        ({"a": "b"}, TypeError, "expected edges"),
        ([("a", "b"), "ab"], TypeError, "graph, edge 1: expected two groups"),
        (
            [("a", "b", 1, "t", 2)],
            ValueError,
            "graph, edge 0: expected two groups and if wanted a weight and a type, got 5",
        ),
        ([(None, "b")], ValueError, "graph, edge 0: an edge needs two groups"),
        ([("a", None, 2)], ValueError, "graph, edge 0: an edge needs two groups"),
        ([("a", "b", "heavy")], ValueError, "graph, edge 0: the weight is 'heavy'"),
        (sparse.csr_array(np.ones((2, 3))), ValueError, "expected a square matrix"),
    ],
)
def test_what_is_no_graph_is_named(data, error, message):
    with pytest.raises(error, match=message):
        inputs.graph(data)


def test_lists_of_words_become_values_of_their_options():
    assert inputs.words(["the", "of"], "stopwords") == '["the", "of"]'
    assert inputs.words({"of", "the"}, "stopwords") == '["of", "the"]'
    assert inputs.words("en", "stopwords") == "en"
    path = inputs.words(np.array(["the", "of"]), "vocabulary")
    assert Path(path).read_text() == "the\nof\n"


def test_a_matrix_becomes_its_rows_and_a_number_stays_one():
    assert inputs.square([[1, 0.5], [0.5, 2]], "psi_covariance") == "[[1.0, 0.5], [0.5, 2.0]]"
    assert inputs.square(0.25, "psi_covariance") == "0.25"
    assert inputs.square("sample", "psi_covariance") == "sample"
    with pytest.raises(ValueError, match="expected a number or a square matrix"):
        inputs.square(np.ones((2, 3)), "psi_covariance")
