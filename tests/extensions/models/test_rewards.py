"""Rewards by a metric of a model."""

from collections import defaultdict

import numpy as np
import pytest

from tests.extensions.models.networks.fake import Fake, models
from tests.trainer.completions import COMPLETIONS, called
from textsimp.support.errors import InputError
from textsimp.trainer import make_reward

LEVELS = ["A1", "A2", "B1", "B2", "C1", "C2"]


def test_where_lower_is_better_rewards_are_negative():
    said = defaultdict(lambda: np.ones(6))
    said.update((text, np.eye(6)[i % 6]) for i, text in enumerate(COMPLETIONS))
    with models(judge=Fake(LEVELS, said)):
        rmse = make_reward("level(judge).rmse")
        found = called(rmse, target_level=["A1"] * 7 + [None])
        assert rmse.__name__ == "level(judge).rmse"
    assert found == pytest.approx([0, -1, -2, -3, -4, -5, 0, None])


def test_a_score_of_columns_that_the_dataset_lacks_is_reported():
    with models(judge=Fake(LEVELS, {})):
        with pytest.raises(InputError):
            make_reward("level", model="judge")
        reward = make_reward("level(judge).at_or_under")
        with pytest.raises(InputError):
            called(reward)
