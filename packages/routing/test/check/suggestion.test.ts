/** Which words of a configuration an error repeats: those that a team would misspell, and nothing that may be a secret. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { looksLikeName } from "../../src/check/suggestion.ts"
import { refusals, withRule } from "../fixtures.ts"
import { byStripe, choose, fees, top, when } from "../written.ts"

const hex = "0123456789abcdef".split("")
const letters = "abcdefghijklmnopqrstuvwxyz".split("")
const drawn = (from: ReadonlyArray<string>, length: number) =>
  fc.array(fc.constantFrom(...from), { minLength: length, maxLength: length }).map((all) => all.join(""))

describe("a word looks like a name", () => {
  for (const word of [
    "stripe",
    "stripe_eu",
    "sandbox_card_a",
    "evm_base",
    "adyen-2",
    "razorpay.in",
    "p2p",
    "web3pay",
    "strpe",
    "payment_method",
    "customer.phone_country",
    "stablecoin.network",
    "in_prefixes",
    "failover.max_attempts",
    "paymnet_method",
    "card.conutry",
    "prioritise",
    "stickyBy",
    "EURO",
    "India",
    "x"
  ]) {
    it(`where it is ${word}`, () => assert.isTrue(looksLikeName(word)))
  }
})

describe("what may be a secret does not look like a name", () => {
  const secrets = [
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "sk_test_4ec39hqlyjwdarj",
    "sk_live_51HabcSECRET",
    "rzp_live_AbcdefGhijKlm1",
    "whsec_abcdefghijklmnop",
    "pk_test_qwertyuiopasd",
    "4111111111111111",
    "card-4111-1111",
    "pin-123-456",
    "123",
    "123-4",
    "deadbeefcafe0123",
    "a1b2c3",
    "AQEyhmfxK4vPnQ",
    "+4915112345678",
    "payer@example.com",
    "a.b.c.d.e",
    "correcthorse.batterystaple.correcthorse.bat",
    "a b",
    "",
    "a\u001b[2J",
    "a\n"
  ]
  for (const secret of secrets)
    it(`it is not shown: ${JSON.stringify(secret)}`, () => assert.isFalse(looksLikeName(secret)))

  it("nor does a UUID, or a key of some letters, or of letters and digits", () => {
    const uuid = fc
      .tuple(drawn(hex, 8), drawn(hex, 4), drawn(hex, 4), drawn(hex, 4), drawn(hex, 12))
      .map((parts) => parts.join("-"))
    const key = fc
      .tuple(fc.constantFrom("sk_live_", "pk_test_", "whsec_", "key-", "rk."), drawn(letters, 24))
      .map((parts) => parts.join(""))
    const token = drawn(hex, 40)
    fc.assert(
      fc.property(fc.oneof(uuid, key, token), (secret) => assert.isFalse(looksLikeName(secret))),
      { numRuns: 2000, seed: 1 }
    )
  })

  it("and is in no message, wherever it stands", () => {
    for (const secret of secrets.slice(0, 7)) {
      const reported = [
        choose({ priority: [secret] }),
        choose({ split: { [secret]: 100 } }),
        fees({ [secret]: {} }),
        top({ [secret]: 1 }),
        when({ [secret]: "x" }),
        when({ payment_method: secret }),
        when({ [`metadata.${secret}`]: 5 }),
        top({ rules: [{ name: ` ${secret}`, when: {}, choose: byStripe }] })
      ].map((config) => refusals(config).join("\n"))
      for (const message of reported) {
        assert.isNotEmpty(message)
        assert.notInclude(message, secret)
      }
    }
  })
})

describe("of a rule whose name is refused", () => {
  const named = (name: unknown) =>
    refusals({ version: 1, rules: [{ name, when: { currency: "euro" }, choose: byStripe }], default: byStripe })

  it("reports the number, not the name: a name may forge a line, or move a cursor", () => {
    const euro = "rule 1: `when.currency` must be an ISO 4217 currency in capitals, such as EUR"
    for (const name of [
      "a\nERROR forged",
      "a\u001b[2J",
      "a\u0007",
      "a\u202eb",
      "a\u2028b",
      "a\u200bb",
      " a",
      "a".repeat(101)
    ])
      assert.deepStrictEqual(named(name), [
        "rule 1: `name` must be 1 to 100 visible characters on one line, without a space at either end",
        euro
      ])
    assert.deepStrictEqual(named(5), ["rule 1: `name` must be text", euro])
  })

  it("also where it stands before another", () => {
    const rule = (name: string) => ({ name, when: {}, choose: byStripe })
    assert.include(
      refusals(top({ rules: [rule("\u001b[2J"), rule("b")] })),
      'rule "b": it is never reached: rule 1 comes first and takes all of its payments'
    )
  })
})

describe("a rule may be named", () => {
  for (const name of ["domestic cards", "ünïcode", "कार्ड", "卡", "EU > 500 €", "🇮🇳 cards", "a".repeat(100)]) {
    it(`it is taken: ${name.slice(0, 20)}`, () =>
      assert.deepStrictEqual(refusals(top({ rules: [{ name, when: {}, choose: byStripe }] })), []))
  }

  it("after a metadata key that is a word, which messages show", () =>
    assert.deepStrictEqual(refusals(withRule({ "metadata.channel": 5, "metadata.order id": 5 }, byStripe)), [
      'rule "x": `when.metadata.channel` must be text or a list or a mapping',
      'rule "x": `when.metadata.…` must be text or a list or a mapping'
    ]))
})
