"""The drafters of a loaded model with what they learnt while drafting: found, used, undone, removed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from quire_engine.api.book_learned import BookLearned
from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.queries import ChangeLearned, LearnedViewed, ViewLearned
from quire_engine.api.user_message import UserMessage, joined
from quire_engine.drafting import book_drafter
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureWeights
from quire_engine.drafting.learned_file import Learned, LearnedFrom, LearnedVersions, digest_of
from quire_engine.models import loading
from quire_engine.runtime.drafter_factory import automatic_sources
from quire_engine.runtime.loaded_model import LoadedModel
from quire_engine.runtime.online_learning import WORTH_JOINING, OnlineLearner
from quire_engine.training.first_drafter import FirstDrafter

NOTHING_TO_SAY = UserMessage("")


def with_learned(loaded: LoadedModel, config: ModelConfig) -> LoadedModel:
    """Return the model with what it learnt, and with what goes on learning, where that is asked for."""
    if not config.learning_folder:
        return loaded
    identity = loaded.description.identity
    prepared = digest_of(None if loaded.trained is None else loaded.trained.feature)
    versions = LearnedVersions(
        Path(config.learning_folder), identity.fingerprint, identity.tokenizer, prepared
    )
    loaded = replace(loaded, prepared=loaded.trained, versions=versions)
    loaded, learned = _found(loaded, versions)
    loaded = _using(loaded, learned)
    return _learning(loaded, config, _start_of(loaded, learned)) if config.learns else loaded


def with_learning(loaded: LoadedModel, config: ModelConfig) -> LoadedModel:
    """Return the model with or without what goes on learning; what was learnt stays in use."""
    versions, learner = loaded.versions, loaded.learner
    if versions is None or config.learns == (learner is not None):
        return loaded
    if learner is None:
        start = None if loaded.trained is None else loaded.trained.feature
        if start is None:  # one that began from nothing may not have joined yet
            loaded, learned = _found(loaded, versions)
            start = _start_of(loaded, learned)
        return _learning(loaded, config, start)
    with learner.waiting():
        learner.settle()
        learner.close()
        trained = learner.pop_fresh() or loaded.trained
        return replace(loaded, trained=trained, about=learner.about, learner=None)


def _found(loaded: LoadedModel, versions: LearnedVersions) -> tuple[LoadedModel, Learned | None]:
    """Return the version in use; the model's notice says why one is not used."""
    try:
        return loaded, versions.find()
    except EnvironmentProblem as problem:
        said = loaded.description.notice
        notice = said if problem.message in said else joined(said, problem.message)
        return replace(loaded, description=replace(loaded.description, notice=notice)), None


def _learning(loaded: LoadedModel, config: ModelConfig, start: FeatureWeights | None) -> LoadedModel:
    """Return the model with what goes on learning, where that is possible.

    start: None: from the very beginning.
    """
    network = loaded.target.network
    first: FeatureWeights | FirstDrafter | None = start
    if first is None and network.device.type == "cpu":
        cache_folder = Path(config.cache_folder) if config.cache_folder else None
        folder = loading.inspect_folder(Path(config.folder), cache_folder)
        first = FirstDrafter(folder, network, loaded.suppressed)
    if first is None or loaded.versions is None or not OnlineLearner.can_learn(first, network):
        return loaded
    learner = OnlineLearner(_drafters_of(loaded), first, network, loaded.versions, about_of(loaded))
    return replace(loaded, learner=learner)


def _start_of(loaded: LoadedModel, learned: Learned | None) -> FeatureWeights | None:
    """Return what learning goes on from: what was learnt, or else prepared; None for a new beginning."""
    if learned is not None:
        return learned.drafters.feature
    return None if loaded.trained is None else loaded.trained.feature


def _drafters_of(loaded: LoadedModel) -> TrainedDrafters:
    return loaded.trained or TrainedDrafters(loaded.description.identity.fingerprint)


def about_of(loaded: LoadedModel) -> LearnedFrom:
    """Return what the drafters in use were learnt from; version 0 for nothing."""
    if loaded.learner is not None:
        return loaded.learner.about
    if loaded.about is not None:
        return loaded.about
    prepared = None if loaded.prepared is None else loaded.prepared.feature
    return LearnedFrom(loaded.description.identity.tokenizer, digest_of(prepared), 0, 0, 1.0, 1.0)


