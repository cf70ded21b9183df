"""Makes what the JSON format says of the numbers of apps, in instance.schema.json and in the page of the format, and the other schemas."""

import json
import re

from .json_schemas import INSTANCE, json_schemas
from .schema import ROOT, Field, Schema
from .shapes import app_numbers, of_item

PAGE = "docs/reference/json-format.md"


def meaning(field: Field) -> str:
    return re.sub(r" (Above 0|May be negative)\.", "", of_item(field.doc)).strip()


def described(field: Field) -> str:
    """The member of an app in the schema."""
    above = {"exclusiveMinimum" if "positive" in field.attributes else "minimum": 0}
    kind = {"double": {"type": "number", **above}, "uint32": {"$ref": "#/definitions/count"},
            "int32": {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}}[field.inner]  # fmt: skip
    described = {**kind, "default": int(field.attributes.get("absent", 0)), "description": meaning(field)}
    return f'        "{field.name}": {json.dumps(described)},'


def row(field: Field) -> str:
    """The row of the page."""
    kind = {"double": "number above 0" if "positive" in field.attributes else "number", "uint32": "whole number from 0",
            "int32": "whole number"}[field.inner]  # fmt: skip
    text = meaning(field).removesuffix(".")
    return f"| `{field.name}` | {kind}: {text[0].lower()}{text[1:]} | {field.attributes.get('absent', 0)} |"


def between(name: str, before: str, after: str, lines: list[str]) -> str:
    """The file with these lines between the line that begins with `before` and the next one that begins with `after`."""
    part = re.compile(rf"(^{re.escape(before)}[^\n]*\n).*?(?=^{re.escape(after)})", re.MULTILINE | re.DOTALL)
    text, found = part.subn(lambda match: match[1] + "".join(f"{line}\n" for line in lines), (ROOT / name).read_text(encoding="utf-8"), count=1)
    assert found, f"{name} has no lines between {before} and {after}"
    return text


def json_format(schema: Schema) -> dict[str, str]:
    fields = app_numbers(schema)
    instance = between(INSTANCE, '        "demand": ', '        "tags": ', [described(field) for field in fields])
    return {
        INSTANCE: instance,
        **json_schemas(schema, json.loads(instance)),
        PAGE: between(PAGE, "| `demand` |", "| `max_per_node` |", [row(field) for field in fields]),
    }
