# JSON as data sets and programs have it: the words, labels and numbers of the first documents, or a message with the remedy.
. "$TESTS/found"

echo 'one tweet of an archive: identifiers beyond 64 bits, nested objects, an emoji'
{
    printf '{"created_at":"Mon May 06 20:01:29 +0000 2019","id":1125490788736032770,"id_str":"1125490788736032770",'
    printf '"full_text":"Caf\\u00e9 is open \\ud83d\\ude00 https:\\/\\/t.co\\/x","user":{"id":98765432109876543210987654321,"name":"a\\u0000b"},'
    printf '"entities":{"urls":[{"indices":[16,39]}],"id":1,"id":2},"coordinates":null,"lang":"en"}\n'
} >tweets.jsonl
found tweets.jsonl --text full_text --id id_str --label lang
echo 'reviews of Yelp'
printf '{"review_id":"KU_O5","user_id":"mh_-e","stars":3.0,"useful":0,"text":"If you decide to eat here,\\nbring time.","date":"2018-07-07 22:09:11"}\n' >yelp.json
found yelp.json --id review_id --label stars
echo 'reviews of Amazon: two texts, of which one may be null'
{
    printf '{"overall": 5.0, "summary": "Great", "reviewText": "Works well", "style": {"Size:": " L"}, "unixReviewTime": 1252800000, "vote": "1,234"}\n'
    printf '{"overall": 1.0, "summary": "Broken", "reviewText": null, "unixReviewTime": NaN}\n'
} >amazon.json
found amazon.json --text summary,reviewText --target overall
echo 'arXiv: lists in lists, categories between blanks'
printf '{"id":"0704.0001","authors_parsed":[["Bal\\u00e1zs","C.",""]],"categories":"hep-ph math.CO","abstract":"  A fully differential calculation\\n","versions":[{"version":"v1"}]}\n' >arxiv.json
found arxiv.json --text abstract --labels categories --label-separator ' '
echo 'pandas: to_json(orient="records"), and what to_json() writes'
printf '[{"text":"red dog","label":1.0,"score":1e-310},{"text":null,"label":null,"score":null}]' >records.json
found records.json --label label
printf '{"text":{"0":"red dog","1":"blue cat"},"label":{"0":1,"1":0}}' >columns.json
found columns.json --label label
echo "Python's json.dump(): NaN, Infinity, halves of surrogate pairs"
printf '[\n  {\n    "text": "dog \\udc80 house",\n    "label": NaN,\n    "score": -Infinity\n  },\n  {\n    "text": NaN,\n    "label": "b",\n    "score": 1\n  }\n]\n' >python.json
found python.json --label label
echo 'words with tags, as CoNLL in Hugging Face data sets'
printf '{"id":"0","tokens":["EU","rejects","German","call","."],"ner_tags":[3,0,7,0,0]}\n' >conll.jsonl
found conll.jsonl --text tokens
echo 'Prodigy'
printf '{"text":"Apple opens","spans":[{"start":0,"end":5}],"_input_hash":-1587023476,"_timestamp":1.6e9,"answer":"accept"}\n' >prodigy.jsonl
found prodigy.jsonl --label answer
echo 'mongoexport: other types'
printf '{"_id":{"$oid":"5f1d7f3a"},"text":"A dog","n":{"$numberLong":"9223372036854775808"},"when":{"$date":"2020-01-01T00:00:00Z"}}\n' >mongo.json
found mongo.json
echo 'Elasticsearch: fields in another'
printf '{"_index":"news","_id":"a1","_source":{"title":"Dogs","body":{"text":"A dog"},"user.name":"x","tags":["pets","news"]}}\n{"_index":"news","_id":"a2","_source":{"title":null,"body":{"text":"A cat"},"tags":null}}\n' >hits.json
found hits.json --text _source.title,_source.body.text --id _id --labels _source.tags
found hits.json --text _source.body
found hits.json --text _source.text
printf '{"a":{"b":"red dog"},"a.b":"blue cat"}\n' >twice.json
found twice.json --text a.b
echo 'objects without line ends, as Firehose leaves them; and what jq prints'
printf '{"text":"one dog"}{"text":"two dogs"}' >firehose.json
found firehose.json
printf '{\n  "text": "one dog",\n  "n": [\n    1,\n    2\n  ]\n}\n{\n  "text": "two dogs"\n}\n' >jq.json
found jq.json
echo 'one object around all documents, or an object of them'
printf '{"status":[{"code":1}],"hits":{"hits":[{"_source":{"text":"one dog"}},{"_source":{"text":"two dogs"}}]}}\n' >response.json
found response.json
printf '{"columns":["text","label"],"index":[0],"data":[["one dog","a"]]}' >split.json
found split.json
printf '{"0":{"text":"one dog"},"1":{"text":"two dogs"}}' >index.json
found index.json
echo 'objects with commas behind them; a JSON text sequence'
printf '{"text":"one dog"},\n{"text":"two dogs"},\n' >commas.jsonl
found commas.jsonl
printf '[{"text":"one dog"},\n{"text":"two dogs"},\n]\n' >trailing.json
found trailing.json
printf '{"text":"one dog"},,{"text":"two dogs"}\n' >two.jsonl
found two.jsonl
printf '\036{"text":"one dog"}\n\036{"text":"two dogs"}\n' >sequence.json
found sequence.json
echo 'dictionaries of Python'
printf "{'text': 'one dog', 'label': True}\n" >loose.json
found loose.json
printf '{"text": '"'one dog'"'}\n' >half.json
found half.json
echo "spaCy: classes in an object"
printf '{"text":"one dog","cats":{"POS":1.0,"NEG":0.0}}\n' >cats.jsonl
found cats.jsonl --label cats
found cats.jsonl --target cats.POS
echo 'sentences where words are expected'
printf '{"text":["The first sentence is here.","And this is the second one."]}\n' >sentences.jsonl
found sentences.jsonl
echo 'ids with blanks'
printf '{"id":" lead","text":"aa"}\n{"id":"trail ","text":"bb"}\n{"id":"a b","text":"cc"}\n' >ids.json
found ids.json
echo 'Elasticsearch: the text is deeper'
printf '{"_index":"news","_id":"a","_source":{"text":"a dog"}}\n' >elastic.json
found elastic.json
echo 'GitHub has sent another page'
printf '\n<!DOCTYPE html>\n<html lang="en">\n' | tail -n +2 >page.json
found page.json
