"""Which cards are one card: groups, souls, lines of versions and alternate titles.

Titles are those of the format's own lists; the facts given to them here are the tests' own.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from ledger import formats
from ledger.errors import InvalidRuleset
from ledger.formats.checks.legality import Same
from ledger.formats.naming import called, rank_of, split_level
from tests.support.files.format_legacy import HEAD, KEY, dynasty, person
from tests.support.files.format_lists import cards_of, clauses, found, unchecked


def same_check() -> Same:
    """The check of what counts as one."""
    return next(c for c in formats.load(KEY).format.checks if isinstance(c, Same))


GROUPS = [
    ["Kaiu Hisayuki", "Silence"],
    ["Daidoji Akagi", "Daidoji Karasu"],
    ["Daidoji Nagiko", "Daidoji Rekai Experienced 2"],
    ["Doji Seo", "Doji Seishiro"],
    ["Doji Sesshu", "Doji Kurohito"],
    ["Akodo Seichii", "Ikoma Ken'o"],
    ["Tsuruchi Kansuke", "Tsuruchi Dokuo"],
    ["Isawa Oharu", "Isawa Sze"],
    ["Isawa Umeko", "Isawa Toiko"],
    ["Bayushi Hisato", "Bayushi Marumo", "Bayushi Sunetra"],
    ["Bayushi Hisoka", "Bayushi Goshiu Experienced 2"],
    ["Moto Suren", "Moto Wasaka"],
    ["Shinjo Kadonomaro", "Shinjo Suboto"],
    ["Utaku Genshi", "Utaku Uzuki"],
    ["Utaku Tama", "Otaku Tetsuko"],
]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
def test_leg_same_listed_groups(group: list[str]) -> None:
    """LEG-SAME: three in a group are allowed, four are not; other levels are other cards."""
    parts = [name.partition(" Experienced") for name in group]
    rows = "".join(person(n, f"Experienced{r}" if s else "") for n, s, r in parts)
    for first, second in pairwise(group):
        assert not clauses(dynasty(rows, f"2 {first}", f"1 {second}"))
        assert clauses(dynasty(rows, f"2 {first}", f"2 {second}")) == {"LEG-SAME"}
    name = parts[-1][0]
    other = person(name, "Experienced 3")
    assert not clauses(dynasty(rows + other, f"3 {group[0]}", f"3 {name} Experienced 3"))


def test_leg_same_groups_are_those_of_the_data() -> None:
    """LEG-SAME: the data has these groups and no others."""
    written = [[n.removesuffix(" non-Experienced") for n in g] for g in same_check().groups]
    assert written == GROUPS


def test_leg_same_souls_close_over_each_other_at_one_level() -> None:
    """LEG-SAME: the example of the source: three in any combination of the three."""
    rows = (
        person("Bayushi Tangen", souls="Bayushi Kwanchai")
        + person("Bayushi Kwanchai", souls="Bayushi Irezu")
        + person("Bayushi Irezu")
        + person("Bayushi Kwanchai", "Experienced")
    )
    three = ("1 Bayushi Tangen", "1 Bayushi Kwanchai", "1 Bayushi Irezu")
    assert not clauses(dynasty(rows, *three))
    assert clauses(dynasty(rows, "2 Bayushi Tangen", *three[1:])) == {"LEG-SAME"}
    assert clauses(dynasty(rows, "2 Bayushi Tangen", "2 Bayushi Irezu")) == {"LEG-SAME"}
    assert not clauses(dynasty(rows, *three, "3 Bayushi Kwanchai Experienced"))


def test_leg_same_a_soul_counts_at_its_cards_own_level() -> None:
    """LEG-SAME: an experienced soul of X is the experienced X."""
    rows = person("A", "Experienced", souls="B") + person("B") + person("B", "Experienced")
    assert not clauses(dynasty(rows, "2 A Experienced", "3 B"))
    assert clauses(dynasty(rows, "2 A Experienced", "2 B Experienced")) == {"LEG-SAME"}


def test_leg_same_counts_as_and_one_unique() -> None:
    """LEG-SAME: by the card's own text; of three one may be unique."""
    rows = (
        person("Bayushi Hisa", counts_as="B", unique="yes")
        + person("B")
        + person("C", counts_as="B", unique="yes")
    )
    assert not clauses(dynasty(rows, "1 Bayushi Hisa", "2 B"))
    for written in ("B (non-Exp)", "B non-Experienced"):
        spelled = rows.replace(',"B","","', f',"{written}","', 1)
        assert spelled != rows
        assert clauses(dynasty(spelled, "1 Bayushi Hisa", "3 B")) == {"LEG-SAME"}
    assert clauses(dynasty(rows, "1 Bayushi Hisa", "3 B")) == {"LEG-SAME"}
    assert clauses(dynasty(rows, "1 Bayushi Hisa", "1 C")) == {"LEG-SAME"}
    unknown = rows.replace('"B","","Personality","-","-","no"', '"B","","Personality","-","-",""')
    told = unchecked(dynasty(unknown, "1 Bayushi Hisa", "1 B"))
    assert ("LEG-SAME", "whether Bayushi Hisa, B is unique is not known") in told


