"""Makes what the builder of the Java library takes: a record per item with functions that change it, and the code that writes columns."""

from ..schema import Field, Schema, Type
from ..shapes import of_item, shape
from ..words import camel, pascal
from .names import NUMBERS, document
from .records import FOLDER, NOTE, imports, wrapped

# The tables, what an item is, the fields that each item has, and the order of the components.
ITEMS = {
    "Apps": ("App", "An application with identical replicas. Amounts are in each resource's unit, one per resource.", ("names", "replicas", "demand"),
             ("names", "replicas", "demand", "priority", "weight", "variance", "support_min", "support_max", "kind", "tag_begin", "only_begin",
              "not_begin")),
    "Nodes": ("Node", "A listed node: something runs there, an app is pinned there, or it belongs to node sets.", ("names", "node_class"),
              ("names", "node_class", "load", "load_variance", "closed", "tag_begin", "daemon")),
    "NodeClass": ("NodeClass", "Capacity, price and labels that the nodes of a class share.", ("name", "capacity"),
                  ("name", "capacity", "count", "price", "labels", "daemon")),
}  # fmt: skip
# Fields that are set together.
TOGETHER = {"Apps.support_min": ("support", ("supportMin", "supportMax")), "Apps.support_max": None}
HAND = {  # name, comment
    "Apps.names": ("name", "unique, or empty for all apps"), "Nodes.names": ("name", "unique, or empty for all nodes"),
    "Apps.support_min": ("supportMin", "smallest possible demand of a replica, for {@link InstanceBuilder.ChanceModel#BOUNDED_SUPPORT}"),
    "Apps.support_max": ("supportMax", "largest possible demand of a replica"),
    "Apps.kind": ("kind", "one of the kinds given to {@link InstanceBuilder#interference}; empty is the first"),
    "Apps.tag_begin": ("tags", "carried by every replica"), "Apps.only_begin": ("only", "labels or tags that every node of the app carries"),
    "Apps.not_begin": ("not", "labels or tags that no node of the app carries"), "Nodes.node_class": ("nodeClass", "position of its class"),
    "Nodes.closed": ("closed", "whether the node accepts no new replicas"), "Nodes.tag_begin": ("tags", "tags in addition to the labels of its class"),
    "Nodes.daemon": ("daemon", "load that goes with the node, in place of its class's; null = as the class says"),
}  # fmt: skip
# Expressions that write columns which follow from more than the items: of the encoder e.
WRITES = {"Apps.kind": "e.optionalWords(e.appKinds())", "Nodes.daemon": "e.optional(e.daemons())"}


def name_of(table: Type, field: Field) -> str:
    return HAND.get(f"{table.name}.{field.name}", (camel(field.name),))[0] if table.name != "NodeClass" else camel(field.name)


def kind_of(table: Type, field: Field) -> str:
    if table.name == "NodeClass":
        number = "OptionalDouble" if field.default == "-1" else NUMBERS.get(field.inner, "String")
        return {"double": "double[]", "String": "List<String>"}[number] if field.many else number
    number = "boolean" if "flags" in field.attributes else NUMBERS.get(field.inner, "String")
    number = "String" if name_of(table, field) == "kind" else number
    return {"number": number, "text": "String", "tags": "List<String>"}.get(shape(field), "double[]")


def default_of(field: Field, kind: str) -> str:
    return {"double[]": "null", "List<String>": "List.of()", "OptionalDouble": "OptionalDouble.empty()", "String": '""',
            "boolean": "false"}.get(kind, field.attributes.get("absent", field.default or "0"))  # fmt: skip


def in_order(table: Type) -> list[Field]:
    """The components: those that have always been there, then what was added to the schema."""
    order = ITEMS[table.name][3]
    shown = [field for field in table.fields if table.name == "NodeClass" or shape(field)]
    return sorted(shown, key=lambda field: order.index(field.name) if field.name in order else len(order))


def parameter(kind: str, name: str) -> tuple[str, str]:
    """How a function takes a value, and the value."""
    return {"double[]": (f"double... {name}", name), "List<String>": (f"String... {name}", f"List.of({name})"),
            "OptionalDouble": (f"double {name}", f"OptionalDouble.of({name})")}.get(kind, (f"{kind} {name}", name))  # fmt: skip


