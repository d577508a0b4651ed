import { assert, describe, it } from "@effect/vitest"
import { cardRefusal, cardRetryDefaults, cardRetryProblems, countedCard } from "../../src/domain/cardRetries.ts"
import type { CardRetrySettings, CardDecline } from "../../src/domain/cardRetries.ts"
import type { Card } from "../../src/domain/PaymentMethod.ts"

const DAY = 24 * 60 * 60_000
const now = 100 * DAY

const soft = (daysAgo: number): CardDecline => ({ code: "do_not_honor", isFinal: false, endedAt: now - daysAgo * DAY })
const hard = (daysAgo: number): CardDecline => ({ code: "lost_or_stolen", isFinal: true, endedAt: now - daysAgo * DAY })
const times = (count: number, decline: CardDecline): ReadonlyArray<CardDecline> =>
  Array.from({ length: count }, () => decline)

const refused = (network: string | null, declines: ReadonlyArray<CardDecline>, settings = cardRetryDefaults) =>
  cardRefusal({ network }, declines, settings, now)

describe("a card that was declined before", () => {
  for (const [network, most] of [
    ["visa", 15],
    ["mastercard", 35]
  ] as const) {
    it(`is tried until it was declined ${most} times in 30 days (${network})`, () => {
      assert.isNull(refused(network, times(most - 1, soft(1))))
      assert.deepStrictEqual(refused(network, times(most, soft(1))), { reason: "retry_limit", retryAfterMs: 29 * DAY })
      assert.isNull(refused(network, [...times(most - 1, soft(1)), soft(30)]), "older ones do not count")
    })
  }

  it("may be tried again when the oldest that counts is too old", () => {
    const settings: CardRetrySettings = { ...cardRetryDefaults, limits: { visa: { declines: 2, within: "10 days" } } }
    assert.deepStrictEqual(refused("visa", [soft(1), soft(4), soft(9)], settings), {
      reason: "retry_limit",
      retryAfterMs: 6 * DAY
    })
  })

  it("is not counted where its payer went away, which no issuer has seen", () => {
    const left: CardDecline = { code: "customer_canceled", isFinal: false, endedAt: now - DAY }
    assert.isNull(refused("visa", [...times(50, left), ...times(14, soft(1))]))
  })

  it("has no limit where its network has none", () => {
    for (const network of ["amex", "toString"]) assert.isNull(refused(network, times(100, soft(1))), network)
    assert.isNull(refused(null, times(100, soft(1)), { ...cardRetryDefaults, limits: {} }))
  })

  it("is held to every limit where its network is not said", () => {
    assert.isNull(refused(null, times(14, soft(1))))
    assert.deepStrictEqual(refused(null, times(15, soft(1))), { reason: "retry_limit", retryAfterMs: 29 * DAY })
    const limits = { visa: { declines: 9, within: "10 days" }, amex: { declines: 3, within: "2 days" } } as const
    const settings = { ...cardRetryDefaults, limits }
    assert.deepStrictEqual(refused(null, times(3, soft(1)), settings), { reason: "retry_limit", retryAfterMs: DAY })
    assert.deepStrictEqual(refused(null, times(9, soft(1)), settings), {
      reason: "retry_limit",
      retryAfterMs: 9 * DAY
    })
    assert.isNull(refused(null, times(3, soft(2)), settings))
  })

  it("is not tried for 30 days once it was declined for good, whatever its network", () => {
    for (const network of [null, "visa", "amex"]) {
      assert.deepStrictEqual(refused(network, [soft(1), hard(2)]), { reason: "hard_decline", retryAfterMs: 28 * DAY })
      assert.isNull(refused(network, [hard(30)]))
      assert.isNull(refused(network, [hard(2)], { ...cardRetryDefaults, holdAfterHardDecline: 0 }))
    }
  })
})

describe("what is counted", () => {
  const card: Card = {
    rail: "card",
    token: null,
    tokens: {},
    network: "visa",
    country: null,
    funding: null,
    bin: null,
    fingerprint: "fp_1"
  }

  it("is a card with a fingerprint, over the longer of the two times", () => {
    assert.deepStrictEqual(countedCard(card, cardRetryDefaults), {
      fingerprint: "fp_1",
      network: "visa",
      withinMs: 30 * DAY
    })
    const longer = { ...cardRetryDefaults, limits: { visa: { declines: 1, within: "40 days" } } } as const
    assert.strictEqual(countedCard(card, longer)?.withinMs, 40 * DAY)
    assert.strictEqual(countedCard({ ...card, network: "amex" }, longer)?.withinMs, 30 * DAY)
    assert.strictEqual(countedCard({ ...card, network: null }, longer)?.withinMs, 40 * DAY)
  })

  it("is nothing without a fingerprint, on another rail, or where nothing is limited", () => {
    for (const fingerprint of [null, "", " \n"]) assert.isNull(countedCard({ ...card, fingerprint }, cardRetryDefaults))
    assert.isNull(countedCard({ rail: "upi", flow: "qr", vpa: null }, cardRetryDefaults))
    assert.isNull(countedCard(card, { limits: {}, holdAfterHardDecline: 0 }))
  })
})

describe("settings", () => {
  it("that can be used have no problem", () => {
    assert.deepStrictEqual(cardRetryProblems(cardRetryDefaults), [])
    assert.deepStrictEqual(cardRetryProblems({ limits: {}, holdAfterHardDecline: 0 }), [])
  })

  it("that cannot are named, each", () => {
    // As in a configuration file, which the compiler has not checked.
    const written = {
      limit: {},
      holdAfterHardDecline: "a while",
      limits: { Visa: { declines: 15, within: "30 days" }, amex: { declines: 0.5, within: -1 }, jcb: { declines: 101 } }
    } as unknown as CardRetrySettings
    assert.deepStrictEqual(cardRetryProblems(written), [
      'cardRetries has no setting "limit".',
      'cardRetries.holdAfterHardDecline must be a number of ms, or text such as "30 days".',
      'cardRetries.limits: "Visa" must be a card network in small letters, such as visa.',
      "cardRetries.limits.amex.declines must be a whole number from 1 to 100.",
      'cardRetries.limits.amex.within must be a number of ms, or text such as "30 days".',
      "cardRetries.limits.jcb.declines must be a whole number from 1 to 100.",
      'cardRetries.limits.jcb.within must be a number of ms, or text such as "30 days".'
    ])
  })

  it("that would switch a rule off by mistake are named", () => {
    assert.deepStrictEqual(
      cardRetryProblems({
        holdAfterHardDecline: "-30 days",
        limits: {
          visa: { declines: 15, within: 30 },
          amex: { declines: 15, within: 0 },
          jcb: { declines: 15, within: "-1 days" },
          discover: { declines: 15, within: "1 day", per: "month" }
        }
      }),
      [
        'cardRetries.holdAfterHardDecline must be a number of ms, or text such as "30 days".',
        "cardRetries.limits.visa.within must be a minute at least (numbers are ms).",
        "cardRetries.limits.amex.within must be a minute at least (numbers are ms).",
        'cardRetries.limits.jcb.within must be a number of ms, or text such as "30 days".',
        'cardRetries.limits.discover has no setting "per".'
      ]
    )
  })

  it("that are not even an object of settings are named, too", () => {
    for (const wrong of [null, 5, "visa", [], { limits: { visa: null } }, { limits: 5 }, { limits: [] }]) {
      assert.isNotEmpty(cardRetryProblems(wrong as unknown as CardRetrySettings), JSON.stringify(wrong))
    }
  })
})
