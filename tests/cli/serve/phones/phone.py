"""What phones run, run by node: the hall's scripts that need no page."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.app import static_files

if TYPE_CHECKING:
    from pathlib import Path

NODE = shutil.which("node") or ""
needs_node = pytest.mark.skipif(not NODE, reason="there is no node")
MODULES = (
    *("sha2.js", "ed25519.js", "heads.js", "trees.js", "qr.js"),
    *("texts.js", "verdict.js", "warnings.js", "words.js", "succession.js"),
)
HARNESS = """
import * as heads from "./heads.js";
import * as sha2 from "./sha2.js";
import { isSigned } from "./ed25519.js";
import { codeOf } from "./qr.js";
import * as trees from "./trees.js";
import { judged, keysAfter } from "./succession.js";
import { verdict } from "./verdict.js";
import { inWords } from "./warnings.js";
import { wordsIn } from "./words.js";
import { readFileSync } from "node:fs";
const asked = JSON.parse(readFileSync(0, "utf8"));
const un = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const head = (each) => ({ size: each.size, root: un(each.root) });
const work = {
  sha256: (each) => hex(sha2.sha256(un(each))),
  sha512: (each) => hex(sha2.sha512(un(each))),
  hmac: ([key, data]) => hex(sha2.hmac256(un(key), un(data))),
  signed: ([key, signature, message]) => isSigned(un(key), un(signature), un(message)),
  root: (leaves) => hex(trees.treeRoot(leaves.map((each) => trees.leafHash(un(each))))),
  consistent: ([old, now, proof]) => heads.isConsistent(head(old), head(now), proof.map(un)),
  verdict: ([answer, kept]) => {
    const { said, about, ...meaning } = verdict(answer, kept);
    return { ...meaning, text: inWords(said, about) };
  },
  judged: ([answer, kept]) => {
    const { said, about, ...meaning } = judged(answer, kept, verdict(answer, kept));
    return { ...meaning, text: inWords(said, about) };
  },
  words: ([list, posting]) => wordsIn(list, posting),
  code: (text) => codeOf(text).map((row) => row.map(Number)),
  keys: ([keys, origin, renewals, size = 0]) => {
    const found = keysAfter(keys.map(heads.keyOf), origin, renewals, size);
    return found.map((each) => heads.toBase64(each.bytes));
  },
  head: ([note, keys]) => {
    try {
      const found = heads.headOf(note, keys.map(heads.keyOf));
      return [found.origin, found.size, hex(found.root)];
    } catch (error) { return error.message; }
  },
};
console.log(JSON.stringify(asked.map(([name, value]) => work[name](value))));
"""


class Phone:
    """Runs what phones run, many questions at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in MODULES:
            (folder / name).write_bytes(static_files()[name])  # as a phone gets it
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "harness.js").write_text(HARNESS)

    def ask(self, name: str, *values: object) -> list[Any]:
        """Put several questions of one kind, and return the answers."""
        asked = json.dumps([[name, value] for value in values])
        answer = subprocess.run(
            [NODE, "harness.js"],
            cwd=self.folder,
            input=asked,
            capture_output=True,
            text=True,
            check=True,
        )
        found: list[Any] = json.loads(answer.stdout)
        return found
