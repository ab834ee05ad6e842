// The deal, computed from the seed as protocol.md describes it. Browsers offer SHA-256 only in a
// secure context, and this page is mostly opened from a file, so it has its own.

const SHA_FIRST = fractions(8, 1 / 2);
const SHA_ROUND = fractions(64, 1 / 3);

// The first 32 bits of the fractional parts of the roots of the first primes.
function fractions(count, power) {
    const words = [];
    for (let number = 2; words.length < count; number++) {
        let isPrime = true;
        for (let divisor = 2; divisor * divisor <= number; divisor++)
            isPrime = isPrime && number % divisor !== 0;
        if (isPrime)
            words.push(((number ** power) % 1) * 2 ** 32 | 0);
    }
    return words;
}

function turnRight(word, bits) {
    return word >>> bits | word << (32 - bits);
}

const SHA_WORDS = new Int32Array(64);

function shaBlock(sums, view, offset) {
    const words = SHA_WORDS;
    let [a, b, c, d, e, f, g, h] = sums;
    for (let i = 0; i < 64; i++) {
        if (i < 16) {
            words[i] = view.getInt32(offset + 4 * i);
        } else {
            const early = words[i - 15], late = words[i - 2];
            words[i] = words[i - 16] + words[i - 7] +
                (turnRight(early, 7) ^ turnRight(early, 18) ^ early >>> 3) +
                (turnRight(late, 17) ^ turnRight(late, 19) ^ late >>> 10);
        }
        const first = h + (turnRight(e, 6) ^ turnRight(e, 11) ^ turnRight(e, 25)) +
            (e & f ^ ~e & g) + SHA_ROUND[i] + words[i] | 0;
        const second = (turnRight(a, 2) ^ turnRight(a, 13) ^ turnRight(a, 22)) +
            (a & b ^ a & c ^ b & c) | 0;
        h = g;
        g = f;
        f = e;
        e = d + first | 0;
        d = c;
        c = b;
        b = a;
        a = first + second | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { sums[i] = sums[i] + word | 0; });
}

// The SHA-256 of bytes, as bytes.
function sha256(bytes) {
    const padded = new Uint8Array((bytes.length + 72) >> 6 << 6);
    const view = new DataView(padded.buffer);
    const sums = SHA_FIRST.slice();
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, bytes.length << 3);
    for (let offset = 0; offset < padded.length; offset += 64)
        shaBlock(sums, view, offset);
    const result = new DataView(new ArrayBuffer(32));
    sums.forEach((word, i) => result.setInt32(4 * i, word));
    return new Uint8Array(result.buffer);
}

// HMAC-SHA256 with a key of at most 64 bytes.
function hmac(key, bytes) {
    const inner = new Uint8Array(64 + bytes.length).fill(0x36, 0, 64);
    const outer = new Uint8Array(96).fill(0x5c, 0, 64);
    key.forEach((byte, i) => {
        inner[i] ^= byte;
        outer[i] ^= byte;
    });
    inner.set(bytes, 64);
    outer.set(sha256(inner), 64);
    return sha256(outer);
}

function bytesOfHex(hex) {
    return Uint8Array.from(hex.match(/../g) || [], pair => parseInt(pair, 16));
}

function hexOfBytes(bytes) {
    return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

// Shuffles cards with the random stream of `label` and that seed.
function shuffle(seed, label, cards) {
    let words = [], block = 0;
    const below = bound => {
        for (;;) {
            if (words.length === 0) {
                const view = new DataView(hmac(seed, new TextEncoder().encode(`${label} ${block++}`)).buffer);
                words = Array.from({length: 8}, (_, i) => view.getUint32(4 * i));
            }
            const word = words.shift();
            if (word < Math.floor(2 ** 32 / bound) * bound)
                return word % bound;
        }
    };
    for (let place = cards.length - 1; place > 0; place--) {
        const other = below(place + 1);
        [cards[place], cards[other]] = [cards[other], cards[place]];
    }
}
