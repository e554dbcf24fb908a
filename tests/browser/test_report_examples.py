"""The examples of a report in a browser: found, sorted, drawn, linked to and taken away."""

import csv
import io
from pathlib import Path
from urllib.parse import urlparse

import pytest

from tests.browser.conftest import (
    HOSTILE,
    HOSTILE_NAME,
    ODD,
    RIGHT_TO_LEFT,
    console,
    downloads,
    draw_examples,
    emulated,
    find,
    requested,
    select,
    type_into,
    wait,
    wait_for_download,
)
from tests.browser.conftest import visit as open_page
from tests.report.pages import data_of
from textsimp.report import examples, marks


@pytest.fixture(scope="module")
def data(page):
    return data_of(Path(urlparse(page).path).read_text(encoding="utf-8"))


@pytest.fixture
def opened(browser, page):
    return visit(browser, page)


def visit(browser, page, hash="", width=1280):
    open_page(browser, page, hash, width)
    if hash:
        wait(lambda: shown(browser))
    else:
        draw_examples(browser)
    return browser


def follow(browser, hash):
    """The examples that a link leads to."""
    browser.execute_script("location.hash = arguments[0]", hash)
    wait(lambda: hash in browser.current_url)
    found = browser.execute_script(
        "const { state } = Examples.parse(arguments[0]);"
        "return Examples.find(state).map(k => Examples.data.numbers[k])",
        hash,
    )
    wait(lambda: count(browser) == len(found))
    wait(lambda: shown(browser) == found[: len(shown(browser))] and (not found or shown(browser)))
    return found


def shown(browser):
    """The numbers of the cards that are drawn."""
    return browser.execute_script(
        "return [...document.querySelectorAll('article')].map(card => Number(card.dataset.number))"
    )


def status(browser):
    return str(find(browser, "#example-count")[0].text)


def count(browser):
    return int(status(browser).split()[0].replace(",", ""))


def values(data, key):
    (found,) = [measure["values"] for measure in data["measures"] if measure["key"] == key]
    return found


def chips(browser):
    return [chip.text.removesuffix(" ×") for chip in find(browser, "#example-chips button")]


def test_cards_are_drawn_as_they_are_scrolled_to(browser, page, data):
    visit(browser, page)
    first = len(shown(browser))
    assert 0 < first < len(data["numbers"])
    assert f"{len(data['numbers']) - first} left" in find(browser, "#example-rest")[0].text
    browser.execute_script("document.querySelector('#example-rest').scrollIntoView()")
    wait(lambda: len(shown(browser)) > first)
    assert shown(browser) == [*range(1, len(shown(browser)) + 1)]
    assert console(browser) == []
    assert {*requested(browser)} == {page}


def test_who_jumps_below_the_examples_does_not_draw_them_all(browser, page, data):
    visit(browser, page)
    browser.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
    before = 0
    while before < len(shown(browser)):
        before = len(shown(browser))
        browser.execute_async_script("setTimeout(arguments[0], 300)")
    assert before < len(data["numbers"])


def test_texts_in_cards_are_text_in_their_own_direction(opened, texts):
    number = texts["sources"].index(RIGHT_TO_LEFT) + 1
    follow(opened, f"#?lines={number}")
    (card,) = find(opened, "article")
    assert HOSTILE in card.text
    assert find(opened, "article img, article script") == []
    drawn = card.find_elements("css selector", ".text")
    assert {text.get_attribute("dir") for text in drawn} == {"auto"}
    assert drawn[0].value_of_css_property("direction") == "rtl"
    card.find_element("css selector", "summary").click()
    wait(lambda: len(card.find_elements("css selector", "li .text")) == 2)
    assert card.find_element("css selector", "li .text").text == RIGHT_TO_LEFT
    assert console(opened) == []


