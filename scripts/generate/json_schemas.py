"""Makes the schemas of the JSON that the command reads and writes, but that of instances. capi/cli/schemas/outlines.json describes each
of them in short, by

  an object  its keys; "?" behind a key: it may be missing. Some keys say more of the object:
               ""   what it is, or a table whose comment says it        "#"  the title
               "*"  the value of each other key                         "+"  parts whose keys it has, too; "Plan": the fields of plans
               "|"  instead of keys: alternatives                            that JSON has as they are; "+?": they may be missing
               "="  instead of keys: JSON Schema
  a list     what each element is, and perhaps what the list is
  a text     the type, a field of the schemas, or both; perhaps ": " and what the value means, if not what the field's comment says.
             Types, of which "|null" may follow:
               text number whole integer count flag     count: a whole number of 32 bits
               =1 =true =word                           this value alone
               names                                    words of the field's enumeration as in the schemas, instead of in-lower-case
               @bound                                   a part
               #app.tags                                a definition of instance.schema.json, or a property of one

Parts stand below "parts". That of the operations of a session is made of the schemas, and of the instance's apps and nodes.
"""

import json
import re
from typing import Any

from .schema import NO_INDEX, ROOT, Field, Schema
from .shapes import OPERATIONS, enum_of, of_item, plain_plan_fields
from .words import kebab

FOLDER = "capi/cli/schemas"
INSTANCE = f"{FOLDER}/instance.schema.json"
OUTLINES = f"{FOLDER}/outlines.json"
COLUMNS = 140
MOST_OF_32_BITS = 2**32 - 1
TYPES = {
    "text": {"type": "string"}, "number": {"type": "number"}, "integer": {"type": "integer"}, "flag": {"type": "boolean"},
    "whole": {"type": "integer", "minimum": 0}, "count": {"type": "integer", "minimum": 0, "maximum": MOST_OF_32_BITS},
}  # fmt: skip
OF_FIELD = {"string": "text", "double": "number", "bool": "flag", "uint64": "whole", "uint32": "count", "int32": "integer"}
# Keys of operations that are other words than their fields, or several. Those of other fields are the fields' names.
KEYS = {
    "variance": ("variance", "deviation"), "load_variance": ("load_variance", "load_deviation"), "support_min": ("support",), "support_max": (),
    "app_kind": ("kind",), "node_class": ("class",), "limit_app": ("max_per_node", "limits"), "limit_at_most": (), "groups": (),
}  # fmt: skip
# Operations that describe what an instance describes, too: by which of its definitions.
DESCRIBING = {"Submit": "app", "AddNode": "node", "Load": "node"}
# The keys that have values of these enumerations.
OF_ENUM = {"PlanStatus": "status", "SoftPolicy": "soft", "GoalKind": "goal"}
ALWAYS = ("app", "node", "demand", "rule", "peer", "amount")

Json = dict[str, Any]


def meaning(lines: tuple[str, ...], schema: Schema, absent: str = "left out") -> str:
    """A comment of the schemas, with the words of JSON. `absent`: what stands for a number that is not known."""
    phrases = [(r"; (?:absent|0) = none(?=\.)", ""), (r", an index into `[\w.]+`, (?=[a-z])", " "), (r", an index into `[\w.]+`", ""), (r"is an index into `[\w.]+`", "is a name"),
               (rf"an index that does not apply is {NO_INDEX}", "a key that does not apply is left out"), ("`node_class`", "`class`"),
               (rf"\b(?:{NO_INDEX}|18446744073709551615)\b", absent), (r"\bnegative(?= (?:=|without|where|with other))", absent),
               (r"\babsent(?= (?:=|where|otherwise))", "left out")]  # fmt: skip
    text = of_item(list(lines))
    for pattern, instead in phrases:
        text = re.sub(f"(?i){pattern}", lambda match, new=instead: new.capitalize() if match[0][0].isupper() else new, text)

    def named(match: re.Match[str]) -> str:
        """A field or the value of an enumeration, as JSON has it."""
        table, name = match[1], match[2]
        if table not in schema.types:
            return match[0]
        if schema.what(table) == "enum":
            shown = f'{OF_ENUM.get(table, kebab(table))} "{kebab(name)}"'
        else:
            shown = {"Request": f"the request's {name}", "PlannerInfo": f"the planner's {name}"}.get(table, name)
        begins = match.start() == 0 or match.string[: match.start()].endswith(". ")
        return shown[0].upper() + shown[1:] if begins else shown

    return re.sub(r"\b([A-Z]\w+)\.(\w+)\b", named, text).strip()


