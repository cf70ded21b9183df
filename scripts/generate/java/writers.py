"""Makes Writers.java: the code of the Java library that writes what programs give, table by table, from records."""

from ..schema import Field, Schema, Type
from ..shapes import OPERATIONS, enum_of
from ..words import camel, pascal
from .records import FOLDER, NOTE, camel_type

# What a table is written from, where that is not the record with its name.
SOURCES = {
    "ResourceFactors": "Derivation.Change<Derivation.OfResource>", "AppChange": "Derivation.Change<Derivation.OfApp>",
    "ClassChange": "Derivation.Change<Derivation.OfClass>", "NamedCardinality": "InstanceBuilder.Cardinality",
    "NamedConjunction": "List<InstanceBuilder.Cardinality>", "NamedRule": "InstanceBuilder.Rule",
}  # fmt: skip
TABLES = ("PlanGoal", "SizeRule", "Usage", "Goal", "Samples", "Question", *SOURCES, "Derivation")
CHANGES = ("ResourceFactors", "AppChange", "ClassChange")
# Expressions for what the record `from` has in another shape.
HAND = {
    "PlanGoal.resource": "Integer.toUnsignedLong(from.resource().orElse(-1))",
    "Samples.features": "tables(fbb, from.features(), Learning::feature)",
    "NamedConjunction.all_of": "tables(fbb, from, Writers::namedCardinality)",
    "NamedRule.any_of": "tables(fbb, from.anyOf(), Writers::namedConjunction)", "NamedRule.hard": "from.weight().isEmpty()",
    "NamedRule.weight": "from.weight().orElse(1)", "NamedRule.origin": "from.operator() ? Origin.Operator : Origin.Application",
    "NamedCardinality.max": "Integer.toUnsignedLong(from.max().orElse(-1))", "Operation.app_kind": "Integer.toUnsignedLong(from.appKind().orElse(-1))",
    "Operation.limit_app": "texts(fbb, some(from.limits().keySet()))",
    "Operation.limit_at_most": "words(fbb, some(from.limits().values().stream().mapToInt(Integer::intValue).toArray()))",
    "Operation.groups": "texts(fbb, some(from.sets().stream().map(Operation.AddNode.Membership::group).toList()))",
    "Operation.sets": "texts(fbb, some(from.sets().stream().map(Operation.AddNode.Membership::set).toList()))",
    "RemoveRule.rule": "NamedRule.createNamedRule(fbb, Text.add(fbb, from.name()), 0, true, 1, 0)",
    "Derivation.by_resource": "tables(fbb, from.resources, Writers::resourceFactors)",
    "Derivation.by_app": "tables(fbb, from.apps, Writers::appChange)", "Derivation.by_class": "tables(fbb, from.classes, Writers::classChange)",
    "ResourceFactors.resource": "Integer.toUnsignedLong(from.index())", "AppChange.app": "Integer.toUnsignedLong(from.index())",
    "ClassChange.node_class": "Integer.toUnsignedLong(from.index())",
}  # fmt: skip
HELPERS = '''
  // What is empty is left out, where it is not required.
  private static <T> Collection<T> some(Collection<T> given) {
    return given.isEmpty() ? null : given;
  }

  private static double[] some(double[] given) {
    return given == null || given.length == 0 ? null : given;
  }

  private static int[] some(int[] given) {
    return given == null || given.length == 0 ? null : given;
  }

  private static int text(FlatBufferBuilder fbb, String text) {
    return text.isEmpty() ? 0 : Text.add(fbb, text);
  }

  static int texts(FlatBufferBuilder fbb, Collection<String> texts) {
    return texts == null ? 0 : fbb.createVectorOfTables(texts.stream().mapToInt(text -> Text.add(fbb, text)).toArray());
  }

  static <T> int tables(FlatBufferBuilder fbb, Collection<T> from, ToIntBiFunction<FlatBufferBuilder, T> write) {
    return fbb.createVectorOfTables(from.stream().mapToInt(one -> write.applyAsInt(fbb, one)).toArray());
  }

  private static int numbers(FlatBufferBuilder fbb, double[] numbers) {
    return numbers == null ? 0 : stowage.wire.Operation.createDemandVector(fbb, numbers);
  }

  private static int words(FlatBufferBuilder fbb, int[] words) {
    return words == null ? 0 : stowage.wire.Usage.createAppVector(fbb, Arrays.stream(words).asLongStream().toArray());
  }

  private static int flags(FlatBufferBuilder fbb, boolean[] flags) {
    if (flags == null) {
      return 0;
    }
    byte[] bytes = new byte[flags.length];
    for (int k = 0; k < flags.length; ++k) {
      bytes[k] = (byte) (flags[k] ? 1 : 0);
    }
    return fbb.createByteVector(bytes);
  }
'''
IMPORTS = ("com.google.flatbuffers.FlatBufferBuilder", "java.util.Arrays", "java.util.Collection", "java.util.List",
           "java.util.function.ToIntBiFunction", "stowage.wire.NamedRule", "stowage.wire.OperationKind", "stowage.wire.Origin")  # fmt: skip


