/** Encrypted texts, while the secret of the server is replaced. */
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { sealedText } from "../src/index.ts"

const former = Redacted.make("the former secret of this test")
const next = Redacted.make("the next secret of this test")
const sealed = sealedText([former], "a test").seal("row", "text")
const both = sealedText([next, former], "a test")

describe("an encrypted text", () => {
  it("is read under each secret of a list, whose first one encrypts", () => {
    assert.strictEqual(both.open("row", sealed), "text")
    assert.strictEqual(sealedText([next], "a test").open("row", both.seal("row", "text")), "text")
    assert.isNull(sealedText([former], "a test").open("row", both.seal("row", "text")))
  })

  it("is encrypted anew by the first secret, once, and only for its own row and purpose", () => {
    const resealed = both.reseal("row", sealed) ?? assert.fail("not read")
    assert.strictEqual(sealedText([next], "a test").open("row", resealed), "text")
    assert.strictEqual(both.reseal("row", resealed), resealed)
    assert.isNull(both.reseal("another row", sealed))
    assert.isNull(sealedText([next, former], "another test").reseal("row", sealed))
    assert.isNull(sealedText([next], "a test").reseal("row", sealed))
  })
})
