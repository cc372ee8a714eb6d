# Help goes to standard output, and each way to ask for it gives the same.
gibbous --help >a
gibbous -h >b && cmp a b
gibbous help >b && cmp a b
for verb in import info train predict infer evaluate select topics edit effects explain report simulate; do
    gibbous $verb --help >a
    gibbous help $verb >b && cmp a b
    gibbous $verb -h >b && cmp a b
    gibbous $verb x y z --help --topisc >b && cmp a b
    gibbous $verb --help-all >c
    awk -v verb=$verb 'length($0) > 80 && !/^ *gibbous/ { print verb ": line too long: " $0 }' a c
done
gibbous --help
gibbous topics --help-all
gibbous train --help
# what people set fits on a page
gibbous train --help | wc -l | awk '$1 > 75 { print "train --help has " $1 " lines" }'
case $(gibbous --version) in
"gibbous "[0-9]*.[0-9]*.[0-9]*) ;;
*) echo "unexpected version" ;;
esac
