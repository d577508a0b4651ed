import { assert, describe, it } from "@effect/vitest"
import { sha256 } from "../src/simulation/sha256.ts"
import { SeededRandom } from "../src/simulation/index.ts"

describe("sha256", () => {
  it("answers what the platform answers, at every length around a block and for a long text", async () => {
    const { between } = SeededRandom.stream(1, "bytes")
    for (const length of [...Array(200).keys(), 10_000]) {
      const bytes = Uint8Array.from({ length }, () => between(0, 255))
      const platform = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes))
      assert.deepStrictEqual(sha256(bytes), platform, `${length} bytes`)
    }
  })
})
