"""``textsimp documents``: sizes, odds, what happened to the sentences."""

import json
from pathlib import Path

import pytest

from tests import given
from textsimp.corpora import tables
from textsimp.documents import corpus_statistics, measure_files, odds_ratio, sentence_operations

FILES = "documents -s source.txt -t references/0.txt"


@pytest.fixture(autouse=True)
def folder(examples, monkeypatch):
    monkeypatch.chdir(examples / "documents")
    return examples / "documents"


def lines(path):
    return Path(path).read_text("utf-8").splitlines()


def results(run, arguments, *further):
    done = run(f"{arguments} --json", *further)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["results"]


def write(path, rows):
    """Write rows as a table of any kind."""
    if not path.endswith(".xlsx"):
        given.write(path, rows)
        return
    book = pytest.importorskip("openpyxl").Workbook()
    for row in [rows[0], *(row.values() for row in rows)]:
        book.active.append([*row])
    book.save(path)


def pairs():
    texts = zip(lines("source.txt"), lines("references/0.txt"), strict=True)
    return [{"source": source, "target": target} for source, target in texts]


def test_numbers_are_those_of_python(run):
    columns = lines("source.txt"), lines("references/0.txt")
    (found,) = results(run, f"{FILES} --words which,who --words that")
    assert found == {
        "split": None,
        "target": "0",
        "statistics": corpus_statistics(*columns),
        "operations": sentence_operations(*columns),
        "odds_ratios": odds_ratio(*columns, words=["which", "who", "that"]),
    }


def test_options_are_those_of_python(run, as_json):
    columns = lines("source.txt"), lines("references/0.txt")
    options = "--splitter simple-token --tokenizer none --threshold 0.3 --links mutual --monotone"
    (found,) = results(run, f"{FILES} {options} --words which")
    assert found["statistics"] == corpus_statistics(
        *columns, splitter="simple-token", tokenizer="none"
    )
    assert found["operations"] == sentence_operations(
        *columns, splitter="simple-token", threshold=0.3, links="mutual", monotone=True
    )
    signature = as_json(f"{FILES} {options}")["signature"]
    assert "|tok:none|splitter:simple-token|" in signature
    assert "|threshold:0.3|links:mutual|monotone:yes|" in signature


def test_several_targets_stand_side_by_side(run):
    found = results(run, "documents -s source.txt -t people=references/0.txt -t systems")
    assert [one["target"] for one in found] == ["people", "rewriter", "shortener"]
    alone = results(run, "documents -s source.txt -t systems/shortener.txt")
    assert found[2] == alone[0]
    text = run("documents -s source.txt -t people=references/0.txt -t systems").stdout
    assert text.count("\nsource ") == 1


def test_subsets_have_rows_of_their_own(run):
    rows = pairs()
    write("train.jsonl", rows[:5])
    write("valid.csv", rows[5:7])
    write("test.parquet", rows[7:])
    found = results(run, "documents train.jsonl valid.csv dev=test.parquet")
    assert [one["split"] for one in found] == ["train", "valid", "dev"]
    assert [one["statistics"]["documents"] for one in found] == [5, 2, 1]
    texts = [row["source"] for row in rows[:5]], [row["target"] for row in rows[:5]]
    assert found[0]["operations"] == sentence_operations(*texts)
    text = run("documents train.jsonl valid.csv dev=test.parquet --alignment a.jsonl").stdout
    assert "subset" in text
    assert "train   source          5" in text
    rows = map(json.loads, lines("a.jsonl"))
    assert {(row["split"], row["target_name"]) for row in rows} == {
        (split, "target") for split in ("train", "valid", "dev")
    }


def test_a_folder_of_a_dataset_is_all_of_its_splits(run):
    for name in ("train", "validation", "test"):
        write(f"corpus/{name}.jsonl", pairs()[:2])
    for argument in ("corpus", "-d corpus"):
        found = results(run, f"documents {argument}")
        assert sorted(one["split"] for one in found) == ["test", "train", "validation"]


def test_two_text_files_are_a_subset(run):
    assert results(run, "documents source.txt,references/0.txt") == [
        {**one, "target": "target"} for one in results(run, FILES)
    ]


@pytest.mark.parametrize("format", ["xlsx", "csv", "parquet"])
def test_documents_are_read_from_several_tables_of_any_kind(format, run):
    rows = pairs()
    write(f"part-1.{format}", rows[:5])
    write(f"part-2.{format}", rows[5:])
    (found,) = results(run, f"documents all=part-1.{format},part-2.{format}")
    assert {**found, "target": "0"} == results(run, FILES)[0]


