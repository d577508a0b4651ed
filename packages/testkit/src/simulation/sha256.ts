/** SHA-256 (FIPS 180-4) in place and at once: what the platform's asynchronous digest answers. */
export const sha256 = (message: Uint8Array): Uint8Array<ArrayBuffer> => {
  const padded = pad(message)
  const hash = Uint32Array.from(FRACTIONS.hash)
  const words = new Uint32Array(64)
  for (let offset = 0; offset < padded.byteLength; offset += 64) {
    for (let i = 0; i < 16; i++) words[i] = padded.getUint32(offset + 4 * i)
    for (let i = 16; i < 64; i++) {
      const [a, b] = [at(words, i - 15), at(words, i - 2)]
      const s0 = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)
      const s1 = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10)
      words[i] = at(words, i - 16) + s0 + at(words, i - 7) + s1
    }
    compress(hash, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  hash.forEach((word, i) => digest.setUint32(4 * i, word))
  return new Uint8Array(digest.buffer)
}

const compress = (hash: Uint32Array, words: Uint32Array): void => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(FRACTIONS.rounds, i) + at(words, i)) | 0
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] = at(hash, i) + value))
}

/** A one, zeros, and the length in bits, to whole blocks of 64 bytes. */
const pad = (message: Uint8Array): DataView => {
  const bytes = new Uint8Array((((message.length + 8) >>> 6) + 1) * 64)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n)
  return view
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
const at = (words: Uint32Array, index: number): number => words[index] ?? 0

/** The first 32 bits of the fractions of the square roots of 8 primes, and of the cube roots of 64. */
const FRACTIONS = (() => {
  const primes: Array<number> = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32)
  return {
    hash: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
  }
})()
