# A signal stops reading, also while a pipe has nothing to read: a message, and no file.
mkfifo documents
sleep 60 >documents &
writer=$!
for verb in 'import -o written.gbc' 'train -m written.gibbous --seed 1 -k 2'; do
    gibbous ${verb%% *} documents --format jsonl -q ${verb#* } 2>messages &
    pid=$!
    for i in $(seq 100); do # it reads, so it hears signals
        ls -l /proc/$pid/fd 2>/dev/null | grep -q ' .*/documents$' && break
        sleep 0.1
    done
    kill -TERM $pid
    wait $pid && echo "no failure"
    cat messages
done
kill $writer
ls -A