def test_leg_same_a_ring_of_counting_as_is_refused() -> None:
    """LEG-SAME: one line, with the cards and their rows."""
    rows = person("A", counts_as="B") + person("B", counts_as="C") + person("C", counts_as="A")
    with pytest.raises(InvalidRuleset) as refused:
        cards_of(KEY, HEAD + rows)
    told = (
        "cards.csv: `counts_as` forms a cycle: A (row 3) counts as B (row 4) counts as C "
        "(row 5) counts as A (row 3) (LEG-SAME)"
    )
    assert refused.value.sentences == (told,)
    with pytest.raises(InvalidRuleset, match="cycle"):
        cards_of(KEY, HEAD + person("A", counts_as="A"))


@pytest.mark.parametrize(
    ("title", "one", "other"),
    [
        ("A Moment of Truth", "Anvil of Despair", "Time of the Void"),
        ("Corrupted Dojo", "Fire and Shadow", "Winds of Change"),
        ("Hida Kisada", "Obsidian Edition", "Emperor Edition"),
        ("Isawa Tanaka", "Path of Hope", "Imperial Gift 2"),
        ("Mirumoto Hojatsu", "Dawn of the Empire", "The Dead of Winter"),
        ("Utaku Keyo", "Dark Allies", "Lotus Edition"),
    ],
)
def test_leg_distinct_by_printing(title: str, one: str, other: str) -> None:
    """LEG-DISTINCT: three of each; where the printing is not known neither is the card."""
    rows = person(title, set=one) + person(title, set=other)
    assert not clauses(dynasty(rows, f"3 {title} ({one})", f"3 {title} ({other})"))
    same = person(title, set=one) + person("Z", counts_as=f"{title} ({one})")
    assert clauses(dynasty(same, f"3 {title}", "1 Z")) == {"LEG-SAME"}
    neither = person(title, set="Gold")
    assert [c for c, _ in unchecked(dynasty(neither, f"3 {title}"))] == ["LEG-DISTINCT", "LEG-BASE"]


def test_leg_distinct_by_type() -> None:
    """LEG-DISTINCT: cards of one title and different types are different by default."""
    rows = person("Kharmic Twin") + "Kharmic Twin,,Follower,-,-,no,X,,,,\n"
    assert "LEG-ORACLE" in clauses(dynasty(rows, "3 Kharmic Twin"))
    both = ("3 Kharmic Twin (Personality)", "3 Kharmic Twin (Follower)")
    assert not clauses(dynasty(rows, *both))
    assert clauses(dynasty(rows, "4 Kharmic Twin (Follower)")) == {"LEG-SAME"}


def test_leg_distinct_experienced_versions_of_either_kisada() -> None:
    """LEG-DISTINCT: the Little Bear is a version of the later Hida Kisada alone."""
    bear = person("Hida Kisada, the Little Bear", "Experienced", set="Ivory Edition")
    early = person("Hida Kisada", "Experienced", set="Enemy of My Enemy")
    late = person("Hida Kisada", "Experienced", set="Emperor Edition")
    lines = ("3 Hida Kisada, the Little Bear Experienced", "1 Hida Kisada Experienced")
    assert not clauses(dynasty(bear + early, *lines))
    assert clauses(dynasty(bear + late, *lines)) == {"LEG-SAME"}


@pytest.mark.parametrize(
    ("title", "level", "printed", "line", "other"),
    [
        ("Hida Kisada", "Inexperienced", "Scorpion Clan Coup 3", "Obsidian", "Emperor"),
        ("Hida Kisada", "Experienced", "Enemy of My Enemy", "Obsidian", "Emperor"),
        ("Utaku Keyo", "Experienced", "Test of Enlightenment", "Lotus", "Dark"),
    ],
)
def test_leg_distinct_whose_experienced_version(
    title: str, level: str, printed: str, line: str, other: str
) -> None:
    """LEG-DISTINCT: an experienced version belongs to one of the two cards of its title."""
    labels = {"Obsidian": "Obsidian Edition", "Emperor": "Emperor Edition"}
    labels |= {"Lotus": "Lotus Edition", "Dark": "Dark Allies"}
    version = person(title, level, set=printed)
    for label, wanted in ((line, {"LEG-SAME"}), (other, set())):
        twin = person("Z", level, counts_as=f"{title} {level} ({labels[label]})")
        lines = (f"3 {title} {level}", f"1 Z {level}")
        assert clauses(dynasty(version + twin, *lines)) == wanted


