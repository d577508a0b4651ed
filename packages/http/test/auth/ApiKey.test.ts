import { assert, describe, it } from "@effect/vitest"
import { generate, hash, parse, randomBase62 } from "../../src/auth/ApiKey.ts"

/** Every byte once, over and over: what is thrown away and what wraps is then known. */
const counting = () => {
  let next = 0
  return (length: number) => Uint8Array.from({ length }, () => next++ % 256)
}

describe("ApiKey", () => {
  it.each(["test", "live"] as const)("a %s key says its mode and is well formed", (mode) => {
    const key = generate(mode)
    assert.match(key, new RegExp(`^pmx_${mode}_[0-9A-Za-z]{38}$`))
    assert.deepStrictEqual(parse(key), { mode, cell: null, last4: key.slice(-4) })
  })

  it.each(["test", "live"] as const)("a %s key of a cell begins with its mode and the cell", (mode) => {
    const key = generate(mode, undefined, "eu1")
    assert.match(key, new RegExp(`^pmx_${mode}_eu1_[0-9A-Za-z]{38}$`))
    assert.deepStrictEqual(parse(key), { mode, cell: "eu1", last4: key.slice(-4) })
  })

  it("a key of a cell is refused under the name of another, without one, and under what is no name", () => {
    const key = generate("live", undefined, "eu1")
    for (const other of ["us1_", "eu2_", "", "EU1_", "1eu_", "europe001_", "eu1_eu1_", "_"]) {
      assert.isNull(parse(key.replace("eu1_", other)), other)
    }
  })

  it("two keys are never the same", () => {
    const keys = new Set(Array.from({ length: 1000 }, () => generate("test")))
    assert.strictEqual(keys.size, 1000)
  })

  it("a key with any one character changed is refused", () => {
    const key = generate("live")
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === "x" ? "y" : "x"
      assert.isNull(parse(key.slice(0, i) + other + key.slice(i + 1)), `character ${i}`)
    }
  })

  it("a live key does not become a test key by its name", () => {
    assert.isNull(parse(generate("live").replace("live", "test")))
  })

  it.each(["", "pmx_test_", "x".repeat(10_000), "pmx_prod_", "sk_test_"])("%j is no key", (text) => {
    assert.isNull(parse(text))
    assert.isNull(parse(`${text} ${generate("test")}`))
    assert.isNull(parse(`${generate("test")}${text}\n`))
  })

  it("every character is equally likely", () => {
    const counts = new Map<string, number>()
    // 248 bytes of 256 are used, and each character stands for four of them.
    for (const character of randomBase62(248 * 10, counting()).split("")) {
      counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    assert.deepStrictEqual(
      [...counts.values()],
      Array.from({ length: 62 }, () => 40)
    )
  })

  it("the checksum is the CRC-32 of what stands before it, in base62", () => {
    // Computed apart from this code: Python's zlib.crc32 and divmod by 62 over 0-9A-Za-z.
    assert.strictEqual(
      generate("test", (length) => new Uint8Array(length)),
      "pmx_test_0000000000000000000000000000000041Cz7z"
    )
  })

  it("the hash is SHA-256 in hexadecimal", () => {
    assert.strictEqual(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })
})
