"""Options as type checkers see them, by tools/declarations.py; do not edit."""

# ruff: noqa: E501, D101
from __future__ import annotations

from typing import Any, Literal, TypedDict


class ReadOptions(TypedDict, total=False):
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
    format: Literal["auto", "corpus", "jsonl", "csv", "tsv", "dir", "mallet", "fasttext", "svmlight", "vw", "uci", "ldac", "mtx", "npz"] | None
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    zero_based: bool | None
    metadata: Any
    document_ids: Any
    unpack_factor: int | None
    lowercase: bool | None
    token_pattern: Any
    stopwords: Any
    min_df: Any
    max_df: Any
    max_vocabulary: int | None
    word_breaks: Literal["pattern", "icu"] | None
    stem: Any
    ngrams: int | None
    phrase_min_df: Any
    phrase_score: float | None
    threads: int | Literal["auto"] | None
    memory_limit: Any
    sandbox: bool | None


class TrainOptions(TypedDict, total=False):
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
    format: Literal["auto", "corpus", "jsonl", "csv", "tsv", "dir", "mallet", "fasttext", "svmlight", "vw", "uci", "ldac", "mtx", "npz"] | None
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    text_labels: Any
    zero_based: bool | None
    metadata: Any
    document_ids: Any
    unpack_factor: int | None
    lowercase: bool | None
    token_pattern: Any
    stopwords: Any
    min_df: Any
    max_df: Any
    max_vocabulary: int | None
    word_breaks: Literal["pattern", "icu"] | None
    stem: Any
    ngrams: int | None
    phrase_min_df: Any
    phrase_score: float | None
    topics: int | None
    prior: Any
    alpha: Any
    covariance: Literal["diagonal", "full"] | None
    psi_mean: Any
    psi_covariance: Any
    graph: Any
    evolution_precision: Any
    observation_precision: Any
    level_precision: float | None
    level_mean: float | None
    beta: Any
    seeds: Any
    seed_strength: float | Literal["auto"] | None
    response: Any
    task: Literal["auto", "binary", "multiclass", "multilabel", "regression", "ordinal"] | None
    positive: Any
    cost: Any
    margin: float | None
    epsilon: float | Literal["auto"] | None
    noise_variance: Any
    dispersion: Any
    levels: Any
    class_weight: Any
    standardise: bool | None
    strategy: Literal["shared", "one-vs-rest"] | None
    calibrate: int | Literal["auto"] | None
    cut_off: Literal["f1", "accuracy", "none"] | None
    two_stage: bool | None
    coefficient_prior: Literal["normal", "horseshoe"] | None
    variance: Any
    word_effects: Literal["none", "tfidf", "presence", "counts", "shares"] | None
    idf_power: float | Literal["auto"] | None
    word_effects_after: int | None
    min_level_count: int | None
    impute: Literal["none", "mean"] | None
    intercept: bool | None
    sweeps: int | Literal["auto"] | None
    burn_in: int | Literal["auto"] | None
    estimate_on: float | None
    cross_fit: int | None
    growth: int | None
    thin: int | Literal["auto"] | None
    pool: int | Literal["auto"] | None
    snapshots: int | Literal["auto"] | None
    chains: int | Literal["auto"] | None
    sampler: Literal["auto", "dense", "sparse", "mh"] | None
    psi_update: Literal["auto", "interval", "polya-gamma"] | None
    mh_steps: int | None
    mh_proposals: Any
    mh_compose: Literal["mixture", "cycle"] | None
    coefficient_sampler: Literal["auto", "block", "mixed", "conjugate", "coordinate"] | None
    coefficient_steps: int | None
    topic_treatment: Literal["blocks", "sampled"] | None
    blocks: int | Literal["auto"] | None
    parts: int | Literal["auto"] | None
    seed: int | Literal["auto"] | None
    threads: int | Literal["auto"] | None
    teams: int | Literal["auto"] | None
    time_limit: Any
    checkpoint: Any
    checkpoint_every: Any
    resume: Any
    memory_limit: Any
    draws: Any
    draws_include: Any


