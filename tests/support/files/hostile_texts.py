"""Texts that a program may take for something else: markup, controls, formulas, paths, queries.

They are this project's own. Where a published list lies next to the checkout it is tried as well
(`texts_to_try` in `shared.py`).
"""

from __future__ import annotations

BREAKS = ("", "'", '"', '">', "'>", "</textarea>", "</title>", "-->", "]]>", "`", "\\", "%00")
"""What may end the place that a text is put into."""

MARKUP = (
    "<script>done()</script>",
    "<img src=q onerror=done()>",
    "<svg onload=done()>",
    "<b>bold",
    "<a href='javascript:done()'>x</a>",
    "<iframe src=//evil.example></iframe>",
    "<style>*{display:none}</style>",
    "<input autofocus onfocus=done()>",
    "<form action=/do/drop><button>",
    "<math><mtext></form><form>",
    "&lt;script&gt;done()&lt;/script&gt;",
    "<!-- <main>",
    " onmouseover=done() x=",
    "<scr<script>ipt>done()</scr</script>ipt>",
)
"""What a browser would run or show as something else."""

CONTROLS = (*range(0x01, 0x20), 0x7F, *range(0x80, 0xA0))
"""Characters that move a terminal's cursor or end a line."""

UNSEEN = (
    *(
        0x00AD,
        0x034F,
        0x061C,
        0x115F,
        0x1160,
        0x17B4,
        0x17B5,
        0x180E,
        0x2000,
        0x2007,
        0x2028,
        0x2029,
    ),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2065),
    *range(0x2066, 0x206A),
    *(
        0x3000,
        0x3164,
        0xFE00,
        0xFE0F,
        0xFEFF,
        0xFFA0,
        0xFFF9,
        0xFFFC,
        0xFFFD,
        0xE0001,
        0xE0061,
        0xF8FF,
    ),
)
"""Characters that are not seen, turn the direction of what follows, or belong to nobody."""

WRITTEN = (
    # other alphabets, directions and what sits on a letter
    *("Ελένη Παππά", "Дмитрий Ёлкин", "שלום לוי", "محمد علي", "ประยุทธ์ สุข", "山田 太郎", "김민준"),
    *(
        "नरेन्द्र कुमार",
        "Nguyễn Thị Ánh",
        "Łukasz Żółć",
        "İbrahim Iğd\u0131r",
        "ΐΰ",
        "ﬁ ﬂ ﬃ",
        "Straße ẞ",
    ),
    *("Zoe\u0301", "Zoé", "a\u0308o\u0308u\u0308", "e" + "\u0301" * 40, "\u0301", "Z̷a̸l̵g̶o̷", "ⒶⓃⓃ"),
    *(
        "\U0001d504\U0001d52b\U0001d52b",
        "\U0001f469\u200d\U0001f692",
        "\U0001f1e9\U0001f1ea",
        "\U0001f44d\U0001f3fd",
        "🙂🙃",
    ),
    *("\u202eenna", "Ann\u202e\u2066 ,2 dna", "مرحبا <b>Ann</b> שלום", "ann\u200bann", "\ufeffAnn"),
    # terminals
    *(
        "\x1b[2J\x1b[H",
        "\x1b]0;title\x07",
        "\x1b[31mred\x1b[0m",
        "a\rb",
        "a\bb",
        "line\nbreak",
        "\x9b2J",
    ),
    # queries and templates
    *("'; DROP TABLE players; --", "1 OR 1=1", "' UNION SELECT secret FROM vault --", "%' LIKE '%"),
    *(
        "{{7*7}}",
        "${7*7}",
        "#{7*7}",
        "<%= 7*7 %>",
        "{0.__class__}",
        "{player}",
        "%(name)s",
        "%n%s%x",
    ),
    *("$(touch x)", "`touch x`", "; touch x", "| cat", "&& true", "> out.txt", "$HOME", "%PATH%"),
    # formulas of spreadsheets
    *(
        "=1+1",
        '=HYPERLINK("http://evil.example")',
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "=cmd|' /C'!A1",
    ),
    *('"=1"', "'=1", "\uff1d1+1", "a,b;c\td", '"a"",""b"', "a\u2028b", ";;;", '"', '""', ",", "\t"),
    # paths and addresses
    *(
        "../../etc/passwd",
        "..\\..\\windows",
        "/dev/null",
        "C:\\CON",
        "file:///etc/passwd",
        "~/.ssh/id",
    ),
    *(
        "NUL",
        "aux.txt",
        ".",
        "..",
        "-rf",
        "--help",
        "-",
        "--",
        "//evil.example",
        "javascript:done()",
    ),
    *(
        "data:text/html,<b>",
        "http://[::1]evil.example/",
        "%2e%2e%2f",
        "%00",
        "%ff%fe",
        "?a=b&c=d#e",
    ),
    # numbers, truths and nothing
    *(
        "0",
        "-0",
        "1e999",
        "NaN",
        "Infinity",
        "0x10",
        "٣",
        "²",
        "½",
        "1,000",
        "1_000",
        "9" * 400,
        "#1",
    ),
    *("null", "None", "undefined", "true", "false", "NIL", "__proto__", "constructor", "toString"),
    *(
        "bye",
        "BYE",
        "p1",
        "o1",
        "w1-abcdefgh",
        "player 1",
        "winner",
        "-1",
        "1 2",
        "#",
        "@",
        "*",
        "?",
    ),
    # what looks like a line, a mark or a file of this program
    *(
        '{"seq":1,"id":"abcdefgh"}',
        '{"a":[[[[[]]]]]}',
        "[" * 300,
        '"\\ud800"',
        "\\ud83d",
        "\\u0000",
    ),
    *("badge:" + "0" * 64, "/in#secret", "log a+b+c", "— tourney\n", "a\x00b", "\u2014 key AAAA="),
    # long, and with wide places
    *("a" * 79, "a " * 80, "x" * 300, "W" * 1_000, "\u200b" * 60, "a" + " " * 90 + "b", "ﷺ" * 30),
)


def hostile_texts() -> list[str]:
    """Return the texts, each once; some are blank."""
    texts = [
        *WRITTEN,
        *(f"{before}{markup}" for markup in MARKUP for before in BREAKS),
        *(f"a{chr(code)}b{code:x}" for code in (*CONTROLS, *UNSEEN)),
        *(f"{chr(code)}" for code in UNSEEN),
    ]
    return list(dict.fromkeys(texts))
