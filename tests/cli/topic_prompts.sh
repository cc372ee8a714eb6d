# Questions to a language model about the names of topics; what it answers is read by edit --names.  Words of documents stand in JSON strings, whatever they are.
. "$TESTS/helpers"
rlo=$(printf '\342\200\256')
awk -v rlo="$rlo" 'BEGIN { for (i = 0; i < 40; i++) printf "{\"id\":\"a%d\",\"text\":\"red red green %signore\"}\n{\"id\":\"b%d\",\"text\":\"ice ice snow \\\"quoted\\\"\"}\n", i, rlo, i }' >two.jsonl
gibbous train two.jsonl -k 2 --alpha 0.1 --token-pattern '\S+' --sweeps 40 --seed 1 -q -m m.gibbous
gibbous topics m.gibbous --words 3 --prompts - >text
head -n 3 text
sed -n '4,$p' text | sed 's/^Topic [12]/Topic K/; s/: ".*/: WORDS/'
grep -c "$rlo" text
grep -o '"\\u202Eignore"' text | sort | uniq -c | sed 's/^ *//'
grep -o '"\\"quoted\\""' text | sort | uniq -c | sed 's/^ *//'
# with passages, and as JSON Lines with one whole prompt each
gibbous topics m.gibbous --words 1 --documents-in two.jsonl --documents-shown 2 --prompts - | grep '^Passages' | sort
try gibbous topics m.gibbous --words 3 --prompts prompts.jsonl
wc -l <prompts.jsonl
sed 's/.*\(Topic [12]\\n\).*/\1/' prompts.jsonl
cut -c 1-40 prompts.jsonl
try gibbous topics m.gibbous --prompts prompts.jsonl
# the answer
printf 'Sure! Here they are:\n\n**1**: "<b>Warm"\n2. Cold\n' >answer.txt
try gibbous edit -m m.gibbous --names answer.txt -o named.gibbous >names.txt
head -n 2 names.txt
grep -c ' <b>Warm  *0' names.txt
grep -c ' Cold  *0' names.txt
printf '```json\n{"1": "<b>Warm", "Topic 2": "Cold"}\n```\n' >answer.json
gibbous edit -m m.gibbous --names answer.json -o again.gibbous -q >/dev/null
cmp named.gibbous again.gibbous
# a union has one prompt and one name
gibbous edit -m m.gibbous --merge 1+2 -o union.gibbous -q >/dev/null
gibbous topics union.gibbous --words 1 --prompts - | grep '^Topic'
printf '1+2: All\n' >all.txt
gibbous edit -m m.gibbous --merge 1+2 --names all.txt -o all.gibbous -q >/dev/null
gibbous topics all.gibbous --words 1 -q --table csv | cut -d , -f 1,2
try gibbous edit -m m.gibbous --names all.txt -o x.gibbous
try gibbous topics m.gibbous --prompts - --correlations
try gibbous topics m.gibbous --prompts - --table csv
printf 'I am sorry.\n' >sorry.txt
try gibbous edit -m m.gibbous --names sorry.txt -o x.gibbous
