# Made-up posts of five blogs: three kinds of words; party A writes about money, party B about courts, both about games.
posts <- local({
    set.seed(20, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
    n <- 200L
    party <- sample(c("A", "B"), n, TRUE)
    kind <- ifelse(stats::runif(n) < 0.6, ifelse(party == "A", 1L, 2L), 3L)
    day <- round(stats::runif(n, 1, 100))
    blog <- sample(c("ant", "bee", "cat", "dog", "elk"), n, TRUE)
    words <- cbind(
        c("tax", "budget", "money", "bank", "price", "wage", "debt", "trade", "market", "loan", "cost", "profit"),
        c("court", "law", "judge", "trial", "police", "crime", "jury", "prison", "guilty", "appeal", "lawyer", "case"),
        c("game", "team", "goal", "match", "coach", "player", "season", "league", "score", "ball", "win", "club")
    )
    text <- vapply(kind, function(k) {
        paste(c(sample(words[, k], 16L, TRUE), sample(words, 8L, TRUE)), collapse = " ")
    }, "")
    stars <- round(kind + stats::rnorm(n), 2)
    grade <- c("low", "middle", "high")[kind]
    data.frame(text, party, day, blog, stars, grade, stringsAsFactors = FALSE)
})
