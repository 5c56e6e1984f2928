"""Random streams: R's generator replayed number for number, and independent counter-based streams.

Both kinds offer the same four draws (uniform, normal, bernoulli, sample), so what is drawn does not know from where.
"""

import math
import zlib

import numpy as np

TO_UNIT = 2.3283064365386963e-10  # 2 ** -32
SMALLEST_UNIFORM = 0.5 * 2.328306437080797e-10  # R keeps uniforms inside (0, 1)
TWO_27 = 134217728.0
RAW_PER_REFILL = 8192
R_TOLERANCE = 2.0**-13  # of uniroot: machine epsilon to the power 1/4


class ReplayStream:
    """The numbers that R (3.6 or newer) draws after ``set.seed(seed)``.

    Mersenne Twister (Matsumoto and Nishimura 1998, ACM TOMACS 8:3-30) with R's seeding, normals by inversion
    (Wichura 1988, Applied Statistics 37:477-484), sampling by rejection on bits.
    """

    def __init__(self, state):
        """Continue from ``state``, as `state` returned it: the generator's key (624 words) and position."""
        self._generator = np.random.MT19937()
        self._generator.state = {
            "bit_generator": "MT19937",
            "state": {"key": np.asarray(state["key"], dtype=np.uint32), "pos": int(state["pos"])},
        }
        self._before = self._generator.state  # where the waiting words start
        self._waiting, self._used = [], 0

    @classmethod
    def from_seed(cls, seed):
        word = seed % 2**32
        words = []
        for _ in range(50 + 625):
            word = (69069 * word + 1) % 2**32
            words.append(word)
        return cls({"key": words[51:], "pos": 624})  # of the last 625 words R replaces the first by the position

    def state(self):
        """Key and position after everything drawn so far."""
        generator = np.random.MT19937()
        generator.state = self._before
        generator.random_raw(self._used)
        inner = generator.state["state"]
        return {"key": inner["key"], "pos": inner["pos"]}

    def _raw(self, count):
        """The next ``count`` 32-bit words as an array."""
        words = np.asarray(self._waiting[self._used : self._used + count], dtype=np.uint64)
        self._used += words.size
        if words.size < count:
            more = self._generator.random_raw(count - words.size)
            self._before, self._waiting, self._used = self._generator.state, [], 0
            words = np.concatenate([words, more])
        return words

    def _word(self):
        if self._used == len(self._waiting):
            self._before = self._generator.state
            self._waiting, self._used = self._generator.random_raw(RAW_PER_REFILL).tolist(), 0
        self._used += 1
        return self._waiting[self._used - 1]

    def uniform(self, size):
        """(size,) uniforms inside (0, 1)."""
        return np.maximum(self._raw(size) * TO_UNIT, SMALLEST_UNIFORM)

    def normal(self, size):
        """(size,) standard normals, two uniforms each."""
        u = self.uniform(2 * size)
        return normal_quantile((np.floor(TWO_27 * u[0::2]) + u[1::2]) / TWO_27)

    def bernoulli(self, probability):
        """0/1 draws with these probabilities, strictly inside (0, 1): one uniform each, as ``rbinom(n, 1, p)``."""
        probability = np.asarray(probability, dtype=float)
        rare = np.minimum(probability, 1.0 - probability)
        hit = self.uniform(probability.size).reshape(probability.shape) >= 1.0 - rare
        return np.where(probability > 0.5, ~hit, hit).astype(np.int8)

    def sample(self, n, k):
        """``k`` of ``0 .. n-1`` without replacement, in the order drawn; ValueError when k is more than n."""
        if k > n:
            raise ValueError(f"cannot draw {k} of {n} without replacement")
        pool = list(range(n))
        drawn = []
        for left in range(n, n - k, -1):
            j = self._index(left)
            drawn.append(pool[j])
            pool[j] = pool[left - 1]
        return np.array(drawn, dtype=np.int64)

    def sample_with_replacement(self, n, k):
        """``k`` of the numbers ``0 .. n-1``, each drawn from all of them."""
        return np.array([self._index(n) for _ in range(k)], dtype=np.int64)

    def beta(self, a, b, size):
        """(size,) draws of Beta(a, b) with ``min(a, b) <= 1`` by algorithm BC (Cheng 1978, Communications of the ACM
        21:317-322), as R's ``rbeta`` runs it; ValueError for others, which R draws in another way."""
        if min(a, b) > 1:
            raise ValueError(f"Beta({a}, {b}): R draws it by another algorithm; one of the two must be at most 1")
        return np.array([self._beta_bc(a, b) for _ in range(size)])

    def _beta_bc(self, aa, bb):
        b, a = max(aa, bb), min(aa, bb)
        alpha, beta, delta = a + b, 1.0 / a, 1.0 + b - a
        k1 = delta * (0.0138889 + 0.0416667 * a) / (b * beta - 0.777778)
        k2 = 0.25 + (0.5 + 0.25 / delta) * a
        while True:
            u1, u2 = self.uniform(2)
            v = beta * math.log(u1 / (1.0 - u1))
            w = b * math.exp(v)
            if u1 < 0.5:
                y = u1 * u2
                z = u1 * y
                if 0.25 * u2 + z - y >= k1:
                    continue
            else:
                z = u1 * u1 * u2
                if z <= 0.25:
                    break
                if z >= k2:
                    continue
            if alpha * (math.log(alpha / (a + w)) + v) - 1.3862944 >= math.log(z):
                break
        return a / (a + w) if aa == a else w / (a + w)

    def _index(self, n):
        """Uniform on ``0 .. n-1``: as many random bits as n needs, 16 to a word, until they fall below n."""
        bits = math.ceil(math.log2(n))
        while True:
            value = 0
            for _ in range(0, bits + 1, 16):
                value = 65536 * value + (self._word() >> 16)
            value &= (1 << bits) - 1
            if value < n:
                return value


