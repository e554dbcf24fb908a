"""Passages are read as UCCA says, and nothing bad is taken."""

import copy
import json

import pytest

from tests import passages
from tests.passages import mrp, unit
from textsimp.support.errors import InputError
from textsimp.text.ucca import read, same_text

GRAPH = mrp(*passages.radio()[1:])


def scenes(words, root):
    return read(mrp(words.split(), root))["scenes"]


@pytest.mark.parametrize("i", range(len(passages.ALL)))
def test_the_example_corpus_holds_the_passages(i):
    text, words, _ = passages.ALL[i]()
    found = read((passages.FOLDER / "passages.mrp").read_text().splitlines()[i])
    assert found["words"] == words
    assert same_text(words, text)


def test_a_passage_has_the_scenes_that_one_reads_in_it():
    sold, built = scenes("Ann sold the house that her father built .", passages.relative()[2])
    assert sold["words"] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert (sold["relations"], sold["participants"]) == ([[[1]]], [[[0]], [[3]]])
    assert built["words"] == [4, 5, 6, 7]  # without the house, which only a remote edge leads to
    assert (built["relations"], built["participants"]) == ([[[7]]], [[[6]], [[3]]])


def test_an_implicit_unit_has_no_centre():
    heard, _ = read(mrp(*passages.concert()[1:]))["scenes"]
    assert heard["participants"] == [[]]


def test_words_of_an_unanalysable_unit_are_one_centre_and_may_stand_apart():
    _, walked = read(mrp(*passages.concert()[1:]))["scenes"]
    assert walked["participants"][2] == [[8, 9]]
    switched, _ = read(GRAPH)["scenes"]
    assert switched["relations"] == [[[1, 5]]]


def test_every_centre_is_followed():
    inner = unit(C=[unit(2), unit(4)], N=unit(3))
    root = unit(H=unit(A=unit(C=[unit(0), inner], N=unit(1)), P=unit(5)))
    (scene,) = scenes("Ann , Tom and Eva left", root)
    assert scene["participants"] == [[[0], [2], [4]]]


def test_the_centre_of_a_scene_is_that_of_its_main_relation():
    inner = unit(A=unit(2), P=unit(F=unit(3), C=unit(4)))
    said, left = scenes("Ann said Tom has left", unit(H=unit(A=[unit(0), inner], P=unit(1))))
    assert said["participants"] == [[[0]], [[4]]]
    assert left["relations"] == [[[4]]]


def test_the_centres_of_parallel_scenes_are_theirs():
    both = unit(H=[unit(A=unit(2), P=unit(3)), unit(P=unit(5))], L=unit(4))
    said, *_ = scenes("Ann said Tom sang and danced", unit(H=unit(A=[unit(0), both], P=unit(1))))
    assert said["participants"] == [[[0]], [[3], [5]]]


def test_without_a_centre_all_words_but_punctuation_are_it():
    odd = unit(R=unit(2), E=unit(3), U=unit(4))
    (scene,) = scenes("Ann thought of Tom ;", unit(H=unit(A=[unit(0), odd], P=unit(1))))
    assert scene["participants"][1] == [[2, 3]]
    assert scene["words"] == [0, 1, 2, 3]


def test_linkers_grounds_and_functions_make_no_scene():
    root = unit(H=unit(P=unit(1)), L=unit(0), G=unit(2), F=unit(3))
    assert len(scenes("and sing please do", root)) == 1


def test_scenes_come_in_the_order_of_their_first_words_the_outer_one_first():
    inner = unit(P=unit(0), A=unit(1))
    root = unit(H=[unit(P=unit(4)), unit(A=inner, S=unit(2))])
    found = scenes("singing songs helps , laughing", root)
    assert [scene["words"] for scene in found] == [[0, 1, 2], [0, 1], [4]]


def test_a_remote_relation_makes_a_scene():
    ate = unit(1)
    root = unit(
        H=[unit(A=[unit(0), unit(2)], P=ate), unit(A=[unit(4), unit(5)], P_=ate)], L=unit(3)
    )
    _, second = scenes("Ann ate fish and Tom meat", root)
    assert (second["relations"], second["words"]) == ([[[1]]], [4, 5])


