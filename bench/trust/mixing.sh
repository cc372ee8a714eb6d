#!/usr/bin/env bash
# Effective samples per sweep of every scale that a model samples, on real documents: docs/measured/trust.md has the table.
#   GIBBOUS_DATA=/path/to/data bench/trust/mixing.sh
# SWEEPS and SKIPPED are per chain; GIBBOUS and MIXING name the programs.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
gibbous=${GIBBOUS:-$root/build/release/gibbous}
mixing=${MIXING:-$root/build/release/bench/gibbous_bench_mixing}
sweeps=${SWEEPS:-1000} skipped=${SKIPPED:-400}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

films=$GIBBOUS_DATA/movies_tmdb/tmdb_5000.jsonl.gz
words=(--stopwords en --min-df 5 -q --force)
"$gibbous" import "$films" --label first_genre "${words[@]}" -o "$work/genre.gbc"
"$gibbous" import "$films" --target vote_average "${words[@]}" -o "$work/votes.gbc"
"$gibbous" import "$films" --target vote_count "${words[@]}" -o "$work/counts.gbc"
zcat "$films" | grep '"year": [0-9]' > "$work/dated.jsonl" # one film has no year
"$gibbous" import "$work/dated.jsonl" --group year "${words[@]}" -o "$work/years.gbc"
"$gibbous" import "$GIBBOUS_DATA/hotel_reviews/tripadvisor_2000.jsonl.gz" --label rating "${words[@]}" -o "$work/stars.gbc"

# measure NAME CORPUS OPTION=VALUE...
measure() {
    local name=$1 corpus=$2
    shift 2
    "$mixing" "$work/$corpus.gbc" "$sweeps" "$skipped" topics=20 seed=1 alpha=0.1 beta=0.1 threads=1 "$@" |
        awk -v name="$name" -F '\t' 'NR > 1 { printf "%s\t%s\t%s\t%s\t%s\n", name, $1, $2, $3, $4 }'
}
priors() { # these have no alpha
    local name=$1 corpus=$2
    shift 2
    "$mixing" "$work/$corpus.gbc" "$sweeps" "$skipped" topics=20 seed=1 beta=0.1 threads=1 "$@" |
        awk -v name="$name" -F '\t' 'NR > 1 { printf "%s\t%s\t%s\t%s\t%s\n", name, $1, $2, $3, $4 }'
}

printf 'model\tscale\tnumbers\tsmallest\tmedian\n'
for response in logistic probit hinge; do
    measure "$response, horseshoe" genre response=$response coefficient-prior=horseshoe
    measure "$response, variance sampled" genre response=$response variance=sample
done
measure 'gaussian, noise sampled' votes response=gaussian noise-variance=sample cost=1 variance=sample
measure 'negative binomial' counts response=negative-binomial dispersion=sample variance=sample
measure 'ordinal' stars response=ordinal task=ordinal variance=sample
priors 'logistic-normal' years prior=logistic-normal response=none
priors 'logistic-normal, full' years prior=logistic-normal response=none covariance=full
priors 'graph, years' years prior=graph graph=chain response=none
priors 'graph, years, full' years prior=graph graph=chain response=none covariance=full
