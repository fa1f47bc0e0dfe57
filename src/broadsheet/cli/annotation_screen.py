"""The screen on which a person annotates pages: what it shows, and what each key does.

Small letters set labels, capital letters and other keys are commands.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from broadsheet.base.errors import InputError
from broadsheet.cli import keyboard
from broadsheet.cli.terminal import Terminal
from broadsheet.cli.text_table import clip, strip_controls, width
from broadsheet.corpora.annotation.annotation_session import AnnotationRow, AnnotationSession, PageAnnotation
from broadsheet.corpora.annotation.corpus_report import page_parts
from broadsheet.reading.structure_check import describe_errors, structure_errors

_RESET, _REVERSE, _FAINT, _BOLD = "\x1b[0m", "\x1b[7m", "\x1b[2m", "\x1b[1m"
_ENTER_SCREEN, _LEAVE_SCREEN = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _CLEAR_LINE, _CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
#: Colours of labels, in the order of the label set; the rest is faint.
_COLOURS = ("\x1b[1;33m", "\x1b[1;36m", "\x1b[32m", "\x1b[35m", "\x1b[34m", "\x1b[31m")

COMMANDS = "Enter save · U undo · R redo · S skip · Q quit · Space mark · Tab next · P pieces"
#: Lines around the list: the title, and at the bottom the structure, the labels and the commands.
_AROUND = 4
_TAG_COLUMNS = 10


class NextStep(Enum):
    """What follows a key."""

    STAY = auto()
    SAVE = auto()
    SKIP = auto()
    QUIT = auto()


@dataclass(eq=False)
class AnnotationScreen:
    """One page on the screen: the list of its rows, the cursor, and the row where a marked range began."""

    session: AnnotationSession
    page: PageAnnotation
    colours: bool = True
    cursor: int = 0
    mark: int | None = None
    top: int = 0
    rows: list[AnnotationRow] = field(init=False)

    def __post_init__(self) -> None:
        """Start at the first row that is labelled."""
        self.rows = self.page.rows()
        self._to_next_label()

    def press(self, key: str, lines: int) -> NextStep:
        """Do what a key means; `lines` is the height of the window."""
        if len(key) == 1 and key in self.session.labels:
            self._label(key)
            return NextStep.STAY
        visible = max(lines - _AROUND, 1)
        moves = {
            keyboard.UP: -1, keyboard.DOWN: 1, keyboard.PAGE_UP: -visible, keyboard.PAGE_DOWN: visible,
            keyboard.HOME: -len(self.rows), keyboard.END: len(self.rows),
        }  # fmt: skip
        if key in moves:
            self._move(moves[key])
        elif key == keyboard.SPACE:
            self.mark = self.cursor if self.mark is None else None
        elif key == keyboard.TAB:
            self._to_next_label()
        elif key == "P":
            self._switch()
        elif (key == "U" and self.page.undo()) or (key == "R" and self.page.redo()):
            self._changed()
        return {
            keyboard.ENTER: NextStep.SAVE,
            "S": NextStep.SKIP,
            "Q": NextStep.QUIT,
            keyboard.INTERRUPT: NextStep.QUIT,
        }.get(key, NextStep.STAY)

    def draw(self, terminal: Terminal, columns: int, lines: int) -> None:
        """Draw the whole screen."""
        visible = max(lines - _AROUND, 1)
        self.top = min(max(self.top, self.cursor - visible + 1), self.cursor)
        terminal.control(_HOME)
        self._line(terminal, self._title(), columns, _BOLD)
        for place in range(self.top, self.top + visible):
            self._row(terminal, place, columns)
        self._line(terminal, self._structure(), columns, _FAINT)
        names = (f"{letter} {name}" for letter, name in self.session.labels.names.items())
        self._line(terminal, " · ".join(names), columns, _BOLD)
        self._line(terminal, COMMANDS, columns, _FAINT, last=True)
        terminal.control(_CLEAR_BELOW)
        terminal.flush()

    def _label(self, letter: str) -> None:
        start = self.cursor if self.mark is None else self.mark
        self.page.label(self.rows[start], self.rows[self.cursor], letter)
        self.cursor, self.mark = max(start, self.cursor), None
        self._changed()
        self._move(1)

    def _changed(self) -> None:
        """Save what was changed at once, so that nothing is lost whatever happens."""
        self.session.keep(self.page)
        self.rows = self.page.rows()

    def _move(self, steps: int) -> None:
        self.cursor = min(max(self.cursor + steps, 0), len(self.rows) - 1)

    def _switch(self) -> None:
        """Show single pieces instead of lines, or lines again, with the cursor on the same text."""
        first = self.rows[self.cursor].first
        self.page.by_piece = not self.page.by_piece
        self.rows, self.mark = self.page.rows(), None
        self.cursor = max(place for place, row in enumerate(self.rows) if row.first <= first)

    def _to_next_label(self) -> None:
        """Move to the next row whose label differs from that of the row before it."""
        rest = self.session.labels.rest
        for place in range(self.cursor + 1, len(self.rows)):
            if self.rows[place].letters not in {rest, self.rows[place - 1].letters}:
                self.cursor = place
                return

    def _title(self) -> str:
        session, page = self.session, self.page
        left = len(session.remaining())
        site = session.corpus.pages[page.name].site
        return f"{site} · {page.name} · {left:,} to do, {session.saved:,} done now · {page.changes:,} corrected"

    def _structure(self) -> str:
        if not self.session.labels.has_articles:
            return ""
        errors = structure_errors(page_parts(self.page.document, self.page.letters))
        return f"structure: {describe_errors(errors)}" if errors else "structure: sound"

    def _row(self, terminal: Terminal, place: int, columns: int) -> None:
        if place >= len(self.rows):
            self._line(terminal, "", columns, "")
            return
        row, rest = self.rows[place], self.session.labels.rest
        marked = self.mark is not None and min(self.mark, self.cursor) <= place <= max(self.mark, self.cursor)
        sign = ">" if place == self.cursor else "|" if marked else " "
        letters = " " if row.letters == rest else row.letters[:2]
        tag = clip(row.tag, _TAG_COLUMNS)
        text = f"{sign} {letters:<2}{'*' if row.is_checked else ' '} {tag:<{_TAG_COLUMNS}} {strip_controls(row.text)}"
        style = _REVERSE if place == self.cursor or marked else self._colour(row.letters)
        self._line(terminal, text, columns, style)

    def _colour(self, letters: str) -> str:
        labels = [letter for letter in self.session.labels.names if letter != self.session.labels.rest]
        if letters[0] not in labels:
            return _FAINT
        return _COLOURS[labels.index(letters[0]) % len(_COLOURS)] if self.colours else _BOLD

    @staticmethod
    def _line(terminal: Terminal, text: str, columns: int, style: str, *, last: bool = False) -> None:
        shown = clip(text, columns)
        # A line that is shown in reverse is so in its whole width.
        shown += " " * (columns - width(shown)) if style == _REVERSE else ""
        terminal.control(style)
        terminal.write(shown)
        terminal.control(f"{_RESET}{_CLEAR_LINE}" if width(shown) < columns else _RESET)
        terminal.control("" if last else "\r\n")


def annotate_pages(session: AnnotationSession, terminal: Terminal, descriptor: int, *, colours: bool) -> Sequence[str]:
    """Annotate page after page until all are done or the person quits; return the reasons why pages were left out."""
    left_out: list[str] = []
    with keyboard.pressed(descriptor) as keys:
        terminal.control(_ENTER_SCREEN)
        try:
            step = NextStep.STAY
            while step is not NextStep.QUIT and (remaining := session.remaining()):
                try:
                    page = session.open(remaining[0])
                except InputError as error:
                    left_out.append(str(error))
                    session.skipped.add(remaining[0])
                    continue
                step = _annotate_page(AnnotationScreen(session, page, colours), terminal, keys)
                if step is NextStep.SAVE:
                    session.finish(page)
                elif step is NextStep.SKIP:
                    session.skip(page)
        finally:
            terminal.control(_LEAVE_SCREEN)
            terminal.flush()
    return left_out


def _annotate_page(screen: AnnotationScreen, terminal: Terminal, keys: keyboard.Keyboard) -> NextStep:
    size = keys.size
    screen.draw(terminal, size.columns, size.lines)
    for key in keys.presses():
        if key is None and keys.size == size:
            continue
        size = keys.size
        step = screen.press(key, size.lines) if key else NextStep.STAY
        if step is not NextStep.STAY:
            return step
        screen.draw(terminal, size.columns, size.lines)
    return NextStep.QUIT
