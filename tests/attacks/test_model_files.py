"""Model files that someone has changed: each is refused with the one error for that, or can be used."""

import io
import json
import random
import struct
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.errors import InputError
from broadsheet.document import parse
from broadsheet.learning.c45 import C45Classifier
from broadsheet.models import arrays, model_files, net
from broadsheet.models.arrays import from_text, pack, unpack
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from broadsheet.reading import profiles, readers, trained
from broadsheet.reading.lines import line_kinds
from broadsheet.reading.lines.line_features import COLUMNS, measure
from broadsheet.reading.lines.line_kinds import KINDS, load_kinds
from broadsheet.reading.lines.lines import find_lines
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.measured_lines import kept_lines, load_vocabulary, shipped_kinds
from broadsheet.reading.reader_files import load_reader, reader_from_bytes, trained_bytes
from broadsheet.training.line_model._net_fitting import fold_scale
from broadsheet.training.line_model._net_weights import NetSettings, initial_weights
from tests.learning.datasets import DATA
from tests.models import samples, test_net
from tests.reading.profiles.site import page

FEW, MANY = 300, 10_000
DAY = date(2026, 3, 2)
PAGE = parse(page(1))


#: What a header or JSON may hold, but not there.
ODDITIES = (b"-1", b"99999999999", b"'O'", b"(", b"{", b'"\\ud800"', b"1e999")


@dataclass(frozen=True)
class Kind:
    """Files of one kind: a sound one, and what loads and uses it."""

    content: bytes
    use: Callable[[Path], None]


def use_trees(path: Path) -> None:
    model = model_files.load(path)
    features = len(model.card.features)
    rows = np.array([np.zeros(features), np.full(features, np.nan), np.full(features, np.inf)])
    assert np.isfinite(model.probabilities(rows)).all()
    assert np.isfinite(model.contributions(rows)).all()


def use_net(path: Path) -> None:
    model = net.load(path)
    rows, words, counts, lengths = test_net.lines(3)
    if rows.shape[1] != len(model.card.features):
        return
    known = min(test_net.WORDS, len(model.words))
    counts = counts if known == test_net.WORDS else np.zeros_like(counts)
    assert np.isfinite(model.probabilities(rows, words, counts, lengths)).all()


def use_vocabulary(path: Path) -> None:
    words = load_vocabulary(path)
    lines = find_lines(PAGE)
    measured = measure(PAGE, lines, (None, "A title"), words)
    held = np.arange(measured.words.shape[1]) < measured.counts[:, None]
    assert ((measured.words >= 0) & (measured.words < words.size))[held].all()


def use_kinds(path: Path) -> None:
    loaded = load_kinds(path)
    lines, measured = kept_lines(PAGE)
    measured = replace(measured, counts=np.minimum(measured.counts, 0))
    for kind in KINDS:
        assert np.isfinite(loaded.scores(kind, lines.first.tolist(), lines, measured)).all()


def use_reader(path: Path) -> None:
    read = reader_from_bytes(path.read_bytes())
    reading = read(PAGE)
    assert len(reading.labels) == len(PAGE.pieces)
    assert np.isfinite(reading.scores).all()


def tiny_reader() -> bytes:
    """A model of the default reader with a small vocabulary and one narrow net."""
    words = Vocabulary.build(["story", "body", "nav"], ["the", ">more", "=read on", "and"])
    rng = np.random.default_rng(4)
    weights = initial_weights(len(COLUMNS), words.size, NetSettings(width=6, hidden=5, reaches=(1, 2), heads=2), rng)
    scale = np.zeros(len(COLUMNS), np.float32), np.ones(len(COLUMNS), np.float32)
    card = Card(name="lines-1", version=2, features=COLUMNS, classes=("body",), training="none")
    return trained_bytes(trained.Models((net.Net(card, *fold_scale(weights, scale), (1, 2)),), words))


def use_c45(path: Path) -> None:
    tree = C45Classifier.load(path)
    columns = len(tree.categories_)
    asked = np.vstack([np.zeros(columns), np.full(columns, np.nan)])
    assert np.isfinite(tree.predict_proba(asked)).all()
    assert tree.to_text()


