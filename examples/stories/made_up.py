"""Made-up raters and a made-up model, which stand for yours in study.sh.

    python stories/made_up.py fill sheets/anna.xlsx    # what Anna sends back
    python stories/made_up.py rate links.txt cem       # what Cem does on the page
    python stories/made_up.py serve 8127               # a model that answers on this port

They rate by words in common and by length, each a little differently.
"""

import json
import random
import re
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def choose(criterion, steps, source, text, rater):
    """Choose one of the steps, from the lowest to the highest."""
    old, new = ({*re.findall(r"\w+", x.lower())} for x in (source, text))
    kept, length = len(old & new) / len(old), len(text) / len(source)
    quality = {"fluency": 0.8, "meaning": kept - 0.01, "simplicity": 1.2 - 0.7 * length}
    place = quality.get(criterion, 0.5 + 0.4 * (1 - kept * length))  # simpler than the source
    if kept < 1:
        place += random.Random(rater + text).gauss(0, 0.07)
    return steps[min(len(steps) - 1, max(0, int(place * len(steps))))]


def fill(path):
    """Fill a rater's sheet in."""
    import openpyxl

    book = openpyxl.load_workbook(path)
    ratings, choices = book["ratings"], book["choices"]
    heads = [cell.value for cell in ratings[1]]
    for row in ratings.iter_rows(min_row=2):
        texts = [row[heads.index(name)].value for name in ("source", "prediction")]
        for column in choices.iter_cols():
            steps = [cell.value for cell in column if cell.value is not None]
            if steps:
                cell = row[column[0].column - 1]
                cell.value = choose(heads[cell.column - 1], steps, *texts, path)
    book.save(path)


def rate(links, rater):
    """Open a rater's link, and answer all questions of the page."""
    for _ in range(300):  # until the page is served
        if f"{rater}: " in Path(links).read_text():
            break
        time.sleep(0.2)
    address, token = re.search(
        rf"^{rater}: (http.*)/\?token=(\S+)", Path(links).read_text(), re.MULTILINE
    ).groups()

    def send(name, **message):
        body = {"session_hash": rater, "component_id": page, "fn_name": name}
        body["data"] = {"token": token, **message}
        return post(f"{address}/gradio_api/component_server", body)

    with urllib.request.urlopen(f"{address}/config") as reply:
        components = json.load(reply)["components"]
    page = next(x["id"] for x in components if "answer" in str(x["props"].get("server_fns")))
    practice = send("start")
    right = [{} for _ in range(practice["n"])]
    for tried in range(2):  # once more with what the page said is right
        if tried:
            send("start", again=True)
        for row in range(practice["n"]):
            kept = answer(send, "practice", row, practice["scheme"], rater, right[row])
            right[row] = kept["feedback"]["expected"][0]
    study = send("start", skip=True)
    for row in range(study["n"]):
        answer(send, "study", row, study["scheme"], rater, {})


def answer(send, part, row, scheme, rater, known):
    """Answer a screen, with the ratings that are known: each one, or its lowest and highest."""
    screen = send("screen", part=part, row=row)
    texts = [re.sub("<[^>]*>", "", x) for x in (screen["source"], *screen["outputs"])]
    ratings = {}
    for x in scheme["criteria"]:
        rating = known.get(x["name"])
        if rating is None:
            rating = choose(x["name"], [step for step, _ in x["steps"]], *texts, rater)
        ratings[x["name"]] = rating[0] if isinstance(rating, list) else rating
    return send("answer", part=part, seen=screen["seen"], ratings=[ratings], seconds=20)


def post(address, body):
    data, head = json.dumps(body).encode(), {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address, data, head)) as reply:
        return json.load(reply)


class Model(BaseHTTPRequestHandler):
    """A server of chat completions, as vLLM and Ollama have."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        schema = body["response_format"]["json_schema"]["schema"]
        answer = self.answer(schema, body["messages"][0]["content"])
        message = {"role": "assistant", "content": json.dumps(answer)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {"model": body["model"], "choices": [choice], "usage": {"total_tokens": 100}}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def answer(self, schema, prompt, name=""):
        if "properties" in schema:
            return {key: self.answer(one, prompt, key) for key, one in schema["properties"].items()}
        texts = re.findall(r"\[begin [^\]]*\]\n(.*?)\n\[end ", prompt, re.DOTALL)
        return choose(name, schema["enum"], *texts[-2:], "model")

    def log_message(self, *args):
        pass


def serve(port):
    """Answer as a model would, until the process is ended."""
    ThreadingHTTPServer(("127.0.0.1", int(port)), Model).serve_forever()


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    {"fill": fill, "rate": rate, "serve": serve}[command](*arguments)
