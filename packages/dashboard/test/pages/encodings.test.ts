import { assert, describe, it } from "@effect/vitest"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { acceptedEncoding, encode } from "../../src/server/pages/encodings.ts"

describe("the encoding of a file", () => {
  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["identity", "identity"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip;q=0.5", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, gzip;q=0", "identity"],
    ["br; q=0, gzip", "gzip"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["*;q=0", "identity"],
    ["gzip;q=x", "identity"],
    [", ,;q=1", "identity"]
  ] as const)("%s is %s", (header, expected) => {
    assert.strictEqual(acceptedEncoding(header), expected)
  })

  it("changes no byte", async () => {
    const bytes = new TextEncoder().encode("const text = 1\n".repeat(1000))
    const [br, gzip, identity] = [
      await encode(bytes, "br"),
      await encode(bytes, "gzip"),
      await encode(bytes, "identity")
    ]
    assert.deepStrictEqual(new Uint8Array(brotliDecompressSync(br)), bytes)
    assert.deepStrictEqual(new Uint8Array(gunzipSync(gzip)), bytes)
    assert.deepStrictEqual(identity, bytes)
    assert.isBelow(br.length, bytes.length / 10)
    assert.isBelow(gzip.length, bytes.length / 10)
  })
})
