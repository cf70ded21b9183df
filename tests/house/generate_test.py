"""scripts/generate-bindings.py reads the header and the schemas, and what it writes follows from them."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "generate-bindings.py"
sys.path.insert(0, str(ROOT / "scripts"))
from generate import check_rows, header, json_format, json_schemas, schema, shapes  # noqa: E402
from generate.cpp import c_header as cpp_c_header  # noqa: E402
from generate.cpp import codec as cpp_codec  # noqa: E402
from generate.cpp import core as cpp_core  # noqa: E402
from generate.cpp import text as cpp_text  # noqa: E402
from generate.go import columns as go_columns  # noqa: E402
from generate.go import names as go_names  # noqa: E402
from generate.go import records as go_records  # noqa: E402
from generate.java import items as java_items  # noqa: E402
from generate.java import names as java_names  # noqa: E402
from generate.java import records as java_records  # noqa: E402
from generate.java import request as java_request  # noqa: E402
from generate.java import writers as java_writers  # noqa: E402
from generate.python import records as python_records  # noqa: E402
from generate.rust import abi as rust_abi  # noqa: E402
from generate.rust import columns as rust_columns  # noqa: E402
from generate.rust import names as rust_names  # noqa: E402
from generate.rust import operations as rust_operations  # noqa: E402
from generate.rust import records as rust_records  # noqa: E402
from generate.typescript import columns as typescript_columns  # noqa: E402
from generate.typescript import names as typescript_names  # noqa: E402
from generate.typescript import plan as typescript_plan  # noqa: E402
from generate.typescript import records as typescript_records  # noqa: E402
from generate.typescript import request as typescript_request  # noqa: E402

SMALL = """
    // A comment; with a semicolon.
    namespace stowage.wire;
    attribute "rule";
    file_identifier "STOX";

    /// Replicas of an app.
    struct Pair (rule: "any") { app:uint32; amount:double; }

    /// What a thing is like.
    enum Sort : ubyte {
      /// The usual one.
      Plain = 0,
      HalfFull = 1,
    }
    union Body { Item, Box }

    /// A thing.
    table Item {
      /// Its name; for people.
      name:string (required);
      /// Length: things.
      sizes:[double] (required, rule: "per things, of others or none");
      sort:Sort = HalfFull;
      count:uint32 = 4294967295 (rule: "any");
      pairs:[Pair];
    }
    table Box { format:uint16 = 1; body:Body; }
    table Apps {
      names:[string] (rule: "per apps");
      kind:[uint32] (rule: "per apps, of kinds");
      /// Luck of a replica. Length: apps; absent = all 2.
      luck:[double] (rule: "per apps", absent: "2", positive);
      /// Rank of an app. Length: apps.
      rank:[int32] (rule: "per apps");
    }
    table Operation (rule: "any") { rank:int32; }
    root_type Box;
    """


def small() -> schema.Schema:
    return schema.Schema([textwrap.dedent(SMALL)])


class Cpp(unittest.TestCase):
    def shapes(self) -> cpp_codec.Shapes:
        return cpp_codec.Shapes({"Item": "Thing", "Box": "Crate"}, {"Item.count": "at.most"}, frozenset(("Item.pairs",)))

    def test_reads_each_field_as_its_type_says(self) -> None:
        code = cpp_codec.read_table("Item", small(), self.shapes())
        self.assertEqual(code[0], "inline void read_item(const wire::Item& from, Copier& copier, Thing& to) {")
        self.assertEqual(code[1:-1], ["  copier.read(from.name(), to.name);", "  copier.read(from.sizes(), to.sizes);",
                                      "  to.sort = static_cast<decltype(to.sort)>(from.sort());", "  to.at.most = from.count();"])  # fmt: skip

    def test_writes_what_the_caller_gives_in_its_place(self) -> None:
        code = cpp_codec.write_table("Item", small(), self.shapes())
        self.assertIn("flatbuffers::Offset<flatbuffers::Vector<const wire::Pair*>> pairs", code[0])
        self.assertEqual(code[1:3], ["  const auto name = builder.must(from.name);", "  const auto sizes = builder.must(from.sizes);"])
        self.assertEqual(code[3], "  return wire::CreateItem(builder, name, sizes, static_cast<wire::Sort>(from.sort), from.at.most, pairs);")

    def test_a_size_counts_columns_and_texts(self) -> None:
        code = cpp_codec.size_of_table("Item", small(), self.shapes())
        self.assertEqual(code[1], "  return 66 + size_of(from.name) + size_of(from.sizes);")

    def test_members_start_with_the_defaults(self) -> None:
        code = cpp_text.record("Item", small(), cpp_codec.Shapes({"Item": "ItemData"}))
        self.assertIn("/// A thing.", code)
        for line in ("  std::string name{};", "  std::vector<double> sizes{};", "  wire::Sort sort = wire::Sort::HalfFull;",
                     "  std::uint32_t count = 4294967295U;", "  std::vector<wire::Pair> pairs{};"):  # fmt: skip
            self.assertIn(line, code)

    def test_requests_in_c_have_places_for_all_fields(self) -> None:
        declared = schema.read()
        tables, request = "\n".join(cpp_c_header.request_fields(declared)).split("enum {", 1)
        for name, code in (("Request", request), ("PlanGoal", tables)):
            places = sorted((int(place), cpp_c_header.size_of(field, declared)) for field, place in
                            zip(declared.types[name].fields, re.findall(r"table, \d+, (\d+), ", code), strict=True))  # fmt: skip
            self.assertTrue(all(at + size <= next_at for (at, size), (next_at, _) in zip(places, places[1:], strict=False)))
            self.assertTrue(all(at % size == 0 for at, size in places))

    def test_lists_of_tables_in_c(self) -> None:
        declared = schema.read()
        self.assertIn("  { 0, STOWAGE_NONE, 0, 1, 0, NULL }", cpp_c_header.request_tables(declared))
        code = "\n".join(cpp_c_header.request_fields(declared))
        self.assertRegex(code, r"stowage_wire_put_plan_goals\(to, vtable, table, 21, \d+, request->goals, request->goal_count\);")
        code = "\n".join(cpp_c_header.plan_fields(declared))
        self.assertIn("  to->bound = -1;\n  stowage_wire_scalar(&from, table, 6, &to->bound, 8);", code)
        self.assertIn("  plan->goals = stowage_wire_vector(from, root, 55, 4, 4);", code)

    def test_parts_of_the_header_are_replaced(self) -> None:
        text = "/* Made by scripts/generate-bindings.py: states of nodes. */\nold\n/* Up to here. */\nkept\n"
        made = cpp_c_header.filled(text, schema.read())
        self.assertIn("  STOWAGE_NODE_FAILED = 3\n", made)
        self.assertNotIn("old", made)
        self.assertEqual(made, cpp_c_header.filled(made, schema.read()))


class Header(unittest.TestCase):
    def test_reads_declarations_of_all_shapes(self) -> None:
        text = """
            #define STOWAGE_PATH_SIZE 128
            typedef enum stowage_status { STOWAGE_OK = 0, /* fine = 9 */ STOWAGE_BAD = 1 } stowage_status;
            typedef struct stowage_error { stowage_status status; char path[STOWAGE_PATH_SIZE]; uint64_t* at; } stowage_error;
            /* STOWAGE_API int stowage_in_a_comment(void); */
            STOWAGE_API const char* stowage_version(void);
            STOWAGE_API stowage_status stowage_new(const uint8_t* bytes, size_t size,
                                                   stowage_error** error);
            """
        abi = header.read_header(textwrap.dedent(text))
        self.assertEqual(abi["enums"], {"stowage_status": {"STOWAGE_OK": 0, "STOWAGE_BAD": 1}})
        self.assertEqual(
            abi["structs"]["stowage_error"],
            [{"name": "status", "type": "stowage_status"}, {"name": "path", "type": "char", "count": 128},
             {"name": "at", "type": "uint64_t*"}],
        )  # fmt: skip
        self.assertEqual(header.layout_of(abi["structs"]["stowage_error"], abi), ([0, 4, 136], 144))
        self.assertEqual(abi["functions"]["stowage_version"], {"returns": "const char*", "parameters": []})
        types = [parameter["type"] for parameter in abi["functions"]["stowage_new"]["parameters"]]
        self.assertEqual(types, ["const uint8_t*", "size_t", "stowage_error**"])
        self.assertEqual(rust_abi.rust_type("const uint8_t*"), "*const u8")
        self.assertEqual(rust_abi.rust_type("stowage_error**"), "*mut *mut stowage_error")


class Schemas(unittest.TestCase):
    def test_reads_tables(self) -> None:
        item = small().types["Item"]
        self.assertEqual((item.what, item.doc), ("table", ("A thing.",)))
        self.assertEqual([(field.name, field.kind, field.slot) for field in item.fields],
                         [("name", "string", 4), ("sizes", "[double]", 6), ("sort", "Sort", 8), ("count", "uint32", 10), ("pairs", "[Pair]", 12)])  # fmt: skip
        sizes = item.field("sizes")
        self.assertEqual(sizes.attributes, {"required": "", "rule": "per things, of others or none"})
        self.assertTrue(sizes.required and sizes.many)
        self.assertEqual((sizes.inner, sizes.doc, sizes.none), ("double", ("Length: things.",), None))
        self.assertEqual((item.field("count").none, item.field("sort").default), ("4294967295", "HalfFull"))

    def test_reads_other_types(self) -> None:
        types = small().types
        self.assertEqual([(member.name, member.slot) for member in types["Pair"].fields], [("app", 0), ("amount", 8)])
        self.assertEqual((types["Pair"].size, types["Pair"].align, types["Pair"].attributes), (16, 8, {"rule": "any"}))
        self.assertEqual([(value.name, value.slot, value.doc) for value in types["Sort"].fields],
                         [("Plain", 0, ("The usual one.",)), ("HalfFull", 1, ())])  # fmt: skip
        self.assertEqual(types["Body"].members, ("Item", "Box"))
        # The number of the member of a union takes a place of its own.
        self.assertEqual([field.slot for field in types["Box"].fields], [4, 8])
        self.assertEqual(small().roots, [("Box", "STOX")])

    def test_refuses_what_it_cannot_read(self) -> None:
        for old, new in (("count:uint32", "count:map<uint32>"), ("HalfFull = 1,", "HalfFull = 2,")):
            with self.assertRaises(AssertionError):
                schema.Schema([SMALL.replace(old, new)])

    def test_columns_and_indices_have_rules(self) -> None:
        self.assertIn("Length::kPer, {Count::kThings", check_rows.schema_rows(small()))
        for old in (', rule: "per things, of others or none"', ' (rule: "any")'):
            with self.assertRaisesRegex(AssertionError, "has no rule"):
                check_rows.schema_rows(schema.Schema([SMALL.replace(old, "")]))
        with self.assertRaisesRegex(AssertionError, "unknown rule"):
            check_rows.schema_rows(schema.Schema([SMALL.replace("per things", "for things")]))

    def test_records_of_python(self) -> None:
        records = python_records.python_records(small())
        compile(records, "records.py", "exec")
        for line in ("    #: Its name; for people.", "    name: str", "    HALF_FULL = 1", "        sort: Sort = Sort.HALF_FULL,",
                     '    Field("count", 10, Scalar("I", 4294967295, int)),'):  # fmt: skip
            self.assertIn(line, records.splitlines())


class Go(unittest.TestCase):
    def test_types(self) -> None:
        item = "\n".join(go_records.struct(small(), small().types["Item"]))
        self.assertEqual(item, textwrap.dedent("""\
            // Item is a thing.
            type Item struct {
            \t// Its name; for people.
            \tName string
            \t// Length: things.
            \tSizes []float64
            \tSort  Sort
            \tCount uint32
            \tPairs []Pair
            }
            """))  # fmt: skip
        self.assertIn("\tHalfFull = Sort(wire.SortHalfFull)", go_records.enumeration(small(), small().types["Sort"]))

    def test_reads_and_writes(self) -> None:
        types = small().types
        for name, line in (("Item", "v.Name = r.text(4)"), ("Item", "v.Sizes = r.float64s(6)"), ("Item", "v.Sort = Sort(r.GetByteSlot(8, 1))"),
                           ("Item", "v.Count = r.GetUint32Slot(10, NoIndex)"), ("Item", "v.Pairs = readPairs(r.column(12, 16))"),
                           ("Pair", "\tvalues[k] = Pair{App: binary.LittleEndian.Uint32(one[0:]), Amount: float64At(one[8:])}")):  # fmt: skip
            self.assertIn(f"\t{line}", go_records.reader(small(), types[name]))
        for name, line in (("Item", "at0 := e.CreateString(v.Name)"), ("Item", "at1 := e.doubles(v.Sizes)"),
                           ("Item", "e.PrependByteSlot(2, byte(v.Sort), 1)"), ("Item", "e.PrependUint32Slot(3, v.Count, NoIndex)"),
                           ("Pair", "\te.Pad(4)")):  # fmt: skip
            self.assertIn(f"\t{line}", go_records.writer(small(), types[name]))

    def test_comments_have_the_names_of_go(self) -> None:
        declared = schema.read()
        for owner, kind, text, there in (
            ("CloseNode", "uint32", "4294967295 = a new, empty node of `node_class`.", "NoIndex = a new, empty node of Class."),
            ("Plan", "string", "Request.leave_free of the run; absent = none.", 'Request.LeaveFree of the run; "" = none.'),
            ("Plan", "*uint64", "18446744073709551615 = not known.", "nil = not known."),
            ("Plan", "float64", "Optimal as PlanStatus.Optimal, SoftPolicy.Price.", "Optimal as Optimal, SoftPrice."),
            ("RuleViolation", "uint32", "Index into `Instance.rules`.", "Index into the instance's rules."),
            ("Request", "time.Duration", "Limit of the run in milliseconds; 0 = none.", "Limit of the run, rounded up to milliseconds; 0 = none."),
        ):
            self.assertEqual(go_names.document(declared, owner, (text,), kind), [there])

    def test_lays_out_as_gofmt_does(self) -> None:
        rows = [("// Of a.",), ("A", "int"), ("Long", "bool"), ("// Of b.",), ("B", "int")]
        self.assertEqual(go_records.aligned(rows), ["\t// Of a.", "\tA    int", "\tLong bool", "\t// Of b.", "\tB int"])


class Rust(unittest.TestCase):
    def test_types(self) -> None:
        item = rust_records.struct(small(), small().types["Item"])
        for line in ("/// A thing.", "#[derive(Clone, Debug, PartialEq)]", "    /// Its name; for people.", "    pub name: String,",
                     "    pub sort: Sort,", "    pub count: Option<u32>,", "    pub pairs: Vec<Pair>,"):  # fmt: skip
            self.assertIn(line, item)
        self.assertIn("        HalfFull,", rust_records.opened(small(), small().types["Sort"]))

    def test_reads_and_writes(self) -> None:
        types = small().types
        for line in ("name: from.name().to_owned(),", "sort: from.sort().into(),", "count: given(from.count(), u32::MAX),",
                     "pairs: list(from.pairs()),"):  # fmt: skip
            self.assertIn(f"            {line}", rust_records.reader(small(), types["Item"]))
        for line in ("name: Some(b.create_string(&self.name)),", "sort: wire::Sort::from(self.sort),",
                     "count: self.count.unwrap_or(u32::MAX),"):  # fmt: skip
            self.assertIn(f"            {line}", rust_records.writer(small(), types["Item"]))

    def test_comments_have_the_names_of_rust(self) -> None:
        declared = schema.read()
        for owner, kind, text, there in (
            ("CloseNode", "Option<u32>", "4294967295 = a new, empty node of `node_class`.", "None = a new, empty node of `class`."),
            ("Plan", "Option<String>", "Request.leave_free of the run; absent = none.", "`Request::leave_free` of the run."),
            ("Plan", "Option<f64>", "Sum of the prices; negative without prices.", "Sum of the prices; none without prices."),
            ("Plan", "f64", "The coefficient[t][u] of PlanStatus.Optimal.", "The coefficient\\[t]\\[u] of `PlanStatus::Optimal`."),
            ("Request", "Duration", "Limit of the run in milliseconds.", "Limit of the run, rounded up to milliseconds."),
        ):
            self.assertEqual(rust_names.document(declared, owner, (text,), kind), [there])


class Columns(unittest.TestCase):
    def test_columns_are_made_of_items(self) -> None:
        apps = schema.Schema([
            'table Apps { luck:[double] (rule: "per apps"); names:[string] (required, rule: "per apps");'
            ' load:[double] (rule: "per apps x resources"); mark_begin:[uint32] (rule: "starts apps in marks");'
            ' mark_index:[uint32] (rule: "counts marks, of tags"); } root_type Apps; file_identifier "STOX";'
        ]).types["Apps"]  # fmt: skip
        go = "\n".join(go_columns.columns(apps))
        for part in ("optional(unless(b.apps, func(v App) float64 { return v.Luck }, 0), e.doubles)",
                     "at3, at4 := e.tagRows(len(b.apps), func(k int) []string { return b.apps[k].Mark })"):  # fmt: skip
            self.assertIn(part, go)
        rust = "\n".join(rust_columns.columns(apps))
        for part in ("let luck = e.unless(items.iter().map(|item| item.luck), 0.0);", "let names = e.names(",
                     'let load = self.rows(("apps", "load"), items.iter().map(|item| &item.load), true)?',
                     "let (mark_begin, mark_index) = e.tag_rows(items.iter().map(|item| &item.mark));"):  # fmt: skip
            self.assertIn(part, rust)
        java = "\n".join(java_items.columns(apps))
        for part in ("int luck = e.unless(apps, App::luck, 0.0);", "int[] markBegin = e.tagRows(apps, App::markBegin);",
                     'int load = e.optional(e.rows("apps[%d].load", apps, App::load, true));'):  # fmt: skip
            self.assertIn(part, java)
        typescript = "\n".join([*typescript_columns.interface(small(), apps), *typescript_columns.writer(apps), *typescript_columns.reader(apps)])
        for part in ("  luck?: Doubles | undefined;", "  names: readonly string[];", "  mark?: Rows | undefined;",
                     "const luck = encoder.doubles(apps.luck, 'apps.luck');", "const markIndex = encoder.words(apps.mark?.index, 'apps.mark_index');",
                     "  mark: rowsOf(from.markBeginArray(), from.markIndexArray()),"):  # fmt: skip
            self.assertIn(part, typescript)


class Numbers(unittest.TestCase):
    """What every part knows of the columns of numbers that apps may have."""

    def test_columns_of_numbers_alone(self) -> None:
        self.assertEqual([field.name for field in shapes.app_numbers(small())], ["luck", "rank"])

    def test_core_has_columns_numbers_and_a_visit(self) -> None:
        lines = cpp_core.numbers_of_apps(small()).splitlines()
        for line in ("  std::vector<double> luck{};", "  double luck = 2;", "  std::int32_t rank = 0;",
                     '  visit("luck", &NumbersOfApps::luck, &AppNumbers::luck, true);',
                     '  visit("rank", &NumbersOfApps::rank, &AppNumbers::rank, false);'):  # fmt: skip
            self.assertIn(line, lines)

    def test_operations_have_those_that_they_give(self) -> None:
        self.assertEqual(cpp_text.visit_of_submitted(small())[3:], ['  visit("rank", operation.rank);', "}", ""])

    def test_json_says_what_a_number_may_be(self) -> None:
        luck, rank = shapes.app_numbers(small())
        self.assertIn('"luck": {"type": "number", "exclusiveMinimum": 0, "default": 2, "description": "Luck of a replica."},', json_format.described(luck))
        self.assertIn('"rank": {"type": "integer", "minimum": -2147483648,', json_format.described(rank))
        self.assertEqual(json_format.row(luck), "| `luck` | number above 0: luck of a replica | 2 |")
        self.assertEqual(json_format.row(rank), "| `rank` | whole number: rank of an app | 0 |")

    def test_python_and_typescript_have_them_by_name(self) -> None:
        self.assertIn('    "luck": ("float64", 2),', python_records.python_records(small()).splitlines())
        self.assertIn("  rank?: number;", typescript_columns.numbers(small()))


class JsonSchemas(unittest.TestCase):
    def describer(self, **parts: object) -> json_schemas.Describer:
        sizes = {"type": "object", "additionalProperties": {"$ref": "#/definitions/size"}}
        app = {"properties": {"luck": {"$ref": "#/definitions/sizes", "description": "Luck."}}}
        return json_schemas.Describer(small(), {"definitions": {"app": app, "sizes": sizes, "size": {"type": "number"}}}, parts)

    def test_types_and_comments_are_those_of_fields(self) -> None:
        describer = self.describer()
        for described, made in (
            ("Item.name", {"type": "string", "description": "Its name; for people."}),
            ("Item.count", {"type": "integer", "minimum": 0, "maximum": 4294967295, "description": "Length: things."}),
            ("number|null Item.count: How many.", {"type": ["number", "null"], "description": "How many."}),
            ("Item.sort: What it is like.", {"enum": ["plain", "half-full"], "description": "What it is like.\nplain: The usual one."}),
            ("names Item.sort: It.", {"enum": ["Plain", "HalfFull"], "description": "It.\nPlain: The usual one."}),
            ("=1: One.", {"const": 1, "description": "One."}),
            ("=true", {"const": True}),
        ):
            self.assertEqual(describer.of(described), made, described)

    def test_objects_are_strict(self) -> None:
        describer = self.describer(more={"b": "flag: B.", "c?": "flag: C."})
        made = describer.of({"": "Item", "+": ["more"], "d?": ["text: D.", "All D."], "e": {"*": "whole: E."}})
        self.assertEqual((made["description"], made["required"], made["additionalProperties"]), ("A thing.", ["b", "e"], False))
        self.assertEqual(list(made["properties"]), ["b", "c", "d", "e"])
        self.assertEqual(made["properties"]["d"], {"type": "array", "description": "All D.", "items": {"type": "string", "description": "D."}})
        self.assertEqual(made["properties"]["e"]["additionalProperties"], {"type": "integer", "minimum": 0, "description": "E."})
        self.assertEqual(describer.of({"+?": ["more"]}).get("required"), None)

    def test_definitions_are_those_that_are_used(self) -> None:
        describer = self.describer(part={"": "A part."}, other={"": "Another."})
        self.assertEqual(describer.of(["@part"]), {"type": "array", "items": {"$ref": "#/definitions/part"}})
        self.assertEqual(describer.of("@part|null: It."), {"oneOf": [{"$ref": "#/definitions/part"}, {"type": "null"}], "description": "It."})
        self.assertEqual(describer.of("#app.luck")["$ref"], "#/definitions/sizes")
        self.assertEqual(set(describer.definitions), {"part", "sizes", "size"})

    def test_comments_have_the_words_of_json(self) -> None:
        for text, absent, there in (
            ("Negative without prices.", "left out", "Left out without prices."),
            ("4294967295 = all.", "left out", "left out = all."),
            ("`resource` of `Item.name`; absent = none.", "left out", "`resource` of `name`."),
            ("With Sort.HalfFull, P1.", "left out", 'With sort "half-full", P1.'),
            ("18446744073709551615 = not known.", "null", "null = not known."),
        ):
            self.assertEqual(json_schemas.meaning((text,), small(), absent), there)

    def test_what_fits_stands_on_a_line(self) -> None:
        self.assertEqual(json_schemas.laid_out({"a": [1, "x"]}), '{"a": [1, "x"]}')
        long = "x" * 100
        self.assertEqual(json_schemas.laid_out({"a": [long, long]}), f'{{\n  "a": [\n    "{long}",\n    "{long}"\n  ]\n}}')


class Operations(unittest.TestCase):
    def test_each_kind_has_its_fields(self) -> None:
        declared = schema.read()
        self.assertEqual(set(shapes.OPERATIONS), {value.name for value in declared.types["OperationKind"].fields})
        used = {name for names in shapes.OPERATIONS.values() for name in names.split()}
        self.assertEqual(used | {"kind"}, {field.name for field in declared.types["Operation"].fields})

    def test_rust(self) -> None:
        made = rust_operations.rust_operations(schema.read())
        for part in ("    Scale { app: String, replicas: u32 },", "    Submit(Submission),", "    RemoveRule { name: String },",
                     "            Self::Load { node, load, load_variance } => wire::OperationArgs {", "                load: some(b, load),",
                     "                only: texts_of(b, one.only.iter()),"):  # fmt: skip
            self.assertIn(part, made)


class Java(unittest.TestCase):
    def test_records(self) -> None:
        self.assertEqual(java_records.record(small(), small().types["Item"]), textwrap.dedent("""\
            // Made by scripts/generate-bindings.py from the schemas. Do not edit.
            package stowage;

            import java.util.List;
            import java.util.OptionalInt;

            /**
             * A thing.
             *
             * @param name its name; for people
             * @param sizes length: things
             * @param sort the sort
             * @param count the count
             * @param pairs the pairs
             */
            public record Item(
                String name,
                List<Double> sizes,
                Sort sort,
                OptionalInt count,
                List<Pair> pairs) {}
            """))  # fmt: skip
        self.assertIn("  HALF_FULL,", java_records.enumeration(small(), small().types["Sort"]).splitlines())

    def test_reads(self) -> None:
        read = "\n".join(java_records.reader(small(), small().types["Item"]))
        for part in ("from.name(),", "Reports.all(from.sizesLength(), k -> from.sizes(k)),", "Sort.of(from.sort()),",
                     "Reports.known(from.count()),", "Reports.all(from.pairsLength(), k -> pair(from.pairs(k))));"):  # fmt: skip
            self.assertIn(f"        {part}", read.splitlines())

    def test_items_and_requests(self) -> None:
        declared = schema.read()
        node = java_items.item(declared, declared.types["Nodes"])
        for part in ("  public static Node of(String name, int nodeClass) {", "    return new Node(name, nodeClass, null, null, false, List.of(), null);",
                     "  public Node withTags(String... tags) {", "    return new Node(name, nodeClass, load, loadVariance, closed, List.of(tags), daemon);"):  # fmt: skip
            self.assertIn(part, node.splitlines())
        (request,) = java_request.java_request(declared).values()
        for part in ("    private Objective objective = Objective.NODES;", "    public Builder deadline(Duration deadline) {", "      seed = other.seed;",
                     "    stowage.wire.Request.addSoft(fbb, from.soft.ordinal());", "      this.goals = List.copyOf(goals);",
                     "    int goals = from.goals.isEmpty() ? 0 : Writers.tables(fbb, from.goals, Writers::planGoal);"):  # fmt: skip
            self.assertIn(part, request.splitlines())
        self.assertNotIn("// SETTERS", request)

    def test_writes(self) -> None:
        (made,) = java_writers.java_writers(schema.read()).values()
        lines = [line.strip() for line in made.splitlines()]
        for part in ("int outOfMemory = flags(fbb, from.outOfMemory());", "int rules = tables(fbb, from.rules(), Writers::sizeRule);",
                     "int rowApp = words(fbb, from.rowApp());", "int asked = numbers(fbb, some(from.asked()));",
                     "case Operation.Fail one -> operation(fbb, one);",
                     "fbb, OperationKind.Scale, app, 0, Integer.toUnsignedLong(from.replicas()), 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, "
                     "0, 0, 0);"):  # fmt: skip
            self.assertIn(part, lines)

    def test_comments_have_the_names_of_java(self) -> None:
        declared = schema.read()
        for owner, kind, text, there in (
            ("CloseNode", "OptionalInt", "4294967295 = a new node of `node_class`.", "empty = a new node of {@code nodeClass}."),
            ("Plan", "OptionalDouble", "Negative without prices.", "Empty without prices."),
            ("Plan", "double", "mean <= capacity, as PlanStatus.Optimal", "mean &lt;= capacity, as {@code PlanStatus.OPTIMAL}"),
        ):
            self.assertEqual(java_names.document(declared, owner, (text,), kind), there)


class TypeScript(unittest.TestCase):
    def test_types(self) -> None:
        self.assertEqual("\n".join(typescript_records.interface(small(), small().types["Item"])), textwrap.dedent("""\
            /** A thing. `JSON.stringify` writes columns as arrays. */
            export interface Item {
              /** Its name; for people. */
              name: string;
              /** Length: things. */
              sizes: Float64Array;
              sort: Sort;
              count?: number;
              pairs: Pair[];
            }
            """))  # fmt: skip
        self.assertEqual("\n".join(typescript_records.words(small(), small().types["Sort"])), textwrap.dedent("""\
            /**
             * What a thing is like.
             *
             * - `'plain'`: The usual one.
             * - `'half-full'`
             */
            export type Sort =
              | 'plain'
              | 'half-full';
            """))  # fmt: skip

    def test_reads(self) -> None:
        read = typescript_records.reader(small(), small().types["Item"])
        for line in ("const itemOf = (from: wire.Item): Item => report<Item>({", "  name: from.name() ?? '',",
                     "  sizes: copied(from.sizesArray(), Float64Array),", "  sort: word<Sort>(wire.Sort, from.sort()),",
                     "  count: index(from.count()),", "  pairs: all(from.pairsLength(), (k) => from.pairs(k), pairOf),"):  # fmt: skip
            self.assertIn(line, read)
        self.assertIn("const pairOf = (from: wire.Pair): Pair => ({", typescript_records.reader(small(), small().types["Pair"]))

    def test_parts_of_plans(self) -> None:
        plans = typescript_records.typescript_plans(schema.read())
        for part in ("export interface LeftOver {\n  priority: number;\n  replicas: number;\n}",
                     "export const STATUSES: readonly PlanStatus[] = [\n  'complete',\n",
                     "export const boundOf = (from: wire.Bound): Bound => record<Bound>({\n  name: from.name() ?? '',",
                     "  what: GOAL_KINDS[from.what()] ?? 'cost',", "  bound: known(from.bound()),"):  # fmt: skip
            self.assertIn(part, plans)

    def test_writes_plans(self) -> None:
        plan = typescript_plan.typescript_plan(schema.read()).splitlines()
        for line in ("  seed: bigint;", "  gap?: number | undefined;", "  placed: Uint32Array;",
                     "  costBound: boundTable(encoder, content.costBound, 'cost_bound'),", "  wire.Plan.addCostBound(builder, at.costBound);",
                     "  wire.Plan.addGap(builder, content.gap ?? -1);", "  wire.Plan.addUcacResource(builder, content.ucacResource ?? NONE);"):  # fmt: skip
            self.assertIn(line, plan)

    def test_requests(self) -> None:
        request = typescript_request.typescript_request(schema.read()).splitlines()
        for line in ("export const SOFT_POLICIES: readonly SoftPolicy[] = [", "  planner?: AnyPlanner | undefined;",
                     "  seed?: number | bigint;", "  deadlineMs?: number;", "  'leaveFree',", "  const seed = whole(given.seed, 'seed');",
                     "  const objective = code(given.objective ?? 'nodes', OBJECTIVES, 'objective');",
                     "  const survive = encoder.text(given.survive, 'survive');", "  wire.Request.addSurvive(builder, survive);",
                     "  goals?: readonly (PlanGoal | GoalKind | (string & {}))[];", "  const what = code(from.what, GOAL_KINDS, `${prefix}what`);",
                     "  const resource = encoder.count(from.resource, 4294967295, `${prefix}resource`);"):  # fmt: skip
            self.assertIn(line, request)

    def test_comments_have_the_names_of_typescript(self) -> None:
        declared = schema.read()
        for owner, text, there in (
            ("CloseNode", "4294967295 = a new, empty node of `node_class`.", "Absent = a new, empty node of `nodeClass`."),
            ("Verification", "As Plan.ucac; negative where no demand is uncertain.", "As `Plan.ucac`; absent where no demand is uncertain."),
            ("RelaxationKind", "The kind `suffering_kind` of SoftPolicy.Price.", "The kind `sufferingKind` of soft policy `'price'`."),
            ("RuleViolation", "Index into `Instance.rules`.", "Index into the instance's rules."),
        ):
            self.assertEqual(typescript_names.document(declared, owner, (text,)), there)


class Driver(unittest.TestCase):
    def test_is_up_to_date(self) -> None:
        result = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_sees_what_is_not_up_to_date(self) -> None:
        spec = importlib.util.spec_from_file_location("generate_bindings", SCRIPT)
        generate = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(generate)
        with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
            made, committed = pathlib.Path(folder) / "made", pathlib.Path(folder) / "committed"
            for place in (made, committed):
                place.mkdir()
                (place / "same").write_text("same", encoding="utf-8")
            (made / "new").write_text("new", encoding="utf-8")
            (committed / "old").write_text("old", encoding="utf-8")
            (committed / "same").write_text("other", encoding="utf-8")
            problems = "\n".join(generate.differences(made, committed))
        for message in ("new: is missing", "old: nothing makes it", "same: is not what the header and the schemas make"):
            self.assertIn(message, problems)


if __name__ == "__main__":
    unittest.main()