def test_documents_are_files_of_folders_that_are_matched_by_name(run, fails):
    for i, row in enumerate(pairs()):
        for side, name in (("source", "originals"), ("target", "simple"), ("target", "also")):
            given.write(f"{name}/d{i}.txt", row[side].replace(". ", ".\n"))
    found = results(run, "documents -s originals -t simple -t other=also")
    assert [one["target"] for one in found] == ["simple", "other"]
    (expected,) = results(run, FILES)
    assert found[0]["operations"] == found[1]["operations"] == expected["operations"]
    Path("simple/d3.txt").unlink()
    for folders in ("-s originals -t simple", "-s simple -t originals"):
        assert "simple has no file for d3 of originals" in fails(f"documents {folders}")
    assert "source.txt: expected a folder" in fails("documents -s originals -t source.txt")


def test_the_alignment_is_the_same_in_both_forms_and_has_the_ids_of_the_corpus(succeed):
    write("corpus.csv", [{"id": f"d{i}", **row} for i, row in enumerate(pairs())])
    for path in ("a.jsonl", "a.csv"):
        succeed(f"documents corpus.csv --alignment {path}")
    expected, found = given.rows("a.jsonl"), tables.read_table("a.csv")
    assert [*found.column("id")] == [f"d{row['document'] - 1}" for row in expected]
    assert [*map(json.loads, found.column("source"))] == [row["source"] for row in expected]
    succeed("documents corpus.csv --id source --alignment b.jsonl")
    assert json.loads(lines("b.jsonl")[0])["id"] == pairs()[0]["source"]


def test_columns_have_any_names_and_targets_too(run):
    rows = [{"n": row["source"], "ours": row["target"], "copy": row["source"]} for row in pairs()]
    write("corpus.jsonl", rows)
    found = results(run, "documents -d corpus.jsonl -S n -T ours -T same=copy")
    assert [(one["split"], one["target"]) for one in found] == [(None, "ours"), (None, "same")]
    assert found[0]["statistics"] == results(run, FILES)[0]["statistics"]
    assert found[1]["operations"]["documents_with_split"] == 0


def test_a_column_of_lists_is_several_targets(run):
    rows = [{"source": r["source"], "references": [r["target"], r["source"]]} for r in pairs()]
    for path in ("corpus.jsonl", "corpus.parquet"):
        write(path, rows)
        found = results(run, f"documents {path} -T references")
        assert [one["target"] for one in found] == ["references 1", "references 2"]
        assert found[0]["operations"] == results(run, FILES)[0]["operations"]


def test_python_measures_the_files_that_the_command_measures(run):
    write("train.jsonl", pairs()[:3])
    write("test.jsonl", pairs()[3:])
    found = measure_files(subsets=["train.jsonl", "test.jsonl"], target_columns=["ours=target"])
    assert found.results == results(run, "documents train.jsonl test.jsonl -T ours=target")
    assert {group["split"] for group in found.alignments} == {"train", "test"}
    found = measure_files(Path("source.txt"), [Path("references/0.txt")])
    assert found.results == results(run, FILES)
    printed = run(FILES).stdout
    assert all(f"{title}\n{table.to_text()}" in printed for title, table in found.tables().items())


def test_words_are_read_from_a_file(run):
    Path("words.txt").write_text("which\n\n who \n", encoding="utf-8")
    assert results(run, f"{FILES} --words words.txt") == results(run, f"{FILES} -w which,who")
    text = run(f"{FILES} -w words.txt").stdout
    assert "Odds ratios" in text
    assert "0  together" in text


def test_a_word_that_nobody_uses_has_no_p_value(run):
    text = run(f"{FILES} --words xyzzy").stdout
    (row,) = [line.split() for line in text.splitlines() if "xyzzy" in line]
    assert row[1:5] == ["xyzzy", "nan", "0", "0"]
    assert results(run, f"{FILES} --words xyzzy")[0]["odds_ratios"]["p_value"] is None


def test_the_alignment_is_written_a_group_of_sentences_a_line(succeed):
    source = "The hen laid an egg and a boy found it."
    write("s.txt", [f"{source} Days were warm.", "", "Sun. Sea."])
    write("t.txt", ["The hen laid an egg. A boy found it.", "Hi.", "Sea. Sun."])
    done = succeed("documents -s s.txt -t t.txt --alignment aligned.jsonl")
    assert done.stderr == "written: aligned.jsonl\n"
    found = given.rows("aligned.jsonl")
    assert [(row["document"], row["operation"], row["reordered"]) for row in found] == [
        (1, "split", False),
        (1, "deleted", False),
        (2, "added", False),
        (3, "aligned", False),
        (3, "aligned", True),
    ]
    assert found[0] == {
        "target_name": "t",
        "document": 1,
        "operation": "split",
        "reordered": False,
        "similarity": pytest.approx(0.6, abs=0.2),
        "source_sentences": [1],
        "target_sentences": [1, 2],
        "source": [source],
        "target": ["The hen laid an egg.", "A boy found it."],
    }
    assert (found[1]["similarity"], found[1]["target"]) == (None, [])


def test_sentences_linked_both_ways_are_split_and_joined(run):
    for name in ("s.txt", "t.txt"):
        write(name, ["The cat sat here. The cat ran off."])
    run("documents -s s.txt -t t.txt --links all --threshold 0.1 --alignment a.jsonl")
    (row,) = map(json.loads, lines("a.jsonl"))
    assert row["operation"] == "split and joined"


