# Files of earlier builds are read, or refused with a message that says why (tests/data/old, by age): 1 is from before models kept draws, 4
# from 23 November 2026.  The expected predictions are those of the builds that wrote the models.  A checkpoint may be refused: it is for the
# build that wrote it.
. "$TESTS/helpers"
old=$TESTS/../data/old
cp "$old"/*.jsonl .
for n in 1 2 3 4; do
    echo "== $n"
    cp "$old/$n/"* .
    gibbous info corpus.gbc --json | grep -o '^{"kind":"corpus","documents":[0-9]*'
    gibbous train corpus.gbc -k 2 --sweeps 2 --seed 1 -q -m new.gibbous -f || echo "cannot train"
    for m in classes number; do
        try gibbous predict test.jsonl -m $m.gibbous -q --threads 1
        for verb in info topics effects diagnose; do
            gibbous $verb $m.gibbous >printed 2>&1
            echo "$verb $?"
        done
    done
    if [ -e words.gibbous ]; then # coefficients of words were in double precision
        gibbous predict test.jsonl -m words.gibbous -q --threads 1 | sed 's/\(\.[0-9][0-9][0-9][0-9]\)[0-9]*/\1/g'
    fi
    [ $n = 1 ] && continue
    gibbous train train.jsonl --resume run.gbk -q -m new.gibbous -f 2>messages
    case $?$(cat messages) in
    0 | 3"gibbous: run.gbk: "*) echo "resumed, or refused" ;;
    *) cat messages ;;
    esac
done
