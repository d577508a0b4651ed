import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { stickyHash } from "../../src/choose/stickyHash.ts"

/** MurmurHash3 x86_32 over bytes, as it is published; written apart from the one under test. */
const murmur3 = (bytes: Uint8Array, seed: number): number => {
  const rotate = (n: number, by: number) => (n << by) | (n >>> (32 - by))
  const mix = (block: number) => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length - (bytes.length % 4)
  let hash = seed
  for (let i = 0; i < whole; i += 4)
    hash = (Math.imul(rotate(hash ^ mix(view.getInt32(i, true)), 13), 5) + 0xe6546b64) | 0
  let tail = 0
  for (let i = bytes.length - 1; i >= whole; i--) tail = (tail << 8) | view.getUint8(i)
  hash ^= mix(tail) ^ bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const utf16 = (text: string): Uint8Array => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), true)
  return new Uint8Array(view.buffer)
}

describe("stickyHash", () => {
  it("is MurmurHash3 over UTF-16, checked against an implementation that gives the published values", () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    assert.strictEqual(murmur3(bytes(""), 1), 0x514e28b7)
    assert.strictEqual(murmur3(bytes("hello"), 0), 0x248bfa47)
    assert.strictEqual(murmur3(bytes("The quick brown fox jumps over the lazy dog"), 0x9747b28c), 0x2fa826cd)
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(0xffffffff), (text, seed) =>
        assert.strictEqual(stickyHash(text, seed), murmur3(utf16(text), seed))
      )
    )
  })

  it("gives these values for ever: another would move payments between providers", () =>
    assert.deepStrictEqual(
      ["", "a", "payer@example.com"].map((text) => stickyHash(text, 7)),
      [415870660, 2383563902, 3067326562]
    ))
})