def use_profile(path: Path) -> None:
    profile = profiles.load(path)
    profile.apply(PAGE, readers.read(PAGE, "coreex"))
    assert profile.describe()
    profiles.save(profile, path)


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Kind]:
    folder = tmp_path_factory.mktemp("models")
    data = DATA["mixed and missing"]()
    C45Classifier(nominal=[0, 1]).fit(data.table, data.classes).save(folder / "tree.npz")
    profiles.save(profiles.induce([page(number) for number in range(4)], day=DAY), folder / "profile.json")
    words = pack({"names": from_text("story\nbody\nnav"), "texts": from_text("the\n>more\n=read on\nand")})
    return {
        "trees": Kind(model_files.to_bytes(samples.sample(link="softmax")), use_trees),
        "net": Kind(net.to_bytes(test_net.net()), use_net),
        "vocabulary": Kind(words, use_vocabulary),
        "line kinds": Kind(line_kinds.to_bytes(shipped_kinds()), use_kinds),
        "reader": Kind(tiny_reader(), use_reader),
        "c45": Kind((folder / "tree.npz").read_bytes(), use_c45),
        "profile": Kind((folder / "profile.json").read_bytes(), use_profile),
    }


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Change a file: its bytes, or, where it is an archive, the bytes of a member under a sound checksum."""
    if content.startswith(b"PK") and chance.random() < 0.7:
        return _with_member_changed(content, chance)
    return _noisy(content, chance)


def _noisy(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        place, length = chance.randrange(len(data) + 1), chance.randint(1, 8)
        match chance.randrange(5):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                data[place : place + length] = chance.choice((b"\0", b"\xff")) * length
            case 2:
                del data[place : place + length]
            case 3:
                data[place:place] = data[place : place + length]
            case _:
                data[place : place + 1] = chance.choice(ODDITIES)
    return bytes(data) or b"\0"


def _with_member_changed(content: bytes, chance: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(member.filename, archive.read(member)) for member in archive.infolist()]
    number = chance.randrange(len(members))
    name, data = members[number]
    match chance.randrange(4):
        case 0 | 1:
            members[number] = (name, _noisy(data, chance))
        case 2:
            # Numbers alone, such as weights that are huge or distances that are far.
            values = struct.pack("<f", chance.choice((1e38, -1e38, np.inf, np.nan, 0.0))), struct.pack("<i", 2**31 - 1)
            place = chance.randrange(128, max(129, len(data) - 3))
            members[number] = (name, data[:place] + chance.choice(values) + data[place + 4 :])
        case _:
            members[number] = (name, members[chance.randrange(len(members))][1])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def attack(kind: Kind, path: Path, count: int, seed: int) -> int:
    """Use so many changed files; return how many could be used."""
    chance, used = random.Random(seed), 0
    for _ in range(count):
        content = mutated(kind.content, chance)
        path.write_bytes(content)
        try:
            kind.use(path)
        except InputError:
            continue
        except Exception as error:
            error.add_note(f"with the file {content!r}")
            raise
        used += 1
    return used


NAMES = ["trees", "net", "vocabulary", "reader", "c45", "profile"]


@pytest.mark.parametrize("name", NAMES)
def test_intact_files_can_be_used(kinds: dict[str, Kind], tmp_path: Path, name: str) -> None:
    (tmp_path / "model").write_bytes(kinds[name].content)

    kinds[name].use(tmp_path / "model")

    assert (tmp_path / "model").read_bytes() == kinds[name].content


@pytest.mark.parametrize("name", NAMES)
def test_changed_files_are_refused_or_can_be_used(kinds: dict[str, Kind], tmp_path: Path, name: str) -> None:
    assert 0 < attack(kinds[name], tmp_path / "model", FEW, seed=1) < FEW


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_very_many_changed_files_are_refused_or_can_be_used(kinds: dict[str, Kind], tmp_path: Path, name: str) -> None:
    assert 0 < attack(kinds[name], tmp_path / "model", MANY, seed=2) < MANY


def archived(*members: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def stored(array: np.ndarray, header: Callable[[bytes], bytes] = bytes) -> bytes:
    packed = io.BytesIO()
    np.save(packed, array, allow_pickle=True)
    return header(packed.getvalue())


def bad_members() -> Iterator[tuple[str, bytes]]:
    yield "no array at all", b"just some text"
    yield "nothing", b""
    yield "objects", stored(np.array([{}], dtype=object))
    yield "a record", stored(np.zeros(2, [("a", "i4")]))
    yield "a time", stored(np.zeros(2, "M8[s]"))
    yield "more declared than there is", stored(np.zeros(10), lambda data: data.replace(b"(10,), }  ", b"(10000,), "))
    yield "a negative size", stored(np.zeros(10), lambda data: data.replace(b"(10,), }", b"(-1,), } "))
    yield "a huge text", stored(np.zeros(1, "U1"), lambda data: data.replace(b"<U1'", b"<U99999999'"))


@pytest.mark.parametrize("member", [pytest.param(member, id=what) for what, member in bad_members()])
def test_a_member_that_is_no_array_of_numbers_or_text_is_refused(member: bytes) -> None:
    with pytest.raises(ModelError):
        unpack(archived(("names.npy", member)), ["names"])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused() -> None:
    one = stored(np.zeros(3))

    with pytest.raises(ModelError, match="two with the same name"):
        unpack(archived(("names.npy", one), ("names.npy", one)), ["names"])
    with pytest.raises(ModelError, match="two with the same name"):
        unpack(archived(("names.npy", one), ("names", one)), ["names"])


def test_a_small_file_that_unpacks_to_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MAX_BYTES", 1_000_000)
    bomb = archived(("names.npy", stored(np.zeros(1_000_000))))
    assert len(bomb) < 100_000

    with pytest.raises(ModelError, match="unpacks to"):
        unpack(bomb, ["names"])


def test_a_file_of_too_many_arrays_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MAX_ARRAYS", 3)

    with pytest.raises(ModelError, match="more than 3"):
        unpack(pack({str(number): np.zeros(1) for number in range(4)}))


def test_a_net_that_looks_too_far_is_refused() -> None:
    with pytest.raises(ModelError, match="distance from 1 to"):
        replace(test_net.net(), reaches=(1, 2**31 - 1))


def test_a_net_that_is_too_wide_or_too_deep_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net, "MAX_LAYERS", 1)
    with pytest.raises(ModelError, match="wider than"):
        test_net.net()
    monkeypatch.setattr(net, "MAX_WIDTH", 3)
    with pytest.raises(ModelError, match="wider than"):
        test_net.net((1,))


def test_a_net_whose_sums_overflow_is_refused_when_it_is_used() -> None:
    sound = test_net.net()
    huge = replace(sound.weights, layers=np.full_like(sound.weights.layers, 3e38))

    with pytest.raises(ModelError, match="overflow"):
        replace(sound, weights=huge).probabilities(*test_net.lines(3))


def test_arrays_that_lie_column_by_column_can_be_used(tmp_path: Path) -> None:
    content = net.to_bytes(test_net.net())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(member.filename, np.load(io.BytesIO(archive.read(member)))) for member in archive.infolist()]
    (tmp_path / "net.npz").write_bytes(archived(*((name, stored(np.array(one, order="F"))) for name, one in members)))

    again = net.load(tmp_path / "net.npz")

    assert np.array_equal(again.probabilities(*test_net.lines(3)), test_net.net().probabilities(*test_net.lines(3)))


def test_a_profile_with_half_a_character_or_a_count_beyond_all_is_refused(kinds: dict[str, Kind]) -> None:
    values = json.loads(kinds["profile"].content)

    with pytest.raises(InputError, match="lone surrogates"):
        profiles._profile_files.from_dict({**values, "reader": "\ud800"})
    with pytest.raises(InputError, match="must be an integer from 0"):
        profiles._profile_files.from_dict({**values, "pages": 10**30})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"reader": from_text("oracle")}, "the model is of the reader 'oracle'; known are default"),
        ({"reader-format": np.array(2, "<i4")}, "the model's format is not 1"),
        ({"nets": np.array(99, "<i4")}, "needs 1 to 8 nets"),
        ({"nets": np.array(2, "<i4")}, "has no array"),
        ({"names": from_text("story")}, "other features or words"),
    ],
)
def test_a_reader_of_another_kind_or_version_is_named_with_its_file(
    tmp_path: Path, changed: dict[str, np.ndarray], message: str
) -> None:
    (tmp_path / "mine.npz").write_bytes(pack({**unpack(tiny_reader()), **changed}))

    with pytest.raises(ModelError, match=r"mine\.npz: ") as raised:
        load_reader(tmp_path / "mine.npz")

    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_reader_that_is_cut_short_or_missing_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine.npz").write_bytes(tiny_reader()[:-100])

    for path in (tmp_path / "mine.npz", tmp_path / "none.npz"):
        with pytest.raises(ModelError, match=path.name):
            load_reader(path)
