import { assert, describe, it } from "@effect/vitest"
import { inPlace } from "../src/simulation/PlatformDigest.ts"
import { SeededRandom } from "../src/simulation/index.ts"

describe("PlatformDigest", () => {
  it("answers in a simulation what the platform answers, at every length around a block and for a long text", async () => {
    const { between } = SeededRandom.stream(1, "bytes")
    const { subtle } = globalThis.crypto
    const texts = [...Array(200).keys(), 10_000].map((length) => Uint8Array.from({ length }, () => between(0, 255)))
    const digests = () => Promise.all(texts.map((text) => subtle.digest("SHA-256", text)))
    const own = await inPlace(async () => {
      assert.isTrue(Object.hasOwn(subtle, "digest"))
      return digests()
    })
    assert.isFalse(Object.hasOwn(subtle, "digest"))
    assert.deepStrictEqual(own, await digests())
  })
})
