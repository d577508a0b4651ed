/** Tommy Ettinger's mulberry32: 32 bits of state are enough to choose what a test does, and a seed is a number to print. */
export const mulberry32 = (seed: number) => {
  let state = seed | 0
  /** In [0, 1). */
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
