# Coefficient priors and samplers: what goes together, what --draws gives, and when auto changes.
. "$TESTS/helpers"
printf '{"text":"red green red","l":"x"}\n{"text":"blue green","l":"y"}\n{"text":"","l":"x"}\n{"text":"red"}\n' >d.jsonl
run() {
    gibbous train d.jsonl --label l --seed 1 --sweeps 6 --burn-in 2 --blocks 2 -q --force -m m.gibbous "$@"
}
run -k 2 --coefficient-prior horseshoe --draws h.jsonl --draws-include prior
# tau and the scale of each topic; the normal prior has none
head -n 1 h.jsonl | sed 's/.*"scales"/scales/; s/[0-9.e+-]\{2,\}/N/g'
run -k 2 --draws n.jsonl --draws-include prior
grep -c scales n.jsonl
run -k 2 --coefficient-sampler coordinate --coefficient-steps 3
same() { # NAME OPTION...: is auto the same as this?
    run "$@" --draws a.jsonl --draws-include eta
    run "$@" --draws b.jsonl --draws-include eta --coefficient-sampler block
    cmp -s a.jsonl b.jsonl && echo block || echo coordinate
}
same -k 399
same -k 400
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --coefficient-prior horseshoe --variance 1
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --coefficient-steps 2
try gibbous train d.jsonl --label l -k 2 -q -m new.gibbous --coefficient-prior lasso
