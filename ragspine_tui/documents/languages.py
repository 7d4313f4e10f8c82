"""How the languages write a definition: one pattern a family, that passes over strings and comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Family:
    """`scan` finds definitions (group `word` begins where the name's line does); all else it finds is passed over.

    `above` matches a bare line that belongs to the definition below it; `holders` are the words whose definitions hold
    others; `stops` end a signature, and `closed` says that a `;` there makes it a mere declaration.
    """

    scan: re.Pattern[str]
    above: re.Pattern[str]
    holders: re.Pattern[str]
    stops: str = "{"
    closed: bool = False


_LINE: Final = r"[\r\n](?P<indent>[ \t]{0,16}+)"
_QUOTED: Final = r""""(?:[^"\\\r\n]|\\.)*+"?|'(?:[^'\\\r\n]|\\.)*+'?"""
_HASH: Final = r"#[^\r\n]*+"
_BLOCKS: Final = r"/\*(?s:.*?)(?:\*/|\Z)|//[^\r\n]*+"
_CONTROL: Final = (
    r"(?!(?:if|else|for|foreach|while|switch|return|do|case|goto|sizeof|new|catch|try|throw|using|lock|with|await|yield"
    r"|delete|assert|super|this|import|export|var|let|in|of|and|or|not|typeof|elif|fixed|when|default)\b)"
)
_SLASHES: Final = re.compile(r"//|\*|/\*|@|#\[|\[|template\b")


def _scan(words: str, *passed: str) -> re.Pattern[str]:
    return re.compile("|".join([*passed, f"{_LINE}(?P<word>{words})"]))


_NEXT: Final = r"[ \t]++"
_NESTING: Final = re.compile(
    r"\b(?:class|interface|enum|record|struct|union|trait|object|protocol|extension|namespace|module|mod|impl|actor|mixin"
    r"|defmodule|package|@interface|@implementation)\b"
)

