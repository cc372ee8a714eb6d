"""Options as type checkers see them, by tools/declarations.py; do not edit."""

# ruff: noqa: E501, D101
from __future__ import annotations

from typing import Any, Literal, TypedDict


class _Shared1(TypedDict, total=False):
    text: Any
    id: Any
    label: Any
    labels: Any
    target: Any
    covariates: Any
    exposure: Any
    document_weight: Any
    group: Any
    cluster: Any
    vocabulary: Any
    embeddings: Any
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    metadata: Any
    document_ids: Any
    memory_limit: Any


class _Shared2(TypedDict, total=False):
    format: Literal["auto", "corpus", "jsonl", "csv", "tsv", "dir", "mallet", "fasttext", "svmlight", "vw", "uci", "ldac", "mtx", "npz"] | None
    zero_based: bool | None
    unpack_factor: int | None
    threads: int | Literal["auto"] | None


class _Shared4(TypedDict, total=False):
    lowercase: bool | None
    max_vocabulary: int | None
    word_breaks: Literal["pattern", "icu"] | None
    ngrams: int | None
    phrase_score: float | None


class _Shared5(TypedDict, total=False):
    token_pattern: Any
    stopwords: Any
    min_df: Any
    max_df: Any
    stem: Any
    phrase_min_df: Any
    prevalence: Any
    content: Any
    evolve: Any


class _Shared7(TypedDict, total=False):
    topics: int | None
    covariance: Literal["diagonal", "full"] | None
    prevalence_prior: Literal["normal", "horseshoe"] | None
    level_precision: float | None
    level_mean: float | None
    seed_strength: float | Literal["auto"] | None
    task: Literal["auto", "binary", "multiclass", "multilabel", "regression", "ordinal"] | None
    margin: float | None
    epsilon: float | Literal["auto"] | None
    standardise: bool | None
    strategy: Literal["shared", "one-vs-rest"] | None
    calibrate: int | Literal["auto"] | None
    cut_off: Literal["f1", "accuracy", "none"] | None
    two_stage: bool | None
    coefficient_prior: Literal["normal", "horseshoe"] | None
    word_effects: Literal["none", "tfidf", "presence", "counts", "shares"] | None
    idf_power: float | Literal["auto"] | None
    word_effects_after: int | None
    min_level_count: int | None
    intercept: bool | None
    sweeps: int | Literal["auto"] | None
    burn_in: int | Literal["auto"] | None
    start: Literal["grow", "nmf"] | None
    growth: int | None
    thin: int | Literal["auto"] | None
    pool: int | Literal["auto"] | None
    snapshots: int | Literal["auto"] | None
    chains: int | Literal["auto"] | None
    sampler: Literal["auto", "dense", "sparse", "mh"] | None
    psi_update: Literal["auto", "interval", "polya-gamma"] | None
    mh_steps: int | None
    mh_compose: Literal["mixture", "cycle"] | None
    coefficient_sampler: Literal["auto", "block", "mixed", "conjugate", "coordinate"] | None
    coefficient_steps: int | None
    topic_treatment: Literal["blocks", "sampled"] | None
    blocks: int | Literal["auto"] | None
    parts: int | Literal["auto"] | None
    teams: int | Literal["auto"] | None


class _Shared8(TypedDict, total=False):
    prior: Any
    alpha: Any
    psi_mean: Any
    psi_covariance: Any
    graph: Any
    wording_concentration: Any
    evolution_precision: Any
    observation_precision: Any
    beta: Any
    seeds: Any
    response: Any
    positive: Any
    cost: Any
    noise_variance: Any
    dispersion: Any
    levels: Any
    class_weight: Any
    variance: Any
    mh_proposals: Any


class _Shared13(TypedDict, total=False):
    new_groups: Literal["error", "extend", "level"] | None
    infer_sweeps: int | None
    infer_burn_in: int | None


class _Shared14(TypedDict, total=False):
    fold_by: Any
    hold_out_group: Any


