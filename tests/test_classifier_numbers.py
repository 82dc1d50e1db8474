"""Numbers in a stream: the window's raw numbers stay in step with the engine's codes, whatever happens to the edges."""

import numpy as np
import pytest

import tsdt.priced_engine
from test_classifier import SEARCHES, SLOW
from tsdt import TSDTClassifier
from tsdt.engine import WindowSearch
from tsdt.schema.edges import bin_codes


class RecordingSearch:
    """A window that holds codes and searches nothing; its tree cuts the first numeric attribute in two."""

    def __init__(self, batch_size, window, **settings):
        self.window, self.batch_size = window, batch_size
        self.codes, self.labels = np.empty((0, 0), np.uint16), np.empty(0, np.uint16)
        self.arities, self.ordered, self.n_classes = [], [], 0
        self.n_iter, self.recoded = 0, []

    def grow(self, arities, ordered, n_classes):
        assert ordered[: len(self.ordered)] == self.ordered
        assert all(new >= old for new, old in zip(arities, self.arities, strict=False))
        self.arities, self.ordered, self.n_classes = list(arities), list(ordered), n_classes
        new = np.zeros((len(self.codes), len(arities) - self.codes.shape[1]), np.uint16)
        self.codes = np.hstack([self.codes, new])

    def learn(self, codes, labels):
        assert len(codes) % self.batch_size == 0
        assert codes.flags.c_contiguous
        assert codes.dtype == labels.dtype == np.uint16
        assert (codes < np.array(self.arities)).all()
        self.n_iter += len(codes) // self.batch_size
        self.codes = np.vstack([self.codes, codes])[-self.window :]
        self.labels = np.concatenate([self.labels, labels])[-self.window :]

    def load(self, codes, labels):
        self.codes, self.labels = codes, labels

    def tree(self):
        return [(-1, -1, -1, [], [], np.bincount(self.labels, minlength=self.n_classes).tolist())]

    def state(self):
        return b""

    from_state = classmethod(lambda cls, state: cls())

    def search(self, visits, seconds, samples=0):
        return True

    def certificate(self):
        return 0.5, 0.5, True

    def held(self):
        return len(self.codes)

    def samples(self):
        return self.codes.copy(), self.labels

    def plant(self, tree):
        assert all(0 < child < len(tree) for node in tree for child in node[4])

    def recode(self, attributes, codes, arities):
        assert codes.shape == (self.held(), len(attributes))
        self.codes[:, attributes] = codes
        assert all(self.ordered[attribute] for attribute in attributes)
        for attribute, arity in zip(attributes, arities, strict=True):
            self.arities[attribute] = arity
        self.recoded.append(list(attributes))


@pytest.fixture
def recorded(monkeypatch):
    monkeypatch.setattr(tsdt.priced_engine, "make_search", lambda kind, **settings: RecordingSearch(**settings))

    def make(**settings):
        return TSDTClassifier(**{"batch_size": 50, "window": 1000, "bins": 8, "random_state": 0, **settings})

    return make


def engine_of(model):
    return model._learner.engine


def codes_now(model, name, values):
    edges = next(a.edges for a in model.schema_.attributes if a.name == name and a.is_numeric)
    return bin_codes(np.asarray(values, dtype=float)[-engine_of(model).held() :], np.array(edges)).tolist()


def test_the_recording_search_fits_the_seam():
    assert isinstance(RecordingSearch(1, 1), WindowSearch)


@pytest.mark.parametrize("chunk", [1, 50, 73, 5000])
def test_codes_follow_the_edges_when_the_numbers_drift(recorded, chunk):
    numbers = np.random.default_rng(0).normal(size=5000) + np.arange(5000) / 500
    text = np.array(["a", "b"] * 2500)
    y = np.arange(5000) % 2
    model = recorded()
    for start in range(0, 5000, chunk):
        part = slice(start, start + chunk)
        model.learn_many({"text": text[part], "n": numbers[part]}, y[part])
    engine = engine_of(model)
    assert len(engine.recoded) >= 3
    assert engine.held() == 1000
    assert engine.codes[:, 1].tolist() == codes_now(model, "n", numbers)
    shares = np.bincount(engine.codes[:, 1])[1:] / 1000
    assert shares.max() < 2.5 / 8


def test_edges_stay_when_the_numbers_do(recorded):
    numbers = np.random.default_rng(0).normal(size=20_000)
    model = recorded(window=20_000).learn_many({"n": numbers}, np.arange(20_000) % 2)
    assert len(engine_of(model).recoded) <= 3


def test_declared_edges_never_move(recorded):
    numbers = np.arange(5000.0)
    model = recorded(schema={"n": {"edges": [10, 20]}}).learn_many({"n": numbers}, np.arange(5000) % 2)
    assert engine_of(model).recoded == []
    assert model.schema_.attributes[0].edges == (10.0, 20.0)