def independent_generator(root_seed, name, number):
    """The counter-based generator of one survey of a cell, or of one data set of an experiment."""
    seed = np.random.SeedSequence(root_seed, spawn_key=(zlib.crc32(name.encode()), number))
    return np.random.Generator(np.random.Philox(seed))


class IndependentStream:
    """One counter-based stream per (root seed, cell, survey number): survey k is the same survey whatever the number
    of surveys, their order or the number of cores (Salmon et al. 2011, Parallel random numbers: as easy as 1, 2, 3).
    """

    def __init__(self, root_seed, cell, survey):
        self._generator = independent_generator(root_seed, cell, survey)

    def uniform(self, size):
        return self._generator.random(size)

    def normal(self, size):
        return self._generator.standard_normal(size)

    def bernoulli(self, probability):
        probability = np.asarray(probability, dtype=float)
        return (self._generator.random(probability.shape) < probability).astype(np.int8)

    def sample(self, n, k):
        return self._generator.permutation(n)[:k]


def normal_quantile(p):
    """Standard normal quantiles of ``p`` in (0, 1) by algorithm AS 241 (Wichura 1988), as R's ``qnorm``."""
    p = np.asarray(p, dtype=float)
    q = p - 0.5
    result = np.empty_like(p)
    central = np.abs(q) <= 0.425
    r = 0.180625 - q[central] ** 2
    result[central] = _ratio(_CENTRAL, r, q[central])
    q, p = q[~central], p[~central]
    r = np.sqrt(-np.log(np.where(q < 0, p, 1.0 - p)))
    tail = np.where(r <= 5.0, _ratio(_TAIL, r - 1.6), _ratio(_FAR_TAIL, r - 5.0))
    result[~central] = np.where(q < 0, -tail, tail)
    return result


def _ratio(coefficients, x, factor=1.0):
    """``factor`` times a polynomial over a polynomial, highest power first, by Horner's rule and in R's order."""
    above, below = coefficients
    top, bottom = above[0], below[0]
    for a, b in zip(above[1:], below[1:], strict=True):
        top, bottom = top * x + a, bottom * x + b
    return factor * top / bottom


_CENTRAL = (
    (
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ),
    (
        5226.495278852545925,
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ),
)
_TAIL = (
    (
        7.7454501427834140764e-4,
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ),
    (
        1.05075007164441684324e-9,
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ),
)
_FAR_TAIL = (
    (
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182850489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ),
    (
        2.04426310338993978564e-15,
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ),
)


def root(function, lower, upper, tolerance=R_TOLERANCE):
    """A root of ``function`` in [lower, upper] by Brent's method, iterated exactly as R's ``uniroot`` does.

    R's default tolerance stops early: the root is good to about 1e-4, and what is drawn with it depends on where
    the iteration stopped. (Brent 1973, Algorithms for minimization without derivatives, chapter 4; netlib zeroin.)

    Raises ValueError when the function has the same sign at both ends.
    """
    eps = np.finfo(float).eps
    a, b = lower, upper
    fa, fb = function(a), function(b)
    if fa * fb > 0:
        raise ValueError(f"the function has the same sign at {lower} and {upper}")
    c, fc = a, fa
    while True:
        previous_step = b - a
        if abs(fc) < abs(fb):
            a, b, c = b, c, b
            fa, fb, fc = fb, fc, fb
        smallest_step = 2 * eps * abs(b) + tolerance / 2
        step = (c - b) / 2
        if abs(step) <= smallest_step or fb == 0:
            return b
        if abs(previous_step) >= smallest_step and abs(fa) > abs(fb):  # interpolation may be trusted
            width = c - b
            if a == c:
                ratio = fb / fa
                p, q = width * ratio, 1.0 - ratio
            else:
                q, ratio, ratio_2 = fa / fc, fb / fc, fb / fa
                p = ratio_2 * (width * q * (q - ratio) - (b - a) * (ratio - 1.0))
                q = (q - 1.0) * (ratio - 1.0) * (ratio_2 - 1.0)
            p, q = (p, -q) if p > 0 else (-p, q)
            if p < 0.75 * width * q - abs(smallest_step * q) / 2 and p < abs(previous_step * q / 2):
                step = p / q
        if abs(step) < smallest_step:
            step = math.copysign(smallest_step, step)
        a, fa = b, fb
        b += step
        fb = function(b)
        if fb * fc > 0:
            c, fc = a, fa
