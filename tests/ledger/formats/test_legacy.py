"""The Legacy format: what is banned, who is a clan, what starts in play.

Titles are those of the format's own lists; the facts given to them here are the tests' own.
"""

from __future__ import annotations

import pytest

from ledger import formats
from ledger.formats.checks.legality import Clans
from tests.support.files.format_legacy import HEAD, KEY, STRONGHOLD, dynasty, person
from tests.support.files.format_lists import cards_of, clauses, found, sample_list, unchecked

BANNED = [
    ("Breach of Etiquette", "Strategy"),
    ("Minor Oni Servant", "Follower"),
    ("Rise from the Ashes", "Spell"),
    ("Shrine of the Spirits", "Stronghold"),
    ("Take the Initiative", "Strategy"),
    ("The High House of Light", "Stronghold"),
    ("The Master of Five", "Event"),
    ("Yodin Sensei", "Sensei"),
]


@pytest.mark.parametrize(("title", "kind"), BANNED)
def test_leg_banned(title: str, kind: str) -> None:
    """LEG-BANNED: title and type; another type of the title is another card (LEG-DISTINCT)."""
    row = f"{title},,{kind},-,-,no,X,,,,\n"
    assert "LEG-BANNED" in clauses(dynasty(row, f"1 {title}"))
    other = f"{title},,Region,-,-,no,X,,,,\n"
    assert "LEG-BANNED" not in clauses(dynasty(other, f"1 {title}"))


@pytest.mark.parametrize(
    "title",
    ["Nanashi Mura", "The Shrine of Lady Sun", "The Governor's Estate", "Gates of the Second City"],
)
def test_leg_stronghold(title: str) -> None:
    """LEG-STRONGHOLD: legal in Booster Draft alone."""
    cards = cards_of(KEY, HEAD + f"{title},,Stronghold,Crab Clan,-,no,X,,,,\n")
    for variant, broken in (("standard", True), ("bigdeck", True), ("booster-draft", False)):
        result = found(f"Stronghold\n1 {title}", f"{KEY}:{variant}", cards)
        assert clauses(result) == ({"LEG-STRONGHOLD"} if broken else set())


@pytest.mark.parametrize(
    ("name", "level", "clan", "broken"),
    [
        *((("Hall", "", f"{clan} Clan", False)) for clan in ("Crab", "Crane", "Dragon", "Lion")),
        *((("Hall", "", f"{clan} Clan", False)) for clan in ("Mantis", "Phoenix", "Scorpion")),
        *((("Hall", "", f"{clan} Clan", False)) for clan in ("Spider", "Unicorn")),
        ("Hall", "", "Toturi's Army", False),
        ("Hall", "", "Brotherhood of Shinsei", False),
        ("Hall", "", "Shadowlands Horde", False),
        ("Hall", "", "Spirit", True),
        ("Hall", "", "Badger Clan", True),
        ("Shiro Usagi", "", "Hare Clan", False),
        ("Hall", "", "Hare Clan", True),
        ("Journey's End Keep", "Experienced", "Imperial", False),
        ("Journey's End Keep", "", "Imperial", True),
    ],
)
def test_leg_clan_of_the_stronghold(name: str, level: str, clan: str, *, broken: bool) -> None:
    """LEG-CLAN: the legal clans, and those that are some only under their stronghold."""
    cards = cards_of(KEY, HEAD + f'{name},{level},Stronghold,"{clan}",-,no,X,,,,\n')
    result = found(f"Stronghold\n1 {name} {level}", KEY, cards)
    assert clauses(result) == ({"LEG-CLAN"} if broken else set())


def test_leg_clan_of_personalities() -> None:
    """LEG-CLAN: Monk and Monkey Clan by keyword, Hare only under its stronghold, no Horde."""
    check = next(c for c in formats.load(KEY).format.checks if isinstance(c, Clans))
    rows = {
        "Monk": ("Brotherhood of Shinsei",),
        "Monkey Clan": ("Toturi's Army",),
        "Toturi's Army": ("Toturi's Army",),
        "Crab Clan": ("Crab Clan",),
        "Spirit": ("Spirit",),
        "Shadowlands": (),
        "Shadowlands Horde": (),
        "Hare Clan": (),
        "Imperial": (),
    }
    usagi = "Shiro Usagi,,Stronghold,Hare Clan,-,no,X,,,,\n"
    people = "".join(person(f"P {n}", keywords=word) for n, word in enumerate(rows))
    stronghold, *cards = cards_of(KEY, HEAD + usagi + people).cards
    for card, (word, clans) in zip(cards, rows.items(), strict=True):
        assert check.alignments(card, []) == clans, word
        under = ("Hare Clan",) if word == "Hare Clan" else clans
        assert check.alignments(card, [stronghold]) == under


def test_leg_clan_a_personality_of_the_horde_is_the_files_mistake() -> None:
    """LEG-CLAN: no personality has that alignment."""
    row = "Akuma,,Personality,Shadowlands Horde,-,no,X,,,,\n"
    told = unchecked(dynasty(row, "1 Akuma"))
    assert (
        "LEG-CLAN",
        "the card file makes Akuma Shadowlands Horde, which no personality is",
    ) in told


