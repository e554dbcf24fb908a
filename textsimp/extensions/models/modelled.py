"""The base class of metrics that run a pretrained model."""

from dataclasses import dataclass
from typing import Any, ClassVar

from textsimp.core.metric import Metric
from textsimp.core.option import Option, option
from textsimp.extensions.models.networks import checkpoints
from textsimp.extensions.models.networks.checkpoints import Pretrained
from textsimp.support.errors import InputError


@dataclass(frozen=True)
class ModelMetric(Metric):
    """A metric that asks a pretrained model of `transformers` (extra ``models``).

    The model is a folder or a name on the Hugging Face Hub, and is never downloaded when a metric
    is made or computed: ``textsimp hub models --fetch NAME`` does that. Signatures have its name
    with its commit, or the digest of its folder.
    """

    first_option: ClassVar[str] = "model"

    model: str = option(
        "",
        about="the pretrained model: a folder, or a name on the Hugging Face Hub that "
        "`textsimp hub models --fetch NAME` has fetched; required. `level` takes several, "
        "separated by commas",
        always=True,
    )
    revision: str | None = option(
        None,
        about="the model's branch, tag or commit on the Hub; of a folder, the beginning of the "
        "digest in the signature",
        tag="",
    )
    dtype: str = option(
        about="type of the weights; half precision is faster on a GPU and changes scores a little",
        choices=checkpoints.DTYPES,
        always=True,
    )
    device: str | None = option(
        None,
        about="torch's device, such as `cpu` to keep a GPU free for training; None for a GPU if "
        "there is one",
        tag="",
    )
    batch_size: int = option(
        64,
        about="number of texts per batch, of long ones fewer; changes scores by rounding only",
        least=1,
        most=2**16,
        tag="",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.model:
            raise InputError(
                f"model: {self.name} expects a folder or a name on the Hugging Face Hub; "
                "`textsimp hub models` lists models of papers"
            )
        for model in self.models():
            model.check()

    def models(self) -> list[Pretrained]:
        """The models, as they are to be run."""
        return [self.pretrained]

    @property
    def pretrained(self) -> Pretrained:
        """The model, as it is to be run."""
        return Pretrained(self.model, self.revision, self.dtype, self.device, self.batch_size)

    def label(self, option: Option) -> Any:
        """Write models with their revisions or digests."""
        if option.name == "model":
            return ",".join(map(checkpoints.signed, self.models()))
        return super().label(option)

    @classmethod
    def read_label(cls, option: Option, label: str) -> dict[str, Any]:
        """Split the model's label into its name and revision; several are read as they are."""
        model, _, revision = label.partition("@")
        if option.name == "model" and revision and "," not in revision:
            return {"model": model, "revision": revision}
        return super().read_label(option, label)
