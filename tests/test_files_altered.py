"""Files that are cut, altered or something else altogether: one kind of error, which names the file and the remedy."""

import json
import pickle
import random
import struct

import pytest

import tsdt
from test_files import learn, model_of, stream
from tsdt import ModelFileError
from tsdt.engine import engine_name
from tsdt.files import container, from_bytes, to_bytes
from tsdt.version import VERSION


@pytest.fixture(scope="module", params=["branches", "trees"])
def whole(request):
    return to_bytes(learn(model_of(request.param), stream(130)))


def assert_refused(content):
    with pytest.raises(ModelFileError, match=r"^m\.tsdt (is|was|has|does not) .*(; |: it is of )\w+"):
        from_bytes(content, "m.tsdt")


def test_cut_short_anywhere(whole):
    for length in [*range(120), *random.Random(0).sample(range(len(whole)), 500)]:
        assert_refused(whole[:length])


def test_any_byte_altered(whole):
    draw = random.Random(1)
    for _ in range(4000):
        content, place = bytearray(whole), draw.randrange(len(whole) if draw.random() < 0.8 else 60)
        content[place] ^= draw.randrange(1, 256)
        assert_refused(bytes(content))


def test_bytes_inserted_removed_and_swapped(whole):
    draw = random.Random(2)
    for _ in range(1000):
        i, j = sorted(draw.sample(range(len(whole)), 2))
        for content in (whole[:i] + whole[j:], whole[:i] + draw.randbytes(j - i or 1) + whole[i:]):
            assert_refused(content)


FOREIGN = {
    "nothing": b"",
    "text": b"outlook,windy\nsun,yes\n",
    "a pickle": pickle.dumps({"model": 1}),
    "a picture": b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
    "random": random.Random(3).randbytes(1000),
    "a model copied as text": None,
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files(name, whole, tmp_path):
    content = FOREIGN[name] if FOREIGN[name] is not None else whole.replace(b"\r\n", b"\n")
    path = tmp_path / "thing.tsdt"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"thing\.tsdt is (no model of tsdt.*model\.save|cut short)"):
        tsdt.load(path)


def test_other_versions(whole, monkeypatch):
    monkeypatch.setattr(container, "VERSION", 9)
    newer = container.wrap(whole[52:])
    with pytest.raises(ModelFileError, match="format 1, this tsdt reads format 9: it is of an older tsdt"):
        from_bytes(whole)
    monkeypatch.undo()
    with pytest.raises(ModelFileError, match="format 9, this tsdt reads format 1: it is of a newer tsdt; upgrade"):
        from_bytes(newer)


def test_other_versions_with_another_header(whole):
    other = whole[:10] + (9).to_bytes(2, "little") + whole[30:]
    with pytest.raises(ModelFileError, match="format 9, this tsdt reads format 1: it is of a newer tsdt; upgrade"):
        from_bytes(other)


def test_another_version_with_the_same_format_is_named(whole):
    content = whole[52:].replace(f'"tsdt","{VERSION}"'.encode(), b'"tsdt","0.9.9"').replace(b'"n_seen"', b'"n_SEEN"')
    with pytest.raises(ModelFileError, match=rf"tsdt 0\.9\.9 has written it, this is {VERSION}: load it there"):
        from_bytes(container.wrap(content))


# What follows has a checksum that fits: made by hand, not by accident. It is refused, or it is a model that works.


def load_or_refuse(content):
    try:
        return from_bytes(container.wrap(content), "m.tsdt").model
    except ModelFileError as error:
        assert "does not hold together" in str(error)
        return None


MORE = stream(30, seed=9)


def times(n):
    """How often to try; the plain engine takes its time."""
    return n if engine_name() == "rust" else n // 10