class EvaluateOptions(TypedDict, total=False):
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
    format: Literal["auto", "corpus", "jsonl", "csv", "tsv", "dir", "mallet", "fasttext", "svmlight", "vw", "uci", "ldac", "mtx", "npz"] | None
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    zero_based: bool | None
    metadata: Any
    document_ids: Any
    unpack_factor: int | None
    lowercase: bool | None
    token_pattern: Any
    stopwords: Any
    min_df: Any
    max_df: Any
    max_vocabulary: int | None
    word_breaks: Literal["pattern", "icu"] | None
    stem: Any
    ngrams: int | None
    phrase_min_df: Any
    phrase_score: float | None
    topics: int | None
    prior: Any
    alpha: Any
    covariance: Literal["diagonal", "full"] | None
    psi_mean: Any
    psi_covariance: Any
    graph: Any
    evolution_precision: Any
    observation_precision: Any
    level_precision: float | None
    level_mean: float | None
    beta: Any
    seeds: Any
    seed_strength: float | Literal["auto"] | None
    response: Any
    task: Literal["auto", "binary", "multiclass", "multilabel", "regression", "ordinal"] | None
    positive: Any
    cost: Any
    margin: float | None
    epsilon: float | Literal["auto"] | None
    noise_variance: Any
    dispersion: Any
    levels: Any
    class_weight: Any
    standardise: bool | None
    strategy: Literal["shared", "one-vs-rest"] | None
    calibrate: int | Literal["auto"] | None
    cut_off: Literal["f1", "accuracy", "none"] | None
    two_stage: bool | None
    coefficient_prior: Literal["normal", "horseshoe"] | None
    variance: Any
    word_effects: Literal["none", "tfidf", "presence", "counts", "shares"] | None
    idf_power: float | Literal["auto"] | None
    word_effects_after: int | None
    min_level_count: int | None
    impute: Literal["none", "mean"] | None
    intercept: bool | None
    sweeps: int | Literal["auto"] | None
    burn_in: int | Literal["auto"] | None
    growth: int | None
    thin: int | Literal["auto"] | None
    pool: int | Literal["auto"] | None
    snapshots: int | Literal["auto"] | None
    chains: int | Literal["auto"] | None
    sampler: Literal["auto", "dense", "sparse", "mh"] | None
    psi_update: Literal["auto", "interval", "polya-gamma"] | None
    mh_steps: int | None
    mh_proposals: Any
    mh_compose: Literal["mixture", "cycle"] | None
    coefficient_sampler: Literal["auto", "block", "mixed", "conjugate", "coordinate"] | None
    coefficient_steps: int | None
    topic_treatment: Literal["blocks", "sampled"] | None
    blocks: int | Literal["auto"] | None
    parts: int | Literal["auto"] | None
    unknown_level: Literal["error", "reference"] | None
    unknown_label: Literal["error", "wrong", "skip"] | None
    new_groups: Literal["error", "extend", "level"] | None
    infer_sweeps: int | None
    infer_burn_in: int | None
    folds: int | None
    fold_by: Any
    hold_out_group: Any
    baseline: bool | None
    held_out: Literal["auto", "none", "empirical", "left-to-right", "completion"] | None
    held_out_samples: int | Literal["auto"] | None
    seed: int | Literal["auto"] | None
    threads: int | Literal["auto"] | None
    teams: int | Literal["auto"] | None
    memory_limit: Any
    sandbox: bool | None
    safe_cells: bool | None


class SelectOptions(TypedDict, total=False):
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
    format: Any
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    zero_based: Any
    metadata: Any
    document_ids: Any
    unpack_factor: Any
    lowercase: Any
    token_pattern: Any
    stopwords: Any
    min_df: Any
    max_df: Any
    max_vocabulary: Any
    word_breaks: Any
    stem: Any
    ngrams: Any
    phrase_min_df: Any
    phrase_score: Any
    topics: Any
    prior: Any
    alpha: Any
    covariance: Any
    psi_mean: Any
    psi_covariance: Any
    graph: Any
    evolution_precision: Any
    observation_precision: Any
    level_precision: Any
    level_mean: Any
    beta: Any
    seeds: Any
    seed_strength: Any
    response: Any
    task: Any
    positive: Any
    cost: Any
    margin: Any
    epsilon: Any
    noise_variance: Any
    dispersion: Any
    levels: Any
    class_weight: Any
    standardise: Any
    strategy: Any
    calibrate: Any
    cut_off: Any
    two_stage: Any
    coefficient_prior: Any
    variance: Any
    word_effects: Any
    idf_power: Any
    word_effects_after: Any
    min_level_count: Any
    impute: Any
    intercept: Any
    sweeps: Any
    burn_in: Any
    growth: Any
    thin: Any
    pool: Any
    snapshots: Any
    chains: Any
    sampler: Any
    psi_update: Any
    mh_steps: Any
    mh_proposals: Any
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
    fold_by: Any
    hold_out_group: Any
    held_out: Any
    held_out_samples: Any
    grid: Any
    halving: Any
    criterion: Any
    results: Any
    seed: Any
    threads: Any
    teams: Any
    memory_limit: Any
    safe_cells: Any


