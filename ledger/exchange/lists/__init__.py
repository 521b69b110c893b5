"""Lists as players' tools and players themselves write them, read as the list that is meant.

`read_written` takes what `read_list` does not: the exports of fiveringsdb (its deck page as copied,
its builder's lines, its JSON), of ashes.live, of Legion HQ and Tabletop Admiral (text and JSON), of
Runewars builders, and plain text as people type it. What a format's file says of headings is all
that it knows of a game. Every line is in the list, is passed over with a note that says why, or is
refused with its number.

What each tool writes, from public sources:

* fiveringsdb: github.com/lopert/5rdb_export (deck.txt), github.com/alsciende/fiveringsdb-ui
  (DeckContent.vue), github.com/polepage/TTS.CardTool (DeckProcessor.cs); its JSON and EmeraldDB's:
  github.com/Emerald-Legacy/emeralddb (FiveRingsDBImportButton.tsx, Decklist.tsx).
* ashes.live: github.com/onecrayon/ashes.live (DeckExportModal.vue, utils/decks.js).
* Legion HQ: github.com/Electrynth/legion-hq-web (listOperations.js), github.com/TravisSClark's
  fork (printList.js). Tabletop Admiral: modular.tabletopadmiral.com, and the TabletopAdmiralParser
  of a league's public tool.
* Runewars: community.fantasyflightgames.com/topic/295996, imgur.com/gallery/fi90B,
  ffg-forum-archive.entropicdreams.com/topic/245645 and /281035, runecasters.net.
"""

from __future__ import annotations

from ledger.exchange.lists.lines import LineNote, WrittenList
from ledger.exchange.lists.text_lists import WRITTEN_BYTES_MAX, read_written

__all__ = ["WRITTEN_BYTES_MAX", "LineNote", "WrittenList", "read_written"]
