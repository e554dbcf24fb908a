"""Panels: models that answer the questions of a study, and the file of their answers."""

import json
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from textsimp.extensions.judges.prompts import (
    InvalidAnswer,
    Prompt,
    answer_schema,
    digits,
    read_answer,
    read_probabilities,
)
from textsimp.extensions.judges.servers import Budget, NoAnswer, Refused, Server, Stopped
from textsimp.extensions.people import Judgements, Plan, Screen, read
from textsimp.extensions.people.judgements.answer_files import AnswerFile
from textsimp.support.errors import InputError, check_integer, check_number, listed
from textsimp.support.files import write_files
from textsimp.support.progress import progress

FAILURES = 3  # questions in a row without an answer, after which a run ends
_CHARACTERS = 4  # of a token, roughly
IDENTITY = ("rater", "item", "control", "source", "prediction", "system")
"""The columns that two answers to the same question share."""

Question = tuple[Screen, int]
"""A screen, whose rater is a model, and how often the model is asked about it, from 1."""


class Panel:
    """Models that are asked what a plan asks people; for the arguments see `judge`."""

    def __init__(
        self,
        plan: Plan,
        models: str | Sequence[str],
        file: str | Path,
        *,
        prompt: str | Path | None,
        samples: int,
        temperature: float,
        seed: int,
        answer_tokens: int,
        identity: Sequence[str] = IDENTITY,
    ) -> None:
        self.scheme = plan.scheme
        self.models = [models] if isinstance(models, str) else list(models)
        if not self.models or len(set(self.models)) < len(self.models):
            raise InputError(f"models: expected different names, got {listed(self.models)}")
        self.prompt = Prompt.load(prompt)
        self.samples = check_integer("samples", samples, 1)
        self.settings: dict[str, Any] = {
            "prompt": self.prompt.hash,
            "temperature": check_number("temperature", temperature, 0),
            "seed": check_integer("seed", seed, 0),
            "answer_tokens": check_integer("answer_tokens", answer_tokens, 1),
        }
        self.questions = _list_questions(plan, self.models, samples)
        self.file = AnswerFile(file)
        self._identity = identity
        self._stopped = threading.Event()
        self._refused: list[tuple[Question, str]] = []
        self._failure, self._in_a_row = "", 0

    def answers(self) -> Iterator[tuple[Question, dict[str, Any]]]:
        """Yield the questions that have an answer in the file, and its last row."""
        # The rows of an answer are written at once, so that the last one tells.
        done: dict[str, dict[str, Any]] = {}
        for i, row in enumerate(self.file.rows(), 1):
            asked = row.get("judge")
            if row.get("rater") not in self.models or not isinstance(asked, Mapping):
                continue
            for name, expected in {**self.scheme.stamp, **self.settings}.items():
                value = row[name] if name in self.scheme.stamp else asked.get(name)
                if value != expected:
                    raise InputError(
                        f"{self.file.path}, line {i}: expected answers of {row['rater']!r} with "
                        f"{name} {expected!r}, got {value!r}: give another file"
                    )
            done[self._identify(row)] = row
        for question in self.questions:
            key = self._identify(self._list_rows(question)[-1])
            if key in done:
                yield question, done[key]

    def open_questions(self) -> list[Question]:
        """Return the questions that have no answer in the file."""
        answered = {question for question, _ in self.answers()}
        return [question for question in self.questions if question not in answered]

    def _identify(self, row: Mapping[str, Any]) -> str:
        """Return what two rows share if they answer the same question."""
        return json.dumps([row["judge"].get("sample"), *(row.get(x) for x in self._identity)])

    def describe(self) -> list[str]:
        """Return lines on what a run would take, and one prompt."""
        questions = self.open_questions()
        done = len(self.questions) - len(questions)
        before = f", and {done:,} are answered already" if done else ""
        texts = [self.prompt.render(self.scheme, screen) for screen, _ in questions]
        tokens = sum(map(self._estimate, texts))
        return [
            f"{len(questions):,} requests{before}; each invalid answer is one more",
            f"about {tokens:,} tokens, if answers were as long as possible",
            *(f"\n{text}" for text in texts[:1]),
        ]

    def _estimate(self, text: str) -> int:
        """Estimate the tokens of a request and the longest answer, by characters."""
        longest: int = self.settings["answer_tokens"]
        return len(text) // _CHARACTERS + 1 + longest

    def run(self, base_url: str, budget: Budget, *, concurrency: int, timeout: float) -> str:
        """Ask what has no answer yet, and write the answers as they arrive.

        The prompt is written beside them. Other processes can't ask for the same file meanwhile:
        they would pay the same again.

        Returns:
            What is missing and why; "" if nothing is.
        """
        missing = len(self.open_questions())
        if not missing:
            return ""
        if not base_url:
            raise InputError(
                f"base_url: expected the address of a server, as {missing:,} questions have no "
                "answer yet, got none"
            )
        check_integer("concurrency", concurrency, 1)
        stopped, path = self._stopped, self.file.path
        servers = {model: Server(base_url, timeout, budget, stopped) for model in self.models}
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(path.with_name(f".{path.name}.judge.lock"), timeout=0):
                prompt = path.with_name(f"{path.stem}.prompt-{self.prompt.hash}.txt")
                write_files({prompt: self.prompt.text.encode()}, overwrite=True)
                self._ask(servers, concurrency)
        except Timeout:
            raise InputError(f"{path}: another run of judges is writing this file") from None
        missing = len(self.open_questions())
        why = "the budget is spent" if budget.spent else self._failure
        if not missing:
            return ""
        return f"{missing:,} questions have no answer yet: {why}. Run again to go on."

    def _ask(self, servers: Mapping[str, Server], concurrency: int) -> None:
        """Ask the open questions, several at once, and show on a terminal how far it is."""
        pool, questions = ThreadPoolExecutor(concurrency), self.open_questions()
        asked = [pool.submit(self._try, x, servers[x[0].rater]) for x in questions]
        total = len(self.questions)
        try:
            with progress(total=total, initial=total - len(questions), unit=" answers") as bar:
                for future in as_completed(asked):
                    bar.update(future.result())
        finally:  # what is under way is paid: wait for it
            self._stopped.set()
            pool.shutdown(wait=True, cancel_futures=True)
            # Refusals are invalid answers, unless the server takes no questions any more.
            usable = self._refused and self._in_a_row < FAILURES
            if usable and len(self.open_questions()) < len(self.questions):
                for question, reason in self._refused:
                    self._write(question, None, invalid=reason)

    def _try(self, question: Question, server: Server) -> bool:
        """Ask a question; return whether it got an answer. Stop the run if others can't succeed."""
        try:
            self._answer(question, server)
            self._in_a_row = 0
            return True
        except NoAnswer as error:
            if isinstance(error, Refused):
                self._refused.append((question, str(error)))
            self._failure, self._in_a_row = str(error), self._in_a_row + 1
            if self._in_a_row >= FAILURES:
                self._stopped.set()
                message = f"{FAILURES} questions in a row got no answer: {error}"
                raise InputError(message) from None
        except Stopped:
            self._stopped.set()
        except InputError:
            self._stopped.set()
            raise
        return False

    def _answer(self, question: Question, server: Server) -> None:
        """Ask a question, a second time if the answer is invalid, and write the answer."""
        screen, sample = question
        text, outputs = self.prompt.render(self.scheme, screen), len(screen.predictions)
        schema = answer_schema(self.scheme, outputs)
        form = {"name": "answer", "strict": True, "schema": schema}
        body: dict[str, Any] = {
            "model": screen.rater,
            "temperature": self.settings["temperature"],
            "seed": self.settings["seed"] + sample - 1,
            "max_tokens": self.settings["answer_tokens"],
            "response_format": {"type": "json_schema", "json_schema": form},
        }
        if digits(self.scheme):
            body |= {"logprobs": True, "top_logprobs": 20}
        ratings, problem = None, ""
        for tries in (1, 2):
            again = f"\n\nThe last reply was not valid: {problem}." if tries == 2 else ""
            body["messages"] = [{"role": "user", "content": text + again}]
            reply = server.ask(body, self._estimate(text))
            problem = reply.problem
            if not problem:
                try:
                    ratings = read_answer(self.scheme, outputs, reply.text)
                    break
                except InvalidAnswer as error:
                    problem = str(error)
        more: dict[str, Any] = {"reply": reply.kept} if problem else {}
        if not problem:
            more = {"probabilities": read_probabilities(self.scheme, ratings or {}, reply.tokens)}
        self._write(question, ratings, **reply.facts, tries=tries, **more, invalid=problem)

    def _write(self, question: Question, ratings: Any, **judge: Any) -> None:
        settings = {**self.settings, "samples": self.samples}
        self.file.append(self._list_rows(question, ratings, **settings, **judge))

    def _list_rows(
        self, question: Question, ratings: Any = None, *, invalid: str = "", **judge: Any
    ) -> list[dict[str, Any]]:
        """Return rows of a file of answers."""
        screen, sample = question
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        judge = {"model": screen.rater, "sample": sample, **judge}
        return screen.answers(self.scheme, ratings, invalid=invalid, judge=judge, time=now)


