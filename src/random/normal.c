/* random/normal.c - the standard normal law by the ziggurat method.
 *
 *   The area under  f(x) = exp(-x^2 / 2),  x > 0,  is covered by LAYERS pieces of one area A.  Piece i >= 1 is the
 *   rectangle  0 < x < edge[i],  f(edge[i]) < y < f(edge[i+1]);  piece 0 is the rectangle under f(R), R = edge[1],
 *   with the tail beyond R, and edge[0] = A / f(R) is the width of a rectangle of its area:
 *       edge[i] (f(edge[i+1]) - f(edge[i])) = A = R f(R) + integral of f over x > R,   edge[LAYERS] = 0.
 *   A piece and a point below its upper edge are drawn; left of edge[i+1] the point lies under f whatever its
 *   height.  Else a height is drawn (piece i >= 1), or a point of the tail by two exponentials (piece 0).
 *
 *   Marsaglia & Tsang 2000, J. Statistical Software 5 (8); tail: Marsaglia 1964, Technometrics 6.  As Doornik 2005
 *   advises, piece, sign and point come from different bits.
 *   Cost: one 64-bit number in 98.8 % of draws; nothing is kept between draws.
 *   The draw is never exactly 0. */
#include "random/many.h"

#include <math.h>
#include <stdbool.h>

enum { LAYERS = 128 };

static const double edge[LAYERS + 1] = {
    3.7130862467403634, 3.4426198558966523,  3.2230849845786187,
    3.0832288582142136, 2.978696252645017,   2.894344007018671,
    2.8231253505459666, 2.761169372384154,   2.7061135731187225,
    2.6564064112581924, 2.610972248428613,   2.569033625921639,
    2.5300096723854666, 2.493454522091951,   2.45901817740835,
    2.4264206455302118, 2.3954342780074676,  2.3658713701139877,
    2.337575241335531,  2.310413683695002,   2.2842740596736566,
    2.2590595738653296, 2.234686395587057,   2.211081408874728,
    2.1881804320720204, 2.1659267937448408,  2.1442701823562613,
    2.12316570866979,   2.1025731351849988,  2.0824562379877247,
    2.0627822745039635, 2.0435215366506694,  2.024646973372934,
    2.006133869958967,  1.9879595741230607,  1.9701032608497133,
    1.9525457295488888, 1.9352692282919002,  1.9182573008597321,
    1.9014946531003176, 1.8849670357028692,  1.868661140989542,
    1.8525645117230871, 1.836665460253384,   1.8209529965910052,
    1.8054167642140488, 1.790046982594619,   1.7748343955807693,
    1.759770224894232,  1.7448461281083765,  1.7300541605582436,
    1.7153867407081165, 1.700836618564301,   1.6863968467734862,
    1.6720607540918522, 1.6578219209482075,  1.6436741568569826,
    1.6296114794646783, 1.615628095037133,   1.601718380215277,
    1.5878768648844006, 1.5740982160167498,  1.5603772223598407,
    1.5467087798535035, 1.533087877667556,   1.5195095847593707,
    1.5059690368565504, 1.4924614237746154,  1.4789819769830979,
    1.4655259573357946, 1.4520886428822164,  1.4386653166774612,
    1.4252512545068616, 1.4118417124397602,  1.3984319141236063,
    1.3850170377251487, 1.3715922024197322,  1.3581524543224228,
    1.344692751745713,  1.3312079496576765,  1.317692783201343,
    1.3041418501204216, 1.290549591917873,   1.2769102735516997,
    1.2632179614460282, 1.2494664995643336,  1.235649483254481,
    1.2217602305309625, 1.2077917504067577,  1.1937367078237722,
    1.1795873846544607, 1.1653356361550469,  1.150972842138976,
    1.1364898520030755, 1.121876922572254,   1.1071236475235353,
    1.0922188768965537, 1.0771506248819376,  1.0619059636836194,
    1.0464709007525803, 1.0308302360564556,  1.0149673952392995,
    0.9988642334806435, 0.9825008035027604,  0.9658550793881306,
    0.9489026254979119, 0.9316161966013539,  0.9139652510088018,
    0.8959153525662386, 0.8774274290977156,  0.8584568431780508,
    0.8389522142812075, 0.8188539066833177,  0.7980920606262748,
    0.7765839878761484, 0.75423066443451,    0.7309119106218813,
    0.706479611313608,  0.6807479186459042,  0.6534786387150424,
    0.6243585973090883, 0.592962942441978,   0.558692178375518,
    0.5206560387251449, 0.47743783725378786, 0.42654798630330515,
    0.3628714310284183, 0.2723208647046638,  0.0,
};

