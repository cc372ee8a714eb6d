# Documents written in each format and read back, with the options that convert names, are the same counts, words, ids and fields.
. "$TESTS/helpers"
cat >data.json <<'END'
{"id": "a 1", "body": "the cat sat on the mat, the cat", "stars": "very good", "tags": ["x,y", "z"], "price": 1.5, "year": 1999, "venue": "ICML", "n": 2, "w": 1}
{"id": "b", "body": "", "stars": "low", "tags": [], "price": null, "year": 2000, "venue": "NIPS", "n": 1, "w": 0.25}
{"id": "c", "body": "Dog \u00fcber dog", "stars": null, "tags": null, "price": -2e-7, "year": 2000, "venue": "a b", "n": 1, "w": 1}
{"id": "c", "body": "mat \u00fcber", "stars": "low", "tags": ["z"], "price": 3, "year": 1999, "venue": "ICML", "n": 1, "w": 1}
END
gibbous import data.json --format jsonl --text body --label stars --labels tags --target price --covariates year:number,venue:factor \
    --exposure n --document-weight w -o in.gbc -q
printf 'a the cat sat\nb\nc dog cat dog\n' >data.txt
gibbous import data.txt --format mallet -o plain.gbc -q
# same NAME FILE OPTION...: FILE, read with these options, is NAME.gbc.
same() {
    expected=$1
    shift
    gibbous convert "$@" -q --to ldac -o back.ldac && gibbous convert "$expected.gbc" -q --to ldac -o was.ldac
    for part in ldac vocabulary.txt ids.txt fields.tsv; do
        if [ -e was.$part ] || [ -e back.$part ]; then cmp was.$part back.$part; fi
    done
    rm -f was.* back.*
}
for name in in plain; do
    for format in jsonl csv tsv mallet fasttext svmlight uci ldac mtx npz; do
        gibbous convert $name.gbc --to $format -o $name.$format 2>said || cat said
        [ $name = plain ] || cat said
        sed -n 's/^to read it back: //p' said >options
        eval "same $name $name.$format $(cat options)"
        gibbous convert $name.gbc --to $format -o again.$format -q
        cmp $name.$format again.$format
        rm -f $name.$format again.* $name.ids.txt $name.fields.tsv $name.vocabulary.txt
    done
done
# Words without labels, with embeddings, and words with blanks; standard output, and what is refused.
printf '{"text": "one two one"}\n{"text": "three"}\n' >bare.jsonl
printf '\223NUMPY\001\000\066\000%-53s\n' "{'descr':'<f4','fortran_order':False,'shape':(2,1),}" >two.npy
printf '\000\000\200\077\000\000\000\300' >>two.npy
gibbous import bare.jsonl --embeddings two.npy -o bare.gbc -q
try gibbous convert bare.gbc -o bare.fasttext
cat bare.fasttext
gibbous convert bare.fasttext --embeddings bare.embeddings.npy -o back.gbc -q
gibbous info back.gbc | grep -e labels -e embed
try gibbous convert bare.gbc --to ldac
try gibbous convert bare.jsonl --to jsonl -q
try gibbous convert bare.jsonl
try gibbous convert bare.jsonl -o x.unknown
try gibbous convert bare.jsonl -o x.mtx.gz
try gibbous convert bare.jsonl -o bare.jsonl
try gibbous convert bare.jsonl -o bare.fasttext
# the vocabulary that is read is not replaced by the one that is written
gibbous convert bare.gbc -o b.svmlight -q
try gibbous convert b.svmlight --vocabulary b.vocabulary.txt --embeddings b.embeddings.npy -o b.ldac -f -q
try gibbous convert b.svmlight --vocabulary b.vocabulary.txt -o other.ldac -f -q
rm b.* other.*
printf '2 1:1\n3 2:2\n' >new.svm
printf 'new york\nrome\n' >names.txt
try gibbous convert new.svm --vocabulary names.txt -o new.csv
cat new.csv
printf '__label__x\nrome\n' >names.txt
try gibbous convert new.svm --vocabulary names.txt -o new.fasttext
ls
