# --draws: one JSON object per kept sweep, with what --draws-include asks for; nothing is overwritten without --force.
. "$TESTS/helpers"
printf '{"text":"red green red","l":"x"}\n{"text":"blue green","l":"y"}\n{"text":"","l":"x"}\n{"text":"red"}\n' >d.jsonl
run() {
    gibbous train d.jsonl --label l -k 2 --alpha 5 --beta 0.01 --cost 32 --variance 0.01 --seed 1 --sweeps 6 --burn-in 2 --thin 2 --blocks 2 -q --force -m m.gibbous "$@"
}
run --draws plain.jsonl
sed 's/-[0-9.]*}/-N}/' plain.jsonl
run --draws all.jsonl --draws-include eta,scores,assignments,prior --intercept
# one list of topics per document, as long as the document; one eta per output: topics, then the intercept
sed 's/-\{0,1\}[0-9]\.[0-9e.-]*/N/g; s/"log_joint":[^,]*/"log_joint":N/; s/\(\[\|,\)[01]\(\]\|,\)/\1T\2/g; s/,[01]\]/,T]/g; s/\[[01],/[T,/g' all.jsonl | head -n 1
run --chains 2 --draws chains.jsonl
cut -d, -f1,2 chains.jsonl
run --threads 1 --draws one.jsonl --draws-include eta,assignments
run --threads 4 --draws four.jsonl --draws-include eta,assignments
cmp one.jsonl four.jsonl
try gibbous train d.jsonl --label l -k 2 --seed 1 -m new.gibbous --draws plain.jsonl -q
try gibbous train d.jsonl --label l -k 2 --seed 1 -m new.gibbous --draws x.jsonl --draws-include phi -q
try gibbous train d.jsonl --label l -k 2 --seed 1 -m new.gibbous --draws none/x.jsonl -q
ls -A
