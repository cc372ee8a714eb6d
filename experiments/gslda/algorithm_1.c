/* Algorithm 1 of the gSLDA paper as it is printed, one token after the other: an independent check of what gibbous does otherwise.
 *
 *     algorithm_1 TRAIN TEST TOPICS ALPHA BETA C SWEEPS SEED one|drawn|later|words
 *
 * A line of TRAIN and TEST is a document: 1 or 0, then its words as numbers from 0.  Prints the accuracy in TEST.  Standard normal
 * prior of the coefficients, no intercept; topics of a test document by ten sweeps and the mean of ten more.  The start:
 *
 *     one    all Polya-Gamma variables are 1, as in the paper
 *     drawn  they are drawn for coefficients of 0
 *     later  so they are, and the coefficients are 0 in the first sweep
 *     words  so are both, and the first topic of a token is not any, but drawn given those of the tokens before it, as in gibbous */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOPICS = 64, TERMS = 200, INFER = 10 };

typedef struct {
    size_t n_docs, n_tokens, n_words;
    size_t *begin; /* n_docs + 1 */
    int *label, *word, *topic;
} corpus;

static uint64_t state;

static double uniform(void) /* splitmix64 */
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static double gamma_draw(double shape) /* Marsaglia and Tsang, shape 1 or more */
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(), v = 1 + c * x;
        if (v > 0 && log(uniform()) < 0.5 * x * x + d - d * v * v * v + 3 * d * log(v))
            return d * v * v * v;
    }
}

/* PG(b, z) as a sum of gamma variables; what is left of the sum after TERMS of them is put at its mean. */
static double polya_gamma(double b, double z)
{
    const double square = 4 * 9.869604401089358;
    double sum = 0, left = fabs(z) < 1e-6 ? b / 4 : b * tanh(z / 2) / (2 * z);
    for (int i = 1; i <= TERMS; i++) {
        double weight = 2 / (square * ((i - 0.5) * (i - 0.5) + z * z / square));
        sum += weight * gamma_draw(b);
        left -= weight * b;
    }
    return sum + left;
}

static corpus read_corpus(const char *path)
{
    FILE *file = fopen(path, "r");
    corpus c = {0};
    char *line = NULL;
    size_t room = 0;
    c.begin = calloc(1, sizeof *c.begin);
    while (file && getline(&line, &room, file) > 0) {
        char *at = line;
        c.label = realloc(c.label, (c.n_docs + 1) * sizeof *c.label);
        c.label[c.n_docs] = (int)strtol(at, &at, 10);
        for (char *end;; at = end) {
            long word = strtol(at, &end, 10);
            if (end == at)
                break;
            c.word = realloc(c.word, (c.n_tokens + 1) * sizeof *c.word);
            c.word[c.n_tokens++] = (int)word;
            if ((size_t)word >= c.n_words)
                c.n_words = (size_t)word + 1;
        }
        c.begin = realloc(c.begin, (++c.n_docs + 1) * sizeof *c.begin);
        c.begin[c.n_docs] = c.n_tokens;
    }
    if (c.n_docs == 0) {
        fprintf(stderr, "algorithm_1: nothing to read in %s\n", path);
        exit(1);
    }
    fclose(file);
    free(line);
    c.topic = calloc(c.n_tokens, sizeof *c.topic);
    return c;
}

static int pick(const double *weight, int n)
{
    double sum = 0, at;
    for (int k = 0; k < n; k++)
        sum += weight[k];
    at = uniform() * sum;
    for (int k = 0; k < n - 1; k++)
        if ((at -= weight[k]) < 0)
            return k;
    return n - 1;
}

/* (8): precision I + sum lambda z z', mean precision^-1 sum kappa z; by a Cholesky factor. */
static void draw_coefficients(const corpus *c, int K, const double *in_doc, const double *lambda, double cost, double *eta)
{
    static double a[MAX_TOPICS][MAX_TOPICS], b[MAX_TOPICS];
    for (int i = 0; i < K; i++) {
        b[i] = 0;
        for (int j = 0; j < K; j++)
            a[i][j] = i == j;
    }
    for (size_t d = 0; d < c->n_docs; d++) {
        double n = (double)(c->begin[d + 1] - c->begin[d]), kappa = cost * (c->label[d] - 0.5);
        const double *row = in_doc + d * (size_t)K;
        if (n == 0)
            continue;
        for (int i = 0; i < K; i++) {
            b[i] += kappa * row[i] / n;
            for (int j = 0; j <= i; j++)
                a[i][j] += lambda[d] * row[i] * row[j] / (n * n);
        }
    }
    for (int i = 0; i < K; i++)
        for (int j = 0; j <= i; j++) {
            for (int l = 0; l < j; l++)
                a[i][j] -= a[i][l] * a[j][l];
            a[i][j] = i == j ? sqrt(a[i][i]) : a[i][j] / a[j][j];
        }
    for (int i = 0; i < K; i++) { /* L y = b, then L' eta = y + noise */
        for (int l = 0; l < i; l++)
            b[i] -= a[i][l] * b[l];
        b[i] /= a[i][i];
    }
    for (int i = K - 1; i >= 0; i--) {
        double x = b[i] + normal();
        for (int l = i + 1; l < K; l++)
            x -= a[l][i] * eta[l];
        eta[i] = x / a[i][i];
    }
}

