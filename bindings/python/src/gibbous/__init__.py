"""Supervised topic models with exact, reproducible Markov chain Monte Carlo.

``gibbous.train(documents, topics=20, response="logistic")`` gives a :class:`Model`.  Everything is
computed by the library libgibbous, and is the same, bit for bit, as from the command ``gibbous``.
"""

from __future__ import annotations

from gibbous import frames, inference_data, plots
from gibbous._library import library as _library
from gibbous._library import text as _text
from gibbous.chain import Chain, ModelBuilder
from gibbous.corpus import NO_CLASS, Corpus, Field
from gibbous.diagnosis import Diagnosis, Judgement
from gibbous.errors import (
    ArgumentError,
    ConvergenceWarning,
    DoubtWarning,
    FormatError,
    GibbousError,
    NoDrawsError,
    NoEffectWarning,
    NumericError,
    OutOfMemoryError,
    ProbabilityWarning,
    ReadWriteError,
    Stopped,
    SuspectWarning,
    UnknownOptionError,
)
from gibbous.evaluation import CrossValidation, Evaluation, cross_validate, simulate
from gibbous.explanation import Explanation, explain
from gibbous.frames import Estimate
from gibbous.model import Model
from gibbous.options import Option, options
from gibbous.plan import Plan
from gibbous.predicted_draws import PredictedDraws, ResponseDraws, predict_draws
from gibbous.prevalence import Prevalence
from gibbous.progress import Progress
from gibbous.quality import coherence, diversity, exclusivity
from gibbous.results import Documents, HeldOut, Prediction, Response, ResponsePrediction
from gibbous.selection import Candidate, Selection, SelectionProgress, select
from gibbous.tables import Table, questions, stopwords
from gibbous.training import train


def __dir__() -> list[str]:
    return sorted(__all__)


__version__ = _text(_library.gb_version())

__all__ = [
    "NO_CLASS",
    "ArgumentError",
    "Candidate",
    "Chain",
    "ConvergenceWarning",
    "Corpus",
    "CrossValidation",
    "Diagnosis",
    "Documents",
    "DoubtWarning",
    "Estimate",
    "Evaluation",
    "Explanation",
    "Field",
    "FormatError",
    "GibbousError",
    "HeldOut",
    "Judgement",
    "Model",
    "ModelBuilder",
    "NoDrawsError",
    "NoEffectWarning",
    "NumericError",
    "Option",
    "OutOfMemoryError",
    "Plan",
    "PredictedDraws",
    "Prediction",
    "Prevalence",
    "ProbabilityWarning",
    "Progress",
    "ReadWriteError",
    "Response",
    "ResponseDraws",
    "ResponsePrediction",
    "Selection",
    "SelectionProgress",
    "Stopped",
    "SuspectWarning",
    "Table",
    "UnknownOptionError",
    "__version__",
    "coherence",
    "cross_validate",
    "diversity",
    "exclusivity",
    "explain",
    "frames",
    "inference_data",
    "options",
    "plots",
    "predict_draws",
    "questions",
    "select",
    "simulate",
    "stopwords",
    "train",
]
