"""YAML 1.2 core schema, safely: what a text means, where it stands, and what is refused."""

from __future__ import annotations

import contextlib
import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gough.errors import FileError
from gough.robot.file import composer
from gough.robot.file.composer import DEEPEST, LARGEST, LONGEST_KEY, MOST_ALIASES
from gough.robot.file.document import Document, parse
from gough.robot.file.scalars import resolve
from gough.robot.file.text import LARGEST_FILE, check_text, decode


def document(text: str) -> Document:
    return parse(check_text(text, "f"), "f")


def refusal(text: str) -> FileError:
    with pytest.raises(FileError) as caught:
        document(text)
    assert caught.value.line is not None
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e3", 1000.0),
        ("1E+3", 1000.0),
        ("012", 12),
        ("-7", -7),
        ("0x1F", 31),
        ("0o17", 15),
        ("-.5", -0.5),
        ("5.", 5.0),
        ("1234567890123456789", 1234567890123456789.0),
        ("9" * 400, math.inf),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("~", None),
        ("Null", None),
        ("true", True),
        ("FALSE", False),
        *((word, word) for word in ("on", "off", "yes", "no", "y", "nul", "1_000", "1:30", "0b1")),
        *(
            (word, word)
            for word in ("1,5", "inf", "nan", "+", ".", "e3", "0x", "\u0661", "2024-01-01")
        ),
    ],
)
def test_core_schema_of_yaml_1_2(text: str, value: object) -> None:
    found = resolve(text)
    assert found == value
    assert type(found) is type(value)


def test_nan_is_a_float() -> None:
    assert math.isnan(resolve(".nan"))  # type: ignore[arg-type]


def test_quoted_scalars_are_strings() -> None:
    assert document("""[ "1", '1e3', "true", 'null', "" ]""").data == [
        "1",
        "1e3",
        "true",
        "null",
        "",
    ]


def test_every_key_path_has_its_line() -> None:
    found = document("a: 1\nb:\n  c: [1,\n    2]\n  'd.e':\n    f: 3\n  d: 4\n")
    lines = {"a": 1, "b": 2, "b.c": 3, "b.c[0]": 3, "b.c[1]": 4, "b.d.e": 5, "b.d.e.f": 6, "b.d": 7}
    assert {path: found.place(path).line for path in lines} == lines
    # what is not there is looked for above
    assert found.place("b.c[9]").line == 3
    assert found.place("b.d.e.x").line == 5
    assert found.place("b.nothing.at.all").line == 2


def test_an_alias_stands_for_its_anchor() -> None:
    found = document("a: &v\n  - 1\n  - 2\nb: *v\n")
    assert found.data == {"a": [1, 2], "b": [1, 2]}
    assert found.place("b").line == 4
    assert found.place("b[1]").line == 3  # that is where to mend it


def test_duplicate_keys_name_both_lines() -> None:
    error = refusal("a:\n  mass: 1\n  size: 2\n  mass: 3\n")
    assert "lines 2 and 4" in str(error)
    assert (error.line, error.path) == (4, "a.mass")


def test_duplicate_keys_that_differ_in_quotes_only() -> None:
    assert "twice" in str(refusal("mass: 1\n'mass': 2\n"))


@pytest.mark.parametrize(
    "text",
    [
        "a: !!python/object/apply:os.system ['true']",
        "a: !!python/name:os.system",
        "a: !!str 1",
        "a: !foo {b: 1}",
        "a: ! b",
        "!foo [1]",
        "a: !<tag:yaml.org,2002:int> 1",
    ],
)
def test_python_tags_and_all_others(text: str) -> None:
    assert "tag" in str(refusal(text))


def test_a_tag_that_would_take_the_parser_minutes() -> None:
    assert "tag" in str(refusal("a: !" + "a" * (LARGEST_FILE - 10)))


@pytest.mark.parametrize("opener", ["[", "{a: ", "- ", "[\n", "{", "? ", "a:\n  "])
def test_1e5_deep_nesting(opener: str) -> None:
    text = opener * 100_000
    if opener == "a:\n  ":
        text = "".join(" " * i + "a:\n" for i in range(1000))
    assert f"more than {DEEPEST} deep" in str(refusal(text)) or "key must be a name" in str(
        refusal(text)
    )


