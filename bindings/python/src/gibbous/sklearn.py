"""Topic models as scikit-learn estimators.

Three estimators share their parameters and differ in what they predict: :class:`TopicClassifier`
classes, :class:`TopicRegressor` numbers, :class:`TopicTransformer` topic shares alone.  Each takes
counts of words (what ``CountVectorizer`` makes), or the texts themselves, which the library then
turns into words.

The library does the work and has the defaults: a parameter that is None is left to it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from numbers import Integral
from textwrap import indent
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_feature_names_in,
    _check_sample_weight,
    _num_samples,
    check_array,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from gibbous import inputs
from gibbous._public import short_errors_of
from gibbous.corpus import NO_CLASS, Corpus, Field, corpus_of
from gibbous.errors import ProbabilityWarning
from gibbous.inputs._values import (
    as_column,
    as_series,
    categories_of,
    is_bare_categorical,
    is_missing,
    name_of,
    objects,
)
from gibbous.new_documents import fields_of_formula
from gibbous.options import Settings
from gibbous.options import options as option_table
from gibbous.tables import words_after
from gibbous.training import train

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

    from gibbous.model import Model
    from gibbous.results import Prediction

__all__ = ["TopicClassifier", "TopicRegressor", "TopicTransformer"]

_Kind = TypeVar("_Kind", bound=type)

_NOT_OPTIONS = ("vocabulary", "options", "random_state", "n_jobs", "verbose")
_APPLY = {"predict", "infer", "held_out", "held_out_samples"}
_FORM = {True: "a matrix of counts", False: "texts"}


# ---- what descriptions have in common ----

_SHARED = {
    "cost_to_coefficients": """
cost : float or str, optional
    Weight of the labels against the words.
prior : str, optional
    Prior of the topic shares of documents, such as "logistic-normal"; "graph" has a mean for each
    group of `groups`.
prevalence : str, optional
    What topic shares depend on, for the prior "logistic-normal": a formula of fields of `metadata`,
    such as "party * s(year) + (1|author)".
alpha : float, "optimise", "sample" or sequence of float, optional
    Prior weight of a topic in a document.
beta : float or "sample", optional
    Prior weight of a word in a topic.
coefficient_prior : {"normal", "horseshoe"}, optional
    Prior of the coefficients.
variance : float, "sample" or mapping, optional
    Variance of the normal prior of the coefficients: of topics, or such as ``{"topics": 1,
    "words": 0.1}``.
""",
    "class_weight": """
class_weight : "balanced" or mapping of classes to weights, optional
    How much the documents of a class count; classes that the mapping lacks have 1.
""",
    "sweeps_to_verbose": """
sweeps : int, optional
    Sweeps of each chain; by default a chain finds out itself how many its burn-in takes.
burn_in : int, optional
    Sweeps before the first draw that is kept.
chains : int, optional
    Number of chains.
vocabulary : sequence of str, or mapping of words to columns, optional
    Names of the columns of X, for `model_` to show; by default the names of a data frame's
    columns, else their numbers from 0.
options : mapping, optional
    Any other option of the library by its name, such as ``{"graph": "chain", "infer_sweeps":
    10}``, and for texts ``{"stopwords": "en", "min_df": 5}``.  They are set after the
    parameters, which they replace.
random_state : int or RandomState instance, optional
    Seed.  An int gives what the command gives with this seed; None another result each time.
n_jobs : int, optional
    Number of threads, -1 for all processors; the result does not depend on it.
verbose : bool, default=False
    Whether to show progress.
""",
    "words_and_columns": """
components_ : ndarray of shape (n_topics, n_features)
    Probability of each word in each topic, mean over the snapshots of the leading chain.  Columns
    are those of X, with 0 in a column that is 0 in all training documents; for texts,
    ``model_.vocabulary``.
n_features_in_ : int
    Number of columns of X in `fit`; not there for texts.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Names of the columns of X, if all are strings.
""",
    "counts_or_texts": """
X : {array-like, sparse matrix} of shape (n_samples, n_features), or sequence of str
    Counts of words: whole numbers from 0 on, such as ``CountVectorizer`` makes.  Or texts.
""",
    "beside": """
sample_weight : array-like of shape (n_samples,), optional
    How much the labels of each document count; its words count as they do anyway.
covariates : array-like, data frame or mapping, optional
    What is known of each document besides its words: numbers, or texts for classes.
    Columns of a data frame keep their names.
groups : array-like of shape (n_samples,) or data frame, optional
    The group of each document, for the prior "graph"; several columns together make the
    group.
exposure : array-like of shape (n_samples,), optional
    For counts: what they are in proportion to.
