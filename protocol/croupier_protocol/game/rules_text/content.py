"""What a text is made of, for whoever shows it: a terminal, a page, a client of its own."""

from msgspec import Struct


class Paragraph(Struct, frozen=True, tag_field="kind", tag="paragraph"):
    """A paragraph. A `notable` one must not be overlooked, and is set apart from the others."""

    text: str
    notable: bool = False


class Table(Struct, frozen=True, tag_field="kind", tag="table"):
    """A table with a heading for each column. `numbers` are the columns that are aligned to the right."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


Block = Paragraph | Table


class Section(Struct, frozen=True):
    """A heading and what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


class RulesText(Struct, frozen=True):
    """The rules of a table, for people."""

    title: str
    sections: tuple[Section, ...]