def test_leg_wind() -> None:
    """LEG-WIND: in neither deck; one Sensei and one Wind unless the stronghold says otherwise."""
    kinds = {"W1": "Wind", "W2": "Wind", "S1": "Sensei", "S2": "Sensei"}
    rows = "".join(f"{name},,{kind},-,-,no,X,,,,\n" for name, kind in kinds.items())
    cards = cards_of(KEY, HEAD + STRONGHOLD + rows)
    start = "Stronghold\n1 Shiro X\n"
    assert not clauses(found(start + "Sensei\n1 S1\nWind\n1 W1", KEY, cards))
    for text in ("Dynasty\n1 W1", "Fate\n1 W1", "Wind\n1 W1\n1 W2", "Sensei\n1 S1\n1 S2"):
        assert clauses(found(start + text, KEY, cards)) == {"LEG-WIND"}
    more = cards_of(KEY, HEAD + STRONGHOLD.rstrip() + "winds+1; senseis+1\n" + rows)
    assert not clauses(found(start + "Sensei\n1 S1\n1 S2\nWind\n1 W1\n1 W2", KEY, more))


@pytest.mark.parametrize(
    ("lines", "standard", "bigdeck"),
    [
        (["Bamboo Harvesters"], True, True),
        (["Bamboo Harvesters Experienced"], True, True),
        (["Old Mill"], True, False),
        (["Border Keep"], False, True),
        (["Bamboo Harvesters", "Border Keep"], False, True),
        (["Bamboo Harvesters", "Old Mill"], False, False),
        (["Bamboo Harvesters", "Bamboo Harvesters Experienced"], False, False),
        (["Rice Field"], False, False),
    ],
)
def test_leg_starting(lines: list[str], *, standard: bool, bigdeck: bool) -> None:
    """LEG-STARTING: what may start in play, by variant, and that it is counted apart."""
    rows = "".join(
        f"{name},{level},Holding,-,{word},no,X,,,,\n"
        for name, level, word in (
            ("Bamboo Harvesters", "", "-"),
            ("Bamboo Harvesters", "Experienced", "-"),
            ("Border Keep", "", "-"),
            ("Old Mill", "", "Legacy"),
            ("Rice Field", "", "-"),
        )
    )
    cards = cards_of(KEY, HEAD + STRONGHOLD + rows)
    text = "Stronghold\n1 Shiro X\nStarting\n" + "\n".join(f"1 {line}" for line in lines)
    for variant, legal in (("standard", standard), ("bigdeck", bigdeck)):
        result = found(f"{text}\nDynasty\n2 Rice Field", f"{KEY}:{variant}", cards)
        assert clauses(result) == (set() if legal else {"LEG-STARTING"})
        told = dict(unchecked(result))["LEG-BASE"]
        assert f"(dynasty 2, fate 0); not counted: starting {len(lines)}" in told


def test_leg_variant_rules_in_force() -> None:
    """LEG-VARIANT: which optional rules a judge can cite, by variant."""
    made = formats.load(KEY).format
    in_force = {
        variant.name: [rule.name for rule in made.rules_of(variant.name) if not rule.by_agreement]
        for variant in made.variants
    }
    both = {"Monkey Clan counts as Toturi's Army", "Starting Bamboo Harvesters"}
    assert set(in_force["standard"]) == both | {"Seppuku, as a reaction", "Starting Legacy holding"}
    assert set(in_force["bigdeck"]) == both | {
        "Seppuku, as an open action",
        "Starting Border Keep",
        "No Cycle",
        "Forgotten Legacy text",
        "Legacy holding reaction",
        "Clan Allegiance",
    }
    agreed = [rule.name for rule in made.rules_of("standard") if rule.by_agreement]
    assert agreed == ["Cavalry Maneuvers", "Classic Lobbying", "Follower Honor Requirements"]


def test_leg_oracle_the_card_file_has_a_version() -> None:
    """LEG-ORACLE: name and version are recorded; without one, nothing is passed."""
    silent = cards_of(KEY, HEAD.replace("# version: 1\n", "") + STRONGHOLD)
    told = unchecked(found("Stronghold\n1 Shiro X", KEY, silent))
    assert [clause for clause, _ in told] == ["LEG-ORACLE", "LEG-BASE"]
    assert cards_of(KEY, HEAD + STRONGHOLD).version == "1"


def test_leg_base_is_never_passed() -> None:
    """LEG-BASE: the base rulebook is not in the source."""
    assert "LEG-BASE" in dict(unchecked(found(sample_list(KEY), KEY)))


def test_a_card_file_without_the_columns_leaves_the_limits_open() -> None:
    """A rule that lacks its facts is told as not checked."""
    cards = cards_of(KEY, "# version: 1\nname,type,clan\nShiro X,Stronghold,Crab Clan\n")
    told = dict(unchecked(found("Stronghold\n1 Shiro X", KEY, cards)))
    assert "no column experience, unique, keywords, souls" in told["LEG-SAME"]
