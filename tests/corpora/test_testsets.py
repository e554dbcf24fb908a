"""Test sets: from folders, from dataset repositories on disk, and from the Hub's cache."""

import shutil

import pytest

from tests.given import write
from textsimp import InputError
from textsimp.corpora import testsets
from textsimp.support.errors import NoColumn

SOURCES = ["A feline reclined.", "It rained."]
REFERENCES = [["A cat lay.", "The cat lay."], ["Rain fell.", "It rained."]]
CARD = """---
configs:
- config_name: simplification
  data_files:
  - split: test
    path: simplification/test.parquet
- config_name: ratings
  data_files:
  - split: full
    path: ratings/full.parquet
---
"""


@pytest.fixture(autouse=True)
def _cache_of_its_own(tmp_path, monkeypatch):
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


@pytest.fixture
def folder(tmp_path):
    """Laid out as source.txt and references/*.txt."""
    write(tmp_path / "asset_test" / "source.txt", SOURCES)
    for i, texts in enumerate(zip(*REFERENCES, strict=True)):
        write(tmp_path / "asset_test" / "references" / f"{i}.txt", texts)
    return tmp_path / "asset_test"


def repository(folder):
    """A clone of ASSET's repository on the Hub."""
    write(folder / "README.md", CARD)
    columns = {"original": SOURCES, "simplifications": REFERENCES}
    write(folder / "simplification" / "test.parquet", columns)
    write(folder / "ratings" / "full.parquet", {"rating": [1]})
    return folder


def test_a_folder_of_text_files_is_a_test_set(folder):
    assert testsets.load(str(folder)) == (SOURCES, REFERENCES)


def test_a_name_is_looked_for_in_the_data_folder(folder):
    assert testsets.load("asset_test", str(folder.parent)) == (SOURCES, REFERENCES)
    with pytest.raises(InputError):
        testsets.load("hsplit_test", str(folder.parent))


def test_references_that_are_too_few_or_not_there_are_told(folder):
    (folder / "references" / "1.txt").write_text("one\n")
    for place in (r"source\.txt has 2 lines, but .*1\.txt has 1 line", "references: "):
        with pytest.raises(InputError, match=place):
            testsets.load(str(folder))
        shutil.rmtree(folder / "references", ignore_errors=True)


def test_a_clone_of_the_repository_has_the_columns_of_the_hub(tmp_path):
    repository(tmp_path / "asset_test")
    assert testsets.load("asset_test", str(tmp_path)) == (SOURCES, REFERENCES)


def test_another_repository_has_columns_source_and_references(tmp_path):
    write(tmp_path / "test.parquet", {"source": SOURCES, "references": REFERENCES})
    assert testsets.load(str(tmp_path)) == (SOURCES, REFERENCES)


def test_a_saved_dataset_is_a_test_set(tmp_path):
    from datasets import Dataset, DatasetDict

    data = Dataset.from_dict({"original": SOURCES, "simplifications": REFERENCES})
    data.save_to_disk(tmp_path / "asset_test")
    DatasetDict({"validation": data}).save_to_disk(tmp_path / "asset_valid")
    for name in ("asset_test", "asset_valid"):
        assert testsets.load(name, str(tmp_path)) == (SOURCES, REFERENCES)


def test_columns_of_other_names_are_told_with_those_there_are(tmp_path):
    write(tmp_path / "test.parquet", {"a": SOURCES})
    with pytest.raises(NoColumn):
        testsets.load(str(tmp_path))


TURK = ["test.8turkers.tok.norm", "test.8turkers.tok.turk.0", "test.8turkers.tok.turk.1"]
CASED = ["test.truecase.detok.orig", "test.truecase.detok.simp.0", "test.truecase.detok.simp.1"]
WIKI = ["wiki.full.aner.ori.test.src", "wiki.full.aner.ori.test.dst"]
NEWSELA = ["V0V4_V1V4.aner.ori.test.src", "V0V4_V1V4.aner.ori.test.dst"]


@pytest.mark.parametrize(
    ("name", "files", "others"),
    [
        (
            "asset",
            ["asset.test.orig", "asset.test.simp.0", "asset.test.simp.1"],
            ["asset.valid.orig", "asset.valid.simp.0", "README.md"],
        ),
        ("asset_valid", ["asset.valid.orig", "asset.valid.simp.0"], ["asset.test.orig"]),
        ("turkcorpus", TURK, ["test.8turkers.tok.simp", "tune.8turkers.tok.norm", TURK[1] + "~"]),
        ("turkcorpus_valid", [name.replace("test", "tune") for name in CASED], CASED),
        ("hsplit", ["hsplit.tok.src", "hsplit.tok.1", "hsplit.tok.2"], []),
        ("hsplit_test", [TURK[0], "HSplit1_full", "HSplit2_full"], ["HSplit.pdf"]),
        ("wikismall", ["PWKP_1.tag.80.aner.ori.test.src", "PWKP_1.tag.80.aner.ori.test.dst"], []),
        ("wikilarge", WIKI, [name.replace(".ori", "") for name in WIKI]),
        ("newsela", NEWSELA, [name.replace("test", "valid") for name in NEWSELA]),
        ("d_wikipedia", ["test.src", "test.tgt"], ["valid.src", "valid.tgt"]),
        ("a_clone/Dataset", ["test.src", "test.tgt"], []),
        ("geolino_valid", ["geolino.valid.org", "geolino.valid.simp"], ["geolino.test.org"]),
        ("textcomplexityde_test", ["TextComplexityDE_test.org", "TextComplexityDE_test.simp"], []),
        ("ABGB", ["ABGB_test.org", "ABGB_test.simp"], ["ABGB_test.ref", "abgbFinal.csv"]),
        ("ours", ["test.source.txt", "test.reference.txt"], ["validation.source.txt"]),
        ("only_valid", ["asset.valid.orig", "asset.valid.simp.0"], []),
    ],
)
def test_folders_may_have_the_names_that_the_field_gives_files(
    name, files, others, tmp_path, capsys
):
    folder = tmp_path / name
    for other in others:
        write(folder / other, ["another", "file", "of", "another", "length"])
    columns = [SOURCES, *zip(*REFERENCES, strict=True)]
    for file, column in zip(files, columns, strict=False):
        write(folder / file, column)
    references = [row[: len(files) - 1] for row in REFERENCES]
    data_dir = str(tmp_path) if name in testsets.names() else None
    place = folder.parent if folder.name == "Dataset" else folder
    assert testsets.load(name if data_dir else str(place), data_dir) == (SOURCES, references)
    told = f"{folder}: sources {files[0]}; references {', '.join(files[1:])}\n"
    assert capsys.readouterr().err == told


