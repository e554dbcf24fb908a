"""A task for lighteval: SARI of the corpus, from the texts of all examples."""

from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.sample_preparator import Preparator
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from textsimp import Sari


class Texts(Preparator):
    def prepare(self, doc, model_response, **kwargs):
        return doc.specific["source"], model_response.final_text[0].strip(), doc.get_golds()


class CorpusSari(CorpusLevelComputation):
    def compute_corpus(self, items):
        sources, predictions, references = zip(*items, strict=True)
        scores = Sari.preset().score(
            sources=sources, predictions=predictions, references=references
        )
        return scores["sari"]


def prompt(row, task_name):
    return Doc(
        query=f"Complex: {row['source']}\nSimple:",
        choices=row["references"],
        gold_index=list(range(len(row["references"]))),
        specific={"source": row["source"]},
        task_name=task_name,
    )


TASKS_TABLE = [
    LightevalTaskConfig(
        name="simplify",
        prompt_function=prompt,
        hf_repo="corpus",  # a folder with test.jsonl, or a dataset of the Hub
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        metrics=[CorpusLevelMetric("sari", True, SamplingMethod.GENERATIVE, Texts(), CorpusSari())],
        generation_size=100,
        stop_sequence=["\n"],
    )
]
