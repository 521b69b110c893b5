"""Files of this machine, as the verbs of a desk reach them.

The line of a verb may name files (`cli.input.file_names`). The verb opens none by itself: it asks
the desk's `Files` for the path, the bytes or the place to write to. A desk that was made for a page
has `NoFiles`, which refuses every name. So a line from a page reaches no file, whichever verb it is
for and however the name is spelled.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from cli.input.file_names import NO_OUTPUT, OutFile
from cli.languages.speaking import marked
from ledger.errors import NotFound, Refused
from ledger.problems import phrase, problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cli.input.file_names import FileName, InFile


class Files:
    """Files of this machine, for a line that was typed at its terminal."""

    def admit(self, names: Iterable[FileName]) -> None:
        """Check the names of files in a line before its verb runs. A terminal may name any."""

    def reading(self, file: InFile) -> Path:
        """Return the path of a file or folder to read, for a reader that opens it."""
        return self._path(file)

    def writing(self, file: OutFile) -> Path:
        """Return the path of a file or folder to write, for a writer that replaces it whole."""
        return self._path(file)

    def named(self, file: FileName) -> str:
        """Return a name for a reader that takes more than paths: a key, an address or nothing."""
        if file:
            self._path(file)
        return file.typed

    def first_bytes(self, file: InFile, most: int, stdin: str = "") -> bytes:
        """Read the first bytes of an ordinary file, at most that many; or of stdin, by its name.

        Raises:
            NotFound: the file is missing, or cannot be read.
        """
        from ledger.files.access import first_bytes

        path = self.reading(file)
        try:
            if stdin and file.typed == stdin:
                return sys.stdin.buffer.read(most)
            return first_bytes(path, most)
        except OSError as error:
            raise NotFound(
                phrase("{file} cannot be read: {error}", file=str(file), error=error.strerror or "")
            ) from None

    def exists(self, file: FileName) -> bool:
        """Return whether there is a file or folder of a name."""
        return self._path(file).exists()

    def folder_of(self, file: FileName) -> Path:
        """Return the folder that holds a file, after its links are followed."""
        return self._path(file).resolve().parent

    def refuse_no_text(self, file: InFile) -> None:
        """Refuse a file that is compressed or not UTF-8, as Unreadable."""
        from ledger.files.access import refuse_no_text

        refuse_no_text(self.reading(file))

    def whole(self, file: InFile) -> bytes:
        """Read a file as one piece, of a size that is bounded.

        Raises:
            LedgerError: the file is missing, too large, or cannot be read.
        """
        from ledger.files.access import whole

        return whole(self.reading(file))

    def is_folder(self, file: FileName) -> bool:
        """Return whether a name is that of a folder."""
        return self._path(file).is_dir()

    def absolute(self, folder: OutFile) -> str:
        """Return the name of a folder that it has from everywhere; empty for an empty name."""
        return str(self.writing(folder).absolute()) if folder else ""

    def refuse_no_place(self, file: OutFile) -> None:
        """Refuse a name that no file can have, before anything is made for it."""
        from ledger.files.access import place_of

        place_of(self.writing(file))

    def refuse_to_replace(self, file: OutFile, kind: str = "") -> None:
        """Refuse a place whose file must stay, before anything is made for it.

        Raises:
            Refused: a file of another kind is there, or the place belongs to a store or to keys.
        """
        from ledger.files.access import refuse_to_replace

        refuse_to_replace(self.writing(file), kind)

    def write(
        self, file: OutFile, data: Iterable[bytes], kind: str = "", *, is_secret: bool = False
    ) -> int:
        """Write a file whole or not at all, and return its size in bytes.

        Only its owner can read a file that `is_secret`.

        Raises:
            Refused: it would replace a file that must stay, or cannot be written.
        """
        from ledger.files.access import write_whole

        return write_whole(self.writing(file), data, kind, is_secret=is_secret)

    def write_within(self, folder: OutFile, name: str, data: bytes) -> None:
        """Write a file below a folder, whole or not at all; folders between are made.

        Raises:
            Refused: it would replace a file that must stay, or cannot be written.
        """
        from ledger.files.access import make_folder, refuse_to_replace, write_whole

        path = self.writing(folder) / name
        refuse_to_replace(path)
        try:
            make_folder(path.parent)
        except OSError as error:
            raise Refused(
                phrase(
                    "{folder} cannot be made: {error}",
                    folder=str(path.parent),
                    error=error.strerror or "",
                )
            ) from None
        write_whole(path, [data])

    def remove(self, file: OutFile) -> None:
        """Remove a file that an earlier run wrote; a missing one is left so."""
        self.writing(file).unlink(missing_ok=True)

    def recall_lines(self, file: OutFile, most: int) -> None:
        """Let the arrows bring back the lines of earlier shells, which a file keeps.

        Without a terminal there are no arrows, and no file.
        """
        path = self.writing(file)
        if not sys.stdin.isatty():
            return
        from ledger.files.system import recall_lines

        recall_lines(path, most)

    @contextmanager
    def scratch(self) -> Iterator[OutFile]:
        """Give a folder for files that are gone afterwards."""
        from tempfile import TemporaryDirectory

        self._path(NO_OUTPUT)
        with TemporaryDirectory(prefix="tourney-") as folder:
            yield OutFile(folder)

    def _path(self, file: FileName) -> Path:
        return Path(file.typed)


class NoFiles(Files):
    """The files of a desk that was made for a page: none."""

    def admit(self, names: Iterable[FileName]) -> None:
        """Refuse a line that names a file, before its verb runs.

        Raises:
            Refused: the line names a file.
        """
        if found := list(names):
            self._refuse(found)

    def _path(self, file: FileName) -> NoReturn:
        self._refuse([file])

    def _refuse(self, names: Sequence[FileName]) -> NoReturn:
        text = marked("a page cannot use files: omit {files}, or type this line at a terminal")
        raise Refused(problem("page.no_files", text, files=tuple(map(repr_of, names))))


def repr_of(name: FileName) -> str:
    """Return a file's name as a message quotes it."""
    return repr(name.typed)