def test_a_folder_with_two_test_sets_is_told(tmp_path):
    for name in [*TURK, *CASED]:
        write(tmp_path / name, ["text"])
    with pytest.raises(InputError, match=f"{TURK[0]}, {CASED[0]}$"):
        testsets.load(str(tmp_path))


def test_tsars_file_is_a_test_set_alone_or_in_its_folder(tmp_path):
    rows = [
        {"text_id": f"{i}-a2", "original": source, "target_cefr": "A2", "reference": references[0]}
        for i, (source, references) in enumerate(zip(SOURCES, REFERENCES, strict=True))
    ]
    file = write(tmp_path / "tsar2025_test.jsonl", rows)
    write(tmp_path / "tsar2025_trial.jsonl", rows[:1])
    write(tmp_path / "run.jsonl", [{"text_id": "0-a2", "simplified": "A cat."}])
    expected = (SOURCES, [[references[0]] for references in REFERENCES])
    assert testsets.load(str(tmp_path)) == testsets.load(str(file)) == expected


def _table(path, *names):
    columns = [SOURCES, *zip(*REFERENCES, strict=True)]
    return str(write(path, dict(zip(names, columns, strict=False))))


@pytest.mark.parametrize(
    "columns",
    [
        ("original", "simple", "simple1"),  # MultiSim
        ("original", "simplification"),  # DEplain
        ("complex", "simple"),  # Cochrane-auto
        ("complex", "simple_auto"),
    ],
)
def test_tables_may_have_the_columns_that_corpora_give_them(tmp_path, columns):
    found = testsets.load(_table(tmp_path / "NAME_test.csv", *columns))
    assert found == (SOURCES, [row[: len(columns) - 1] for row in REFERENCES])


def test_a_row_with_fewer_references_has_empty_cells(tmp_path):
    columns = {"original": SOURCES, "simple": ["A cat.", "Rain fell."], "simple1": ["Cat.", ""]}
    path = write(tmp_path / "ASSET_test.csv", columns)
    assert testsets.load(str(path))[1] == [["A cat.", "Cat."], ["Rain fell."]]


@pytest.mark.parametrize("name", ["deplain_web_test", "cochrane_auto_test"])
def test_a_folder_of_a_known_name_has_its_columns(tmp_path, name):
    (corpus,) = [one for one in testsets.records() if name in one["test_sets"]]
    columns = {"de": ("original", "simplification"), "en": ("complex", "simple")}
    _table(tmp_path / name / "test.csv", *columns[corpus["language"]])
    expected = (SOURCES, [row[:1] for row in REFERENCES])
    assert testsets.load(name, str(tmp_path)) == expected


def test_what_was_loaded_from_the_hub_needs_no_network(tmp_path, monkeypatch):
    import datasets
    import huggingface_hub

    def refuse(*_, **__):
        raise AssertionError("the Hub was asked")

    monkeypatch.setattr(huggingface_hub.HfApi, "hf_hub_download", refuse)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    datasets.load_dataset(str(repository(tmp_path / "asset")), "simplification")
    (tmp_path / "cache" / "asset").rename(tmp_path / "cache" / "facebook___asset")
    assert testsets.load("asset_test") == (SOURCES, REFERENCES)
    assert not datasets.config.HF_HUB_OFFLINE


def test_a_name_without_a_place_on_the_hub_is_told_with_what_to_give():
    files = {
        "asset": "asset_test",  # no name of a set
        "newsela_test": "newsela.test.orig",
        "turkcorpus_test": "test.truecase.detok.orig",
        "hsplit_test": "HSplit1_full",
        "wikismall_test": r"PWKP.*\.test\.src",
        "d_wikipedia_test": r"test\.tgt",
    }
    for name, file in files.items():
        with pytest.raises(InputError, match=f"{name}.*{file}"):
            testsets.load(name)


def test_every_known_set_is_listed_once():
    names = testsets.names()
    assert len(set(names)) == len(names)
    listed = testsets.records()
    assert [name for corpus in listed for name in corpus["test_sets"]] == names
    for corpus in listed:
        assert corpus["licence"]
        assert corpus["references"] >= 1
        assert corpus["language"]