def test_words_are_found_though_deleted_ones_stand_between(opened, texts):
    outputs = texts["systems"]["splitter"]
    spans = marks.mark(texts["sources"][:30], outputs[:30])
    (k, cut) = next(
        (k, i)
        for k, of in enumerate(spans)
        for i in range(1, len(of) - 1)
        if of[i].kind == "delete" and min(map(len, (of[i - 1].new, of[i + 1].new))) > 5
    )
    phrase = spans[k][cut - 1].new[-5:] + spans[k][cut + 1].new[:5]
    assert phrase in outputs[k]
    assert k + 1 in follow(opened, examples.link(q=phrase.strip(), **{"in": "output"}))


def test_typing_finds_and_is_in_the_address(opened, texts):
    type_into(opened, "#example-text", "fortress")
    wait(lambda: count(opened) < 36)
    assert shown(opened) == [
        k + 1 for k, text in enumerate(texts["sources"]) if "fortress" in text.lower()
    ]
    assert opened.current_url.endswith("#?q=fortress")
    assert chips(opened) == ["“fortress” in any text"]
    type_into(opened, "#example-text", "no such text anywhere")
    wait(lambda: count(opened) == 0)
    assert status(opened) == "0 examples of 36"
    find(opened, "#example-chips button")[0].click()
    assert count(opened) == 36
    assert find(opened, "#example-text")[0].get_attribute("value") == ""


def test_a_link_finds_what_it_asks_for_in_its_order(opened, data, texts):
    numbers, words, sources = data["numbers"], data["words"], texts["sources"]
    order = [data["systems"].index(n) for n in ("splitter", "substituter", HOSTILE_NAME)]
    sari, splits = (
        [values(data, key)[i] for i in order]
        for key in ("sari.sari", "simplification_stats.sentence_splits")
    )

    def where(condition):
        return [number for k, number in enumerate(numbers) if condition(k)]

    def by(key):
        return sorted(numbers, key=lambda number: round(key(number - 1), 6))

    pair = "a=substituter&b=splitter"
    expected = {
        "q=THE&in=source": where(lambda k: "the" in sources[k].lower()),
        "only=splits": where(lambda k: max(system[k] for system in splits) > 1),
        "only=splits&system=splitter": where(lambda k: splits[0][k] > 1),
        "only=empty": [31],
        f"{pair}&by=5": where(lambda k: sari[1][k] - sari[0][k] > 5),
        "lines=3,7-9": [3, 7, 8, 9],
        "lines=1-20&only=splits": where(
            lambda k: k < 20 and max(system[k] for system in splits) > 1
        ),
        "sort=-number": numbers[::-1],
        "sort=length": by(lambda k: words[k]),
        "sort=-sari.sari&system=splitter": by(lambda k: -sari[0][k]),
        "sort=sari.sari": by(lambda k: sum(system[k] for system in sari)),
        f"sort=-gap&{pair}": by(lambda k: sari[0][k] - sari[1][k]),
        "sort=-disagreement": by(
            lambda k: min(system[k] for system in sari) - max(system[k] for system in sari)
        ),
    }
    for state, shown in expected.items():
        found = opened.execute_script(
            "const { state, ignored } = Examples.parse(arguments[0]);"
            "return [ignored, Examples.find(state).map((k) => Examples.data.numbers[k])]",
            f"#?{state}",
        )
        assert found == [[], shown], state
        assert len(shown) > 0, state


def test_of_two_systems_only_these_outputs_are_shown_and_how_often_one_is_ahead(opened, data):
    follow(opened, "#?a=substituter&b=splitter&sort=-gap&score=sari.sari&lines=1-30")
    names = ("substituter", "splitter")
    scores = [values(data, "sari.sari")[data["systems"].index(name)][:30] for name in names]
    gaps = [round(a - b, 6) for a, b in zip(*scores, strict=True)]
    ahead, behind = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    assert (
        f"by SARI (easse) substituter is ahead of splitter in {ahead}, behind in {behind}, "
        f"equal in {30 - ahead - behind}"
    ) in status(opened)
    cards = find(opened, "article h4 > span[dir]")
    assert {name.text for name in cards} == {*names}
    (chip,) = (c for c in find(opened, "#example-chips button") if " against " in c.text)
    chip.click()
    wait(lambda: {name.text for name in find(opened, "article h4 > span[dir]")} != {*names})


