import { assert, describe, it } from "@effect/vitest"
import { normalEmail } from "../../src/domain/normalEmail.ts"

describe("the normal form of an e-mail address", () => {
  it.each([
    ["asha@example.com", "Asha@EXAMPLE.com"],
    ["asha@example.com", "ａｓｈａ＠ｅｘａｍｐｌｅ．ｃｏｍ"],
    ["asha@example.com", "as\u00adha\u200b@example.com"],
    ["ida@example.com", "İda@example.com"],
    ["ida@example.com", "i\u0307da@example.com"],
    ["j\u00f6rg@example.com", "Jo\u0308rg@example.com"],
    ["asha@xn--mller-kva.de", "asha@Müller.de"],
    ["asha@xn--mller-kva.de", "asha@XN--mller-kva.de"],
    ["νικοσ@example.com", "ΝΙΚΟΣ@example.com"],
    ["νικοσ@example.com", "νικος@example.com"],
    ["", ""],
    ["no address", "No Address"],
    ["é@é/x", "É@É/x"]
  ])("is %s for %s, and stays what it is", (normal, given) => {
    assert.strictEqual(normalEmail(given), normal)
    assert.strictEqual(normalEmail(normal), normal)
  })

  it("keeps letters apart that may be of different people", () => {
    for (const [one, other] of [
      ["asi@a.de", "as\u0131@a.de"],
      ["weiß@a.de", "weiss@a.de"],
      ["jörg@a.de", "jorg@a.de"]
    ]) {
      assert.notStrictEqual(normalEmail(one ?? ""), normalEmail(other ?? ""))
    }
  })
})
