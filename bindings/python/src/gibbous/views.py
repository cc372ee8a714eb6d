"""What a model contains: data frames, diagnosis, ArviZ, pyLDAvis, notebooks."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from gibbous import _option_types, diagnosis, frames, html, inference_data, ldavis, topic_frames
from gibbous._library import ffi, library
from gibbous._public import short_errors_of, with_options
from gibbous.explanation import Explanation, explain
from gibbous.predicted_draws import PredictedDraws, predict_draws
from gibbous.prevalence import Prevalence, prevalence
from gibbous.progress import on_apply
from gibbous.report import report
from gibbous.tables import Table, ask, needs_of, options_of

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from xarray import DataTree

    from gibbous._option_types import EstimateOptions, ExplainOptions
    from gibbous.model import Model

__all__ = ["Views"]

_SCORES = library.GB_NEEDS_EVALUATION | library.GB_NEEDS_SCORES


@short_errors_of
class Views:
    """Methods of a model that read what it contains; modules that they name have the details."""

    @property
    def _model(self) -> Model:
        return cast("Model", self)

    @property
    def n_folds(self) -> int:
        """Folds of cross-fitted effects; 0 without."""
        return int(library.gb_model_n_folds(self._model._pointer))

    @property
    def n_groups(self) -> int:
        """Groups of documents that the prior knows; 0 without."""
        return int(library.gb_model_n_groups(self._model._pointer))

    @property
    def has_pseudo_posterior(self) -> bool:
        """True if coefficients have no posterior of a likelihood: their intervals say little."""
        return bool(library.gb_model_has_pseudo_posterior(self._model._pointer))

    def table(
        self,
        question: str,
        data: Any = None,
        *,
        earlier: Model | None = None,
        frame: str | None = None,
        **options: Any,
    ) -> Any:
        """The answer to a question (:func:`gibbous.questions`) as a data frame.

        Parameters
        ----------
        question : str
            Such as "effects": the frame has the cells that the command prints.
        data : str or path, Documents, Corpus, or documents in memory, optional
            Documents that are asked about.
        earlier : Model, optional
            Another model, for questions that compare.
        frame : str, optional
            See :mod:`gibbous.frames`.
        **options
            Options that the question reads, such as `words`; with `data`, others as in
            :meth:`Model.infer`, or :meth:`Model.evaluate` where a question is about scores.
        """
        return self._answer(question, data, earlier, **options).frame(frame)

    def _answer(
        self,
        question: str,
        data: Any = None,
        earlier: Model | None = None,
        *,
        callback: Callable[[Any], object] | None = None,
        **options: Any,
    ) -> Table:
        model, needs = self._model, needs_of(question)
        if needs & library.GB_NEEDS_PREDICTION and data is not None:
            return model.predict(data, callback=callback, **options)._table()
        own = {name.replace("-", "_") for name in options_of(question)}
        asked = options
        if data is not None:
            asked = {name: options.pop(name) for name in own & options.keys()}
        subject = {"model": model._pointer}
        kept: list[Any] = []  # what the subject points to
        if needs & library.GB_NEEDS_DIAGNOSIS:
            kept.append(diagnosis.create(model))
            subject["diagnosis"] = kept[-1].pointer
        if earlier is not None:
            subject["earlier"] = earlier._pointer
        if data is None:
            return ask(question, asked, **subject)
        if needs & (_SCORES | library.GB_NEEDS_EARLIER):
            of = {"evaluation": model, "earlier_evaluation": earlier}
            for member, one in of.items():
                if one is not None:
                    kept.append(one.evaluate(data, callback=callback, **options))
                    subject[member] = kept[-1]._handle.pointer
            return ask(question, asked, **subject)
        verb = "evaluate" if needs & library.GB_NEEDS_LIKELIHOOD else "infer"
        documents, settings = model._with_settings(data, options, verb, question.replace("-", "_"))
        watch = on_apply(callback)
        subject["documents"] = documents.corpus._pointer
        if needs & library.GB_NEEDS_LIKELIHOOD:
            kept += [model._held_out(documents, settings, watch), documents.n_unknown]
            subject["likelihood"] = kept[0]._made.pointer
            subject["scored"] = documents.corpus._pointer
            subject["n_unknown"] = ffi.from_buffer("uint64_t[]", np.ascontiguousarray(kept[1]))
        return ask(question, asked, settings=settings, watch=watch, **subject)

    def topics(
        self,
        n_words: int = 10,
        *,
        by: str = "probability",
        by_weight: float | None = None,
        frame: str | None = None,
    ) -> Any:
        """Topics as a data frame: :func:`gibbous.frames.topics`."""
        return frames.topics(self._model, n_words, by=by, by_weight=by_weight, frame=frame)

    def topic_word_frame(
        self,
        n_words: int = 10,
        *,
        by: str = "probability",
        by_weight: float | None = None,
        frame: str | None = None,
    ) -> Any:
        """Words of topics with their probabilities: :func:`gibbous.topic_frames.topic_words`."""
        return topic_frames.topic_words(
            self._model, n_words, by=by, by_weight=by_weight, frame=frame
        )

    def topic_distributions(self, output: int = 0) -> NDArray[np.float64]:
        """Topics over all words: :func:`gibbous.ldavis.topic_distributions`."""
        return ldavis.topic_distributions(self._model, output)

    def effects(
        self, *, n_words: int = 10, outputs: Sequence[str] | None = None, frame: str | None = None
    ) -> Any:
        """Effects of topics and covariates as a data frame: :func:`gibbous.frames.effects`."""
        return frames.effects(self._model, n_words=n_words, outputs=outputs, frame=frame)

    def contrast(self, plus: Any, minus: Any = (), *, frame: str | None = None) -> Any:
        """One set of topics or levels minus another: :func:`gibbous.frames.contrast`."""
        return frames.contrast(self._model, plus, minus, frame=frame)

    @with_options(_option_types.EstimateOptions)
    def estimate(self, data: Any, **options: Unpack[EstimateOptions]) -> frames.Estimate:
        """Effects on documents that the topics have not seen: :func:`gibbous.frames.estimate`."""
        return frames.estimate(self._model, data, **options)

    def groups(
        self, topics: Sequence[int] | None = None, *, n_words: int = 10, frame: str | None = None
    ) -> Any:
        """Topic shares of groups of documents: :func:`gibbous.frames.groups`."""
        return frames.groups(self._model, topics, n_words=n_words, frame=frame)

    def group_contrast(
        self, group: str, minus: str, *, n_words: int = 10, frame: str | None = None
    ) -> Any:
        """Shares in one group minus those in another: :func:`gibbous.frames.group_contrast`."""
        return frames.group_contrast(self._model, group, minus, n_words=n_words, frame=frame)

    def prevalence(
        self,
        field: str | None = None,
        *,
        at: Any = None,
        contrasts: Mapping[str, Any] | None = None,
        topics: Sequence[int] | None = None,
        n_words: int = 5,
    ) -> Prevalence:
        """How topic shares depend on metadata: :func:`gibbous.prevalence.prevalence`."""
        return prevalence(
            self._model, field, at=at, contrasts=contrasts, topics=topics, n_words=n_words
        )

    def topic_documents(self, data: Any, n_documents: int = 3, **options: Any) -> Any:
        """Documents that topics are about: :func:`gibbous.topic_frames.topic_documents`."""
        return topic_frames.topic_documents(self._model, data, n_documents, **options)

    def nearest_documents(self, data: Any, among: Any, n_documents: int = 3, **options: Any) -> Any:
        """Documents with the same topics: :func:`gibbous.topic_frames.nearest_documents`."""
        return topic_frames.nearest_documents(self._model, data, among, n_documents, **options)

    def topic_correlations(self, data: Any = None, **options: Any) -> Any:
        """Which topics go together: :func:`gibbous.topic_frames.topic_correlations`."""
        return topic_frames.topic_correlations(self._model, data, **options)

    def diagnose(self) -> diagnosis.Diagnosis:
        """Whether the chains have run long enough: :func:`gibbous.diagnosis.diagnose`."""
        return diagnosis.diagnose(self._model)

    def predict_draws(self, data: Any, **options: Any) -> PredictedDraws:
        """What each draw says of documents: :func:`gibbous.predicted_draws.predict_draws`."""
        return predict_draws(self._model, data, **options)

    @with_options(_option_types.ExplainOptions)
    def explain(
        self,
        data: Any,
        *,
        outputs: Sequence[str] | None = None,
        without: int = 0,
        callback: Callable[[Any], object] | None = None,
        **options: Unpack[ExplainOptions],
    ) -> Explanation:
        """Scores of documents as sums: :func:`gibbous.explanation.explain`."""
        return explain(
            self._model, data, outputs=outputs, without=without, callback=callback, **options
        )

    def to_datatree(self, data: Any = None, **options: Any) -> DataTree:
        """The draws in the layout of ArviZ: :func:`gibbous.inference_data.to_datatree`."""
        return inference_data.to_datatree(self._model, data, **options)

    def to_inference_data(self, data: Any = None, **options: Any) -> Any:
        """The same for ArviZ 0.x and 1.x: :func:`gibbous.inference_data.to_inference_data`."""
        return inference_data.to_inference_data(self._model, data, **options)

    def to_netcdf(self, path: str | os.PathLike[str], data: Any = None, **options: Any) -> None:
        """The same in a file: :func:`gibbous.inference_data.to_netcdf`."""
        inference_data.to_netcdf(self._model, path, data, **options)

    def to_ldavis(self, data: Any, **options: Any) -> dict[str, Any]:
        """Arguments for ``pyLDAvis.prepare``: :func:`gibbous.ldavis.to_ldavis`."""
        return ldavis.to_ldavis(self._model, data, **options)

    def report(self, path: str | os.PathLike[str], data: Any = None, **options: Any) -> Path:
        """One page for a browser: :func:`gibbous.report.report`."""
        return report(self._model, path, data, **options)

    def _repr_html_(self) -> str:
        has_scores = self._model.n_outputs > 0
        effects = frames.effects_table(self._model, n_words=6) if has_scores else None
        topics = self.topics(8, frame="arrays")
        return html.model_html(self._model, topics, effects, self.diagnose().verdict)
