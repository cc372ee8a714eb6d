# Documents of topics show sentences as they stand in the text: read from a file of texts, or from a corpus file that keeps them.
. "$TESTS/helpers"
awk 'BEGIN { for (i = 0; i < 40; i++) printf "{\"text\":\"The RED wine, %d. A green\\nbottle!\"}\n{\"text\":\"An Ice-cold snow.<i>It snows\"}\n", i }' >two.jsonl
gibbous import two.jsonl --stopwords en -o plain.gbc
try gibbous import two.jsonl --stopwords en --keep-text -o texts.gbc
gibbous train plain.gbc -k 2 --alpha 0.1 --sweeps 40 --seed 1 -q -m plain.gibbous
gibbous train texts.gbc -k 2 --alpha 0.1 --sweeps 40 --seed 1 -q -m texts.gibbous
cmp plain.gibbous texts.gibbous && echo texts change no model
passages() {
    gibbous topics texts.gibbous --documents-in $1 --documents-shown 1 --passage-words 2 -q | grep '^  [0-9]' | sed 's/^  [0-9]* *[0-9.]* *//' | sort
}
passages two.jsonl
passages texts.gbc
passages plain.gbc
gibbous topics texts.gibbous --words 1 --documents-in texts.gbc --documents-shown 1 --prompts - | grep '^Passages' | sort
gibbous ask texts texts.gbc -m texts.gibbous --table csv -q | head -n 9 | sed 's/,[12]$/,K/'
gibbous ask texts plain.gbc -m texts.gibbous --table csv -q | head -n 3 | sed 's/,[12]$/,K/'
try gibbous import two.jsonl --keep-text --shards 2 -o shards.gbc