class ReadOptions(_Shared1, _Shared2, _Shared4, _Shared5, total=False):
    keep_text: bool | None


class TrainOptions(_Shared1, _Shared2, _Shared4, _Shared5, _Shared7, _Shared8, total=False):
    text_labels: Any
    estimate_on: float | None
    cross_fit: int | None
    time_limit: Any
    checkpoint: Any
    checkpoint_every: Any
    resume: Any
    draws: Any
    draws_include: Any
    impute: Literal["none", "mean"] | None
    seed: int | Literal["auto"] | None


class EvaluateOptions(_Shared1, _Shared2, _Shared4, _Shared5, _Shared7, _Shared8, _Shared13, _Shared14, total=False):
    impute: Literal["none", "mean"] | None
    seed: int | Literal["auto"] | None
    subgroups: Any
    unknown_label: Literal["error", "wrong", "skip"] | None
    folds: int | None
    baseline: bool | None
    held_out: Literal["auto", "none", "empirical", "left-to-right", "completion"] | None
    held_out_samples: int | Literal["auto"] | None
    unknown_level: Literal["error", "reference"] | None


class SelectOptions(_Shared1, _Shared5, _Shared8, _Shared14, total=False):
    format: Any
    zero_based: Any
    unpack_factor: Any
    lowercase: Any
    max_vocabulary: Any
    word_breaks: Any
    ngrams: Any
    phrase_score: Any
    topics: Any
    covariance: Any
    prevalence_prior: Any
    level_precision: Any
    level_mean: Any
    seed_strength: Any
    task: Any
    margin: Any
    epsilon: Any
    standardise: Any
    strategy: Any
    calibrate: Any
    cut_off: Any
    two_stage: Any
    coefficient_prior: Any
    word_effects: Any
    idf_power: Any
    word_effects_after: Any
    min_level_count: Any
    impute: Any
    intercept: Any
    sweeps: Any
    burn_in: Any
    start: Any
    growth: Any
    thin: Any
    pool: Any
    snapshots: Any
    chains: Any
    sampler: Any
    psi_update: Any
    mh_steps: Any
    mh_compose: Any
    coefficient_sampler: Any
    coefficient_steps: Any
    topic_treatment: Any
    blocks: Any
    parts: Any
    unknown_level: Any
    unknown_label: Any
    new_groups: Any
    infer_sweeps: Any
    infer_burn_in: Any
    folds: Any
    held_out: Any
    held_out_samples: Any
    grid: Any
    halving: Any
    criterion: Any
    results: Any
    seed: Any
    threads: Any
    teams: Any


class PredictOptions(_Shared1, _Shared2, _Shared13, total=False):
    impute: Literal["none", "mean"] | None
    seed: int | Literal["auto"] | None
    unknown_level: Literal["error", "reference"] | None
    topics_alone: bool | None
    scores: bool | None
    top: int | None
    chain: int | Literal["auto"] | None


class InferOptions(_Shared1, _Shared2, _Shared13, total=False):
    impute: Literal["none", "mean"] | None
    seed: int | Literal["auto"] | None
    unknown_level: Literal["error", "reference"] | None
    chain: int | Literal["auto"] | None


class ExplainOptions(_Shared1, _Shared2, _Shared13, total=False):
    impute: Literal["none", "mean"] | None
    seed: int | Literal["auto"] | None
    unknown_level: Literal["error", "reference"] | None
    chain: int | Literal["auto"] | None
    table_of: Literal["parts", "words", "topic-words", "nearest"] | None
    nearest_in: Any
    nearest: int | None


class EstimateOptions(_Shared1, _Shared2, _Shared13, total=False):
    seed: int | Literal["auto"] | None
    chain: int | Literal["auto"] | None
    use_labels: bool | None
    by: Literal["auto", "probability", "frex", "lift", "relevance", "distinct"] | None
    by_weight: float | Literal["auto"] | None
    at: Any