def use(model):
    """All that a model is asked for; one without its engine says that it cannot learn."""
    if model is None or not model.__sklearn_is_fitted__():
        return
    rows = [x for x, _ in MORE]
    assert len(model.predict(rows)) == len(model.predict_proba(rows)) == len(rows)
    assert model.predict_one(rows[0]) in model.classes_.tolist()
    for part in (
        model.tree_,
        model.schema_,
        model.certificate_,
        model.split_cost_choice_,
        model.tree_.explain(rows[0]),
    ):
        assert str(part)
    assert len(model.feature_importances_) == model.n_features_in_
    try:
        learn(model, MORE)
    except RuntimeError as error:
        assert "so it cannot learn; load it where" in str(error)
    assert from_bytes(to_bytes(model)).model.predict_one(rows[0]) == model.predict_one(rows[0])


@pytest.fixture(scope="module", params=["branches", "trees", "adaptive"])
def parts(request):
    """A document and the blobs after it."""
    content = to_bytes(learn(model_of(request.param), stream(130)))[52:]
    (length,) = struct.unpack_from("<Q", content)
    return content[8 : 8 + length], content[8 + length :]


def joined(text, blobs):
    return struct.pack("<Q", len(text)) + text + blobs


pytestmark = pytest.mark.filterwarnings("ignore:the model predicts but cannot learn")


def test_altered_with_a_checksum_that_fits(parts):
    draw, (text, blobs) = random.Random(4), parts
    for _ in range(times(800)):
        altered = bytearray(text)
        for _ in range(draw.randint(1, 4)):
            altered[draw.randrange(len(altered))] = draw.choice(b'{}[]",:0123456789abcdefnull')
        use(load_or_refuse(joined(bytes(altered), blobs)))


def test_altered_blobs_with_a_checksum_that_fits(parts):
    draw, (text, blobs) = random.Random(6), parts
    for _ in range(times(150)):
        altered = bytearray(blobs)
        for _ in range(draw.randint(1, 3)):
            altered[draw.randrange(len(altered))] ^= draw.randrange(1, 256)
        use(load_or_refuse(joined(text, bytes(altered))))


def _places(document, found):
    if isinstance(document, (list, dict)):
        for key, value in list(document.items() if isinstance(document, dict) else enumerate(document)):
            found.append((document, key))
            _places(value, found)
    return found


STRANGE = [None, True, -1, 0, 2**70, 1.5, "", "x", [], {}, [[]], {"object": 0}, {"object": -1}, {"blob": 10**9}]
STRANGE += [{"tuple": 3}, {"dict": [[1, 2]]}, {"numpy": ["O", "AAAA"]}, {"array": ["|O", [1], 0]}, {"no such": 1}]
STRANGE += [{"array": ["<f8", [10**12], 0]}, {"array": ["<f8", [-1], 0]}, {"function": "eval"}, {"a": 1, "b": 2}]
STRANGE += [{"datetime": ["x", 0, "../../etc/passwd"]}, {"numpy": ["<U1000000000", ""]}, {"Learner": []}]


def test_any_part_replaced_by_something_strange(parts):
    draw, (text, blobs) = random.Random(5), parts
    for _ in range(times(600)):
        document = json.loads(text)
        holder, key = draw.choice(_places(document, []))
        holder[key] = draw.choice(STRANGE)
        use(load_or_refuse(joined(json.dumps(document).encode(), blobs)))


def test_any_part_replaced_by_another_part(parts):
    draw, (text, blobs) = random.Random(7), parts
    for _ in range(times(300)):
        document = json.loads(text)
        (holder, key), (other, place) = draw.choices(_places(document, []), k=2)
        holder[key] = json.loads(json.dumps(other[place]))
        use(load_or_refuse(joined(json.dumps(document).encode(), blobs)))


def test_deep_nesting_is_refused():
    for text in (b"[" * 100_000, b'{"root":' + b'{"tuple":[' * 5000 + b"]}" * 5000 + b',"objects":[],"blobs":[]}'):
        assert load_or_refuse(struct.pack("<Q", len(text)) + text) is None