PYTHON: Final = Family(
    _scan(
        rf"(?:async{_NEXT})?(?:def|class|cdef{_NEXT}class|cpdef){_NEXT}(?=\w)|if{_NEXT}__name__\b|(?<=[\r\n])(?P<other>\w)",
        r'"""(?s:.*?)(?:"""|\Z)',
        r"'''(?s:.*?)(?:'''|\Z)",
        _QUOTED,
        _HASH,
    ),
    re.compile(r"[@#](?!!)"),
    re.compile(r"class\b"),
    stops=":",
)
_MODIFIERS: Final = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|partial|readonly|unsafe|inline|value"
    r"|override|virtual|async|suspend|operator|implicit|lazy|case|strictfp|synchronized|native|extern|fileprivate|export"
    rf"|mutating|default|inner|annotation|tailrec|infix|required|convenience|base|typedef|const|declare){_NEXT})*+"
)
_KINDS: Final = (
    r"(?:class|interface|@interface|enum|record|struct|union|trait|object|protocol|extension|namespace|actor|mixin|func"
    rf"|fun|function|def|@implementation|init)(?:{_NEXT}|(?=[<({{]))"
)
_CALLED: Final = rf"{_CONTROL}(?=[A-Za-z_~$])[^\r\n;={{}}()\"'#/]{{1,200}}+(?P<call>\()"
BRACES: Final = Family(
    _scan(rf"{_MODIFIERS}{_KINDS}|{_CALLED}", _BLOCKS, _QUOTED), _SLASHES, _NESTING, stops="{;", closed=True
)
SCRIPT: Final = Family(
    _scan(
        rf"(?:export{_NEXT})?+(?:default{_NEXT})?+(?:declare{_NEXT})?+(?:abstract{_NEXT})?+(?:async{_NEXT})?+"
        rf"(?:function\b|class\b|interface{_NEXT}\w|type{_NEXT}\w|(?:const{_NEXT})?enum{_NEXT}"
        rf"|(?:namespace|module){_NEXT}\w)"
        rf"|(?:export{_NEXT})?+(?:const|let|var){_NEXT}[\w$]++[ \t]*+(?::[^=\r\n]{{1,200}}+)?=[ \t]*+"
        r"(?:async\b[ \t]*+)?(?:function\b|\([^()\r\n]{0,300}+\)[^=\r\n]{0,100}+=>|[\w$]++[ \t]*+=>)"
        r"|[\w$]++(?:\.[\w$]++)++[ \t]*+=[ \t]*+(?:async\b[ \t]*+)?(?:function\b|class\b)"
        rf"|{_CALLED}",
        _BLOCKS,
        _QUOTED,
        r"`[^`\r\n]*+`",
    ),
    _SLASHES,
    re.compile(r"\b(?:class|namespace|module)\b"),
)
GO: Final = Family(_scan(rf"func\b|type{_NEXT}(?=\w)", _BLOCKS, _QUOTED, r"`[^`]*+`"), _SLASHES, re.compile(r"(?!)"))
RUST: Final = Family(
    _scan(
        rf"(?:pub(?:\([^()\r\n]*+\))?{_NEXT})?+(?:(?:default|unsafe|async|const|extern(?:{_NEXT}\"[^\"\r\n]*+\")?){_NEXT})*+"
        r"(?:(?:fn|struct|enum|union|trait|impl|mod|type)\b(?=[ \t<])|macro_rules!)",
        _BLOCKS,
        r'"(?:[^"\\\r\n]|\\.)*+"?',
    ),
    _SLASHES,
    re.compile(r"\b(?:impl|trait|mod)\b"),
    stops="{;",
)
RUBY: Final = Family(
    _scan(
        rf"(?:private{_NEXT})?(?:class|module|def|defp|defmodule|defmacro){_NEXT}(?=\S)",
        r"(?<=[\r\n])=begin\b(?s:.*?)(?:[\r\n]=end\b|\Z)",
        _HASH,
    ),
    re.compile(r"[#@](?!!)"),
    _NESTING,
    stops="",
)
SHELL: Final = Family(
    _scan(rf"function{_NEXT}[\w:.-]++|[\w:.-]++[ \t]*+\([ \t]*+\)", _HASH), re.compile(r"#(?!!)"), re.compile(r"(?!)")
)
WORDS: Final = Family(
    _scan(
        rf"(?:local{_NEXT})?(?:async{_NEXT})?function!?{_NEXT}(?=\w)|sub{_NEXT}(?=\w)|(?:mutable{_NEXT})?struct{_NEXT}"
        rf"|macro{_NEXT}|[\w.]++[ \t]*+(?:<-|=)[ \t]*+function\b|\(def[\w-]*+{_NEXT}"
    ),
    re.compile(r"#(?!!)|--|;|\"(?= )"),
    re.compile(r"(?!)"),
)

_BY_SUFFIX: Final = (
    (PYTHON, ".py .pyi .pyx .bzl"),
    (
        BRACES,
        ".c .h .cc .cpp .cxx .hh .hpp .hxx .cs .java .kt .kts .scala .groovy .swift .m .mm .d .php .dart .cu .sol",
    ),
    (SCRIPT, ".js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte"),
    (GO, ".go"),
    (RUST, ".rs"),
    (RUBY, ".rb .ex .exs"),
    (SHELL, ".sh .bash .zsh"),
    (WORDS, ".lua .pl .pm .r .jl .ps1 .psm1 .vim .el .lisp .lsp .scm .clj .cljs .fish"),
)
FAMILIES: Final = {suffix: family for family, suffixes in _BY_SUFFIX for suffix in suffixes.split()}
_SHEBANG: Final = re.compile(r"#![^\r\n]{0,200}?\b(python|node|deno|ruby|perl|(?:ba|z|da|k)?sh)[\d.]*\b")
_PROGRAMS: Final = {"python": PYTHON, "node": SCRIPT, "deno": SCRIPT, "ruby": RUBY, "perl": WORDS}


def family_of(text: str, suffix: str) -> Family | None:
    """The family of a file by its suffix, without one by its first line `#!`; None where no definitions are known."""
    if suffix:
        return FAMILIES.get(suffix)
    match = _SHEBANG.match(text)
    return _PROGRAMS.get(match.group(1), SHELL) if match else None
