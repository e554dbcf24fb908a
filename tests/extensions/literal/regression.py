"""What is made of a model's numbers, slowly."""


def mean(numbers):
    return sum(numbers) / len(numbers)


def alone(number, sources, predictions, references):
    """The model reads one text."""
    return {
        "regression": mean([number(text) for text in predictions]),
        "difference": mean(
            [
                number(text) - number(source)
                for source, text in zip(sources, predictions, strict=True)
            ]
        ),
        "source_regression": mean([number(text) for text in sources]),
        "reference_regression": mean([mean([number(t) for t in row]) for row in references]),
    }


def paired(number, predictions, others):
    """It reads an output after each of the example's other texts; the highest number counts."""
    highest = [
        max(number((other, text)) for other in row)
        for row, text in zip(others, predictions, strict=True)
    ]
    return {"regression": mean(highest)}
