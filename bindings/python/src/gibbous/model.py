"""Fitted models: read, write, apply, and read what they contain."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous import _option_types
from gibbous._library import (
    Callback,
    Handle,
    check,
    encoded,
    encoded_path,
    ffi,
    library,
    text,
    view,
)
from gibbous._public import plain, short_errors_of, with_options
from gibbous.corpus import Corpus, Given, as_documents, check_is_file, is_in_memory
from gibbous.errors import ArgumentError
from gibbous.evaluation import Evaluation, evaluate
from gibbous.inputs import loaded, take
from gibbous.new_documents import check_options, labelled, new_documents
from gibbous.options import Settings
from gibbous.progress import on_apply
from gibbous.results import Documents, HeldOut, Prediction, Response, ResponsePrediction, typed
from gibbous.tables import warn_of_suspects
from gibbous.views import Views

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gibbous._option_types import EvaluateOptions, InferOptions, PredictOptions

__all__ = ["Documents", "HeldOut", "Model", "Prediction", "Response", "ResponsePrediction"]

#: Documents that are predicted together where only what comes of them counts.
_BATCH = 2048


@short_errors_of
class Model(Views):
    """A fitted model.  It never changes; any number of threads may use it.

    Models come from :func:`gibbous.train` and :meth:`read`.  They can be pickled and copied.
    """

    def __init__(self, handle: Handle, given: Given | None = None) -> None:
        self._handle = handle
        self._given = given or Given()

    @classmethod
    def _owned(cls, pointer: Any, given: Given | None = None) -> Model:
        return cls(Handle(pointer, library.gb_model_free), given)

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    # ---- files

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, mmap: bool = False) -> Model:
        """Read a model file.

        Parameters
        ----------
        path : str or path
        mmap : bool
            Map the file instead of copying it into memory: large models are there sooner, and
            processes that use the same file share its memory.  While such a model is in use, nobody
            may shorten the file or write into it, as ``cp`` does, which would end Python (SIGBUS)
            or change the model.  A new file that takes its name does no harm: gibbous writes files
            so.

        Raises
        ------
        FormatError
            Not a model, or damaged.
        ReadWriteError

        Examples
        --------
        >>> model = gibbous.Model.read("reviews.gibbous")  # doctest: +SKIP
        """
        out = ffi.new("gb_model **")
        watch = Callback("gb_file_progress", lambda _: True)
        read = library.gb_model_read if mmap else library.gb_model_read_copy
        watch.check(read, encoded_path(path), watch.pointer, ffi.NULL, out)
        return cls._owned(out[0])

    def write(self, path: str | os.PathLike[str], *, force: bool = True) -> None:
        """Write a model file.  The same model always gives the same bytes.

        Parameters
        ----------
        path : str or path
        force : bool
            Replace an existing file; False: raise ArgumentError if there is one.

        Examples
        --------
        >>> model.write("reviews.gibbous")  # doctest: +SKIP
        """
        watch = Callback("gb_file_progress", lambda _: True)
        watch.run(library.gb_model_write, (self._pointer, encoded_path(path), force))

    def to_bytes(self) -> bytes:
        """The bytes of the model's file.

        Examples
        --------
        >>> gibbous.Model.from_bytes(model.to_bytes()).n_topics
        2
        """
        out, n = ffi.new("void **"), ffi.new("size_t *")
        check(library.gb_model_to_bytes, self._pointer, out, n)
        try:
            return bytes(ffi.buffer(out[0], n[0]))
        finally:
            library.gb_free(out[0])

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Model:
        """A model from the bytes of its file; they are checked like a file.

        Parameters
        ----------
        data : bytes

        Raises
        ------
        FormatError
            Not a model, or damaged.

        Examples
        --------
        >>> gibbous.Model.from_bytes(model.to_bytes()).n_topics
        2
        """
        out = ffi.new("gb_model **")
        check(library.gb_model_from_bytes, ffi.from_buffer(data), memoryview(data).nbytes, out)
        return cls._owned(out[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self)._unpickled, (self.to_bytes(), self._given))

    @classmethod
    def _unpickled(cls, data: bytes, given: Given) -> Model:
        return cls(cls.from_bytes(data)._handle, given)

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self

    # ---- contents

    def __repr__(self) -> str:
        of = "; ".join(f"{r.field}: {r.response}" for r in self.responses)
        return (
            f"<gibbous.Model: {self.n_topics} topics, {self.n_words} words, {self.n_draws} draws"
            f"{'; ' + of if of else ''}>"
        )

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return int(library.gb_model_n_topics(self._pointer))

    @property
    def n_words(self) -> int:
        """Number of words in the vocabulary."""
        return int(library.gb_model_n_words(self._pointer))

    @property
    def n_draws(self) -> int:
        """Number of kept posterior draws of all chains."""
        return int(library.gb_model_n_draws(self._pointer))

    @property
    def n_topic_draws(self) -> int:
        """Number of draws of the chain whose topics have the numbers, which come first."""
        return int(library.gb_model_n_topic_draws(self._pointer))

    @property
    def topic_chain(self) -> int:
        """The chain whose topics have the numbers, from 0 among the chains with draws.

        A training chooses the one whose draws have the highest mean log joint.
        """
        return int(library.gb_model_topic_chain(self._pointer))

    def with_chain(self, chain: int) -> Model:
        """A copy in which topics are those of another chain, and have its numbers.

        Parameters
        ----------
        chain : int
            From 0, among the chains with draws.

        Raises
        ------
        ArgumentError
            There is no such chain; or names or unions of topics, or cross-fitted effects, are of
            the chain that the model has now.

        Examples
        --------
        >>> model.with_chain(0).topic_chain
        0
        """
        other = Model._unpickled(self.to_bytes(), self._given)
        check(library.gb_model_choose_chain, other._pointer, chain)
        return other

    @property
    def n_snapshots(self) -> int:
        """Number of draws of all chains that have topics too."""
        return int(library.gb_model_n_snapshots(self._pointer))

    @property
    def n_outputs(self) -> int:
        """Scores of a document, for all responses together."""
        return int(library.gb_model_n_outputs(self._pointer))

    @property
    def seed(self) -> int:
        """Seed of the training."""
        return int(library.gb_model_seed(self._pointer))

    @property
    def n_training_docs(self) -> int:
        """Number of documents that the model was trained on."""
        return int(library.gb_model_n_training_docs(self._pointer))

    @property
    def n_training_tokens(self) -> int:
        """Number of tokens that the model was trained on."""
        return int(library.gb_model_n_training_tokens(self._pointer))

    @property
    def is_one_vs_rest(self) -> bool:
        """True if each class has chains, and so topics, of its own."""
        return bool(library.gb_model_is_one_vs_rest(self._pointer))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that the model was trained with."""
        settings: dict[str, Any] = json.loads(text(library.gb_model_settings(self._pointer)))
        return settings

    @property
    def vocabulary(self) -> list[str]:
        """The words in the order of their numbers."""
        return list(self._words())

    def _words(self) -> Iterator[str]:
        return (text(library.gb_model_word(self._pointer, i)) for i in range(self.n_words))

    @cached_property
    def _has_numbered_words(self) -> bool:
        """Whether all words are numbers, as those of a matrix are whose columns nobody named."""
        return all(re.fullmatch(r"0|[1-9][0-9]*", word) for word in self._words())

    @property
    def outputs(self) -> list[str]:
        """Names of the scores: a class, or the field of a number or of levels."""
        return [text(library.gb_model_output(self._pointer, i)) for i in range(self.n_outputs)]

    @property
    def responses(self) -> list[Response]:
        """What the model predicts."""
        m = self._pointer
        return [self._response(m, r) for r in range(library.gb_model_n_responses(m))]

    def _response(self, m: Any, r: int) -> Response:
        field = text(library.gb_model_field(m, r))
        classes = [
            text(library.gb_model_class(m, r, c)) for c in range(library.gb_model_n_classes(m, r))
        ]
        values = self._given.values.get(field)
        if values is None and field not in self.settings.get("text-labels", []):
            values = typed(classes)  # a model from a file, or of documents from a file
        why = library.gb_model_lacks_probabilities(m, r)
        return Response(
            field=field,
            response=text(library.gb_model_response(m, r)),
            scale=text(library.gb_model_score_scale(m, r)),
            task=text(library.gb_task_name(library.gb_model_task(m, r))),
            classes=classes,
            values=[(values or {}).get(name, name) for name in classes],
            first_output=int(library.gb_model_first_output(m, r)),
            n_outputs=int(library.gb_model_n_outputs_of(m, r)),
            has_probabilities=bool(library.gb_model_has_probabilities(m, r)),
            is_calibrated=bool(library.gb_model_is_calibrated(m, r)),
            lacks_probabilities=None if why == ffi.NULL else text(why),
        )

    # ---- new documents

    @with_options(_option_types.PredictOptions)
    def documents(self, data: Any, **options: Unpack[PredictOptions]) -> Documents:
        """Bring documents into the vocabulary of the model.

        Parameters
        ----------
        data : str or path, Corpus, Documents, or documents in memory
            As in training.  Columns of a data frame are found by the names they had there.
        **options
            Options of reading, where they are not as in training.  With documents in memory
            `covariates`, `exposure` and `group`, as values or as the names of columns, and other
            arguments of :func:`gibbous.inputs.collect`.

        Returns
        -------
        Documents

        Examples
        --------
        >>> model.documents(["goal goal never"]).n_unknown
        array([1], dtype=uint64)
        """
        data = loaded(data)
        if isinstance(data, Documents):
            return data
        if isinstance(data, Corpus):
            corpus, n_unknown = ffi.new("gb_corpus **"), ffi.new("uint64_t **")
            check(library.gb_documents_from_corpus, self._pointer, data._pointer, corpus, n_unknown)
            return self._documents(corpus[0], n_unknown[0])
        if isinstance(data, (str, os.PathLike)):
            settings = Settings(plain(options), ("predict", "evaluate"), "documents")
            check_options(self, settings, "evaluate")
            return self._read_documents(data, settings)
        return self._documents(*new_documents(self, data, plain(options), "evaluate"))

    def _read_documents(self, path: str | os.PathLike[str], settings: Settings) -> Documents:
        return next(self._read_batches(path, settings, 2**62))

    def _read_batches(
        self, path: str | os.PathLike[str], settings: Settings, n_docs: int
    ) -> Iterator[Documents]:
        """The documents of a file, so many at a time."""
        check_is_file(path)
        out = ffi.new("gb_documents **")
        watch = Callback("gb_read_progress", lambda _: True)
        name = encoded_path(path)
        watch.run(library.gb_documents_open, (self._pointer, name, settings.pointer), out)
        documents = Handle(out[0], library.gb_documents_close, [self._handle, settings])
        corpus, n_unknown = ffi.new("gb_corpus **"), ffi.new("uint64_t **")
        is_first = True
        while True:
            watch.check(library.gb_documents_next, documents.pointer, n_docs, corpus, n_unknown)
            if corpus[0] == ffi.NULL:
                break
            is_first = False
            yield self._documents(corpus[0], n_unknown[0])
        if is_first:
            raise ArgumentError(f"{os.fspath(path)}: no documents")

    def _documents(self, corpus: Any, n_unknown: Any) -> Documents:
        known = Corpus._owned(corpus)
        warn_of_suspects(corpus, model=self._pointer)
        counted = Handle(n_unknown, library.gb_free)
        return Documents(known, view(counted, n_unknown, "U64", (known.n_docs,)))

    @with_options(_option_types.PredictOptions)
    def predict(
        self,
        data: Any,
        *,
        callback: Callable[[Any], object] | None = None,
        **options: Unpack[PredictOptions],
    ) -> Prediction:
        """Infer topics and predict labels.

        Parameters
        ----------
        data : str or path, Documents, or documents in memory
            A text with blanks that names no file is one document.
        **options
            `infer_sweeps`, `infer_burn_in`, `seed`, `threads`, `unknown_level`, `impute`,
            `new_groups`, and those of reading; for :meth:`Prediction.to_frame`, `top` and `scores`.

        Returns
        -------
        Prediction

        Examples
        --------
        >>> model.predict(["team goal", "price of a stock"]).labels.tolist()
        ['sport', 'money']
        """
        documents, settings = self._with_settings(data, plain(options), "predict", "predict")
        made = self._predict(documents, settings, callback)
        shown = {name: options.get(name) for name in ("scores", "topics_alone", "top")}
        return self._prediction(made, documents, shown)

    def _predict(
        self,
        documents: Documents,
        settings: Settings,
        callback: Callable[[Any], object] | None,
    ) -> Handle:
        n_docs = documents.corpus.n_docs
        out = ffi.new("gb_prediction **")
        check(library.gb_prediction_create, self._pointer, n_docs, out)
        made = Handle(out[0], library.gb_prediction_free)
        watch = on_apply(callback)
        watch.run(
            library.gb_predict,
            (self._pointer, documents.corpus._pointer, 0, settings.pointer),
            out[0],
        )
        return made

    @with_options(_option_types.InferOptions)
    def infer(
        self,
        data: Any,
        *,
        callback: Callable[[Any], object] | None = None,
        **options: Unpack[InferOptions],
    ) -> NDArray[np.float64]:
        """Infer the topics of documents.

        Parameters
        ----------
        data, callback, **options
            As in :meth:`predict`.

        Returns
        -------
        ndarray of float64, shape (n_docs, n_topics)
            Expected shares of the topics of the leading chain; rows add up to 1.

        Examples
        --------
        >>> model.infer(texts).shape
        (20, 2)
        """
        documents, settings = self._with_settings(data, plain(options), "infer", "infer")
        share = np.empty((documents.corpus.n_docs, self.n_topics))
        watch = on_apply(callback)
        watch.run(
            library.gb_infer,
            (self._pointer, documents.corpus._pointer, 0, settings.pointer),
            ffi.from_buffer("double[]", share),
        )
        return share

    def export(
        self,
        data: Any,
        path: str | os.PathLike[str],
        format: str = "auto",
        *,
        force: bool = True,
        callback: Callable[[Any], object] | None = None,
        **options: Any,
    ) -> None:
        """Write the model and documents for another program, as ``gibbous export`` does.

        Parameters
        ----------
        data : str or path, Documents, or documents in memory
        path : str or path
        format : str
            "ldavis": a JSON object with what :meth:`to_ldavis` returns, for pyLDAvis or the R
            package LDAvis.  "mallet-state": a topic for each token, drawn given the last snapshot
            of the model, packed by gzip.  "auto": by the ending of `path`, .json or .gz.
        force : bool
            Replace an existing file; False: raise ArgumentError if there is one.
        callback : callable, optional
            As for :meth:`predict`.
        **options
            As for :meth:`infer`.

        Examples
        --------
        >>> model.export(texts, "ldavis.json")  # doctest: +SKIP
        """
        documents, settings = self._with_settings(data, plain(options), "export", "export")
        watch = on_apply(callback)
        watch.run(
            library.gb_model_export,
            (
                self._pointer,
                documents.corpus._pointer,
                encoded_path(path),
                encoded(format, "the format"),
                settings.pointer,
                force,
            ),
        )

    @with_options(_option_types.EvaluateOptions)
    def held_out_likelihood(
        self,
        data: Any,
        *,
        callback: Callable[[Any], object] | None = None,
        **options: Unpack[EvaluateOptions],
    ) -> HeldOut:
        """Estimate how probable the words of documents are.

        Parameters
        ----------
        data, callback
            As in :meth:`predict`.
        **options
            `held_out` ("empirical", "left-to-right" or "completion"), `held_out_samples`,
            `infer_sweeps`, `infer_burn_in`, `seed`, `threads`, `new_groups`, and those of reading.

        Examples
        --------
        >>> model.held_out_likelihood(texts).n_scored.shape
        (20,)
        """
        documents, settings = self._with_settings(
            data, plain(options), "evaluate", "held_out_likelihood"
        )
        return self._held_out(documents, settings, on_apply(callback))

    def _held_out(self, documents: Documents, settings: Settings, watch: Callback) -> HeldOut:
        n = documents.corpus.n_docs
        out = ffi.new("gb_held_out **")
        check(library.gb_held_out_create, n, out)
        made = Handle(out[0], library.gb_held_out_free)
        watch.run(
            library.gb_held_out_likelihood,
            (self._pointer, documents.corpus._pointer, 0, settings.pointer),
            out[0],
        )
        return HeldOut(
            log_likelihood=view(made, out[0].log_likelihood, "F64", (n,)),
            standard_error=view(made, out[0].standard_error, "F64", (n,)),
            n_scored=view(made, out[0].n_scored, "U64", (n,)),
            _made=made,
        )

    @with_options(_option_types.EvaluateOptions)
    def evaluate(
        self,
        data: Any,
        *,
        callback: Callable[[Any], object] | None = None,
        **options: Unpack[EvaluateOptions],
    ) -> Evaluation:
        """Compare predictions with known labels, and estimate held-out likelihood.

        Parameters
        ----------
        data : str or path, Corpus, or documents in memory
            Documents with the fields that the model predicts.
        callback : callable, optional
            Called several times a second; stops by returning False.
        **options
            Those of ``gibbous evaluate -m``: `label`, `labels`, `target`, `unknown_label`,
            `held_out`, `infer_sweeps`, `seed`, ...

        Returns
        -------
        Evaluation

        Examples
        --------
        >>> model.evaluate(texts, label=labels)["label"]["accuracy"]
        1.0
        """
        return evaluate(self, data, callback, plain(options))

    def _with_settings(
        self, data: Any, options: dict[str, Any], verb: str, who: str
    ) -> tuple[Documents, Settings]:
        """New documents and the settings of a call, whose options may have fields of documents."""
        data = as_documents(loaded(data))
        if isinstance(data, (Documents, Corpus)) or not is_in_memory(data):
            settings = Settings(options, (verb,), who)
            check_options(self, settings, verb)
            if isinstance(data, (Documents, Corpus)):
                return self.documents(data), settings
            return self._read_documents(data, settings), settings
        beside, left = take(options)
        settings = Settings(left, (verb,), who)
        check_options(self, settings, verb)
        return self._documents(*new_documents(self, data, beside, verb)), settings

    def _labelled_documents(
        self,
        data: Any,
        options: Mapping[str, Any],
        verb: str,
        who: str,
        begin: Callable[[Settings], None],
    ) -> tuple[Documents, Settings]:
        """Documents with labels; `begin` adds their fields to the settings before they are read."""
        given, settings = self._labelled_settings(data, options, verb, who, begin)
        if isinstance(given, (str, os.PathLike)):
            return self._read_documents(given, settings), settings
        return self.documents(given), settings

    def _labelled_batches(
        self, data: Any, options: Mapping[str, Any], begin: Callable[[Settings], None]
    ) -> Iterator[tuple[Documents, Settings]]:
        """The same in batches, as predictions of all documents at once take much memory."""
        given, settings = self._labelled_settings(data, options, "evaluate", "evaluate", begin)
        if isinstance(given, (str, os.PathLike)):
            for documents in self._read_batches(given, settings, _BATCH):
                yield documents, settings
            return
        whole = self.documents(given)
        for first in range(0, max(whole.corpus.n_docs, 1), _BATCH):
            last = min(first + _BATCH, whole.corpus.n_docs)
            yield (
                Documents(whole.corpus._documents(first, last), whole.n_unknown[first:last]),
                settings,
            )

    def _labelled_settings(
        self,
        data: Any,
        options: Mapping[str, Any],
        verb: str,
        who: str,
        begin: Callable[[Settings], None],
    ) -> tuple[Any, Settings]:
        """The documents to read or to bring into the vocabulary, and the settings of a call."""
        data, left = loaded(data), options
        if not isinstance(data, (str, os.PathLike, Corpus, Documents)):
            data, left = labelled(self, data, options, verb)
        settings = Settings(left, (verb,), who)
        check_options(self, settings, verb)
        begin(settings)
        return data, settings

    def _prediction(self, made: Handle, documents: Documents, shown: dict[str, Any]) -> Prediction:
        p = made.pointer
        n = int(p.n_docs)
        return Prediction(
            topic_shares=view(made, p.share, "F64", (n, int(p.n_topics))),
            scores=view(made, p.score, "F64", (n, int(p.n_outputs))),
            n_known=view(made, p.n_known, "U64", (n,)),
            n_unknown=documents.n_unknown,
            responses=[
                self._response_prediction(made, r, response)
                for r, response in enumerate(self.responses)
            ],
            ids=documents.corpus.ids,
            score_errors=view(made, p.score_error, "F64", (n, int(p.n_outputs))),
            _model=self,
            _options=shown,
        )

    def _response_prediction(
        self, made: Handle, number: int, response: Response
    ) -> ResponsePrediction:
        p = made.pointer.response[number]
        n, n_classes = int(made.pointer.n_docs), int(p.n_classes)

        def numbers(pointer: Any) -> NDArray[np.float64] | None:
            return None if pointer == ffi.NULL else view(made, pointer, "F64", (n,))

        has_class = None
        if response.task == "multilabel":
            has_class = np.empty((n, n_classes), np.bool_)
            for d, row in enumerate(has_class):
                library.gb_prediction_classes(
                    self._pointer, made.pointer, number, d, ffi.from_buffer("bool[]", row)
                )
        is_index = n_classes > 0 and has_class is None
        return ResponsePrediction(
            response=response,
            probabilities=view(made, p.probability, "F64", (n, n_classes))
            if n_classes > 0
            else None,
            index=view(made, p.predicted, "U64", (n,)) if is_index else None,
            has_class=has_class,
            mean=numbers(p.mean),
            sd=numbers(p.sd),
            q05=numbers(p.q05),
            q95=numbers(p.q95),
        )

    # ---- topics

    @property
    def topic_names(self) -> list[str]:
        """Names that somebody has given the topics; "" without one."""
        names = (library.gb_model_topic_name(self._pointer, k) for k in range(self.n_topics))
        return [text(name) for name in names]

    def name_topics(
        self, names: Mapping[int, str] | Sequence[str | None] | str | os.PathLike[str]
    ) -> Model:
        """A copy of the model with names of topics; nothing else differs.

        Parameters
        ----------
        names : mapping of int to str, sequence of str, or str or path
            Names by the numbers of topics, from 1 as in :meth:`topics`; or a name for each topic in
            their order, None where it stays as it is; or a table with the columns
            `topic` and `name`, or what a language model answered: lines such as ``3: Name``, or
            JSON.  Other topics keep the names that they have; an empty name takes it away.

        Examples
        --------
        >>> model.name_topics(["sport", None]).topic_names
        ['sport', '']
        """
        out = ffi.new("gb_model **")
        if isinstance(names, (str, os.PathLike)):
            path = encoded_path(names)
            check(library.gb_model_read_topic_names, self._pointer, path, out)
            return Model._owned(out[0], self._given)
        if not isinstance(names, Mapping):
            if len(names) != self.n_topics:
                raise ArgumentError(f"{len(names)} names for {self.n_topics} topics")
            names = {k: name for k, name in enumerate(names, 1) if name is not None}
        unknown = set(names) - set(range(1, self.n_topics + 1))
        if unknown:
            raise ArgumentError(f"{min(unknown)!r} is not a topic from 1 to {self.n_topics}")
        texts = {
            k: ffi.new("char[]", encoded(name, f"the name of topic {k}"))
            for k, name in names.items()
        }
        array = ffi.new("char *[]", [texts.get(k + 1, ffi.NULL) for k in range(self.n_topics)])
        check(
            library.gb_model_name_topics,
            self._pointer,
            ffi.cast("char const * const *", array),
            out,
        )
        return Model._owned(out[0], self._given)

    @property
    def topic_unions(self) -> list[list[int]]:
        """Topics that count as one, by their numbers from 1; without those that are left out."""
        unions: dict[int, list[int]] = {}
        for k in range(self.n_topics):
            first = int(library.gb_model_topic_union(self._pointer, k))
            if first < self.n_topics:
                unions.setdefault(first, []).append(k + 1)
        return list(unions.values())

    def unite_topics(
        self,
        unions: Sequence[Sequence[int]] | str | os.PathLike[str] = (),
        *,
        drop: Sequence[int] = (),
    ) -> Model:
        """A copy of the model in which topics count as one; predictions stay what they are.

        Parameters
        ----------
        unions : sequence of sequences of int, or str or path
            Topics of each union by their numbers from 1, or a table with the columns `topic` and
            `group`, whose groups become unions with these names.  Others stay as they are.
        drop : sequence of int
            Topics that lists leave out.

        Examples
        --------
        >>> model.unite_topics([[1, 2]]).topic_unions
        [[1, 2]]
        """
        if isinstance(unions, (str, os.PathLike)):
            out = ffi.new("gb_model **")
            path = encoded_path(unions)
            check(library.gb_model_read_topic_unions, self._pointer, path, out)
            read = Model._owned(out[0], self._given)
            return read.unite_topics(drop=drop) if drop else read
        label = [int(library.gb_model_topic_union(self._pointer, k)) for k in range(self.n_topics)]
        for union in unions:
            old = {label[k] for k in self._topic_numbers(union)} & set(range(self.n_topics))
            first = union[0] - 1
            for k in range(self.n_topics):
                if label[k] in old or k + 1 in union:
                    label[k] = first
        dropped = {label[k] for k in self._topic_numbers(drop)}
        label = [2**64 - 1 if one in dropped else one for one in label]
        out = ffi.new("gb_model **")
        check(library.gb_model_unite_topics, self._pointer, ffi.new("uint64_t[]", label), out)
        return Model._owned(out[0], self._given)

    def _topic_numbers(self, topics: Sequence[int]) -> list[int]:
        for topic in topics:
            if not 1 <= topic <= self.n_topics:
                raise ArgumentError(f"{topic!r} is not a topic from 1 to {self.n_topics}")
        return [topic - 1 for topic in topics]

    def top_words(
        self, n: int = 10, *, output: int = 0
    ) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """The most probable words of all topics.

        Parameters
        ----------
        n : int
            Words of each topic.
        output : int
            With one-vs-rest topics, the score whose topics are meant.

        Returns
        -------
        word : ndarray of uint64, shape (n_topics, n)
            Word numbers, the most probable first.
        probability : ndarray of float64, shape (n_topics, n)

        Examples
        --------
        >>> model.top_words(3)[1].shape
        (2, 3)
        """
        n = min(n, self.n_words)
        word = np.empty((self.n_topics, n), np.uint64)
        probability = np.empty((self.n_topics, n), np.float64)
        check(
            library.gb_model_words_of_topics,
            self._pointer,
            output,
            n,
            ffi.from_buffer("uint64_t[]", word),
            ffi.from_buffer("double[]", probability),
            ffi.new("uint64_t *"),
        )
        return word, probability

    def rank_words(
        self, by: str, n: int = 10, *, weight: float | None = None, output: int = 0
    ) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """The words of all topics in an order of choice.

        Parameters
        ----------
        by : {"probability", "lift", "relevance", "frex"}
            The order: docs/outputs.md has the formulas.
        n : int
            Words of each topic.
        weight : float, optional
            From 0 to 1.  `relevance`: weight of frequent words, 0.6 unless given; `frex`: weight of
            words that other topics lack, 0.5 unless given.
        output : int
            With one-vs-rest topics, the score whose topics are meant.

        Returns
        -------
        word : ndarray of uint64, shape (n_topics, n)
            Word numbers, the first of the order first.
        probability : ndarray of float64, shape (n_topics, n)

        Examples
        --------
        >>> model.rank_words("lift", 3)[0].shape
        (2, 3)
        """
        n = min(n, self.n_words)
        word = np.empty((self.n_topics, n), np.uint64)
        probability = np.empty((self.n_topics, n), np.float64)
        check(
            library.gb_model_rank_words,
            self._pointer,
            output,
            encoded(by, "by"),
            float("nan") if weight is None else weight,
            n,
            ffi.from_buffer("uint64_t[]", word),
            ffi.from_buffer("double[]", probability),
            ffi.new("uint64_t *"),
        )
        return word, probability

    def topic_words(
        self,
        n: int = 10,
        *,
        by: str = "probability",
        weight: float | None = None,
        output: int = 0,
    ) -> list[list[str]]:
        """The words of all topics, as texts: the most probable ones, or :meth:`rank_words`.

        Parameters
        ----------
        n : int
            Words of each topic.
        by : {"probability", "frex", "lift", "relevance"}
            What orders them.
        weight : float, optional
            Of frex and relevance.
        output : int
            The model of a one-vs-rest training.

        Examples
        --------
        >>> [len(words) for words in model.topic_words(3)]
        [3, 3]
        """
        if by == "probability":
            word, _ = self.top_words(n, output=output)
        else:
            word, _ = self.rank_words(by, n, weight=weight, output=output)
        return [
            [text(library.gb_model_word(self._pointer, w)) for w in row] for row in word.tolist()
        ]

    @property
    def topic_shares(self) -> NDArray[np.float64]:
        """Share of the training tokens in each topic, shape (n_topics,)."""
        return np.array(
            [library.gb_model_topic_share(self._pointer, k) for k in range(self.n_topics)]
        )

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """Coefficients of topics and, last, the intercept; shape (n_outputs, n_topics + 1).

        Means over the draws of the leading chain.
        """
        rows: Sequence[list[float]] = [
            [library.gb_model_coefficient(self._pointer, c, k) for k in range(self.n_topics + 1)]
            for c in range(self.n_outputs)
        ]
        return np.array(rows, dtype=np.float64).reshape(self.n_outputs, self.n_topics + 1)
