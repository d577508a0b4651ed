/**
 * A 32-bit hash of text, so that a split needs no state: MurmurHash3 x86_32 over the UTF-16 code units (little-endian).
 * Not for secrets. **It must never change: another hash would move payments between providers.**
 *
 * Source: Austin Appleby, MurmurHash3 (public domain).
 */
export const stickyHash = (text: string, seed: number): number => {
  let hash = seed
  const paired = text.length & ~1
  for (let i = 0; i < paired; i += 2) {
    hash ^= scramble(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16))
    hash = (hash << 13) | (hash >>> 19)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  if (paired < text.length) hash ^= scramble(text.charCodeAt(paired))
  return avalanche(hash ^ (text.length * 2))
}

/**
 * Mixes the bits of a hash: each bit of `hash` affects about half the bits of the result, an unsigned 32-bit integer.
 */
export const avalanche = (hash: number): number => {
  let mixed = hash
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const scramble = (block: number): number => {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