def item(schema: Schema, table: Type) -> str:
    name, about, needed, _ = ITEMS[table.name]
    fields = in_order(table)
    names = [name_of(table, field) for field in fields]
    kinds = [kind_of(table, field) for field in fields]
    out = ["/**", *wrapped(f"{about} Immutable: {{@link #of}} sets the properties that every one has, the {{@code with}} methods set further ones.", ""), " *"]
    for field, shown, kind in zip(fields, names, kinds):
        text = HAND.get(f"{table.name}.{field.name}", (0, ""))[1] or of_item([document(schema, table.name, field.doc, kind)]) or f"the {shown}"
        text = text.replace("negative = not given", "empty = not given").removesuffix(".")
        if kind == "double[]" and field.name not in needed and "null" not in text:
            text += "; null = none"
        out += wrapped(f"@param {shown} {text[:1].lower()}{text[1:]}", "", "", "    ")
    parts = ",\n    ".join(f"{kind} {shown}" for kind, shown in zip(kinds, names))
    out += [" */", f"public record {name}(", f"    {parts}) {{"]
    given = [parameter(kind, shown)[0] if kind == "double[]" else f"{kind} {shown}" for kind, shown, field in zip(kinds, names, fields) if field.name in needed]
    first = [shown if field.name in needed else default_of(field, kind) for kind, shown, field in zip(kinds, names, fields)]
    out += ["  /** One with the properties that every one has. */", f"  public static {name} of({', '.join(given)}) {{",
            f"    return new {name}({', '.join(first)});", "  }"]  # fmt: skip
    for field, shown, kind in zip(fields, names, kinds):
        together = TOGETHER.get(f"{table.name}.{field.name}", (shown, (shown,)))
        if field.name in needed or not together:
            continue
        title, members = together
        given, value = parameter(kind, shown) if len(members) == 1 else (", ".join(f"double[] {member}" for member in members), "")
        values = [value if one == shown and value else one for one in names]
        out += ["", f"  /** The same with the given {{@code {title}}}. */", f"  public {name} with{pascal(title)}({given}) {{",
                f"    return new {name}({', '.join(values)});", "  }"]  # fmt: skip
    return "\n".join([NOTE, "package stowage;", "", *imports(out), *out, "}", ""])


def column(table: Type, field: Field) -> str:
    """The expression that writes a column; of tags, the starts and the entries."""
    name, items, one = f"{table.name}.{field.name}", table.name.lower(), f"{ITEMS[table.name][0]}::{name_of(table, field)}"
    if name in WRITES:
        return WRITES[name]
    if shape(field) == "text":
        return f"e.names({items}, {one})"
    if shape(field) == "tags":
        return f"e.tagRows({items}, {one})"
    if shape(field) in ("row", "profile"):
        rows = f'e.{shape(field)}s("{items}[%d].{field.name}", {items}, {one}, {str(not field.required).lower()})'
        return f"e.doubles({rows})" if field.required else f"e.optional({rows})"
    kind, absent = kind_of(table, field), field.attributes.get("absent", "0")
    if kind == "boolean":
        return f"e.flags({items}, {one})"
    if kind == "double":
        return f"e.unless({items}, {one}, {float(absent)})"
    return f"e.words(InstanceBuilder.column({items}, {one}))" if field.required else f"e.unless({items}, {one})"


def columns(table: Type) -> list[str]:
    items, lines, args, fields = table.name.lower(), [], [], iter(table.fields)
    for field in fields:
        name = camel(field.name)
        if shape(field) == "tags":
            lines.append(f"    int[] {name} = {column(table, field)};")
            next(fields)
            args += [f"{name}[0]", f"{name}[1]"]
        else:
            lines.append(f"    int {name} = {column(table, field)};")
            args.append(name)
    return ["", f"  static int {items}(InstanceBuilder.Encoder e, List<{ITEMS[table.name][0]}> {items}) {{", *lines,
            f"    return stowage.wire.{table.name}.create{table.name}(", f"        e.fbb, {', '.join(args)});", "  }"]  # fmt: skip


def node_class(table: Type) -> list[str]:
    """Node classes are tables of their own."""
    args = []
    for field in table.fields:
        value, kind = f"from.{camel(field.name)}()", kind_of(table, field)
        write = {"String": "text", "List<String>": "texts", "double[]": "doubles" if field.required else "optional"}.get(kind)
        args.append(f"e.{write}({value})" if write else f"{value}.orElse({field.default})" if kind == "OptionalDouble" else value)
    return ["", "  static int nodeClass(InstanceBuilder.Encoder e, NodeClass from) {", "    return stowage.wire.NodeClass.createNodeClass(",
            f"        e.fbb, {', '.join(args)});", "  }"]  # fmt: skip


def java_items(schema: Schema) -> dict[str, str]:
    """The files, by their path."""
    files = {ITEMS[name][0]: item(schema, schema.types[name]) for name in ITEMS}
    code = ["/** Writes what an instance has many of. */", "final class Columns {", "  private Columns() {}", *columns(schema.types["Apps"]),
            *columns(schema.types["Nodes"]), *node_class(schema.types["NodeClass"]), "}", ""]  # fmt: skip
    files["Columns"] = "\n".join([NOTE, "package stowage;", "", *imports(code), *code])
    return {f"{FOLDER}/{name}.java": text for name, text in files.items()}
