"""The page on which people rate: no answer is lost, whatever happens, and nobody else's is seen."""

import signal
import urllib.error
import urllib.request

import pytest

from tests.browser.conftest import SECONDS, emulate, wait
from tests.extensions.people.browser.rating_pages import (
    ENTER,
    ERRORS,
    LIKERT,
    N,
    Sheet,
    kept,
    keys,
    planned,
)
from textsimp.extensions import people

# Nothing is lost


def test_going_back_and_changing_an_answer(likert):
    sheet, page, name = likert()
    sheet.rate(0, 1, 2)
    sheet.at(3)
    sheet.press(keys.ARROW_LEFT, keys.ARROW_LEFT)
    sheet.at(1)
    assert sheet.chosen() == ["5", "4", "3", "-1"]
    sheet.press(keys.ARROW_DOWN, "1")
    assert sheet.chosen() == ["5", "1", "3", "-1"]
    sheet.press("u")
    assert sheet.chosen() == ["5", "4", "3", "-1"]
    sheet.press("u")  # the answer before, on the screen before
    sheet.at(2)
    assert sheet.chosen() == ["5", "4", "3"]
    sheet.status("Saved")
    newest = {row["screen"]: row for row in kept(page.folder, name)}
    assert [newest[2][name] for name in ("meaning", "simpler")] == [4, -1]
    assert [newest[3][name] for name in ("meaning", "simpler")] == [4, None]
    sheet.check_quiet()


def test_a_reload_in_the_middle_loses_nothing(browser, likert):
    sheet, page, name = likert()
    sheet.rate(0, 1, 2)
    sheet.at(3)
    sheet.press("2", "1", "m", *"So so.", keys.ESCAPE)
    sheet.status("Saved")
    browser.refresh()
    sheet.at(3)
    assert sheet.chosen() == ["2", "1"]
    assert sheet.find("textarea").get_attribute("value") == "So so."
    sheet.press("4")
    sheet.status("Saved")
    last = kept(page.folder, name)[-1]
    assert (last["comment"], last["meaning"], last["simplicity"]) == ("So so.", 1, 4)
    sheet.click(".leave")  # and another day, by the same name
    sheet.begin(name)
    sheet.at(3)
    assert "3 rated" in sheet.find(".where").text


def test_somebody_else_begins_with_nothing_of_the_rater_before(likert):
    sheet, page, name = likert()
    sheet.press("2", "m", *"Mine.", keys.ESCAPE)
    sheet.click(".leave")
    wait(lambda: kept(page.folder, name)[-1]["comment"] == "Mine.")
    other = next(page.raters)
    sheet.begin(other)
    sheet.at(0)
    assert sheet.chosen() == []
    assert sheet.find("textarea").get_attribute("value") == ""
    sheet.press("4")
    sheet.status("Saved")
    wait(lambda: kept(page.folder, other))
    assert [row["comment"] for row in kept(page.folder, other)] == [""]


def test_a_pause_counts_no_time_and_goes_on(browser, likert):
    sheet, page, name = likert()
    sheet.press("5", "p")
    assert f"{N} of {N} are left" in sheet.ended("left")
    browser.execute_script("return new Promise((done) => setTimeout(done, 2500))")
    sheet.press(ENTER)
    sheet.at(0)
    sheet.press("4")
    sheet.status("Saved")
    wait(lambda: kept(page.folder, name)[-1]["meaning"] == 4)
    assert kept(page.folder, name)[-1]["seconds"] < 2.5


def test_what_was_left_out_is_asked_at_the_end(browser, likert):
    sheet, _, _ = likert()
    for row in range(N):
        sheet.at(row)
        sheet.press(*(LIKERT[0][0] if row != 3 else []), keys.ARROW_RIGHT)
    assert f"1 of {N} is left" in sheet.ended("left")
    sheet.press(ENTER)
    sheet.rate(3, way=LIKERT[1])
    sheet.at(4)
    browser.refresh()
    assert f"All {N} rated" in sheet.ended("All")


