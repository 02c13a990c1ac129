"""Pages of metrics as Prometheus' own parser reads them."""

from prometheus_client.parser import text_string_to_metric_families


def read_page(text: str):
    """The page's families by name, each of which may come once."""
    found = list(text_string_to_metric_families(text))
    names = [family.name for family in found]
    assert len(names) == len(set(names)), names
    return {family.name: family for family in found}


def figures(text: str, name: str, **labels: str) -> list[float]:
    """The values of all samples of that name that have these labels."""
    return [
        sample.value
        for family in read_page(text).values()
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    ]