def test_a_second_parent_that_is_not_remote_counts_as_remote():
    graph = mrp(["Ann", "sang"], unit(H=unit(A=unit(0), P=unit(1))))
    graph["nodes"] += [{"id": 9}]
    graph["edges"] += [
        {"source": 9, "target": 2, "label": "A"},
        {"source": 9, "target": 3, "label": "S"},
    ]
    first, second = read(graph)["scenes"]
    assert first["words"] == [0, 1]
    assert (second["words"], second["participants"]) == ([], [[[0]]])


def test_edges_of_linkage_say_nothing_new():
    graph = copy.deepcopy(GRAPH)
    graph["nodes"].append({"id": 99})
    graph["edges"] += [{"source": 99, "target": i, "label": "LA"} for i in (1, 2)]
    assert read(graph) == read(GRAPH)


def test_an_anchor_may_span_several_words():
    graph = mrp(["even", "though", "Ann", "sang"], unit(L=unit(0, 1), H=unit(A=unit(2), P=unit(3))))
    (linker,) = (node for node in graph["nodes"] if len(node.get("anchors", [])) == 2)
    expected = read(copy.deepcopy(graph))
    linker["anchors"] = [{"from": 0, "to": 11}]
    assert read(graph) == expected


def test_graphs_of_2019_have_remote_among_properties_and_labels_may_be_small():
    graph = mrp(*passages.relative()[1:])
    expected = read(copy.deepcopy(graph))
    for edge in graph["edges"]:
        edge["label"] = edge["label"].lower()
        if "attributes" in edge:
            edge["properties"] = edge.pop("attributes")
    assert read(graph) == expected


def test_remote_may_be_said_to_be_false():
    graph = mrp(*passages.radio()[1:])
    graph["edges"][0] |= {"attributes": ["remote"], "values": [False]}
    assert read(graph) == read(GRAPH)


def test_what_was_read_is_read_again():
    found = read(GRAPH)
    assert read(found) == found
    assert read(json.dumps(found)) == found


# What is refused


def changed(**more):
    return {**GRAPH, **more}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (changed(edges=[{"source": 0, "target": 0, "label": "A"}]), "without cycles, got one at"),
        ("{", "UCCA"),
        ("nowhere.json", "UCCA"),
        ("{}", r"got another: KeyError\('input'\)"),
        (changed(framework="amr"), "the framework 'ucca', got str 'amr'"),
        (changed(nodes=None), "JSON without nodes"),
        (changed(nodes=[{}]), r"got another: KeyError\('id'\)"),
        (changed(nodes=[{"id": 0, "anchors": [5]}]), "got another: TypeError"),
        (changed(nodes=[{"id": 0, "anchors": [{"from": 0, "to": 999}]}]), "of the 52 of 'input'"),
        (changed(edges=["x"]), "got another: TypeError"),
        (changed(edges=[{"source": 99, "target": 0, "label": "A"}]), "edge from 99, which is no"),
        (changed(edges=[{"source": 0, "target": 99, "label": "A"}]), "to str '99', which is no"),
        (changed(edges=[{"source": 0, "target": 1}]), r"got another: KeyError\('label'\)"),
        (None, "got None"),
        (5, "got int 5"),
        ([1], "got list"),
    ],
)
def test_what_is_no_passage_is_refused_in_a_line(given, message):
    with pytest.raises(InputError, match=message) as raised:
        read(given)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize(
    ("words", "text", "same"),
    [
        (["Do", "n't", "stop", "!"], "Don't stop!", True),
        (["-LRB-", "yes", "-RRB-"], "(Yes)", True),
        (["a", "cat"], "a dog", False),
        ([], "…", True),
    ],
)
def test_words_are_of_a_text_if_letters_and_digits_are_the_same(words, text, same):
    assert same_text(words, text) is same