@pytest.mark.parametrize("chunk", [50, 64, 3000])
def test_few_whole_numbers_that_become_many_turn_numeric(recorded, chunk):
    random = np.random.default_rng(0)
    counts = np.concatenate([random.integers(0, 5, 100), random.integers(0, 300, 2900)])
    stays = random.integers(0, 5, 3000)
    model = recorded()
    for start in range(0, 3000, chunk):
        part = slice(start, start + chunk)
        model.learn_many({"stays": stays[part], "counts": counts[part]}, stays[part] % 2)
    assert [(a.name, a.kind) for a in model.schema_.attributes] == [
        ("stays", "categorical"),
        ("counts", "categorical"),
        ("counts", "numeric"),
    ]
    assert "more than at first" in str(model.schema_)
    assert engine_of(model).ordered == [False, False, True]
    assert engine_of(model).codes[:, 2].tolist() == codes_now(model, "counts", counts)
    with pytest.raises(ValueError, match="column 'counts' holds numbers"):
        model.learn_one({"stays": 1, "counts": "text"}, 0)


def test_whole_numbers_with_text_among_them_stay_categories(recorded):
    model = recorded().learn_many({"c": [1, 2] * 50}, [0, 1] * 50)
    model.learn_many({"c": ["text", *range(49)] * 40}, [0, 1] * 1000)
    assert model.schema_.attributes[0].kind == "categorical"


def test_probation_ends(recorded):
    model = recorded().learn_many({"c": [1, 2] * 20_000}, [0, 1] * 20_000)
    assert model._learner._feed.revisions.held.tracked == ()


def test_a_number_that_comes_late(recorded):
    y = np.arange(3000) % 2
    numbers = np.random.default_rng(0).normal(size=3000)
    numbers[:777] = np.nan
    model = recorded(window=3000).learn_many({"c": y, "late": numbers}, y)
    engine = engine_of(model)
    assert engine.codes[:, 1].tolist() == codes_now(model, "late", numbers)
    assert (engine.codes[:777, 1] == 0).all()


def test_streaming_on_after_fit(recorded):
    random = np.random.default_rng(0)
    first, more = random.normal(size=1234), random.normal(5, size=3000)
    model = recorded().fit({"n": first}, np.arange(1234) % 2)
    model.learn_many({"n": more}, np.arange(3000) % 2)
    assert engine_of(model).recoded
    assert engine_of(model).codes[:, 0].tolist() == codes_now(model, "n", np.concatenate([first, more]))


def test_edges_in_use_are_kept(recorded):
    numbers = np.random.default_rng(0).normal(size=1000)
    model = recorded().learn_many({"n": numbers[:50]}, np.arange(50) % 2)
    engine, edge = engine_of(model), model.schema_.attributes[0].edges[3]
    engine.tree = lambda: [(0, 4, -1, [], [1, 2], [1, 1]), (-1, -1, -1, [], [], [1, 0]), (-1, -1, -1, [], [], [0, 1])]
    assert model.tree_.nodes[0].threshold == edge
    model._learner.changed()
    model.learn_many({"n": numbers[50:] + 1}, np.arange(950) % 2)
    assert engine.recoded
    assert edge in model.schema_.attributes[0].edges


# -- with the search itself -------------------------------------------------------------------------------------------

needs_branches = pytest.mark.skipif("branches" not in SEARCHES, reason="the engine has no search over branches")


@needs_branches
def test_fit_finds_the_exact_threshold():
    X = np.random.default_rng(0).random((2000, 2))
    model = TSDTClassifier(random_state=0, time_limit=10).fit(X, X[:, 0] > 0.4321)
    assert model.tree_.n_splits == 1
    assert model.score(X, X[:, 0] > 0.4321) == 1.0
    assert model.certificate_.proven


@needs_branches
def test_a_stream_closes_in_on_the_threshold():
    X = np.random.default_rng(0).random((5000 if SLOW else 20_000, 2))
    y = X[:, 0] > 0.4321
    model = TSDTClassifier(random_state=0, effort=5).learn_many(X, y)
    assert model.tree_.n_splits == 1
    assert model.score(X, y) > 0.995


@needs_branches
def test_missing_against_known():
    numbers = np.random.default_rng(0).random(400)
    numbers[::3] = np.nan
    model = TSDTClassifier(random_state=0, time_limit=10).fit({"n": numbers}, np.isnan(numbers))
    assert model.tree_.n_splits == 1
    assert model.tree_.nodes[0].threshold == np.inf
    assert model.predict({"n": [0.5, None, 1e9, -1e9]}).tolist() == [False, True, False, False]
    assert str(model.tree_)


@needs_branches
@pytest.mark.parametrize("missing_class", [0, 1])
def test_missing_numbers_go_where_they_do_best(missing_class):
    random = np.random.default_rng(0)
    numbers = random.random(1000)
    y = (numbers > 0.5).astype(int)
    missing = random.random(1000) < 0.2
    numbers[missing], y[missing] = np.nan, missing_class
    model = TSDTClassifier(random_state=0, time_limit=10).fit({"n": numbers}, y)
    assert model.tree_.n_splits == 1
    assert model.predict_one({"n": None}) == missing_class
    assert model.score({"n": numbers}, y) > 0.99


@needs_branches
def test_improving_goes_on_without_samples():
    X = np.random.default_rng(0).integers(0, 3, (300, 6))
    y = (X.sum(axis=1) > 6).astype(int)
    model = TSDTClassifier(split_cost=0.005, random_state=0, max_iter=3).fit(X, y)
    before = model.certificate_
    assert isinstance(model.improve(seconds=0.3), bool)
    assert model.certificate_.value >= before.value
    assert model.certificate_.upper <= before.upper