static double beyond(gb_random *r, double start)
{
    double excess, height;
    do {
        excess = gb_random_exponential(r) / start;
        height = gb_random_exponential(r);
    } while (2 * height < excess * excess);
    return start + excess;
}

static double signed_of(uint64_t bits, double x)
{
    return (bits & LAYERS ? -1 : 1) * x;
}

/* Whether a piece and a point of it, told by `bits`, need no height. */
static bool is_inside(uint64_t bits, double *x)
{
    const size_t i = bits % LAYERS;
    *x = ((double)(bits >> 12) + 0.5) * 0x1p-52 * edge[i];
    return *x < edge[i + 1];
}

/* If they need one: false if it is too high. */
static bool is_below(gb_random *r, uint64_t bits, double *x)
{
    const size_t i = bits % LAYERS;
    if (i == 0) {
        *x = beyond(r, edge[1]);
        return true;
    }
    /* The height is low + u (high - low), all divided by f(x). */
    const double low = exp(0.5 * (*x - edge[i]) * (*x + edge[i]));
    const double high = exp(0.5 * (*x - edge[i + 1]) * (*x + edge[i + 1]));
    return low + gb_random_uniform(r) * (high - low) < 1;
}

double gb_random_normal(gb_random *r)
{
    for (;;) {
        const uint64_t bits = gb_random_u64(r);
        double x;
        if (is_inside(bits, &x) || is_below(r, bits, &x))
            return signed_of(bits, x);
    }
}

/* ---- many ---- */

/* Numbers of a stream that were made ahead. */
typedef struct ahead {
    uint32_t first_block;
    size_t next;
    uint64_t number[GB_NUMBERS_AHEAD];
} ahead;

/* From where the stream stands, at a whole number of 64 bits. */
static void look_ahead(const gb_random *r, const gb_lanes *lanes, ahead *a)
{
    const bool in_block = r->used < 4;
    a->first_block = r->counter[0] - (in_block ? 1 : 0);
    a->next = in_block ? r->used / 2 : 0;
    lanes->numbers(r->key, (uint32_t[4]){a->first_block, r->counter[1], r->counter[2], r->counter[3]}, a->number);
}

/* The stream stands behind those that were taken. */
static void catch_up(gb_random *r, const ahead *a)
{
    r->counter[0] = a->first_block + (uint32_t)((a->next + 1) / 2);
    r->used = 4;
    if (a->next % 2 == 1) {
        r->used = 2;
        for (size_t i = 0; i < 4; i++)
            r->block[i] = (uint32_t)(a->number[a->next - 1 + i / 2] >> (i % 2 * 32));
    }
}

/* As many as the numbers ahead allow; one that needs a height is the last.  @return how many */
static size_t take_normals(gb_random *r, const gb_lanes *lanes, size_t n, size_t stride, double *out)
{
    ahead a;
    size_t i = 0;
    look_ahead(r, lanes, &a);
    while (i < n && a.next < GB_NUMBERS_AHEAD) {
        const uint64_t bits = a.number[a.next++];
        double x;
        if (is_inside(bits, &x)) {
            out[i++ * stride] = signed_of(bits, x);
            continue;
        }
        catch_up(r, &a);
        out[i++ * stride] = is_below(r, bits, &x) ? signed_of(bits, x) : gb_random_normal(r);
        return i;
    }
    catch_up(r, &a);
    return i;
}

void gb_random_normals(gb_random *r, gb_isa isa, size_t n, size_t stride, double *out)
{
    enum { FEW = 4 };
    const gb_lanes *lanes = gb_lanes_for(isa);
    size_t i = 0;
    while (n - i > FEW && r->used % 2 == 0)
        i += take_normals(r, lanes, n - i, stride, out + i * stride);
    for (; i < n; i++)
        out[i * stride] = gb_random_normal(r);
}