def test_of_many_systems_a_card_has_the_best_the_chosen_and_those_that_are_searched(browser, many):
    def versions(hash):
        card = find(visit(browser, many, hash), "article")[0]
        return len(card.find_elements("css selector", ".version:not(.source)"))

    assert versions("#?system=eighth") == 4
    assert versions("#?q=Yes.") == 8
    assert versions("") == 3
    find(browser, "article summary")[0].click()
    wait(lambda: len(find(browser, "article:first-child .version:not(.source)")) == 8)


def test_groups_are_in_order_of_rank_and_tell_whose_they_are(opened, data):
    for group, system, members in data["groups"]:
        of = {} if system < 0 else {"system": data["systems"][system]}
        expected = [data["numbers"][k] for k in members]
        assert follow(opened, examples.link(show=group, **of)) == expected
    follow(opened, "#?show=highest&system=splitter")
    chosen = find(opened, "article .version.chosen h4 > span:first-child")
    assert {name.text for name in chosen} == {"splitter"}
    assert chips(opened) == ["Highest score: splitter"]
    assert find(opened, "#example-group")[0].get_attribute("value") == "highest"


def test_a_link_reveals_its_example_whatever_hides_it(browser, page):
    visit(browser, page, "#?only=empty&open=9")
    assert shown(browser)[:2] == [9, 31]
    card, other = find(browser, "article")[:2]
    assert "outside the filters" in card.text
    assert "outside the filters" not in other.text
    assert browser.switch_to.active_element == card
    top = browser.execute_script("return arguments[0].getBoundingClientRect().top", card)
    assert 0 <= top < 200
    visit(browser, page, "#?open=25")
    assert shown(browser)[:3] == [25, 1, 2]
    assert "outside the filters" not in find(browser, "article")[0].text
    assert find(browser, "article.opened h3")[0].text == "Example 25"


def test_a_link_with_what_nobody_knows_does_no_harm(opened):
    for hash, said in {
        "#?open=99": "there is no example 99",
        "#?foo=1&sort=no": "not understood in the link: foo=1, sort=no",
        "#?%E0%A4%A": "not understood in the link",
        "#?lines=x&system=__proto__&only=constructor&__proto__=1": "lines=x, system=__proto__",
    }.items():
        opened.execute_script("location.hash = arguments[0]", hash)
        wait(lambda said=said: said in status(opened))
        assert count(opened) == 36
    assert console(opened) == []


def add_link(browser, hash):
    """A new link at the top of the page."""
    return browser.execute_script(
        """const link = document.createElement('a')
        link.href = arguments[0]
        link.textContent = 'there'
        document.querySelector('header').append(link)
        return link""",
        hash,
    )


def test_back_and_a_links_second_click_lead_there_again(opened):
    link = add_link(opened, "#?open=5&only=copies")
    for _ in range(2):
        opened.execute_script("arguments[0].scrollIntoView()", link)
        link.click()
        wait(lambda: shown(opened)[:1] == [5])
        assert opened.switch_to.active_element.get_attribute("data-number") == "5"
    find(opened, "article h3 a")[1].click()
    wait(lambda: "open=5" not in opened.current_url)
    assert "only=copies" in opened.current_url
    opened.back()
    wait(lambda: opened.current_url.endswith("#?open=5&only=copies"))
    wait(lambda: shown(opened)[:1] == [5])