def test_depth_may_reach_the_cap() -> None:
    assert document("[" * DEEPEST + "]" * DEEPEST).data == json.loads("[" * DEEPEST + "]" * DEEPEST)
    assert "deep" in str(refusal("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)))


def test_depth_through_aliases() -> None:
    half = DEEPEST // 2 + 1
    nested = "[" * half + "]" * half
    assert "aliases written out" in str(refusal(f"a: &n {nested}\nb: {'[' * half}*n{']' * half}"))


def test_alias_bomb_of_expanded_size() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
    error = refusal("\n".join(lines))
    assert f"more than {LARGEST} values" in str(error)
    assert error.line == 5  # 10 * 9^4 values and the lists that hold them: not a step further


def test_alias_count_is_capped() -> None:
    text = "a: &a 1\nb: [" + "*a, " * MOST_ALIASES + "]"
    assert len(document(text).data["b"]) == MOST_ALIASES
    assert "aliases" in str(refusal(text.replace("[", "[*a, ")))


@pytest.mark.parametrize("text", ["a: &a [*a]", "a: &a {b: {c: *a}}", "a: *b\nb: &b 1"])
def test_alias_of_itself_or_of_nothing(text: str) -> None:
    assert "stands for nothing complete" in str(refusal(text))


def test_number_of_values_is_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composer, "LARGEST", 1000)  # seconds less than the cap of the library
    assert len(document("[" + "1," * 998 + "1]").data) == 999
    assert "more than 1000 values" in str(refusal("[" + "1," * 1000 + "1]"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\n---\nb: 2\n", "second document"),
        ("<<: {a: 1}", "merge keys"),
        ("a: {<<: {b: 1}}", "merge keys"),
        ("1: a", "a key must be a name"),
        ("true: a", "a key must be a name"),
        (": a", "a key must be a name"),
        ("[a, b]: c", "a key must be a name"),
        ("{a: b}: c", "a key must be a name"),
        ("&k 1.5: c", "a key must be a name"),
        ("k" * (LONGEST_KEY + 1) + ": 1", "characters"),
        ("%YAML 1.1\n---\na: 1", "directives"),
        ("%TAG ! tag:x,2000:\n---\na: 1", "directives"),
        ("a: b: c", "not valid YAML"),
        ("a: [1, 2", "not valid YAML"),
        ("a: 'x", "not valid YAML"),
        ("a:\n\t- 1", "not valid YAML"),
        ("a: @b", "not valid YAML"),
        (r'a: "\q"', "not valid YAML"),
        (r'a: "\UFFFFFFFF"', "not valid YAML"),
        (r'a: "\ud8"', "not valid YAML"),
    ],
)
def test_refused_with_a_line(text: str, words: str) -> None:
    error = refusal(text)
    assert words in str(error)
    assert "ruamel" not in str(error)


def test_a_hostile_key_is_not_printed_raw() -> None:
    error = refusal('"a\\e[31m\\nb": {x: 1, x: 2}')
    assert "\x1b" not in str(error)
    assert "\\x1b" in str(error)


def test_json_goes_the_same_way() -> None:
    data = {"a": [1, -2.5e-3, True, "x\ty"], "b": {"c": 'é / \U0001f600 \\ "'}, "d": "1"}
    for text in (
        json.dumps(data),
        json.dumps(data, indent="\t"),
        json.dumps(data, ensure_ascii=False, separators=(",", ":")),
        json.dumps(data).replace("/", "\\/"),
    ):
        assert document(text).data == data


def test_json_half_a_surrogate_pair_is_kept_for_the_label_check() -> None:
    assert document(r'{"a": "\ud83d x"}').data == {"a": "\ud83d x"}


PIECES = [
    "a",
    "b:",
    " ",
    "\n",
    "  ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    ": ",
    "'",
    '"',
    "\\",
    "&a ",
    "*a",
]
PIECES += [
    "!",
    "!!str ",
    "|",
    ">",
    "#",
    "%",
    "---\n",
    "...\n",
    "? ",
    "1e3",
    ".nan",
    "~",
    "\t",
    "<<",
]
PIECES += ["@", "`", "\\u12", "\\ud83d", "\r\n", "é", "|2\n", ">-\n", "%YAML 1.2\n", "\ufeff", "0x"]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("%YAML 9" + "9" * 5000 + "\n---\na: 1")
def test_any_text_is_data_or_a_file_error(text: str) -> None:
    with contextlib.suppress(FileError):
        document(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_data_or_a_file_error(raw: bytes) -> None:
    with contextlib.suppress(FileError):
        parse(decode(raw, "f"), "f")


_PLAIN = st.recursive(
    st.booleans() | st.integers(-(10**14), 10**14) | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=20), inner, max_size=4)
    ),
    max_leaves=10,
)


@given(_PLAIN.filter(lambda data: not isinstance(data, (bool, int, float, str))))
def test_json_of_any_finite_data_is_read_exactly(data: object) -> None:
    text = json.dumps(data)
    if "Infinity" not in text:
        assert document(text).data == data


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("gough: 1\n\tname: x\n", "tabs"),
        ("gough: 1\nname: x: y\n", "needs quotes"),
        ("gough: 1\n  name: x\n", "indentation"),
        ('gough: 1\nname: "x\n', "not closed"),
        ("gough: 1\nbodies: [\n", "not closed"),
        ("gough: 1\nbodies: {a: 1 b: 2}\n", "comma"),
    ],
)
def test_hints_on_syntax_fit_the_error(text: str, hint: str) -> None:
    """Tabs are blamed only where there is one."""
    with pytest.raises(FileError, match="not valid YAML") as caught:
        parse(text, "robot.yaml")
    assert hint in caught.value.hint
    assert ("tabs" in caught.value.hint) == ("\t" in text)


def test_json_is_called_json() -> None:
    with pytest.raises(FileError, match="is not valid JSON"):
        parse('{"gough": 1 "name": 2}', "robot.json")
