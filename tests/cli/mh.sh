# The Metropolis-Hastings token sampler: its options, what goes together, and how often it accepts.
. "$TESTS/helpers"
printf '{"text":"red green red","l":"x"}\n{"text":"blue green red blue","l":"y"}\n{"text":"","l":"x"}\n{"text":"red"}\n' >d.jsonl
run() {
    gibbous train d.jsonl --label l --seed 1 --sweeps 6 --burn-in 2 --blocks 2 --force -m m.gibbous -k 3 --sampler mh "$@"
}
acceptance() {
    gibbous info --json m.gibbous | tr -d ' \n' | grep -o '"acceptance":{[^}]*}' | sed 's/0\.[0-9]*/N/g; s/\[1\.0\]/[N]/g'
}
run -q
acceptance
run -q --chains 2 --mh-proposals word,doc
acceptance
run -q --response none # exp has nothing to propose by
acceptance
run -q --mh-steps 3 --mh-compose cycle
gibbous info --json m.gibbous | tr -d ' \n' | grep -o '"mh-[a-z]*":"[^"]*"\|"sampler":"[^"]*"'
run -q --two-stage # topics do not depend on labels
acceptance
run 2>&1 | grep accepted | sed 's/[01]\.[0-9]*/N/g'
gibbous predict d.jsonl -m m.gibbous -q | wc -l
bad() {
    try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous "$@"
}
bad --sampler mh --mh-proposals doc,topic
bad --sampler mh --mh-proposals doc,doc
bad --sampler mh --mh-proposals ''
bad --sampler mh --mh-proposals exp --response none
bad --sampler mh --mh-proposals exp --two-stage
bad --sampler mh --mh-steps 0
bad --sampler mh --mh-compose both
bad --mh-steps 4
bad --sampler dense --mh-proposals doc