class PredictOptions(TypedDict, total=False):
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
    format: Literal["auto", "corpus", "jsonl", "csv", "tsv", "dir", "mallet", "fasttext", "svmlight", "vw", "uci", "ldac", "mtx", "npz"] | None
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    zero_based: bool | None
    metadata: Any
    document_ids: Any
    unpack_factor: int | None
    impute: Literal["none", "mean"] | None
    topics_alone: bool | None
    unknown_level: Literal["error", "reference"] | None
    new_groups: Literal["error", "extend", "level"] | None
    infer_sweeps: int | None
    infer_burn_in: int | None
    seed: int | Literal["auto"] | None
    threads: int | Literal["auto"] | None
    memory_limit: Any
    sandbox: bool | None
    chain: int | Literal["auto"] | None
    safe_cells: bool | None


class InferOptions(TypedDict, total=False):
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
    format: Literal["auto", "corpus", "jsonl", "csv", "tsv", "dir", "mallet", "fasttext", "svmlight", "vw", "uci", "ldac", "mtx", "npz"] | None
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    zero_based: bool | None
    metadata: Any
    document_ids: Any
    unpack_factor: int | None
    impute: Literal["none", "mean"] | None
    unknown_level: Literal["error", "reference"] | None
    new_groups: Literal["error", "extend", "level"] | None
    infer_sweeps: int | None
    infer_burn_in: int | None
    seed: int | Literal["auto"] | None
    threads: int | Literal["auto"] | None
    memory_limit: Any
    sandbox: bool | None
    chain: int | Literal["auto"] | None
    safe_cells: bool | None


class ExplainOptions(TypedDict, total=False):
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
    format: Literal["auto", "corpus", "jsonl", "csv", "tsv", "dir", "mallet", "fasttext", "svmlight", "vw", "uci", "ldac", "mtx", "npz"] | None
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    zero_based: bool | None
    metadata: Any
    document_ids: Any
    unpack_factor: int | None
    impute: Literal["none", "mean"] | None
    unknown_level: Literal["error", "reference"] | None
    new_groups: Literal["error", "extend", "level"] | None
    infer_sweeps: int | None
    infer_burn_in: int | None
    seed: int | Literal["auto"] | None
    threads: int | Literal["auto"] | None
    memory_limit: Any
    sandbox: bool | None
    chain: int | Literal["auto"] | None
    safe_cells: bool | None
    table_of: Literal["parts", "words", "topic-words", "nearest"] | None
    nearest_in: Any
    nearest: int | None


class EstimateOptions(TypedDict, total=False):
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
    format: Literal["auto", "corpus", "jsonl", "csv", "tsv", "dir", "mallet", "fasttext", "svmlight", "vw", "uci", "ldac", "mtx", "npz"] | None
    label_separator: Any
    missing: Any
    encoding: Any
    separator: Any
    zero_based: bool | None
    metadata: Any
    document_ids: Any
    unpack_factor: int | None
    new_groups: Literal["error", "extend", "level"] | None
    infer_sweeps: int | None
    infer_burn_in: int | None
    use_labels: bool | None
    seed: int | Literal["auto"] | None
    threads: int | Literal["auto"] | None
    memory_limit: Any
    sandbox: bool | None
    chain: int | Literal["auto"] | None
    by: Literal["probability", "frex", "lift", "relevance"] | None
    by_weight: float | Literal["auto"] | None
    safe_cells: bool | None