def view_learned(loaded: LoadedModel | None, query: ViewLearned | ChangeLearned) -> Iterator[LearnedViewed]:
    """Yield what was learnt so far."""
    if loaded is None or loaded.versions is None:
        yield LearnedViewed(query.query_id)
        return
    about = about_of(loaded)
    yield LearnedViewed(
        query.query_id,
        state="off" if loaded.learner is None else loaded.learner.state,
        version=about.version,
        num_tokens=about.num_tokens,
        before=about.before,
        now=about.now,
        has_before=loaded.versions.has_before,
        has_any_file=loaded.versions.has_any,
        is_used=about.version > 0 and loaded.trained is not None and loaded.trained.feature is not None,
    )


def change_learned(loaded: LoadedModel, change: Literal["undo", "remove"]) -> LoadedModel:
    """Return the model with the version before, or with what was prepared; EnvironmentProblem where the
    files cannot be changed."""
    versions = loaded.versions
    if versions is None:
        return loaded
    if loaded.learner is not None:
        loaded.learner.settle()
    try:
        versions.undo() if change == "undo" else versions.remove()
    except OSError as error:
        raise EnvironmentProblem(
            "What was learned could not be removed ({reason}). Close other programs that use its file.",
            reason=error.strerror or error,
        ) from error
    loaded, learned = _found(loaded, versions)
    loaded = _using(loaded, learned)
    if loaded.learner is not None:
        about = about_of(replace(loaded, learner=None))
        loaded.learner.restart(_drafters_of(loaded), _start_of(loaded, learned), about)
    return loaded


def with_book(loaded: LoadedModel, learned: BookLearned) -> tuple[LoadedModel, UserMessage]:
    """Return the model with what was learnt from a book, and why that is not used; empty where it is.

    Another book, or one of which nothing is kept, goes on from what is kept with the model.
    """
    if loaded.versions is None or learned == loaded.book:
        return loaded, NOTHING_TO_SAY
    versions, is_first = loaded.versions, not loaded.book.book
    loaded = replace(loaded, book=learned)
    if is_first and not learned.data:
        return loaded, NOTHING_TO_SAY
    if loaded.learner is not None:
        loaded.learner.settle()
    said = NOTHING_TO_SAY
    prepared = None if loaded.prepared is None else loaded.prepared.feature
    feature: FeatureWeights | None = None
    start = prepared
    try:
        found = versions.find()
        loaded, start = _using(loaded, found), _start_of(loaded, found)
        base = prepared if loaded.trained is None else loaded.trained.feature
        fingerprint = loaded.description.identity.fingerprint
        if learned.data:
            feature = book_drafter.unpacked(learned.data, base, fingerprint)
    except EnvironmentProblem as problem:
        said = problem.message
    about = about_of(replace(loaded, learner=None))
    if feature is not None and loaded.trained is not None:
        about = replace(about, version=learned.version, num_tokens=learned.num_tokens)
        loaded = replace(loaded, trained=replace(loaded.trained, feature=feature), about=about)
        start = feature
    if loaded.learner is not None:
        loaded.learner.restart(_drafters_of(loaded), start, about)
    return loaded, said


def collect_learned(loaded: LoadedModel) -> LoadedModel | None:
    """Return the model with what its book is to keep of what was learnt; None where that is not new."""
    if loaded.learner is None or not loaded.book.book:
        return None
    about, data = loaded.learner.pop_packed()
    if not data:
        return None
    book, fingerprint = loaded.book.book, loaded.description.identity.fingerprint
    return replace(loaded, book=BookLearned(book, fingerprint, about.version, about.num_tokens, data))


def _using(loaded: LoadedModel, learned: Learned | None) -> LoadedModel:
    """Return the model with a version of what was learnt in place of the drafter that was prepared.

    One that began from nothing joins once it is worth a trial.
    """
    trained = loaded.prepared
    has_one = trained is not None and trained.feature is not None
    if learned is not None and (has_one or learned.about.now >= WORTH_JOINING):
        heads = None if trained is None else trained.heads
        trained = TrainedDrafters(learned.drafters.fingerprint, heads, learned.drafters.feature)
    has_small = loaded.draft_model is not None
    drafters = automatic_sources(loaded.target, trained, has_draft_model=has_small)
    description = replace(loaded.description, drafters=drafters)
    about = None if learned is None else learned.about
    return replace(loaded, trained=trained, description=description, about=about)