def test_markdown_and_latex_are_tables(run):
    markdown = run(f"{FILES} --words which --markdown").stdout
    assert markdown.count("| --- |") == 3
    assert "|aligner:lexical|" in run(f"{FILES} --csv").stderr
    assert "| 0 | 1 (1.0%) | 20 (28.6%) |" in markdown
    latex = run(f"{FILES} --words which --latex").stdout
    assert latex.count(r"\begin{tabular}") == 3
    assert r"0 & 1 (1.0\%) & 20 (28.6\%)" in latex


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "expected -s FILE and -t FILE, or subsets, or one of them after -d"),
        ("-s source.txt", "expected both -s and -t: give -t FILE"),
        ("-t source.txt", "expected both -s and -t: give -s FILE"),
        ("-s source.txt -t none.txt", "none.txt: no such file"),
        ("-s source.txt -t systems/rewriter.txt -t rewriter=source.txt", "as in -t NAME=FILE"),
        ("-s ../source.txt -t source.txt", "../source.txt has 48 lines, but source.txt has 8"),
        ("-s - -t -", "standard input can be read only once"),
        ("-s ../examples.jsonl -t source.txt", "tables are given by -d"),
        ("-s source.txt -t source.txt -S a", "either -s and -t, or subsets or -d"),
        ("source.txt", "expected files that end with .jsonl"),
        ("../examples.jsonl", "has no column 'target'; its columns are 'source'"),
        ("../examples.jsonl -S x", "'substituter': choose with -S"),
        ("../examples.jsonl -T y=x", "'substituter': choose with -T"),
        ("../examples.jsonl -T splitter -T splitter", "two targets are called 'splitter'"),
        ("../examples.jsonl -S references -T splitter", "row 0 of column 'references' of"),
        ("../examples.jsonl -d ../examples.jsonl", "expected subsets, or one file or dataset"),
        (f"{FILES[10:]} --words , --words which", "words: expected a word or more, got none in"),
        (f"{FILES[10:]} --alignment a.txt", "--alignment: expected a file that ends with"),
        (f"{FILES[10:]} --alignment source.txt/a.jsonl", "source.txt"),
        (f"{FILES[10:]} --json --csv", "expected one of --json, --csv"),
    ],
)
def test_bad_input_is_one_sentence(arguments, message, fails):
    assert message in fails(f"documents {arguments}")


@pytest.mark.parametrize("path", ["corpus.jsonl", "corpus.parquet"])
@pytest.mark.parametrize(
    ("targets", "arguments", "message"),
    [
        (["b", None], [], "row 1 of column 'target' of corpus"),
        ([["b"], ["b", "c"]], [], "expected as many texts in each row, got 1 to 2"),
        ([["b", "c"]], ["-S", "target"], "row 0 of column 'target' of corpus.{} (counted from"),
        ([["b", "c"]], ["-T", "target", "-T", "target 1=source"], "called 'target 1': name them"),
    ],
)
def test_columns_of_a_table_that_are_no_texts_are_told(path, targets, arguments, message, fails):
    write(path, [{"source": "a", "target": target} for target in targets])
    message = message.format(path.partition(".")[2])
    assert message in fails(f"documents {path}", *arguments)


# Newsela's names ----------------------------------------------------------------------------------


def write_articles(*names):
    for name in names:
        write(f"articles/{name}.txt", [f"The text of {name}."])


def test_each_level_of_newsela_is_a_target_of_level_0(run):
    write_articles(*(f"art{i}.en.{level}" for i in range(2) for level in range(3)))
    found = results(run, "documents -s articles")
    assert [(x["split"], x["target"]) for x in found] == [(None, "level 1"), (None, "level 2")]
    assert [x["statistics"]["documents"] for x in found] == [2, 2]


def test_levels_that_some_articles_lack_are_measured_apart(run):
    write_articles("a.en.0", "a.en.1", "a.en.4", "b.en.0", "b.en.1", "b.es.0", "b.es.1")
    found = results(run, "documents -s articles/*.en.* --alignment out.jsonl")
    expected = [("level 1", "level 1", 2), ("level 4", "level 4", 1)]
    assert [(x["split"], x["target"], x["statistics"]["documents"]) for x in found] == expected
    assert [json.loads(line)["id"] for line in lines("out.jsonl")] == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a.en.0", "a.es.1"], "expected articles in one language, got en, es: give a pattern, as"),
        (["a.en.0", "b.en.1"], "articles: no level 0, the source, of b"),
        (["a.en.0"], "expected a level above 0, got only level 0"),
        (["a.en.0", "other"], "expected both -s and -t: give -t FILE"),
    ],
)
def test_what_is_wrong_with_articles_is_told(fails, names, message):
    write_articles(*names)
    assert message in fails("documents -s articles")
