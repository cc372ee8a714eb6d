# A file that cannot be opened because there are too many open ones: the machine has failed, not the data.
. "$TESTS/helpers"
printf 'id,year\n1,1999\n' >years.csv
printf '{"id":"1","text":"one two"}\n' >good.jsonl
few() {
    (exec 3>&- && ulimit -n 4 && exec gibbous "$@")
}
try few convert good.jsonl --metadata years.csv --covariates year --to jsonl
