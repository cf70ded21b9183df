"""Makes the operations of the Rust crate: a variant per kind, with the fields that it uses, and the code that writes them."""

from ..schema import Field, Schema
from ..shapes import OPERATIONS
from .names import NUMBERS

# Variants that hold a type, which has the fields.
HOLD = {"Submit": "Submission", "AddNode": "NewNode", "AddRule": "Rule"}
# Fields of variants, and expressions, where they are no plain ones.
FIELDS = {"RemoveRule.rule": ("name", "String")}
WRITES = {
    "Submit.weight": "one.weight.unwrap_or(1.0)", "Submit.app_kind": "one.app_kind.unwrap_or(u32::MAX)",
    "Submit.limit_app": "texts_of(b, one.limits.iter().map(|(app, _)| app))",
    "Submit.limit_at_most": "some(b, &one.limits.iter().map(|&(_, at_most)| at_most).collect::<Vec<u32>>())",
    "AddNode.node_class": "optional(b, &one.class)", "AddNode.groups": "texts_of(b, one.sets.iter().map(|(group, _)| group))",
    "AddNode.sets": "texts_of(b, one.sets.iter().map(|(_, set)| set))", "AddRule.rule": "Some(one.encode(b))",
    "RemoveRule.rule": "Some(named_rule(b, name))",
}  # fmt: skip


def field_of(kind: str, field: Field) -> tuple[str, str]:
    """The name and the type of a field of a variant."""
    one = NUMBERS.get(field.inner, "String")
    return FIELDS.get(f"{kind}.{field.name}", (field.name, f"Vec<{one}>" if field.many else one))


def writing(kind: str, field: Field) -> str:
    """The expression that writes a field."""
    if f"{kind}.{field.name}" in WRITES:
        return WRITES[f"{kind}.{field.name}"]
    held = kind in HOLD
    value = f"one.{field.name}" if held else field.name
    if field.many and field.inner == "string":
        return f"texts_of(b, {value}.iter())"
    if field.many or field.inner == "string":
        return f"{'some' if field.many else 'optional'}(b, {'&' if held else ''}{value})"
    return value if held else f"*{value}"


def rust_operations(schema: Schema) -> list[str]:
    table, kinds = schema.types["Operation"], {one.name: one for one in schema.types["OperationKind"].fields}
    enum = ["/// A change of a [`Session`](crate::Session)'s cluster. Apps, nodes, classes, groups, sets and rules are given by name.",
            "/// `docs/understand/sessions.md` describes each operation.", "#[derive(Clone, Debug, PartialEq)]", "pub enum Operation {"]  # fmt: skip
    arms = []
    for kind, names in OPERATIONS.items():
        fields = [table.field(name) for name in names.split()]
        inside = [field_of(kind, field) for field in fields]
        declared = f"({HOLD[kind]})" if kind in HOLD else f" {{ {', '.join(': '.join(one) for one in inside)} }}"
        bound = "(one)" if kind in HOLD else f" {{ {', '.join(name for name, _ in inside)} }}"
        enum += [*(f"    /// {line}" for line in kinds[kind].doc), f"    {kind}{declared},"]
        arms += [f"            Self::{kind}{bound} => wire::OperationArgs {{", f"                kind: wire::OperationKind::{kind},",
                 *(f"                {field.name}: {writing(kind, field)}," for field in fields),
                 "                ..wire::OperationArgs::default()", "            },"]  # fmt: skip
    return [*enum, "}", "", "impl Operation {", "    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Operation<'static>> {",
            "        let args = match self {", *arms, "        };", "        wire::Operation::create(b, &args)", "    }", "}", ""]  # fmt: skip