def test_leg_distinct_the_two_hida_yakamo() -> None:
    """LEG-DISTINCT: with and without Oni; three levels are always without."""
    rows = person("Hida Yakamo", keywords="Oni") + person(
        "Hida Yakamo", keywords="Samurai", set="Y"
    )
    assert not clauses(dynasty(rows, "3 Hida Yakamo (X)", "3 Hida Yakamo (Y)"))
    levels = "".join(
        person("Hida Yakamo", level, keywords=word, set=word)
        for level in ("Experienced 2", "Experienced 3", "Experienced 3KYD")
        for word in ("Oni", "Samurai")
    )
    for level in ("Experienced 2", "Experienced 3", "Experienced 3KYD"):
        lines = (f"2 Hida Yakamo {level} (Oni)", f"2 Hida Yakamo {level} (Samurai)")
        assert clauses(dynasty(levels, *lines)) == {"LEG-SAME"}


def test_leg_distinct_the_two_houses_of_tao() -> None:
    """LEG-DISTINCT: an article makes another title; neither name is taken for the other."""
    rows = "House of Tao,,Stronghold,Dragon Clan,-,no,X,,,,\n"
    rows += "The House of Tao,,Stronghold,Brotherhood of Shinsei,-,no,X,,,,\n"
    cards = cards_of(KEY, HEAD + rows)
    assert [card.name for card in called(cards, "house of tao")] == ["House of Tao"]
    assert not clauses(found("Stronghold\n1 House of Tao", KEY, cards))


def test_leg_experienced_an_alternate_title_counts() -> None:
    """LEG-EXPERIENCED: both examples of the source."""
    rows = (
        person("Heigi", "Experienced 5", alternate="Akodo Ginawa")
        + person("Akodo Ginawa", "Experienced 4", alternate="Ginawa")
        + person("Akodo Ginawa", "Experienced 5")
        + person("Ginawa", "Experienced 5")
        + person("Ginawa", "Experienced 3")
        + person("Shosuro", "Experienced", alternate="Ninja Shapeshifter")
        + person("Shosuro", "Experienced 7")
        + person("Shosuro")
        + person("Ninja Shapeshifter", "Experienced 7")
        + person("Ninja Shapeshifter")
    )
    heigi = "2 Heigi Experienced 5"
    assert clauses(dynasty(rows, heigi, "2 Akodo Ginawa Experienced 5")) == {"LEG-EXPERIENCED"}
    assert clauses(dynasty(rows, heigi, "2 Ginawa Experienced 5")) == {"LEG-EXPERIENCED"}
    assert not clauses(dynasty(rows, heigi, "2 Ginawa Experienced 3"))
    seven = ("2 Shosuro Experienced 7", "2 Ninja Shapeshifter Experienced 7")
    assert clauses(dynasty(rows, *seven)) == {"LEG-EXPERIENCED"}
    assert not clauses(dynasty(rows, "2 Shosuro", "2 Ninja Shapeshifter"))


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("Experienced", "Experienced KYD", True),
        ("Experienced 2", "Experienced 2 CoM", True),
        ("Experienced 3", "Experienced 3KYD", True),
        ("Experienced 3KYD", "experienced 3 kyd", False),
        ("", "Inexperienced", True),
    ],
)
def test_leg_experienced_levels_of_their_own(one: str, other: str, *, apart: bool) -> None:
    """LEG-EXPERIENCED: KYD and CoM make another level, whatever its spelling."""
    assert (split_level(f"Aki {one}") != split_level(f"Aki {other}")) is apart
    assert split_level(f"Aki {one}")[0] == "aki"
    rows = person("Aki", one, set="Y") + person("Aki", other)
    wanted = set() if apart else {"LEG-SAME"}
    assert clauses(dynasty(rows, f"3 Aki {one}", f"3 Aki {other}")) == wanted


def test_leg_experienced_the_order_of_levels() -> None:
    """LEG-EXPERIENCED: the letters after a number do not move a level."""
    names = ["Inexperienced", "", "Experienced", "Experienced 2", "Experienced 3KYD"]
    assert [rank_of(split_level(f"A {name}")[1]) for name in names] == [-1, 0, 1, 2, 3]