metadata : data frame or mapping, optional
    The fields of the formula `prevalence`.
""",
    "as_fit_was_given": """
X : {array-like, sparse matrix} of shape (n_samples, n_features), or sequence of str
    Counts of words, or texts: what `fit` was given.
""",
    "beside_as_in_fit": """
covariates, groups, exposure, embeddings, metadata : optional
    As in `fit`.
""",
}


def _described(kind: _Kind) -> _Kind:
    """Fill in the parts that descriptions share, each named by a line of its own: {part}."""
    for described in (kind, *vars(kind).values()):
        function = getattr(described, "fn", described)  # of available_if
        text = getattr(function, "__doc__", None) or ""
        if "{" in text and callable(function):
            function.__doc__ = re.sub(r"^( *)\{(\w+)\}$", _part, text, flags=re.MULTILINE)
            described.__doc__ = function.__doc__
    return kind


def _part(found: re.Match[str]) -> str:
    return indent(_SHARED[found[2]].strip("\n"), found[1])


class _Beside(NamedTuple):
    """What is known of documents besides words and labels."""

    covariates: Any = None
    groups: Any = None
    exposure: Any = None
    sample_weight: Any = None
    embeddings: Any = None
    metadata: Any = None


@_described
class _TopicModel(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What the three estimators share: parameters to options, documents in, topic shares out."""

    model_: Model
    _is_matrix: bool
    _words: list[str] | None  # names of the columns of X in `fit`; None: their numbers, from 0

    response: str | None
    vocabulary: Sequence[str] | Mapping[str, int] | None
    options: Mapping[str, Any] | None
    random_state: int | np.random.RandomState | None
    n_jobs: int | None
    verbose: bool

    def __init__(
        self,
        topics: int | None = None,
        *,
        response: str | None = None,
        cost: float | str | None = None,
        prior: str | None = None,
        prevalence: str | None = None,
        alpha: float | str | Sequence[float] | None = None,
        beta: float | str | None = None,
        coefficient_prior: str | None = None,
        variance: float | str | Mapping[str, float | str] | None = None,
        class_weight: str | Mapping[Any, float] | None = None,
        sweeps: int | None = None,
        burn_in: int | None = None,
        chains: int | None = None,
        vocabulary: Sequence[str] | Mapping[str, int] | None = None,
        options: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self._set(locals())

    def _set(self, given: Mapping[str, Any]) -> None:
        """Keep the parameters as they were given, as scikit-learn wants it."""
        for name, value in given.items():
            if name != "self":
                setattr(self, name, value)

    # ---- training ----

    def _train(
        self,
        X: Any,
        labels: list[Field] | None,
        beside: _Beside,
        fitted: Mapping[str, Any],
        **options: Any,
    ) -> Self:
        """Fit, with more attributes of the fit.

        A copy is fitted, whose attributes are then taken all at once: a fit that fails or is
        stopped leaves the estimator as it was.
        """
        options |= self._options("train")
        new = copy(self)
        with words_after():
            corpus, names = self._corpus(new._inputs(X, beside, reset=True, labels=labels), options)
            new.model_ = train(corpus, progress=bool(self.verbose), **names, **options)
        new.__dict__.update(fitted)
        self.__dict__ = new.__dict__
        return self

    @staticmethod
    def _corpus(given: inputs.Inputs, options: Mapping[str, Any]) -> tuple[Corpus, dict[str, Any]]:
        """The corpus, and the options that name its fields; here, converted counts are freed."""
        return corpus_of(given, Settings(options, ("train",), "fit")), given.options

    def _options(self, verb: str) -> dict[str, Any]:
        """The options that the parameters set and a verb of the command takes."""
        given = {
            name: value
            for name, value in self.get_params(deep=False).items()
            if name not in _NOT_OPTIONS
        }
        given["threads"] = None if self.n_jobs is None else effective_n_jobs(self.n_jobs)
        if verb == "train":
            given["seed"] = _seed(self.random_state)
        given.update(self.options or {})
        return {
            name: value for name, value in given.items() if value is not None and _takes(verb, name)
        }

    # ---- documents ----

    def _inputs(
        self, X: Any, beside: _Beside, *, reset: bool, labels: list[Field] | None = None
    ) -> inputs.Inputs:
        """Documents and fields, as the library takes them."""
        is_matrix = _is_matrix(X)
        if reset:
            self._is_matrix = is_matrix
        elif is_matrix != self._is_matrix:
            raise ValueError(
                f"{type(self).__name__} was fitted on {_FORM[self._is_matrix]},"
                f" but X has {_FORM[is_matrix]}"
            )
        if is_matrix:
            X = validate_data(
                self,
                X,
                reset=reset,
                accept_sparse=True,
                dtype="numeric",
                ensure_min_samples=2 if labels else 1,
                ensure_non_negative=True,
            )
        else:
            # by position, as everywhere in scikit-learn: without an index
            X = X if as_series(X) is None else as_column(X, "texts")
            for of_matrix in ("n_features_in_", "feature_names_in_") if reset else ():
                self.__dict__.pop(of_matrix, None)
        if reset:
            self._words = self._columns() if is_matrix else None
        weight = beside.sample_weight
        if weight is not None:
            weight = _check_sample_weight(weight, np.empty((_num_samples(X), 0)))
        return inputs.collect(
            X,
            vocabulary=self._words,
            **_by_argument(labels or []),
            covariates=beside.covariates,
            exposure=beside.exposure,
            document_weight=weight if labels else None,  # it weighs labels
            group=beside.groups,
            embeddings=beside.embeddings,
            prevalence=self._formula(beside.metadata, reset=reset),
        )

    def _formula(self, metadata: Any, *, reset: bool) -> tuple[str, Any] | None:
        """The formula with the values of its fields, whose kinds are known after `fit`."""
        formula = (
            self._options("train").get("prevalence") if reset else fields_of_formula(self.model_)
        )
        if formula and metadata is None:
            raise ValueError("prevalence: give the fields of the formula as `metadata`")
        if metadata is not None and not formula:
            raise ValueError("metadata: it is for the formula `prevalence`, and there is none")
        return (formula, metadata) if formula else None

    def _columns(self) -> list[str] | None:
        """The names that parameters and `fit` give the columns of X, for `_words`."""
        words = self.vocabulary
        if isinstance(words, Mapping):  # as the attribute of CountVectorizer has them
            words = sorted(words, key=words.__getitem__)
        if words is None:
            words = getattr(self, "feature_names_in_", None)
        return None if words is None else [str(word) for word in words]

    def _apply(self, X: Any, beside: _Beside) -> Prediction:
        check_is_fitted(self)
        return self.model_.predict(self._inputs(X, beside, reset=False), **self._options("predict"))

    # ---- topics ----

    def _shares(self, X: Any, beside: _Beside) -> npt.NDArray[np.float64]:
        check_is_fitted(self)
        return self.model_.infer(self._inputs(X, beside, reset=False), **self._options("infer"))

    def transform(
        self,
        X: Any,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> Any:
        """Topic shares of documents.

        Parameters
        ----------
        {as_fit_was_given}
        {beside_as_in_fit}

        Returns
        -------
        ndarray of shape (n_samples, n_topics)
            The part of each document that is expected to be about each topic; rows add up to 1.
        """
        return self._shares(
            X, _Beside(covariates, groups, exposure, embeddings=embeddings, metadata=metadata)
        )

    def fit_transform(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> Any:
        """Fit, then the topic shares of the same documents.

        The shares are those of `transform`: they are drawn anew, from the words and not from `y`.

        Parameters
        ----------
        X, y, sample_weight, covariates, groups, exposure, embeddings, metadata : array-like
            As in `fit`.

        Returns
        -------
        ndarray of shape (n_samples, n_topics)
        """
        self.fit(
            X,
            y,
            sample_weight=sample_weight,
            covariates=covariates,
            groups=groups,
            exposure=exposure,
            embeddings=embeddings,
            metadata=metadata,
        )
        return self._shares(
            X, _Beside(covariates, groups, exposure, embeddings=embeddings, metadata=metadata)
        )

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Names of the columns of `transform`: ``topic_1``, ``topic_2`` and so on.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the columns of X, which must be those of `fit`; topics do not have them.

        Returns
        -------
        ndarray of str, shape (n_topics,)
        """
        check_is_fitted(self)
        _check_feature_names_in(self, input_features, generate_names=False)
        return np.array(
            [f"topic_{topic + 1}" for topic in range(self.model_.n_topics)], dtype=object
        )

    @property
    def components_(self) -> npt.NDArray[np.float64]:
        """Probability of each word in each topic: (n_topics, n_features)."""
        check_is_fitted(self)
        of_words = self.model_.topic_distributions()
        if not self._is_matrix:
            return of_words
        names = self._words or [str(column) for column in range(self.n_features_in_)]
        column = {name: index for index, name in enumerate(names)}
        components = np.zeros((len(of_words), self.n_features_in_))
        components[:, [column[word] for word in self.model_.vocabulary]] = of_words
        return components

    def _coefficients(self) -> npt.NDArray[np.float64]:
        """Coefficients of topics and the intercept (last) of each output of the model."""
        check_is_fitted(self)
        return self.model_.coefficients

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        # whole numbers from 0 on, as CategoricalNB says it; `string` means matrices of strings
        tags.input_tags.categorical = True
        return tags


@_described
@short_errors_of
class TopicTransformer(_TopicModel):
    """Topic model: documents in, topic shares out.

    By default topics come from the words alone, and `y` is not looked at.  With a `response`,
    topics explain `y` too.

    Parameters
    ----------
    topics : int, optional
        Number of topics.
    response : str or None, default="none"
        How `y` depends on topics: "none", or a response that ``gibbous.options()["response"].help``
        names; None takes the library's choice for classes or numbers.
    {cost_to_coefficients}
    {class_weight}
    {sweeps_to_verbose}

    Attributes
    ----------
    model_ : Model
        The fitted model, which has all that the library says about it.
    {words_and_columns}

    See Also
    --------
    TopicClassifier, TopicRegressor : They have `transform` too.

    Examples
    --------
    >>> from gibbous.sklearn import TopicTransformer
    >>> texts = ["apples and pears", "pears and plums", "cars and trains", "trains and buses"] * 10
    >>> TopicTransformer(topics=2, sweeps=40, random_state=1).fit_transform(texts).shape
    (40, 2)
    """

    def __init__(
        self,
        topics: int | None = None,
        *,
        response: str | None = "none",
        cost: float | str | None = None,
        prior: str | None = None,
        prevalence: str | None = None,
        alpha: float | str | Sequence[float] | None = None,
        beta: float | str | None = None,
        coefficient_prior: str | None = None,
        variance: float | str | Mapping[str, float | str] | None = None,
        class_weight: str | Mapping[Any, float] | None = None,
        sweeps: int | None = None,
        burn_in: int | None = None,
        chains: int | None = None,
        vocabulary: Sequence[str] | Mapping[str, int] | None = None,
        options: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self._set(locals())

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> Self:
        """Find topics.

        Parameters
        ----------
        {counts_or_texts}
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
            Classes or numbers for topics to explain; not looked at if `response` is "none".
        {beside}
        embeddings : array-like of shape (n_samples, n_numbers), optional
            A row of numbers for each document beside its words, of a language model for example.

        Returns
        -------
        TopicTransformer
        """
        labels = None
        if self.response != "none":
            y = _required(self, y)
            labels = _numbers(y) if _is_for_numbers(self.response, y) else [_Classes.of(y).field]
        return self._train(
            X,
            labels,
            _Beside(covariates, groups, exposure, sample_weight, embeddings, metadata),
            {},
        )

    def score(self, X: Any, y: Any = None, groups: Any = None, metadata: Any = None) -> float:
        """How probable the words of documents are.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or sequence of str
            Documents, other than those of `fit`.
        y : None
            Not looked at.
        groups, metadata : array-like or data frame, optional
            As in `fit`.

        Returns
        -------
        float
            Estimated log likelihood per word, by document completion: half of each document's words
            given the other half. Larger is better.

        Raises
        ------
        ValueError
            No document has a word that the model knows: there is nothing to score.
        """
        check_is_fitted(self)
        given = self._inputs(X, _Beside(groups=groups, metadata=metadata), reset=False)
        held_out = self.model_.held_out_likelihood(given, **self._options("evaluate"))
        n_scored = held_out.n_scored.sum()
        if n_scored == 0:
            raise ValueError(
                "there is nothing to score: no document has a word that the model knows"
            )
        return float(held_out.log_likelihood.sum() / n_scored)


@_described
@short_errors_of
class TopicClassifier(ClassifierMixin, _TopicModel):  # type: ignore[misc]
    """Supervised topic model for classes: one of two, one of many, or any number per document.

    Parameters
    ----------
    topics : int, optional
        Number of topics; at least twice the number of classes is a good start.
    response : str, optional
        How classes depend on topics, such as "hinge", "logistic" or "probit"; "ordinal" is for
        classes in an order, by their numbers or by the option `levels`.
    {cost_to_coefficients}
    {class_weight}
    {sweeps_to_verbose}

    Attributes
    ----------
    model_ : Model
        The fitted model, which has all that the library says about it.
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.  For an indicator matrix the numbers of its columns, or their names in
        a data frame.
    coef_ : ndarray of shape (1, n_topics) or (n_classes, n_topics)
        Coefficient of each topic in each score, mean over the draws of the leading chain.  Two
        classes, and classes in an order, have one score.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercept of each score.
    {words_and_columns}

    Examples
    --------
    >>> from gibbous.sklearn import TopicClassifier
    >>> texts = ["apples and pears", "pears and plums", "cars and trains", "trains and buses"] * 10
    >>> labels = ["fruit", "fruit", "traffic", "traffic"] * 10
    >>> model = TopicClassifier(topics=2, sweeps=40, random_state=1).fit(texts, labels)
    >>> model.predict(["pears and apples", "cars and buses"]).tolist()
    ['fruit', 'traffic']
    """

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> Self:
        """Find topics that explain words and classes.

        Parameters
        ----------
        {counts_or_texts}
        y : {array-like, sparse matrix} of shape (n_samples,) or (n_samples, n_classes)
            The class of each document; or an indicator matrix of 0 and 1, for any number of classes
            per document.  None, NaN or a row of NaN is a missing label: such a document still helps
            to find topics.
        {beside}
        embeddings : array-like of shape (n_samples, n_numbers), optional
            A row of numbers for each document beside its words, of a language model for example.

        Returns
        -------
        TopicClassifier
        """
        labels = _Classes.of(_required(self, y))
        levels = labels.field.levels if self.response == "ordinal" else None
        # scikit-learn's positive class is the second in the order of values, not of names
        is_binary = len(labels.names) == 2 and not labels.is_several
        is_binary &= (self.options or {}).get("task") != "multiclass"
        positive = {"positive": labels.names[1]} if is_binary else {}
        self._train(
            X,
            [labels.field],
            _Beside(covariates, groups, exposure, sample_weight, embeddings, metadata),
            {"classes_": labels.classes, "_names": labels.names, "_is_several": labels.is_several},
            **positive,
            **({"levels": levels} if levels else {}),
        )
        if self._lacks_probabilities() and "calibrate" not in (self.options or {}):
            warnings.warn(
                f"predict_proba is missing: {self._lacks_probabilities()}",
                ProbabilityWarning,
                stacklevel=2,
            )
        return self

    def predict(
        self,
        X: Any,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> npt.NDArray[Any]:
        """Predict classes.

        Parameters
        ----------
        {as_fit_was_given}
        {beside_as_in_fit}

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            The class of each document; or 1 for each class that is predicted, else 0.
        """
        predicted: Any = self._apply(
            X, _Beside(covariates, groups, exposure, embeddings=embeddings, metadata=metadata)
        ).responses[0]
        if self._is_several:
            return self._in_order(predicted.has_class).astype(np.int64)
        order = np.array([self._names.index(name) for name in predicted.response.classes])
        classes: npt.NDArray[Any] = self.classes_[order[predicted.index.astype(np.intp)]]
        return classes

    @available_if(lambda self: self._has_probabilities())  # type: ignore[untyped-decorator]
    def predict_proba(
        self,
        X: Any,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> npt.NDArray[np.float64]:
        """Predict the probability of each class.

        A fitted model has this method only if it has probabilities: the response defines them
        ("logistic" with ``cost=1``, "probit"), or they were calibrated on held-out labels in
        training, which takes 200 labelled documents and 20 sweeps of burn-in, or
        ``options={"calibrate": 5}``, which trains on five folds as well.  `fit` warns where they
        are missing.

        Parameters
        ----------
        {as_fit_was_given}
        {beside_as_in_fit}

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns are in the order of `classes_`.  Rows add up to 1, unless documents have any
            number of classes.
        """
        predicted: Any = self._apply(
            X, _Beside(covariates, groups, exposure, embeddings=embeddings, metadata=metadata)
        ).responses[0]
        return self._in_order(predicted.probabilities)

    @available_if(lambda self: self._has_probabilities())  # type: ignore[untyped-decorator]
    def predict_log_proba(
        self,
        X: Any,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> npt.NDArray[np.float64]:
        """Predict the logarithm of the probability of each class.

        Parameters
        ----------
        X, covariates, groups, exposure, embeddings, metadata : array-like
            As in `predict_proba`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        probability = self.predict_proba(X, covariates, groups, exposure, embeddings, metadata)
        logarithm: npt.NDArray[np.float64] = np.log(probability)
        return logarithm

    def _has_probabilities(self) -> bool:
        if not hasattr(self, "model_") or self._lacks_probabilities() is None:
            return True
        raise AttributeError(
            f"{type(self).__name__} has no predict_proba: {self._lacks_probabilities()};"
            " decision_function() has the scores"
        )

    def _lacks_probabilities(self) -> str | None:
        """Why there are none, and what gives them."""
        why = self.model_.responses[0].lacks_probabilities
        if why is None:
            return None
        return (
            f"{why}; options={{'calibrate': 5}} calibrates on five folds,"
            " response='logistic' with cost=1 needs no calibration"
        )

    def decision_function(
        self,
        X: Any,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> npt.NDArray[np.float64]:
        """Scores of classes, means over the snapshots of the model.

        Parameters
        ----------
        {as_fit_was_given}
        {beside_as_in_fit}

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes the score of the second one; with "ordinal" the one score that all
            classes share.
        """
        return self._by_score(
            self._apply(
                X, _Beside(covariates, groups, exposure, embeddings=embeddings, metadata=metadata)
            ).scores
        )

    def score(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> float:
        """Accuracy: the share of documents whose class, or whose set of classes, is predicted.

        Documents whose label is missing do not count.

        Parameters
        ----------
        {as_fit_was_given}
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            The true classes.
        sample_weight : array-like of shape (n_samples,), optional
            How much each document counts.
        {beside_as_in_fit}

        Returns
        -------
        float
        """
        predicted = self.predict(
            X,
            covariates=covariates,
            groups=groups,
            exposure=exposure,
            embeddings=embeddings,
            metadata=metadata,
        )
        true, known = self._truth(y)
        check_consistent_length(known, predicted, sample_weight)
        weight = None if sample_weight is None else np.asarray(sample_weight)[known]
        return float(accuracy_score(true, predicted[known], sample_weight=weight))

    def _truth(self, y: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """Labels that are known, in the values of `classes_`, and which documents have them."""
        if self._is_several:
            rows = y.toarray() if sparse.issparse(y) else np.asarray(y)
            known = np.array([not is_missing(row[0]) for row in rows], dtype=bool)
            return rows[known].astype(np.int64), known
        given = _Classes.of(y)
        assert given.field.class_of is not None
        known = given.field.class_of != NO_CLASS
        value = dict(zip(self._names, self.classes_, strict=True))
        of_class = objects(
            [value.get(name, c) for name, c in zip(given.names, given.classes, strict=True)]
        )
        true = of_class[given.field.class_of[known]]
        is_known = set(given.names) <= set(self._names)
        return (true.astype(self.classes_.dtype) if is_known else true), known

    @property
    def coef_(self) -> npt.NDArray[np.float64]:
        """Coefficient of each topic in each score: (n_scores, n_topics)."""
        return np.atleast_2d(self._by_score(self._coefficients()[:, :-1].T).T)

    @property
    def intercept_(self) -> npt.NDArray[np.float64]:
        """Intercept of each score: (n_scores,)."""
        return np.atleast_1d(self._by_score(self._coefficients()[:, -1:].T).T.ravel())

    def _by_score(self, of_outputs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Columns of outputs in the order of the classes; a single output with one dimension."""
        if of_outputs.shape[1] > 1 or self._is_several:
            return self._in_order(of_outputs)
        response = self.model_.responses[0]
        # the option `positive` may say that the score is of the other class
        is_of_first = response.task == "binary" and response.classes[1] == self._names[0]
        return -of_outputs[:, 0] if is_of_first else of_outputs[:, 0]

    def _in_order(self, of_classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Columns of the model's classes in the order of `classes_`; 0 where none had it."""
        out = np.zeros((len(of_classes), len(self._names)), dtype=of_classes.dtype)
        out[:, [self._names.index(name) for name in self.model_.responses[0].classes]] = of_classes
        return out

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.classifier_tags.poor_score = (
            True  # on points in the plane, of which topics see only x / (x + y)
        )
        return tags


@_described
@short_errors_of
class TopicRegressor(RegressorMixin, _TopicModel):  # type: ignore[misc]
    """Supervised topic model for numbers and counts, one or several per document.

    Parameters
    ----------
    topics : int, optional
        Number of topics.
    response : str, optional
        How numbers depend on topics, such as "gaussian"; "negative-binomial" is for counts.
    {cost_to_coefficients}
    {sweeps_to_verbose}

    Attributes
    ----------
    model_ : Model
        The fitted model, which has all that the library says about it.
    coef_ : ndarray of shape (n_topics,) or (n_targets, n_topics)
        Coefficient of each topic in each score, mean over the draws of the leading chain.  The
        score of a number is in standard deviations of the number, the score of a count is the
        logarithm of a rate.
    intercept_ : float or ndarray of shape (n_targets,)
        Intercept of each score.
    {words_and_columns}

    Examples
    --------
    >>> from gibbous.sklearn import TopicRegressor
    >>> texts = ["apples and pears", "pears and plums", "cars and trains", "trains and buses"] * 10
    >>> prices = [1.0, 2.0, 50.0, 40.0] * 10
    >>> model = TopicRegressor(topics=2, sweeps=40, random_state=1).fit(texts, prices)
    >>> fruit, traffic = model.predict(["pears and apples", "cars and buses"])
    >>> bool(fruit < 10 < 30 < traffic)
    True
    """

    def __init__(
        self,
        topics: int | None = None,
        *,
        response: str | None = None,
        cost: float | str | None = None,
        prior: str | None = None,
        prevalence: str | None = None,
        alpha: float | str | Sequence[float] | None = None,
        beta: float | str | None = None,
        coefficient_prior: str | None = None,
        variance: float | str | Mapping[str, float | str] | None = None,
        sweeps: int | None = None,
        burn_in: int | None = None,
        chains: int | None = None,
        vocabulary: Sequence[str] | Mapping[str, int] | None = None,
        options: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self._set(locals())

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> Self:
        """Find topics that explain words and numbers.

        Parameters
        ----------
        {counts_or_texts}
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Numbers; NaN is a missing one: such a document still helps to find topics.
        {beside}
        embeddings : array-like of shape (n_samples, n_numbers), optional
            A row of numbers for each document beside its words, of a language model for example.

        Returns
        -------
        TopicRegressor
        """
        labels = _numbers(_required(self, y))
        return self._train(
            X,
            labels,
            _Beside(covariates, groups, exposure, sample_weight, embeddings, metadata),
            {"_targets": [label.name for label in labels], "_is_one": len(_shape(y)) == 1},
        )

    def predict(
        self,
        X: Any,
        return_std: bool = False,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> Any:
        """Predict numbers: the means of what is to be expected.

        Parameters
        ----------
        {as_fit_was_given}
        return_std : bool, default=False
            Also return the standard deviations of new numbers, noise included.
        {beside_as_in_fit}

        Returns
        -------
        mean : ndarray of shape (n_samples,) or (n_samples, n_targets)
        std : ndarray of the same shape
            Only with `return_std`.
        """
        prediction = self._apply(
            X, _Beside(covariates, groups, exposure, embeddings=embeddings, metadata=metadata)
        )
        of_field: dict[str, Any] = {of.response.field: of for of in prediction.responses}
        targets = [of_field[name] for name in self._targets]
        mean = self._by_target(np.column_stack([target.mean for target in targets]))
        if not return_std:
            return mean
        return mean, self._by_target(np.column_stack([target.sd for target in targets]))

    def score(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        covariates: Any = None,
        groups: Any = None,
        exposure: Any = None,
        embeddings: Any = None,
        metadata: Any = None,
    ) -> float:
        """R squared: the share of the numbers' variance that is predicted, mean over targets.

        Numbers that are missing do not count.

        Parameters
        ----------
        {as_fit_was_given}
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            The true numbers.
        sample_weight : array-like of shape (n_samples,), optional
            How much each document counts.
        {beside_as_in_fit}

        Returns
        -------
        float
        """
        predicted = self.predict(
            X,
            covariates=covariates,
            groups=groups,
            exposure=exposure,
            embeddings=embeddings,
            metadata=metadata,
        )
        targets: list[Any] = [of.numbers for of in _numbers(y)]
        columns = predicted.reshape(len(predicted), -1).T
        check_consistent_length(*targets, predicted, sample_weight)
        scores = []
        for true, of_target in zip(targets, columns, strict=True):
            known = ~np.isnan(true)
            weight = None if sample_weight is None else np.asarray(sample_weight)[known]
            scores.append(r2_score(true[known], of_target[known], sample_weight=weight))
        return float(np.mean(scores))

    @property
    def coef_(self) -> npt.NDArray[np.float64]:
        """Coefficient of each topic in each score: (n_topics,) or (n_targets, n_topics)."""
        coefficients = self._coefficients()[self._outputs(), :-1]
        return coefficients[0] if self._is_one else coefficients

    @property
    def intercept_(self) -> Any:
        """Intercept of each score: a number or (n_targets,)."""
        intercepts = self._coefficients()[self._outputs(), -1]
        return float(intercepts[0]) if self._is_one else intercepts

    def _outputs(self) -> list[int]:
        """The model's output of each target."""
        check_is_fitted(self)
        first = {response.field: response.first_output for response in self.model_.responses}
        return [first[name] for name in self._targets]

    def _by_target(self, columns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return columns[:, 0] if self._is_one else columns

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.regressor_tags.poor_score = (
            True  # on numbers that depend on how long a document is, which topics do not see
        )
        return tags


# ---- labels ----


class _Classes(NamedTuple):
    """Classes of documents: the field for the library, and the way back to the user's values."""

    field: Field
    classes: npt.NDArray[Any]
    names: list[str]
    is_several: bool

    @classmethod
    def of(cls, y: Any) -> _Classes:
        """Classes from a column of values, or from an indicator matrix."""
        shape = _shape(y)
        if len(shape) == 2 and shape[1] > 1:
            return cls._of_indicators(y)
        return cls._of_column(column_or_1d(y, warn=True) if len(shape) == 2 else y)

    @classmethod
    def _of_column(cls, y: Any) -> _Classes:
        categories = categories_of(y)
        values = check_array(
            np.asarray(y) if hasattr(y, "cat") or is_bare_categorical(y) else as_column(y, "y"),
            ensure_2d=False,
            dtype=None,
            ensure_all_finite="allow-nan",
        )
        known = np.ones(len(values), dtype=bool)
        if values.dtype.kind in "fO":
            known = np.array([not is_missing(value) for value in values], dtype=bool)
        present = values[known]
        if len(present) == 0:
            raise ValueError("y has no class: all labels are missing")
        if present.dtype == object and len({isinstance(value, str) for value in present}) == 1:
            present = np.asarray(present.tolist())
        check_classification_targets(present)
        classes, code = np.unique(present, return_inverse=True)
        codes: dict[str, int] = {}  # values of one name are one class
        code_of = [
            codes.setdefault(name_of(value, "a class of y"), len(codes)) for value in classes
        ]
        names = list(codes)
        class_of = np.full(len(values), NO_CLASS, dtype=np.uint32)
        class_of[known] = np.array(code_of, dtype=np.uint32)[code]
        levels = None
        if categories is not None and categories.is_ordered:
            levels = [name_of(value, "a category") for value in categories.values]
        field = Field(
            _name(y, "label"), "response", "one", class_name=names, class_of=class_of, levels=levels
        )
        _, kept = np.unique(code_of, return_index=True)
        return cls(field, classes[kept], names, False)

    @classmethod
    def _of_indicators(cls, y: Any) -> _Classes:
        is_named = hasattr(y, "columns")
        field = inputs.field(
            "labels", y if is_named or sparse.issparse(y) else np.asarray(y), "labels"
        )
        names = list(field.class_name or [])
        return cls(field, np.array(names) if is_named else np.arange(len(names)), names, True)


def _numbers(y: Any) -> list[Field]:
    """Targets: one for each column."""
    name = _name(y, "target")
    if not hasattr(y, "columns"):
        y = check_array(
            y, ensure_2d=False, dtype=np.float64, ensure_all_finite="allow-nan", input_name="y"
        )
    return inputs.fields(name, y, "target")


def _is_for_numbers(response: str | None, y: Any) -> bool:
    """Whether a response is for numbers; without one, whether y has fractions."""
    if response is not None:
        kinds = dict(re.findall(r"([a-z-]+) \((\w+)\)", option_table()["response"].help))
        return kinds.get(response) in ("numbers", "counts")
    values = np.asarray(y)
    return values.dtype.kind == "f" and bool(np.any(np.mod(values[np.isfinite(values)], 1) != 0))


def _by_argument(labels: list[Field]) -> dict[str, Any]:
    """Labels by the options that name them."""
    arguments = {"label": "one", "labels": "several", "target": "number"}
    found = {name: [of for of in labels if of.kind == kind] for name, kind in arguments.items()}
    return {name: of_kind for name, of_kind in found.items() if of_kind}


def _required(estimator: BaseEstimator, y: Any) -> Any:
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        )
    return y


def _shape(y: Any) -> tuple[int, ...]:
    if isinstance(y, (list, tuple)) and not (y and isinstance(y[0], (list, tuple, np.ndarray))):
        return (len(y),)
    return tuple(y.shape if hasattr(y, "shape") else np.asarray(y).shape)


def _name(y: Any, otherwise: str) -> str:
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else otherwise


# ---- documents and options ----


def _is_matrix(X: Any) -> bool:
    """Whether documents are rows of a matrix; else they are texts, lists of words or mappings."""
    if isinstance(X, (list, tuple)):
        first = next((x for x in X if not is_missing(x)), "" if X else None)
        begins = first[0] if isinstance(first, (list, tuple)) and first else first
        return not isinstance(begins, (str, bytes, Mapping))
    if isinstance(X, np.ndarray):
        return not (X.ndim == 1 and X.dtype.kind in "OUT")
    series = None if sparse.issparse(X) else as_series(X)
    return series is None or series.dtype.is_numeric()


def _seed(random_state: Any) -> int | None:
    if random_state is None or isinstance(random_state, Integral):
        return random_state if random_state is None else int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _takes(verb: str, name: str) -> bool:
    """Whether an option goes to a verb: those of prediction to what applies a model."""
    option = option_table().get(name)
    is_applied = (
        option is not None and option.group == "Prediction" and bool(_APPLY & {name, *option.verbs})
    )
    if verb == "train":
        return not is_applied
    return name == "threads" or (is_applied and option is not None and verb in option.verbs)
