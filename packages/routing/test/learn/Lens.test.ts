/** The lenses of compiled rules. */
import { assert, describe, it } from "@effect/vitest"
import { lensKey } from "../../src/learn/Lens.ts"
import type { Lens } from "../../src/learn/Lens.ts"
import { compiled } from "../fixtures.ts"

const best = { best: "success_rate", among: ["stripe", "adyen"] }
const choices = (...given: ReadonlyArray<object>): unknown => ({
  version: 1,
  rules: given.map((choose, index) => ({ name: `rule ${index}`, when: { "metadata.rule": String(index) }, choose })),
  default: { priority: ["stripe"] }
})
const learnedBy = async (...given: ReadonlyArray<object>) =>
  (await compiled(choices(...given))).rules.map((rule) => ("learned" in rule ? rule.learned : null))

describe("the attempts that a rule learns from", () => {
  it("are all of them, over a window that is not set, and each failure counts", async () => {
    const lens: Lens = { windowMs: null, learnFrom: "all", segments: [] }
    assert.deepStrictEqual(await learnedBy(best), [
      {
        lens,
        lensKey: lensKey(lens),
        rule: "rule 0",
        providers: ["stripe", "adyen"],
        expected: new Map(),
        weights: { expired: 1, authenticationFailed: 1 },
        strength: 40
      }
    ])
  })

  it("are those that it names", async () => {
    const written = {
      ...best,
      window: "2h",
      segments: ["metadata.shop", "account"],
      learn_from: "rule",
      min_samples: 7,
      weights: { expired: "25%", authentication_failed: "0%" }
    }
    const lens: Lens = { windowMs: 7_200_000, learnFrom: "rule", segments: ["metadata.shop", "account"] }
    const [, learned] = await learnedBy(best, written)
    assert.deepStrictEqual(learned, {
      lens,
      lensKey: lensKey(lens),
      rule: "rule 1",
      providers: ["stripe", "adyen"],
      expected: new Map(),
      weights: { expired: 0.25, authenticationFailed: 0 },
      strength: 7
    })
  })

  it("are none where only fees are compared", async () => {
    assert.deepStrictEqual(await learnedBy({ best: "cost", among: ["stripe", "adyen"] }), [null])
  })
})

describe("the lenses of all rules", () => {
  const lensesOf = async (...given: ReadonlyArray<object>) => (await compiled(choices(...given))).lenses

  it("have each once, also that of the default", async () => {
    const one = { ...best, segments: ["amount"], learn_from: "account" }
    const { lenses } = await compiled({ version: 1, rules: [{ name: "x", when: {}, choose: one }], default: one })
    assert.deepStrictEqual(lenses, [{ windowMs: null, learnFrom: "account", segments: ["amount"] }])
  })

  it("are none where nothing is learned", async () => {
    assert.deepStrictEqual(await lensesOf({ priority: ["stripe"] }, { best: "cost", among: ["stripe", "adyen"] }), [])
  })

  it("are apart where windows, attempts or segments differ", async () => {
    const different = [
      best,
      { ...best, window: "1h" },
      { ...best, learn_from: "rule" },
      { ...best, learn_from: "account" },
      { ...best, segments: ["amount"] },
      { ...best, segments: ["account"] },
      { ...best, segments: ["amount", "account"] },
      { ...best, segments: ["metadata.amount"] }
    ]
    const lenses = await lensesOf(...different, ...different)
    assert.lengthOf(lenses, different.length)
    assert.strictEqual(new Set(lenses.map(lensKey)).size, different.length)
  })
})
