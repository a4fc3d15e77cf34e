"""Thirty commits of two public histories (pallets/click, spf13/cobra), each in an extract of our own.

For each, what `diff` says of the real commit was compared by hand with what `git show` says. The extracts keep the
shape of the change and none of the code; the ids name the commits.
"""

from __future__ import annotations

import pytest
from review_samples import lines

CLICK = {
    "bc21607df9": (
        "class H:\n    def w(self, rows):\n        for r in rows:\n            put(r)\n            if r:\n"
        "                put(1)\n"
        "def t1(r):\n    def c():\n        pass\n    return c\n",
        "class H:\n    def w(self, rows):\n        for r in rows:\n            put(r)\n",
        ["changed H.w: body", "removed t1 with 1"],
    ),
    "8f4c34f695": (
        'class C:\n    """A.\n    """\n    kind = 1\n    def __init__(self, n=None):\n        self.n = n\n',
        'class C:\n    """A.\n    :param h: b\n    """\n    kind = 1\n'
        "    def __init__(self, n=None, h=False):\n        self.n = n\n        self.h = h\n",
        ["changed C: comments", "changed C.__init__: signature, body", "added C.h"],
    ),
    "0b4a0c8e6d": (
        "if WIN:\n    def e():\n        return 1\nelse:\n    def e():\n        return 2\ndef e():\n    return 3\n",
        "if WIN:\n    def e():\n        return 1\nelse:\n    def e():\n        return 2\n",
        ["changed e: places"],
    ),
    "1ac1fb35b1": (
        "import os\nclass O:\n    def help(self):\n        return 'd: %s' % self.d\n",
        "import inspect\nimport os\nclass O:\n    def help(self):\n        if inspect.f(self.d):\n"
        "            return '(x)'\n"
        "        return 'd: %s' % self.d\ndef test_help(r):\n    def cmd(u):\n        print(u)\n    return cmd\n",
        ["changed a.py: body", "changed O.help: body", "added test_help with 1"],
    ),
    "26c9b926df": (
        'def v(a):\n    """Use it."""\n    return a\n',
        'def v(a):\n    """Use it. The name\n    must match."""\n    return a\n',
        ["changed v: comments"],
    ),
    "5d1df0e042": (
        'def make(f):\n    return f.name.lower()\ndef command(n):\n    """The name."""\n    return make(n)\n'
        "def test_o(r):\n    def other():\n        assert c == 'o_c'\n    return other\n",
        'def make(f):\n    return f.name.lower().replace("_", "-")\ndef command(n):\n    """The name, dashed."""\n'
        "    return make(n)\ndef test_o(r):\n    def other():\n        assert c == 'o-c'\n    return other\n",
        ["changed make: body", "changed command: comments", "changed test_o.other: body"],
    ),
    "347b45be00": (
        "A = 'a'\nB = 'b'\ndef script(s):\n    if s == 'b':\n        return B\n    return A\n"
        "def run(w):\n    # long\n    x = w['COMP']\n    return x\n",
        "A = 'a'\nB = 'b'\n_scripts = {'a': A, 'b': B}\ndef script(s):\n    return _scripts.get(s, A)\n"
        'def run(w):\n    # two\n    # lines\n    x = w["COMP"]\n\n    return x\n',
        ["added _scripts", "changed script: body", "changed run: comments"],
    ),
    "75b708a157": (
        'class R:\n    """Between."""\n    def __init__(self, lo=None):\n        self.lo = lo\n'
        "    def convert(self, v):\n        return v < self.lo\n",
        'import operator\nclass R:\n    """Between, or open."""\n    def __init__(self, lo=None, ex=False):\n'
        "        self.lo = lo\n        self.ex = ex\n"
        "    def convert(self, v):\n        lt = operator.le if self.ex else operator.lt\n"
        "        return lt(v, self.lo)\n",
        ["changed a.py: body", "changed R: comments", "changed R.__init__: signature, body", "added R.ex",
         "changed R.convert: body"],
    ),
    "a09c1c655e": (
        "def prompt(v):\n    try:\n        return f(v)\n    except E as e:\n        echo('invalid')\n",
        "def prompt(v):\n    try:\n        return f(v)\n    except E as e:\n        m = e.message.replace(v, '*')\n"
        "        echo(m)\nclass _T(P):\n    name = 'c'\n    def convert(self, v):\n        return v\n",
        ["changed prompt: body", "added _T with 2"],
    ),
    "38e6174452": (
        "@mark([\n    (1, M('.e'), 'x'),\n    (2, M('.e'), 'y'),\n])\ndef test_d(p, m, e):\n"
        "    assert d(p, m) == e\n",
        "@mark([(1, 'e', 'x'), (2, 'e', 'y')])\ndef test_d(p, m, e):\n    assert d(p, M(m)) == e\n",
        ["changed test_d: decorators, body"],
    ),
    "b830139b3b": (
        "from c import a, file_type\ndef _fmt(d):\n    if isinstance(d, file_type):\n        d = d.name\n"
        "    return d\n"
        "def test_default(r):\n    def cli_with(f):\n        pass\n    return r.invoke(cli_with, [])\n",
        "import io\nfrom c import a\ndef _fmt(d):\n    if isinstance(d, io.B) and hasattr(d, 'name'):\n"
        "        return d.name\n"
        "    return d\n@mark('k', [1, 2, 3])\ndef test_file(r, k):\n    @click.command()\n    def cli(f):\n"
        "        click.echo(f.name)\n    result = r.invoke(cli)\n    assert result.output == k\n",
        ["changed a.py: body", "changed _fmt: body", "removed test_default with 1", "added test_file with 1"],
    ),
    "f78ee55fb2": (
        "def make(a):\n    def d(f):\n        return f\n    return d  # type: ignore[return-value]\n",
        "def make(a):\n    def d(f):\n        return f\n    return d\n",
        ["changed make: comments"],
    ),
    "20b862282e": (
        "class B:\n    def convert(self, v):\n        return v in ('true', '1')\n",
        "class B:\n    def convert(self, v):\n        return v in ('true', 't,' '1')\n",
        ["changed B.convert: body"],
    ),
    "f17dead8e5": (
        "SCRIPT = '''\n%(f)s -o default\n'''\ndef get(p, c):\n    return SCRIPT % p\ndef run(c, i):\n"
        "    if i == 's':\n"
        "        echo(get(c, i))\n",
        "SCRIPT_BASH = '''\n%(f)s\n'''\nSCRIPT_ZSH = '''\nzsh\n'''\ndef get(p, c, shell):\n"
        "    s = SCRIPT_ZSH if shell == 'z' else SCRIPT_BASH\n    return s % p\ndef run(c, i):\n"
        "    if i.startswith('s'):\n"
        "        echo(get(c, i, 'b'))\n",
        ["removed SCRIPT", "added SCRIPT_BASH", "added SCRIPT_ZSH", "changed get: signature, body",
         "changed run: body"],
    ),
}  # fmt: skip
HEAD = "package a\n"
COBRA = {
    "1a6c5d1d21": (
        "func (c *C) Usage() string { return `A {{rpad}} :: {{s}}` }\n",
        "func (c *C) Usage() string { return `A {{rpad}} {{s}}` }\n",
        ["changed C.Usage: body"],
    ),
    "8377361429": (
        'import (\n\t"os"\n)\nfunc create() {\n\tw(`\n// R.Flags()\n`)\n}\n',
        'import (\n\t"fmt"\n\t"os"\n)\nfunc create() {\n\tw(`\nR.Flags()\n`)\n\n\tfmt.Println("ready")\n}\n',
        ["changed a.go: body", "changed create: body"],
    ),
    "2f19d3c266": (
        "func TestA(t *T) { a() }\n",
        "func TestB(t *T) {\n\tb := new(B)\n\tb.Run()\n}\nfunc TestA(t *T) { a() }\n",
        ["added TestB"],
    ),
    "37a4355faa": (
        'func TestA(t *T) { f("x \\"10E\\"") }\nfunc TestB(t *T) { g("x \\"10E\\"") }\n',
        'func TestA(t *T) { f("syntax") }\nfunc TestB(t *T) { g("syntax") }\n',
        ["changed TestA: body", "changed TestB: body"],
    ),
    "c5eb49e3f5": (
        "func TestP(t *T) {\n\ta()\n}\n",
        "func TestP(t *T) {\n\ta()\n\n\tc = initialize()\n\tif c != 1 {\n\t\tt.Errorf()\n\t}\n}\n",
        ["changed TestP: body"],
    ),
    "e8018e8612": (
        'import "strings"\nvar funcs = M{\n\t"path": path,\n\t"list": list,\n}\n// list gives them\n'
        "func list(c *C) string {\n\tvar s []string\n\tfor _, d := range c.All() {\n\t\ts = append(s, d)\n\t}\n"
        '\treturn strings.Join(s, " ")\n}\nfunc path(c *C) string {\n\tp := c\n\tfor {\n\t\tp = p.Parent()\n'
        '\t}\n\treturn p.N\n}\n',
        'var funcs = M{\n\t"name": name,\n}\nfunc name(c *C) string {\n\tif c.Has() {\n'
        '\t\treturn name(c.P()) + "_"\n\t}\n'
        '\treturn "_"\n}\n',
        ["changed a.go: body", "changed funcs: body", "added name", "removed list", "removed path"],
    ),
    "21f39ca07e": (
        "func pre() {\n\tw(`\n    R=( $(c -W \"${a[*]}\") )\n`)\n}\n",
        "func pre() {\n\tw(`\n    while read -r c; do\n        R+=(\"$c\")\n    done < <(c -W \"${a[*]}\")\n"
        "`)\n}\n",
        ["changed pre: body"],
    ),
    "7ee208b09f": (
        "func cmds(b *B, c *C) {\n\tsub(b, c)\n}\nfunc gen(b *B) {\n\tcmds(b, nil)\n}\n",
        "func cmds(b *B, c *C) {\n\tsub(b, c)\n\taliases(b, c)\n}\nfunc aliases(b *B, c *C) {\n"
        "\tif c.N == 0 {\n\t\treturn\n\t}\n"
        "\tb.W(c.N)\n}\nfunc gen(b *B) {\n\tcmds(b, nil)\n\tb.W(1)\n}\n",
        ["changed cmds: body", "added aliases", "changed gen: body"],
    ),
    "8c6fa02d22": (
        "func (c *C) Init() {\n\tif c.h != nil || !c.Has() {\n\t\treturn\n\t}\n\n\tc.h = &C{\n\t\tUse: 1,\n"
        "\t\tRun: func() {},\n\t}\n}\n",
        "func (c *C) Init() {\n\tif !c.Has() {\n\t\treturn\n\t}\n\n\tif c.h == nil {\n\t\tc.h = &C{\n"
        "\t\t\tUse: 1,\n\t\t}\n\t}\n}\n",
        ["changed C.Init: body"],
    ),
    "5a138f143f": (
        "func ps(b *B) {\n\tw(`\n    @{Name=\"$N\";D=\"$D\"}\n`)\n}\n",
        "func ps(b *B) {\n\tw(`\n    New-Object @{\n        Name = \"$N\"\n        D = \"$D\"\n    }\n`)\n}\n",
        ["changed ps: body"],
    ),
    "b4dbd37a01": (
        "func root() {\n\tt := `import (\n\n\t\"x/c\"{{if .v}}\n\t\"x/v\"\n)`\n\tuse(t)\n}\n",
        "func root() {\n\tt := `import (\n{{if .v}}\n\t\"x/c\"{{if .v}}\n\t\"x/v\"{{end}}\n)`\n\tuse(t)\n}\n",
        ["changed root: body"],
    ),
    "9174039216": (
        "type C struct {\n\t// Run: runs\n\tRun func(c *C, a []string)\n}\n"
        "func (c *C) execute(a []string) (err error) {\n"
        "\tc.Run(c, a)\n\treturn nil\n}\n",
        "type C struct {\n\t// Run: runs\n\tRun func(c *C, a []string)\n\t// RunE: runs and may fail\n"
        "\tRunE func(c *C, a []string) error\n}\nfunc (c *C) execute(a []string) (err error) {\n"
        "\tif c.RunE != nil {\n"
        "\t\treturn c.RunE(c, a)\n\t}\n\tc.Run(c, a)\n\treturn nil\n}\n",
        ["added C.RunE", "changed C.execute: body"],
    ),
    "0c72800b8d": (
        'type C struct {\n\tv string\n}\nfunc (c *C) Exec() {\n\tp("Error:", 1)\n}\n',
        "type C struct {\n\tv string\n\n\t// errPrefix is set by the user\n\terrPrefix string\n}\n"
        "// SetErrPrefix sets it\nfunc (c *C) SetErrPrefix(s string) {\n\tc.errPrefix = s\n}\n"
        "func (c *C) Exec() {\n\tp(c.errPrefix, 1)\n}\n",
        ["added C.errPrefix", "added C.SetErrPrefix", "changed C.Exec: body"],
    ),
    "9890b7b2e9": (
        "func strip(args []string) int {\n\tif len(args) < 1 {\n\t\treturn 0\n\t}\n\n"
        "\tfor _, y := range args {\n\t\tuse(y)\n\t}\n\treturn 1\n}\n",
        "func strip(args []string) int {\n\tif len(args) == 0 {\n\t\treturn 0\n\t}\n\nLoop:\n"
        "\tfor len(args) > 0 {\n\t\ts := args[0]\n"
        "\t\tif s == 1 {\n\t\t\tbreak Loop\n\t\t}\n\t\targs = args[1:]\n\t}\n\treturn 1\n}\n",
        ["changed strip: body"],
    ),
    "c3b51f3a2e": (
        'import (\n\t"errors"\n)\n\nfunc TestA(t *T) {\n\ta(errors.New(1))\n}\n',
        "/*\n\nfunc TestA(t *T) {\n\ta(errors.New(1))\n}\n*/\n",
        ["changed a.go: body", "removed TestA"],
    ),
    "dc6e9ece6f": (
        'type C struct {\n\ta int\n}\nfunc (c *C) Parse(a []string) (err error) {\n\treturn p(a)\n}\n',
        "type C struct {\n\ta int\n\n\t// Disable it\n\tDisable bool\n}\n"
        "func (c *C) Parse(a []string) (err error) {\n"
        "\tif c.Disable {\n\t\treturn nil\n\t}\n\treturn p(a)\n}\nfunc Test_D(t *T) {\n\tc := &C{\n"
        "\t\tDisable: true,\n\t}\n\tc.Parse(nil)\n}\n",
        ["added C.Disable", "changed C.Parse: body", "added Test_D"],
    ),
}  # fmt: skip


def test_there_are_thirty() -> None:
    assert len(CLICK) + len(COBRA) == 30


@pytest.mark.parametrize("commit", CLICK)
def test_click(commit: str) -> None:
    old, new, expected = CLICK[commit]
    assert sorted(lines({"a.py": old}, {"a.py": new}, comments=True)) == sorted(expected)


@pytest.mark.parametrize("commit", COBRA)
def test_cobra(commit: str) -> None:
    old, new, expected = COBRA[commit]
    assert sorted(lines({"a.go": HEAD + old}, {"a.go": HEAD + new}, comments=True)) == sorted(expected)