def test_answers_survive_kill_9_and_are_sent_when_the_server_is_back(browser, serve):
    server = serve(planned("likert"))
    sheet = Sheet(browser, server.address, "rater 1")
    sheet.rate(0, 1, 2)
    sheet.at(3)
    sheet.status("Saved")
    server.end(signal.SIGKILL)
    path = server.folder / "answers" / "rater 1.jsonl"
    before = path.read_bytes()
    path.write_bytes(before + before.split(b"\n")[0][:70])  # what it was writing
    sheet.press(*LIKERT[1][0])
    sheet.status("Not saved")
    assert sheet.chosen() == ["1", "2", "1", "2"]
    server.start()
    sheet.status("Saved")
    assert server.fluency() == {1: 5, 2: 5, 3: 5, 4: 1}
    assert path.read_bytes().startswith(before)
    sheet.press(ENTER)
    sheet.at(4)
    server.end(signal.SIGKILL)
    sheet.press(*LIKERT[0][0])
    sheet.status("Not saved")
    server.start()
    browser.refresh()  # before it has sent what it keeps
    sheet.at(5)
    wait(lambda: server.fluency() == {1: 5, 2: 5, 3: 5, 4: 1, 5: 5}, "what it kept")
    assert not sheet.seen(".problem")


def test_answers_to_screens_that_are_gone_arent_kept(browser, serve):
    server = serve(planned("level"))
    sheet = Sheet(browser, server.address, "rater 1")
    sheet.at(0)
    server.end(signal.SIGKILL)
    systems = {"zeus": ["Another text."]}
    scheme = planned("level").scheme
    server.write(people.design(["A source."], systems, scheme, raters=1))
    server.start()
    sheet.press("1")
    wait(lambda: "The study was changed" in sheet.find(".problem").text)
    assert kept(server.folder / "answers") == []
    browser.refresh()
    wait(lambda: sheet.seen(".intro") or sheet.seen(".work") or sheet.seen(".end"))


def test_a_study_is_served_by_its_own_names_only(serve):
    """And by those that are allowed, as its middleware has it."""
    server = serve(planned("level"), "--allow-host", "rate.example.org")

    def ask(host):
        path = f"{server.address}/gradio_api/component_server"
        headers = {"Host": host, "Origin": f"http://{host}"}
        request = urllib.request.Request(path, b"{}", headers, method="POST")
        try:
            return urllib.request.urlopen(request, timeout=SECONDS).status
        except urllib.error.HTTPError as error:
            return error.code

    assert ask("evil.example") == 403
    assert ask(f"127.0.0.1:{server.port}") != 403
    assert ask("rate.example.org") != 403


# Names, and the end


def test_a_link_says_whose_page_it_is(browser, pages):
    page = pages("likert")
    name = next(page.raters)
    sheet = Sheet(browser, f"{page.address}/?rater={name.replace(' ', '%20')}")
    wait(lambda: sheet.seen(".intro"))
    assert f"Rater: {name}" in sheet.find(".foot").text
    sheet = Sheet(browser, f"{page.address}/?rater=%3Cb%3EAnn")
    wait(lambda: "name of the rater: expected" in sheet.find(".problem").text)
    assert "<b>Ann" in sheet.find(".problem").text


def test_a_link_with_a_token_is_a_rater_s_and_the_page_names_no_other(browser, serve):
    plan = planned("level", raters=2).with_tokens()
    server = serve(plan)
    links = {name: f"{server.address}/?token={token}" for name, token in plan.tokens.items()}
    printed = "\n".join(f"{name}: {link}" for name, link in links.items())
    wait(lambda: printed in (server.folder / "log").read_text(), "the links")
    sheet = Sheet(browser, links["rater 2"])
    wait(lambda: sheet.seen(".intro"))
    assert "Rater: rater 2" in sheet.find(".foot").text
    assert "rater 1" not in browser.page_source
    assert not sheet.seen(".leave")
    sheet.press(ENTER)
    sheet.at(0)
    sheet.press("3", ENTER)
    sheet.at(1)
    sheet.status("Saved")
    browser.refresh()
    sheet.at(1)
    assert [row["level"] for row in kept(server.folder / "answers", "rater 2")] == ["B1"]
    sheet.check_quiet()