class Describer:
    """Makes JSON Schema of a description, and remembers which definitions it refers to."""

    def __init__(self, schema: Schema, instance: Json, parts: Json):
        self.schema, self.instance, self.parts = schema, instance, parts
        self.definitions: Json = {}

    def comment(self, field: Field, table: str, absent: str = "left out") -> str:
        """What is said of a field; of one without a comment, the last one before it."""
        fields = self.schema.types[table].fields
        said = [one.doc for one in fields[: fields.index(field) + 1] if one.doc]
        return meaning(said[-1] if said else (), self.schema, absent)

    def refer(self, name: str) -> Json:
        if name not in self.definitions:
            self.definitions[name] = {}  # for the circle
            self.definitions[name] = self.operation() if name == "operation" else self.of(self.parts[name])
        return {"$ref": f"#/definitions/{name}"}

    def of_instance(self, path: str) -> Json:
        """A definition of the instance's schema, and those that it refers to."""
        name, _, key = path.partition(".")
        found = self.instance["definitions"][name]["properties"][key] if key else {"$ref": f"#/definitions/{name}"}
        for inner in re.findall(r'"#/definitions/(\w+)"', json.dumps(found)):
            if inner not in self.definitions:
                self.definitions[inner] = self.instance["definitions"][inner]
                for further in re.findall(r'"#/definitions/(\w+)"', json.dumps(self.definitions[inner])):
                    self.of_instance(further)
        return found

    def enumeration(self, field: Field, how: str) -> tuple[Json, str]:
        """The words of an enumeration, and what each of them means."""
        enum = self.schema.types[enum_of(field, self.schema) or ""]
        words = {value.name: value.name if how == "names" else kebab(value.name) for value in enum.fields}
        text = "".join(f"\n{words[value.name]}: {meaning(value.doc, self.schema)}" for value in enum.fields if value.doc)
        # Of names of one word, other words of a sentence look the same.
        named = re.sub(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b", lambda match: words.get(match[0], match[0]), text)
        return {"enum": list(words.values())}, named

    def typed(self, how: str, field: Field | None) -> tuple[Json, str]:
        """The schema of a type or, where none is given, of the field's, and what its values mean."""
        if how.startswith("="):
            return {"const": json.loads(how[1:]) if re.fullmatch("=(true|false|[0-9]+)", how) else how[1:]}, ""
        if how.startswith("@"):
            return self.refer(how[1:]), ""
        if how.startswith("#"):
            return dict(self.of_instance(how[1:])), ""
        if field and how in ("", "names") and enum_of(field, self.schema):
            return self.enumeration(field, how)
        if field and how == "" and self.schema.what(field.inner) == "table":
            return self.refer(kebab(field.inner)), ""
        return dict(TYPES[how or OF_FIELD[field.inner if field else ""]]), ""

    def text(self, described: str) -> Json:
        """A value that a text describes."""
        head, _, said = described.partition(": ")
        words = head.split()
        table, _, name = words.pop().partition(".") if re.fullmatch(r"[A-Z]\w+\.\w+", words[-1]) else ("", "", "")
        assert len(words) <= 1, described
        field = self.schema.types[table].field(name) if table else None
        how = "".join(words)
        null = how.endswith("|null")
        made, values = self.typed(how.removesuffix("|null"), field)
        if null:
            made = {**made, "type": [made["type"], "null"]} if "type" in made else {"oneOf": [made, {"type": "null"}]}
        said = (said or (self.comment(field, table, "null" if null else "left out") if field else "")) + values
        return {**made, "description": said} if said else made

    def members(self, described: Json) -> tuple[Json, list[str]]:
        """The properties of an object, and those that it always has."""
        properties: Json = {}
        required: list[str] = []
        for key, value in described.items():
            if key in ("", "#", "*"):
                continue
            if key in ("+", "+?"):
                for part in value:
                    more, always = self.members({f"{field.name}?": f"Plan.{field.name}" for field in plain_plan_fields(self.schema)}
                                                if part == "Plan" else self.parts[part])  # fmt: skip
                    properties.update(more)
                    required += always if key == "+" else []
                continue
            name = key.removesuffix("?")
            properties[name] = self.of(value)
            required += [name] if name == key else []
        return properties, required

    def of(self, described: Any) -> Json:
        """The schema of what is described."""
        if isinstance(described, str):
            return self.text(described)
        if isinstance(described, list):
            said = self.said(described[1]) if len(described) > 1 else None
            return {"type": "array", **({"description": said} if said else {}), "items": self.of(described[0])}
        if "=" in described:
            for name in re.findall(r'"#/definitions/(\w+)"', json.dumps(described)):
                self.of_instance(name)
            return described["="]
        head = {"description": self.said(described[""])} if described.get("") else {}
        if "|" in described:
            return {**head, "anyOf": [self.of(one) for one in described["|"]]}
        properties, required = self.members(described)
        return {
            "type": "object", **head, **({"required": required} if required else {}), **({"properties": properties} if properties else {}),
            "additionalProperties": self.of(described["*"]) if "*" in described else False,
        }  # fmt: skip

    def said(self, text: str) -> str:
        """What a list or an object is: a text, or the comment of a field or table."""
        match = re.fullmatch(r"(?:([A-Z]\w+)\.(\w+)(?:: (.*))?)|([A-Z]\w+)", text)
        if not match or match[3]:
            return match[3] if match else text
        if match[4]:
            return meaning(self.schema.types[match[4]].doc, self.schema)
        return self.comment(self.schema.types[match[1]].field(match[2]), match[1])

    def operation(self) -> Json:
        """The operations of a session: of each, the fields that it uses."""
        by_hand, alternatives = self.parts["of_operation"], []
        for kind in self.schema.types["OperationKind"].fields:
            described = {"": by_hand.get(kind.name, meaning(kind.doc, self.schema)), "op": f"={kebab(kind.name)}: The operation."}
            given = self.instance["definitions"][DESCRIBING[kind.name]]["properties"] if kind.name in DESCRIBING else {}
            for key in (key for field in OPERATIONS[kind.name].split() for key in KEYS.get(field, (field,))):
                always = key in ALWAYS or key == "replicas" and kind.name != "Submit"
                value = f"#{DESCRIBING[kind.name]}.{key}" if key in given else by_hand.get(f"{kind.name}.{key}", by_hand.get(key))
                assert value, f"{OUTLINES} does not say what {key} of an operation is"
                described[f"{key}{'' if always else '?'}"] = value
            alternatives.append(self.of(described))
        return {"description": "An operation on the cluster.", "anyOf": alternatives}


def laid_out(value: Any, indent: int = 0) -> str:
    """JSON text: what fits on a line stands on one."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) + indent <= COLUMNS or not isinstance(value, (dict, list)) or not value:
        return text
    space = " " * (indent + 2)
    items = ([f"{json.dumps(key)}: {laid_out(one, indent + 2)}" for key, one in value.items()] if isinstance(value, dict)
             else [laid_out(one, indent + 2) for one in value])  # fmt: skip
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n{space}" + f",\n{space}".join(items) + f"\n{' ' * indent}{last}"


def json_schemas(schema: Schema, instance: Json) -> dict[str, str]:
    """`instance`: the schema of instances, whose definitions the operations of a session share."""
    outlines = json.loads((ROOT / OUTLINES).read_text(encoding="utf-8"))
    made = {}
    for name, described in outlines.items():
        if name == "parts":
            continue
        describer = Describer(schema, instance, outlines["parts"])
        title = (described[0] if isinstance(described, list) else described).get("#", f"stowage {name} --summary json")
        whole = {"$schema": "http://json-schema.org/draft-07/schema#", "title": title, **describer.of(described)}
        if describer.definitions:
            whole["definitions"] = describer.definitions
        made[f"{FOLDER}/{name}.schema.json"] = laid_out(whole) + "\n"
    return made
