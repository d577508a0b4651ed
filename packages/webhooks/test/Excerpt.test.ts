import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { excerptOf } from "../src/delivery/Excerpt.ts"

const of = (text: string) => excerptOf(Buffer.from(text))

describe("excerptOf", () => {
  it("is one line without what steers a terminal, for any bytes at all", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const excerpt = excerptOf(bytes)
        if (bytes.length === 0) return assert.isNull(excerpt)
        assert.notMatch(excerpt ?? "", /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        assert.isAtMost((excerpt ?? "").length, 240 * 9 + 1)
      }),
      { numRuns: 2000 }
    )
  })

  it("escapes line ends, escape sequences, NUL, and what turns the direction of writing", () => {
    assert.strictEqual(of("no\r\n\tsuch"), "no\\r\\n\\tsuch")
    assert.strictEqual(of("\u001b[31mred\u0007\u0000\u009b"), "\\u001b[31mred\\u0007\\u0000\\u009b")
    assert.strictEqual(of("a\u202eb\u2028c\u{e0001}"), "a\\u202eb\\u2028c\\u{e0001}")
    assert.strictEqual(of("Zoë 💸"), "Zoë 💸")
  })

  it("is cut", () => {
    assert.strictEqual(of("é".repeat(241)), `${"é".repeat(240)}…`)
    assert.strictEqual(of("é".repeat(240)), "é".repeat(240))
  })

  it("keeps no card number and no secret", () => {
    assert.notInclude(of(`{"card":"4111 1111 1111 1111"}`) ?? "", "1111")
    assert.strictEqual(of("bad secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw!"), "bad secret whsec_…!")
    assert.strictEqual(of(String.raw`{"secret":"whsec_MfKQ\/9r8\u002bLaSw"}`), '{"secret":"whsec_…"}')
    assert.strictEqual(of("?secret=whsec_MfKQ%2F9r8%2BLaSw%3D&x=1"), "?secret=whsec_…&x=1")
  })
})