def judge(
    plan: Plan,
    *,
    models: str | Sequence[str],
    base_url: str = "",
    file: str | Path,
    prompt: str | Path | None = None,
    samples: int = 1,
    temperature: float = 0.0,
    seed: int = 0,
    answer_tokens: int = 1024,
    max_requests: int | None = None,
    max_tokens: int | None = None,
    concurrency: int = 4,
    timeout: float = 120.0,
) -> Judgements:
    """Ask models what a plan asks people.

    Answers are appended to a file as they arrive. What has an answer there isn't asked again.

    Args:
        plan: What `people.design` returned. Each model sees each screen once, and in
            the reversed order if it has several outputs.
        models: The names of one or more models on the server.
        base_url: The address of a server with OpenAI's chat completions, such as
            ``http://localhost:8000/v1``. Its key is read from the environment variable
            ``TEXTSIMP_JUDGE_KEY``.
        file: The file of answers, JSONL.
        prompt: A file with a prompt of yours; see docs/extensions/judges.md.
        samples: How often each question is asked. Answers after the first are repeated items.
        temperature: The temperature of sampling.
        seed: The seed of the first sample; others add 1, 2, ….
        answer_tokens: How long an answer may be. Models that think first need more.
        max_requests: How many requests may be sent, failed ones included.
        max_tokens: How many tokens requests and answers may take.
        concurrency: How many requests are under way at once.
        timeout: How many seconds a whole reply may take.

    Returns:
        What `people.read` returns for the file.
    """
    panel = Panel(
        plan,
        models,
        file,
        prompt=prompt,
        samples=samples,
        temperature=temperature,
        seed=seed,
        answer_tokens=answer_tokens,
    )
    budget = Budget(max_requests, max_tokens)
    missing = panel.run(base_url, budget, concurrency=concurrency, timeout=timeout)
    if missing:
        warnings.warn(missing, stacklevel=2)
    return read(file, plan.scheme)


def _list_questions(plan: Plan, models: Sequence[str], samples: int) -> list[Question]:
    """Return what is asked: each screen of a plan, then what tells of consistency."""
    screens: dict[Any, Screen] = {}
    for screen in plan.screens:
        outputs = frozenset(zip(screen.predictions, screen.systems, strict=True))
        screens.setdefault((screen.item, screen.control, outputs), screen)
    rounds = [(screen, 1) for screen in screens.values()]
    plain = [screen for screen in screens.values() if not screen.control]
    for sample in range(2, samples + 1):
        rounds += [(replace(screen, control="repeat"), sample) for screen in plain]
    for screen in plain:
        if len(screen.predictions) > 1:
            texts, systems = screen.predictions[::-1], screen.systems[::-1]
            reversed_screen = replace(
                screen, predictions=texts, systems=systems, control="reversed"
            )
            rounds.append((reversed_screen, 1))
    return [
        (replace(screen, rater=model, screen=number), sample)
        for number, (screen, sample) in enumerate(rounds, 1)
        for model in models
    ]
