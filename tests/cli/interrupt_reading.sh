# A signal stops reading, also while a pipe has nothing to read: a message, and no file.
mkfifo documents
sleep 60 >documents &
writer=$!
for verb in 'import -o written.gbc' 'train -m written.gibbous --seed 1 -k 2'; do
    gibbous ${verb%% *} documents --format jsonl -q ${verb#* } 2>messages &
    pid=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q '^SigCgt:.*4002$' /proc/$pid/status && break
        sleep 0.5
    done
    kill -TERM $pid
    wait $pid && echo "no failure"
    cat messages
done
kill $writer
ls -A