def test_the_owner_sees_two_raters_who_rate_at_a_time(browser, serve, violations):
    server = serve(planned("level", raters=2).with_tokens())
    log = (server.folder / "log").read_text().splitlines()
    page, *links = (line.split(": ")[1] for line in log if "?token=" in line)
    windows = [browser.current_window_handle]
    for link in links:
        sheet = Sheet(browser, link)
        sheet.press(ENTER)
        assert page.split("=")[1] not in browser.page_source
        browser.switch_to.new_window("tab")
        windows.append(browser.current_window_handle)
    for row, window in ((0, 0), (0, 1), (1, 1), (1, 0), (2, 0)):
        browser.switch_to.window(windows[window])
        sheet.at(row)
        sheet.press("3" if row else "4", ENTER)
        sheet.at(row + 1)
        sheet.status("Saved")
    for width, scheme in ((390, "dark"), (1280, "light")):
        emulate(browser, width, scheme)
        browser.get(page)
        told = browser.find_element("css selector", "main").text
        assert all(text in told for text in (f"2 of {N}", f"3 of {N}", "ordinal"))
        assert violations(browser) == []
        assert sheet.fits()
    sheet.check_quiet()
    for window in windows[:0:-1]:
        browser.switch_to.window(window)
        browser.close()
    browser.switch_to.window(windows[0])


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("", "Open the link that you were given"),
        ("?token=x&rater=rater", "this link is nobody's"),
    ],
)
def test_without_a_link_nobody_rates(query, told, browser, serve):
    server = serve(planned("level").with_tokens())
    sheet = Sheet(browser, f"{server.address}/")
    browser.get(f"{server.address}/{query}")
    wait(lambda: told in sheet.find(".problem").text, told)
    assert not any(map(sheet.seen, (".start", ".intro", ".work", ".end", ".foot")))
    assert "rater 1" not in browser.page_source


def test_answers_are_saved_without_systems(browser, likert, tmp_path):
    sheet, page, name = likert()
    sheet.rate(0)
    sheet.at(1)
    saved = sheet.save(tmp_path)
    assert saved.name == f"{name}.jsonl"
    assert people.read(saved, page.plan.scheme).values("meaning").tolist() == [4]
    assert "system" not in saved.read_text(encoding="utf-8")


def test_ctrl_c_ends_the_server_and_answers_are_there(browser, serve):
    server = serve(planned("level"))
    sheet = Sheet(browser, server.address, "rater 1")
    sheet.at(0)
    sheet.press("3", ENTER)
    sheet.at(1)
    sheet.status("Saved")  # the next screen is shown before
    assert server.end(signal.SIGINT) == 130
    log = (server.folder / "log").read_text()
    assert f"{server.address}/ (Ctrl-C ends it; answers are in answers)" in log
    assert log.endswith("Interrupted\n")
    assert "Traceback" not in log
    assert [row["level"] for row in kept(server.folder / "answers")] == ["B1"]


def test_the_space_serves_examples_and_keeps_answers_while_it_runs(browser, spaces):
    sheet = Sheet(browser, spaces["rate"])
    wait(lambda: sheet.seen(".intro"))
    assert "until it restarts" in sheet.find(".foot").text
    assert sheet.find(".who").text.startswith("visitor")
    sheet.click(".leave")
    sheet.begin("Ann")
    sheet.practise()
    sheet.rate(0, way=ERRORS[0])
    sheet.at(1)
    sheet.status("Saved")
    assert browser.find_elements("css selector", ".rate .text ins, .rate .text del")
    browser.refresh()
    sheet.at(1)
    assert "1 rated" in sheet.find(".where").text
    sheet.click(".leave")
    sheet.begin("Bob")
    sheet.at(0, "Practice: ")
    assert sheet.chosen() == []
    sheet.click(".leave")
    sheet.begin("Ann")
    sheet.at(1)
    assert "1 rated" in sheet.find(".where").text
    sheet.check_quiet()
    other = Sheet(browser, f"{spaces['rate']}/?rater=Ann")  # another visitor's tab
    wait(lambda: other.seen(".intro"))
    other.press(ENTER)
    other.at(0, "Practice: ")