int main(int n_arguments, char **argument)
{
    if (n_arguments != 10)
        return 2;
    corpus train = read_corpus(argument[1]), test = read_corpus(argument[2]);
    const int K = atoi(argument[3]), sweeps = atoi(argument[7]);
    const double alpha = atof(argument[4]) / K, beta = atof(argument[5]), cost = atof(argument[6]);
    const size_t V = train.n_words > test.n_words ? train.n_words : test.n_words, k_size = (size_t)K;
    const double v_beta = (double)V * beta;
    double *in_doc = calloc(train.n_docs * k_size, sizeof *in_doc), *of_word = calloc(V * k_size, sizeof *of_word);
    double *lambda = calloc(train.n_docs, sizeof *lambda), in_all[MAX_TOPICS] = {0}, eta[MAX_TOPICS] = {0}, weight[MAX_TOPICS];
    if (K > MAX_TOPICS || !in_doc || !of_word || !lambda)
        return 1;
    state = strtoull(argument[8], NULL, 10) * 1000003u;

    const bool by_words = strcmp(argument[9], "words") == 0, later = by_words || strcmp(argument[9], "later") == 0;
    for (size_t d = 0; d < train.n_docs; d++) {
        lambda[d] = strcmp(argument[9], "one") == 0 ? 1 : polya_gamma(cost, 0);
        for (size_t t = train.begin[d]; t < train.begin[d + 1]; t++) {
            double *mine = in_doc + d * k_size, *word = of_word + (size_t)train.word[t] * k_size;
            for (int k = 0; k < K; k++)
                weight[k] = by_words ? (word[k] + beta) * (mine[k] + alpha) / (in_all[k] + v_beta) : 1;
            int k = train.topic[t] = pick(weight, K);
            mine[k]++, word[k]++, in_all[k]++;
        }
    }
    for (int sweep = 0; sweep < sweeps; sweep++) {
        if (sweep > 0 || !later)
            draw_coefficients(&train, K, in_doc, lambda, cost, eta);
        for (size_t d = 0; d < train.n_docs; d++) {
            double n = (double)(train.begin[d + 1] - train.begin[d]), kappa = cost * (train.label[d] - 0.5), score = 0;
            double *mine = in_doc + d * k_size;
            for (int k = 0; k < K; k++)
                score += eta[k] * mine[k];
            for (size_t t = train.begin[d]; t < train.begin[d + 1]; t++) {
                double *word = of_word + (size_t)train.word[t] * k_size;
                int old = train.topic[t];
                mine[old]--, word[old]--, in_all[old]--, score -= eta[old];
                for (int k = 0; k < K; k++) /* (9) */
                    weight[k] = (word[k] + beta) * (mine[k] + alpha) / (in_all[k] + v_beta) *
                                exp(kappa * eta[k] / n - lambda[d] * (eta[k] * eta[k] + 2 * eta[k] * score) / (2 * n * n));
                int k = train.topic[t] = pick(weight, K);
                mine[k]++, word[k]++, in_all[k]++, score += eta[k];
            }
            if (n > 0)
                lambda[d] = polya_gamma(cost, score / n);
        }
    }
    draw_coefficients(&train, K, in_doc, lambda, cost, eta);

    size_t n_right = 0;
    for (size_t d = 0; d < test.n_docs; d++) {
        double mine[MAX_TOPICS] = {0}, score = 0;
        for (size_t t = test.begin[d]; t < test.begin[d + 1]; t++)
            mine[test.topic[t] = (int)(uniform() * K)]++;
        for (int sweep = 0; sweep < 2 * INFER; sweep++) {
            for (size_t t = test.begin[d]; t < test.begin[d + 1]; t++) {
                const double *word = of_word + (size_t)test.word[t] * k_size;
                mine[test.topic[t]]--;
                for (int k = 0; k < K; k++)
                    weight[k] = (word[k] + beta) / (in_all[k] + v_beta) * (mine[k] + alpha);
                mine[test.topic[t] = pick(weight, K)]++;
            }
            for (int k = 0; k < K && sweep >= INFER; k++)
                score += eta[k] * mine[k];
        }
        n_right += (score > 0) == (test.label[d] == 1);
    }
    printf("%.6f\n", (double)n_right / (double)test.n_docs);
    return 0;
}
