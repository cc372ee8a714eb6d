# Lines and matrices of other programs that cannot be read: file and line, status 3, nothing left behind; headers are not believed.
. "$TESTS/helpers"
read_it() {
    printf "$1" >"$2"
    name=$2
    shift 2
    try gibbous import "$name" "$@" -o x.gbc
}
banner='%%%%MatrixMarket matrix coordinate integer general\n'
read_it 'matrix\n' a.mtx
read_it '%%%%MatrixMarket matrix array real general\n2 2\n1\n' a.mtx
read_it '%%%%MatrixMarket matrix coordinate real symmetric\n' a.mtx
read_it "$banner"'%% a comment\n2 2\n' a.mtx
read_it "$banner"'2 -2 1\n' a.mtx
read_it "$banner"'2 4294967295 1\n' a.mtx
read_it "$banner"'4294967294 2 1\n1 1 1\n' a.mtx
read_it "$banner"'2 2 1000000000000\n1 1 1\n' a.mtx
read_it "$banner"'2 2 1\n3 1 1\n' a.mtx
read_it "$banner"'2 2 1\n\n1 0 1\n' a.mtx
read_it "$banner"'2 2 1\n1 1\n' a.mtx
read_it "$banner"'2 2 1\n1 1 1 1\n' a.mtx
read_it "$banner"'2 2 1\n1 1 0.5\n' a.mtx
read_it "$banner"'2 2 1\n1 1 1e30\n' a.mtx
read_it "$banner"'2 2 1\n1 1 2\n' a.mtx --label y
read_it '2 0:1\n' a.ldac
read_it '0\n1 0\n' a.ldac
read_it '0:1\n' a.ldac
read_it '1 4294967295:1\n' a.ldac
read_it '1 0:99999999\n' a.ldac
printf 'one\ntwo\n' >two.txt
read_it '1 2:1\n' a.ldac --vocabulary two.txt
read_it "$banner"'2 3 1\n1 3 1\n' a.mtx --vocabulary two.txt
read_it '__label__a __label__b one\n' a.fasttext
read_it '__label__ one\n' a.fasttext
read_it 'one x some words\n' a.mallet --label x --label y
read_it 'PK\003\004' a.npz
read_it 'no archive' a.npz
printf 'one x two words\n' >a.mallet
printf '1\n2\n' >two_ids.txt
try gibbous import a.mallet --document-ids two_ids.txt -o x.gbc
printf '' >no_ids.txt
try gibbous import a.mallet --document-ids no_ids.txt -o x.gbc
try gibbous import a.mallet --document-ids missing.txt -o x.gbc
try gibbous import - --format npz -o x.gbc
mkfifo pipe
try gibbous import pipe --format npz -o x.gbc
ls
