# A limit of the address space ends a training with a message, or lets it finish: it does not hang.
. "$TESTS/helpers"
gibbous simulate -k 5 --documents 300 --length 60 --vocabulary-size 500 --classes 2 --seed 1 -q -o docs.jsonl
for limit in 60000 100000 160000 400000; do
    status=0
    (
        ulimit -v $limit
        timeout 60 gibbous train docs.jsonl --label label -k 200 --coefficient-sampler block --sweeps 3 --burn-in 1 --seed 1 \
            --threads 1 --chains 1 --force -m model.gibbous -q 2>message
    ) || status=$?
    case $status in
        0) echo 'done' ;;
        1) grep -c memory message ;;
        127) echo 'the libraries do not fit' ;;
        *) echo "status $status with $limit kB" ;;
    esac
done | grep status
ls model.gibbous
