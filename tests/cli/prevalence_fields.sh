# The fields of a formula are read, whatever their kind, without being covariates of responses.
. "$TESTS/helpers"
cat >docs.jsonl <<'END'
{"id":"1","text":"ape bee cat ape","party":"x","day":"2001-07-02","author":1,"tags":["a","b"],"year":2001}
{"id":"2","text":"cat dog elk","party":"y","day":"2002-07-02","author":2,"tags":["a"],"year":2002}
{"id":"3","text":"ape elk elk bee","party":"x","day":"2003-07-02","author":1,"tags":[],"year":2003}
{"id":"4","text":"dog dog bee","party":"x","day":"2001-10-02","author":3,"tags":["b"],"year":2001}
END
formula='party * s(day) + (1 + year|author) + list(tags)'
# The fields of a corpus: role, name and kind.
fields() {
    gibbous info "$1" --json | python3 -c '
import json, sys
for role, fields in json.load(sys.stdin).items():
    if role in ("labels", "targets", "covariates", "groups", "clusters", "prevalence"):
        for name, of in fields.items():
            print(role, name, of.get("kind", ""))'
}

echo "== the formula says what a field is, else its values do"
gibbous import docs.jsonl --prevalence "$formula" -o all.corpus -q
fields all.corpus
echo "== another option keeps its field"
gibbous import docs.jsonl --label party --covariates year,tags:list --cluster author --prevalence "$formula" -o some.corpus -q
fields some.corpus
echo "== from a corpus file: of covariates, those of the formula are its own, unless they are named"
gibbous import docs.jsonl --label party --covariates author:factor,year,day:date -o covariates.corpus -q
gibbous import covariates.corpus --prevalence "party + s(year)" -o chosen.corpus -q
fields chosen.corpus
gibbous import covariates.corpus --covariates year,day --prevalence "(1|author) + s(year)" -o named.corpus -q
fields named.corpus
gibbous import all.corpus --covariates year -o back.corpus -q
fields back.corpus
echo "== as another format, and from several files, and from a table beside the documents"
gibbous convert all.corpus --to jsonl -o again.jsonl 2>&1 | grep -o -e '--prevalence.*'
gibbous import docs.jsonl docs.jsonl --prevalence "$formula" -o twice.corpus -q
fields twice.corpus | tail -n 2
printf 'id,party,year\n1,x,2001\n2,y,2002\n3,x,2003\n4,x,2001\n' >table.csv
gibbous import docs.jsonl --metadata table.csv --prevalence "party + year" -o table.corpus -q
fields table.corpus
echo "== responses do not see them"
gibbous train docs.jsonl -k 2 --prior logistic-normal --label party --covariates day:date --prevalence "year + day" --sweeps 20 --seed 1 -m m.gibbous -q
gibbous effects -m m.gibbous --table csv -q | cut -d, -f3,4 | grep covariate
echo "== what is wrong"
try gibbous import docs.jsonl --prevalence "partei" -o no.corpus
try gibbous import table.csv --text party --prevalence "partei" -o no.corpus
try gibbous import all.corpus --prevalence "partei" -o no.corpus
try gibbous import all.corpus --prevalence "factor(year)" -o no.corpus
try gibbous import docs.jsonl --prevalence "s(party)" -o no.corpus
try gibbous import docs.jsonl --prevalence "tags" -o no.corpus
try gibbous import docs.jsonl --covariates year:factor --prevalence "s(year)" -o no.corpus
try gibbous import docs.jsonl --prevalence "party * log(year)" -o no.corpus
try gibbous train docs.jsonl -k 2 --prevalence party -m no.gibbous
try gibbous train docs.jsonl -k 2 --prior logistic-normal --min-level-count 2 -m no.gibbous