def member(owner: str, field: Field) -> str:
    """How a field is read of what the table is written from."""
    if owner == "Derivation":
        return f"from.{camel(field.name)}"
    if owner in CHANGES and field.name != "name":
        return f"from.of().{camel(field.name)}{'()' if owner == 'ResourceFactors' else ''}"
    return f"from.{camel(field.name)}()"


def value(schema: Schema, owner: str, field: Field) -> str:
    """The expression that writes a field, or that is passed for it."""
    given, inner = member(owner, field), field.inner
    if f"{owner}.{field.name}" in HAND:
        return HAND[f"{owner}.{field.name}"]
    if field.name == "format":
        return "1"
    if enum_of(field, schema):
        return f"{given}.ordinal()"
    if schema.what(inner) == "table":
        write = f"Writers::{camel_type(inner)}"
        return f"tables(fbb, {given}, {write})" if field.many else f"{camel_type(inner)}(fbb, {given})"
    if field.many:
        kind = "flags" if inner == "ubyte" else {"string": "texts", "double": "numbers", "uint32": "words"}[inner]
        return f"{kind}(fbb, {given})" if field.required or kind == "flags" else f"{kind}(fbb, some({given}))"
    if inner == "string":
        return f"{'Text.add' if field.required else 'text'}(fbb, {given})"
    return f"Integer.toUnsignedLong({given})" if inner == "uint32" else given


def is_offset(schema: Schema, field: Field) -> bool:
    return field.many or field.inner == "string" or schema.what(field.inner) == "table"


def call(schema: Schema, table: Type, values: dict[str, str]) -> list[str]:
    """Statements that write the table: parts that stand in vectors or tables of their own come first."""
    out, passed = [], []
    for field in table.fields:
        one = values.get(field.name)
        if one is None:
            number = "0" if is_offset(schema, field) else field.default or ("false" if field.inner == "bool" else "0")
            one = f"{number}L" if number == "4294967295" else number
        elif is_offset(schema, field):
            out.append(f"    int {camel(field.name)} = {one};")
            one = camel(field.name)
        passed.append(one)
    return [*out, f"    return stowage.wire.{table.name}.create{table.name}(", f"        fbb, {', '.join(passed)});"]


def writer(schema: Schema, table: Type) -> list[str]:
    values = {field.name: value(schema, table.name, field) for field in table.fields}
    return ["", f"  static int {camel_type(table.name)}(FlatBufferBuilder fbb, {SOURCES.get(table.name, table.name)} from) {{",
            *call(schema, table, values), "  }"]  # fmt: skip


def operations(schema: Schema) -> list[str]:
    table = schema.types["Operation"]
    out = ["", "  static int operation(FlatBufferBuilder fbb, Operation operation) {", "    return switch (operation) {",
           *(f"      case Operation.{kind} one -> operation(fbb, one);" for kind in OPERATIONS), "    };", "  }"]  # fmt: skip
    for kind, names in OPERATIONS.items():
        values = {"kind": f"OperationKind.{kind}"}
        for name in names.split():
            values[name] = HAND.get(f"{kind}.{name}") or value(schema, "Operation", table.field(name))
        out += ["", f"  private static int operation(FlatBufferBuilder fbb, Operation.{kind} from) {{", *call(schema, table, values), "  }"]
    return out


def java_writers(schema: Schema) -> dict[str, str]:
    """The file, by its path."""
    out = [NOTE, "package stowage;", "", *(f"import {name};" for name in IMPORTS), "",
           "/** Writes what programs give as tables of the schemas. */", "final class Writers {", "  private Writers() {}"]  # fmt: skip
    for name in TABLES:
        out += writer(schema, schema.types[name])
    out += [*operations(schema), *HELPERS.rstrip("\n").split("\n"), "}", ""]
    return {f"{FOLDER}/Writers.java": "\n".join(out)}
