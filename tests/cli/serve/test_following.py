"""When a page has a stream: while it is seen, again after a sleep, and once for a browser.

The page's own code runs under node, with a browser and a clock made of a few lines.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.app import static_files

if TYPE_CHECKING:
    from pathlib import Path

NODE = shutil.which("node") or ""
STATIC = files("cli.serve").joinpath("static")
SCRIPTS = sorted(path.name for path in STATIC.iterdir() if path.name.endswith(".js"))
COMMENT = re.compile(r"(?m)(?:^|\s)// .*|/\*.*?\*/")
LITERAL = re.compile(r'`[^`]*`|"(?:[^"\\\n]|\\.)*"')
NESTED = re.compile(r"`[^`]*\$\{[^}`]*`")
pytestmark = pytest.mark.skipif(not NODE, reason="there is no node")
HARNESS = """
let now = 0, ticks = [], all = [], log = [];
const events = { document: {}, window: {} };
const listening = (where) => (name, work) => { (events[where][name] ||= []).push(work); };
const fire = (where, name, event = {}) => {
  (events[where][name] || []).forEach((work) => work(event));
};
Date.now = () => now;
globalThis.setInterval = (work, ms) => ticks.push([work, ms, ms]);
const addEventListener = listening("document");
const baseURI = "http://hall/e/1a2b3c4d/";
globalThis.document = {
  visibilityState: "visible", addEventListener, baseURI, documentElement: { dataset: {} },
};
globalThis.window = { addEventListener: listening("window") };
globalThis.EventSource = class {
  constructor(path) { this.path = path; this.isOpen = true; this.on = {}; all.push(this); }
  addEventListener(name, work) { this.on[name] = work; }
  close() { this.isOpen = false; }
};
const { follow } = await import("./following.js");
const pass = (ms) => {
  for (const end = now + ms; now < end; now += 1000) {
    ticks.forEach((each) => { if ((each[2] -= 1000) <= 0) { each[2] = each[1]; each[0](); } });
  }
};
const open = () => all.filter((each) => each.isOpen).length;
const see = (state) => { document.visibilityState = state; fire("document", "visibilitychange"); };
let position = 7;
const path = () => `/stream?after=${position}`;
follow({ path, news: () => log.push("news"), again: () => log.push("again") });
const found = [];
const note = (what) => { found.push([what, open(), all.length, log.length]); };
note("opened");
for (let i = 0; i < 6; i++) { pass(15000); all.at(-1).on.beat(); }
note("heartbeats");
pass(50000);
note("silence");
see("hidden");
note("hidden");
pass(100000);
note("hidden for long");
position = 9;
see("visible");
note("seen");
for (let i = 0; i < 20; i++) { see("hidden"); see("visible"); }
note("often");
fire("window", "pagehide");
note("left");
fire("window", "pageshow", { persisted: true });
note("came back");
fire("window", "pageshow", { persisted: false });
all.at(-1).onmessage({});
note("news");
console.log(JSON.stringify([found, all.at(-1).path]));
"""


def test_a_page_has_a_stream_while_it_is_seen_and_one_alone(tmp_path: Path) -> None:
    for name in ("following.js", "paths.js"):
        source = files("cli.serve").joinpath("static", name).read_text("utf-8")
        (tmp_path / name).write_text(source, "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "harness.js").write_text(HARNESS)
    answer = subprocess.run(
        [NODE, "harness.js"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    found, path = json.loads(answer.stdout)
    assert found == [
        ["opened", 1, 1, 0],
        ["heartbeats", 1, 1, 0],  # 90 seconds without news: the same stream, nothing fetched
        ["silence", 1, 2, 1],  # the stream died without an error: another, and all is fetched
        ["hidden", 0, 2, 1],
        ["hidden for long", 0, 2, 1],
        ["seen", 1, 3, 2],
        ["often", 1, 23, 22],
        ["left", 0, 23, 22],
        ["came back", 1, 24, 23],
        ["news", 1, 24, 24],
    ]
    assert path == "/stream?after=9"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_served_without_comments_and_is_the_same_program(
    tmp_path: Path, name: str
) -> None:
    """No text loses a space: a template within a template would, so that there is none.

    The proofs of a phone (phones/phone.py) and all tests in a browser run what is served.
    """
    source = STATIC.joinpath(name).read_text("utf-8")
    assert not NESTED.findall(source)
    served = static_files()[name].decode()
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / name).write_text(served, "utf-8")
    subprocess.run([NODE, "--check", name], cwd=tmp_path, check=True)
    program = COMMENT.sub("", source)
    assert [text for text in LITERAL.findall(program) if text not in served] == []
    assert not COMMENT.search(LITERAL.sub("", served))
    assert len(served) < len(source)


def test_a_template_within_a_template_is_noticed() -> None:
    assert NESTED.search('const said = `a${since ? `, and ${since} new` : ""}.`;')
    assert not NESTED.search("const said = `a${since}`, more = `b${since}`;")