def test_back_to_the_page_as_it_was_opened_leads_to_all_examples(opened):
    before = count(opened)
    link = add_link(opened, "#?only=empty")
    opened.execute_script("arguments[0].click()", link)
    wait(lambda: count(opened) == 1)
    opened.back()
    wait(lambda: "#" not in opened.current_url)
    wait(lambda: count(opened) == before)
    assert chips(opened) == []


def test_paper_says_how_many_examples_it_has(opened, data):
    (told,) = find(opened, "#example-printed")
    assert not told.is_displayed()
    follow(opened, "#?lines=1-2")
    with emulated(opened, "print"):
        assert told.text.startswith(f"Printed: 2 examples of {data['total']}.")


def test_controls_say_what_the_state_is_and_change_it(opened):
    follow(opened, "#?only=splits&sort=-sari.sari&system=substituter&lines=1-20&q=e")
    controls = {name: f"#example-controls [name={name}]" for name in ("only", "sort", "q")}
    got = [find(opened, selector)[0].get_attribute("value") for selector in controls.values()]
    assert got == ["splits", "sari.sari", "e"]
    before = count(opened)
    select(opened, controls["only"], "")
    wait(lambda: count(opened) > before)
    assert opened.current_url.endswith("#?system=substituter&sort=-sari.sari&q=e&lines=1-20")
    assert chips(opened) == ["examples 1–20", "“e” in any text: substituter"]
    find(opened, "#example-chips button")[0].click()
    assert chips(opened) == ["“e” in any text: substituter"]
    find(opened, "#example-reset")[0].click()
    assert chips(opened) == []
    assert count(opened) == 36


def test_a_number_is_gone_to(opened):
    from selenium.webdriver import Keys

    (field,) = find(opened, "[name=open]")
    field.send_keys("20", Keys.ENTER)
    wait(lambda: shown(opened)[:1] == [20])
    assert opened.current_url.endswith("#?open=20")


def test_deleted_words_can_be_hidden(opened):
    deleted = find(opened, "article .version del")[:5]
    assert all(mark.is_displayed() for mark in deleted)
    opened.execute_script("document.querySelector('#show-deleted').click()")
    assert not any(mark.is_displayed() for mark in deleted)


def test_long_texts_are_cut_until_they_are_asked_for(opened):
    number = 31 + [*ODD].index("long " * 400)
    follow(opened, f"#?lines={number}")
    (text, *_) = find(opened, "article .text")
    low = text.size["height"]
    (button, *_) = find(opened, "article .more")
    button.click()
    assert text.size["height"] > 2 * low
    assert opened.switch_to.active_element == text  # and not lost with the button
    follow(opened, "#?lines=33")
    assert find(opened, "article .more") == []


def test_numbers_and_texts_are_taken_away_as_a_table(opened, data, tmp_path):
    downloads(opened, tmp_path)
    follow(opened, "#?lines=31-36")
    (button,) = find(opened, "#example-download")
    assert button.text == "Download 6 as CSV"
    find(opened, "#example-texts")[0].click()
    button.click()
    file = tmp_path / "examples.csv"
    wait_for_download(file)
    content = file.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    rows = [*csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))]
    assert [(row["number"], row["system"]) for row in rows[:4]] == [
        *(("31", name) for name in data["systems"]),
        ("32", data["systems"][0]),
    ]
    assert len(rows) == 18
    for row in rows:
        i, k = data["systems"].index(row["system"]), int(row["number"]) - 1
        assert float(row["sari.sari"]) == values(data, "sari.sari")[i][k]
    assert [row["source"] for row in rows[::3]][:5] == [*ODD][:5]
    ours = data["systems"].index("splitter")
    assert rows[3 + ours]["output"] == ODD["😀 one 😀 two."]
    # What a spreadsheet would compute has an apostrophe before it; numbers don't.
    assert rows[-3]["source"] == "'=1+1 is no formula."
    assert rows[-3 + ours]["output"] == "'-1 is, \"or isn't\"."
    assert console(opened) == []
