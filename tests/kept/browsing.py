"""What browsers and programs ask of the hall in `hall`, by the program of then and of today."""

from __future__ import annotations

import gc
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from starlette.routing import Route
from starlette.testclient import TestClient

from cli.serve.app import app_of
from cli.serve.forms import FORMS
from cli.verbs.day.report import line_reader
from tests.kept.asking import json_of, lasting
from tests.support.hall import HERE, opened

if TYPE_CHECKING:
    from pathlib import Path

PAGES = (
    "/", "/pairings", "/standings", "/bracket", "/clock", "/me", "/me/list", "/me/why/points",
    "/join", "/in", "/desk", "/judge", "/judge/match/1/1", "/screen", "/screen/1", "/head",
    "/me/receipt", "/parts/pairings", "/parts/standings",
)  # fmt: skip
VALUES = (
    "/api/v1/me", "/api/v1/pairings", "/api/v1/standings", "/api/v1/bracket", "/api/v1/disputes",
    "/api/v1/match/1/1", "/api/v1/explain/1/points", "/api/v1/explain-pairing/1/1",
    "/api/v1/explain-bye/1", "/api/v1/log", "/api/v1/head",
)  # fmt: skip
WHO = ("", "p1", "o1", "s1")
"""A stranger, and whose links were opened in a browser before."""


def browser_of(folder: Path, who: str) -> TestClient:
    """A browser with the cookie that it was given when its link was opened."""
    held = json.loads((folder / "cookies.json").read_text("utf-8"))
    given = [each["cookie"] for each in held if each["of"] == who and "cookie" in each]
    app = app_of(opened(), None, line_reader())
    headers = {"cookie": given[0]} if given else {}
    return TestClient(app, base_url=HERE, follow_redirects=False, headers=headers)


def browsed(folder: Path) -> dict[str, Any]:
    """What each of them is answered: whether a page is refused, and of a value its JSON."""
    found: dict[str, Any] = {}
    for who in WHO:
        with browser_of(folder, who) as browser:
            for page in PAGES:
                found[f"{who} {page}"] = {"is_refused": browser.get(page).is_error}
            for path in VALUES:
                answer = browser.get(path)
                value = {"json": lasting(json_of(answer.text))} if answer.is_success else {}
                found[f"{who} {path}"] = {"is_refused": answer.is_error, **value}
    return found


def interface(folder: Path) -> dict[str, Any]:
    """What programs and pages may ask and post: routes, forms, files, and what the API says."""
    with browser_of(folder, "") as browser:
        said = browser.get("/api/v1/openapi.json").json()
        routes = [each for each in gc.get_objects() if isinstance(each, Route)]
    schemas = said["components"]["schemas"]
    methods: dict[str, dict[str, bool]] = {}
    for route in routes:
        methods.setdefault(route.path, {}).update(dict.fromkeys(route.methods or (), True))
    static = (each.name for each in files("cli.serve").joinpath("static").iterdir())
    return {
        "routes": methods,
        "operations": {path: dict.fromkeys(each, True) for path, each in said["paths"].items()},
        "schemas": {
            name: dict.fromkeys(each.get("properties", each.get("enum", ())), True)
            for name, each in schemas.items()
        },
        "forms": dict.fromkeys(FORMS, True),
        "static": {name: True for name in static if name.endswith((".css", ".js", ".svg"))},
    }
