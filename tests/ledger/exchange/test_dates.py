"""Days as files write them: read in every form, refused in one line where they can mean two."""

from __future__ import annotations

import json

import pytest

from ledger.errors import InvalidLog
from ledger.exchange import NRTM
from ledger.exchange.dates import day_in
from ledger.exchange.importing import read_foreign
from ledger.exchange.programs import program_of
from ledger.exchange.programs.nrtm import read_nrtm
from tests.support.files.foreign_files import cobra, listfortress, melee
from tests.support.files.program_files import H9, gotha, trf


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2005-07-28", "2005-07-28"),
        ("2005/7/28", "2005-07-28"),
        ("2005. 07. 28.", "2005-07-28"),
        ("2023-04-01T00:00:00Z", "2023-04-01"),
        ("28. 07. 2005", "2005-07-28"),
        ("28.07.2005", "2005-07-28"),
        ("03.04.2005", "2005-04-03"),
        ("May 29, 2020", "2020-05-29"),
        ("Friday, May 29th, 2020 10:00 AM", "2020-05-29"),
        ("Fri May 29 2020", "2020-05-29"),
        ("29 May 2020", "2020-05-29"),
        ("29th May, 2020", "2020-05-29"),
        ("28. Juli 2005", "2005-07-28"),
        ("28 juillet 2005", "2005-07-28"),
        ("1 août 2005", "2005-08-01"),
        ("29/05/2020", "2020-05-29"),
        ("05/29/2020", "2020-05-29"),
        ("04/04/2020", "2020-04-04"),
        ("29-05-2020", "2020-05-29"),
    ],
)
def test_a_day_is_read(text: str, day: str) -> None:
    assert day_in(text) == day


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2023-02-29",
        "31/31/2020",
        "May 2020",
        "2020",
        "jui 3, 2020",
        "1/2/20",
        "May 32, 2020",
    ],
)
def test_what_is_not_a_day_is_refused(text: str) -> None:
    with pytest.raises(InvalidLog, match="its date") as caught:
        day_in(text)
    assert "\n" not in str(caught.value)


def test_a_day_that_can_be_two_needs_another_date_of_the_file() -> None:
    with pytest.raises(InvalidLog, match="its date '03/04/2020' can mean 2020-03-04 or 2020-04-03"):
        day_in("03/04/2020")
    assert day_in("03/04/2020", ["17/04/2020"]) == "2020-04-03"
    assert day_in("03/04/2020", ["03/17/2020"]) == "2020-03-04"
    assert day_in("03/04/2020", ["04/04/2020", "no day"], day_first=True) == "2020-04-03"
    with pytest.raises(InvalidLog, match="can mean"):
        day_in("03/04/2020", ["17/04/2020", "03/17/2020"])


@pytest.mark.parametrize("text", ["28. 07. 2005", "July 28, 2005", "28/07/2005", "2005-07-28"])
def test_each_format_reads_them(text: str) -> None:
    """The class: whatever the format, the same forms of a day."""
    content = json.loads(cobra(1).data)
    assert read_nrtm(json.dumps(content | {"date": text}).encode()).date == "2005-07-28"
    fortress = json.loads(listfortress(1).data) | {"date": text}
    magic = json.loads(melee(1).data)
    magic["Tournament"]["Date"] = text
    people = [("Ann", "1.0", 1, ["   2 w 1"]), ("Bob", "0.0", 2, ["   1 b 0"])]
    report = trf(people).decode().replace("2026/03/14", text).encode()
    go = H9.replace(H9[H9.index("DT[") + 3 : H9.index("]", H9.index("DT["))], text).encode()
    names = [("Lee", "Ann", "5D"), ("Ray", "Bob", "4D"), ("Fox", "Dee", "1K")]
    xml = gotha(names, [(1, "LEEANN", "RAYBOB", "RESULT_WHITEWINS")])
    begin = xml.index('beginDate="') + len('beginDate="')
    xml = xml[:begin] + text + xml[xml.index('"', begin) :]
    for data in (json.dumps(fortress).encode(), json.dumps(magic).encode(), report, xml.encode()):
        assert read_foreign(program_of(data) or NRTM, data, None).date == "2005-07-28"
    assert read_foreign("h9", go, None).date == "2005-07-28"


def test_the_other_day_of_a_go_event_shows_the_order() -> None:
    begin = H9.index("DT[") + 3
    text = H9[:begin] + "03/04/2020,17/04/2020" + H9[H9.index("]", begin) :]
    assert read_foreign("h9", text.encode(), None).date == "2020-04-03"
