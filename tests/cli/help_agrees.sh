# The options that --help shows for a verb are those that the option table gives it, no more and no fewer.
gibbous --dump-options >table.json
gibbous --dump-options | awk '
    /^ "options"/ { options = 1 }
    /^   "name"/ { split($0, part, "\""); name = part[4] }
    /^   "verbs"/ { verbs = options }
    verbs && /^    "/ { split($0, part, "\""); print part[2], name }
    /^   \]/ { verbs = 0 }' | sort >table
for verb in $(gibbous --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'); do
    gibbous $verb --help-all | sed -n 's/^  \(-.,\|   \) --\(\[no-\]\)\{0,1\}\([a-z-]*\).*/\3/p' | grep -v '^help$' |
        sed "s/^/$verb /"
done | sort >help
diff table help && wc -l <table | awk '$1 > 100 { print "many options, all agree" }'
