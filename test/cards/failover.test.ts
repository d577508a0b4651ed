/** Cards at Stripe and Adyen, through the whole engine: when the other one is tried, and when never. */
import { assert, describe, it } from "@effect/vitest"
import type { DeclineCode, PaymentRecord } from "@paymux/core"
import { Effect } from "effect"
import { refusals } from "../../packages/adapters/adyen/src/codes.ts"
import { codes as adyenCodes } from "../../packages/adapters/adyen/src/testing/codes.ts"
import { resultOf } from "../../packages/adapters/adyen/src/testing/fake.ts"
import { declines } from "../../packages/adapters/stripe/src/declines.ts"
import { codes as stripeCodes } from "../../packages/adapters/stripe/src/testing/codes.ts"
import { cards } from "../../packages/adapters/stripe/src/testing/fake.ts"
import { adyenFirst, chargedTwice, instances, inEnvironment, minutes, stateOf, tokens } from "./testEnvironment.ts"

const soft = { stripe: { decline: "issuer_not_available" }, adyen: { decline: "9" } }

describe("a soft decline", () => {
  it.effect("at Stripe goes to Adyen", () =>
    inEnvironment({}, ({ asked, pay, stripe }) =>
      Effect.gen(function* () {
        yield* stripe.decide(soft.stripe)
        assert.deepStrictEqual(stateOf(yield* pay()), {
          status: "succeeded",
          tried: ["stripe", "adyen"],
          reviews: []
        })
        assert.deepStrictEqual(yield* asked, [1, 1, 0])
      })
    )
  )

  it.effect("at Adyen after it goes nowhere: there is one failover", () =>
    inEnvironment({}, ({ adyen, asked, pay, stripe }) =>
      Effect.gen(function* () {
        yield* stripe.decide(soft.stripe)
        yield* adyen.decide(soft.adyen)
        assert.deepStrictEqual(stateOf(yield* pay()), {
          status: "failed",
          code: "issuer_unavailable",
          tried: ["stripe", "adyen"],
          reviews: []
        })
        assert.deepStrictEqual(yield* asked, [1, 1, 0])
      })
    )
  )
})

describe("the class of a decline says how many are asked", () => {
  /** Written down here, too: a class that changes shows. */
  const elsewhere = {
    stripe: [
      "issuer_not_available",
      "payment_method_not_available",
      "processing_error",
      "reenter_transaction",
      "try_again_later"
    ],
    adyen: ["4", "9"]
  }

  const isForAnother = ({ code, retry }: { readonly code: string; readonly retry: string }) =>
    retry === "other_provider" && code !== "insufficient_funds" && code !== "authentication_required"

  for (const [first, other, order, classes, published] of [
    ["stripe", "adyen", instances, declines, stripeCodes],
    ["adyen", "stripe", adyenFirst, refusals, adyenCodes.map(({ code }) => code)]
  ] as const) {
    it.effect(`for every code of ${first}`, () =>
      inEnvironment({ order }, (here) =>
        Effect.gen(function* () {
          const all = [...new Set([...Object.keys(classes), ...published])].toSorted()
          const tried: Array<readonly [string, ReadonlyArray<string>]> = []
          for (const code of all) {
            yield* here[first].decide({ decline: code })
            const record = yield* here.pay()
            assert.strictEqual(record.attempts[0]?.status, "declined", code)
            tried.push([code, stateOf(record).tried])
          }
          const said = all.map((code) => {
            const decline = classes[code]
            return [code, decline !== undefined && isForAnother(decline) ? [first, other] : [first]] as const
          })
          assert.deepStrictEqual(tried, said)
          assert.deepStrictEqual(
            tried.filter(([, providers]) => providers.length > 1).map(([code]) => code),
            elsewhere[first]
          )
          assert.strictEqual((yield* here.asked).at(-1), 0)
        })
      )
    )
  }
})

describe("a decline that is about the payer or the card is not tried at another provider", () => {
  const advices = [
    {},
    { advice_code: "try_again_later" },
    { advice_code: "try_again_later", network_advice_code: "24", network_decline_code: "51" },
    { advice_code: "confirm_card_data" }
  ]
  const said = [
    ["insufficient_funds", "insufficient_funds"],
    ["authentication_required", "authentication_required"],
    ["stolen_card", "lost_or_stolen"],
    ["fraudulent", "suspected_fraud"],
    ["do_not_honor", "do_not_honor"],
    ["card_velocity_exceeded", "limit_exceeded"]
  ] as const

  for (const [decline, code] of said) {
    it.effect(`${decline}, whatever Stripe advises`, () =>
      inEnvironment({}, ({ asked, pay, stripe }) =>
        Effect.gen(function* () {
          yield* stripe.decide({ decline })
          for (const advice of advices) {
            yield* stripe.network.failNext({ executed: true, reply: declinedWith(decline, advice) })
            const { reviews: _reviews, ...state } = stateOf(yield* pay())
            assert.deepStrictEqual(state, { status: "failed", code, tried: ["stripe"] })
          }
          assert.deepStrictEqual(yield* asked, [advices.length, 0, 0])
        })
      )
    )
  }

  it.effect("a soft decline with the advice never to try again", () =>
    inEnvironment({}, ({ asked, pay, stripe }) =>
      Effect.gen(function* () {
        yield* stripe.decide(soft.stripe)
        for (const advice of [{ advice_code: "do_not_try_again" }, { network_advice_code: "03" }]) {
          yield* stripe.network.failNext({ executed: true, reply: declinedWith("issuer_not_available", advice) })
          assert.deepStrictEqual(stateOf(yield* pay()).tried, ["stripe"])
        }
        assert.deepStrictEqual(yield* asked, [2, 0, 0])
      })
    )
  )
})

const declinedWith = (decline_code: string, advice: object) => ({
  status: 402,
  json: { error: { type: "card_error", code: "card_declined", decline_code, message: "Declined.", ...advice } }
})

describe("after the payer was shown a page no other provider is tried, whatever the decline", () => {
  const failed = (at: string, code: DeclineCode = "issuer_unavailable") => ({
    status: "failed" as const,
    code,
    tried: [at],
    reviews: []
  })

  for (const [by, isReported] of [
    ["the shopper's return", false],
    ["a webhook", true]
  ] as const) {
    it.effect(`3-D Secure at Stripe, reported by ${by}`, () =>
      inEnvironment({}, ({ asked, current, pass, pay, payments, stripe, tell }) =>
        Effect.gen(function* () {
          yield* stripe.decide(soft.stripe)
          const record = yield* pay({ ...tokens, stripe: cards.redirect })
          assert.strictEqual(actionOf(record), "redirect")
          yield* stripe.payersAct
          if (isReported) assert.deepStrictEqual(yield* tell("stripe"), ["applied"])
          else yield* payments.complete(record.payment.id, { redirect_status: "succeeded" })
          assert.deepStrictEqual(stateOf(yield* current(record)), failed("stripe"))
          yield* pass(5 * minutes)
          assert.deepStrictEqual(stateOf(yield* current(record)), failed("stripe"))
          assert.deepStrictEqual(yield* asked, [1, 0, 0])
        })
      )
    )

    it.effect(`3-D Secure at Adyen, reported by ${by}`, () =>
      inEnvironment({ order: adyenFirst }, ({ adyen, asked, current, pass, pay, payments, tell }) =>
        Effect.gen(function* () {
          yield* adyen.decide("wait")
          const record = yield* pay()
          assert.strictEqual(actionOf(record), "redirect")
          yield* adyen.decide(soft.adyen)
          const [made] = yield* adyen.payments
          if (made === undefined) return assert.fail("it was made")
          if (isReported) {
            yield* adyen.payersAct
            assert.deepStrictEqual(yield* tell("adyen"), ["applied"])
          } else yield* payments.complete(record.payment.id, { redirectResult: resultOf(made) })
          // Why it was refused a webhook of Adyen's does not sign.
          const ended = failed("adyen", isReported ? "generic_decline" : "issuer_unavailable")
          assert.deepStrictEqual(stateOf(yield* current(record)), ended)
          yield* pass(5 * minutes)
          assert.deepStrictEqual(stateOf(yield* current(record)), ended)
          assert.deepStrictEqual(yield* asked, [0, 1, 0])
        })
      )
    )
  }

  it.effect("3-D Secure at Adyen after a soft decline of Stripe's: Stripe is not asked again", () =>
    inEnvironment({}, ({ adyen, asked, current, pay, payments, stripe }) =>
      Effect.gen(function* () {
        yield* stripe.decide(soft.stripe)
        yield* adyen.decide("wait")
        const record = yield* pay()
        yield* adyen.decide(soft.adyen)
        const [made] = yield* adyen.payments
        if (made === undefined) return assert.fail("it was made")
        yield* payments.complete(record.payment.id, { redirectResult: resultOf(made) })
        assert.deepStrictEqual(stateOf(yield* current(record)), {
          ...failed("adyen"),
          tried: ["stripe", "adyen"]
        })
        assert.deepStrictEqual(yield* asked, [1, 1, 0])
      })
    )
  )

  it.effect("a page that the shopper was declined on and left", () =>
    inEnvironment({}, ({ asked, current, pass, pay, stripe, tell }) =>
      Effect.gen(function* () {
        yield* stripe.decide(soft.stripe)
        const record = yield* pay(null)
        assert.strictEqual(actionOf(record), "redirect")
        yield* stripe.payersAct
        yield* tell("stripe")
        yield* pass(70 * minutes)
        assert.strictEqual(stateOf(yield* current(record)).status, "failed")
        assert.deepStrictEqual(stateOf(yield* current(record)).tried, ["stripe"])
        assert.deepStrictEqual(yield* asked, [1, 0, 0])
      })
    )
  )
})

const actionOf = ({ payment: { state } }: PaymentRecord) =>
  state.status === "pending" ? state.nextAction?.type : state.status

describe("a token that is another provider's", () => {
  it.effect("is not Adyen's: after a soft decline of Stripe's there is no provider left", () =>
    inEnvironment({}, ({ asked, pay, stripe }) =>
      Effect.gen(function* () {
        yield* stripe.decide(soft.stripe)
        const record = yield* pay({ stripe: "pm_card_visa" })
        assert.deepStrictEqual(stateOf(record), {
          status: "failed",
          code: "issuer_unavailable",
          tried: ["stripe"],
          reviews: []
        })
        assert.deepStrictEqual(record.payment.routing.dropped, [
          { provider: "adyen", reason: "no_usable_token" },
          { provider: "adyen_b", reason: "no_usable_token" }
        ])
        assert.deepStrictEqual(yield* asked, [1, 0, 0])
      })
    )
  )
})

describe("the judge of these tests", () => {
  it("sees a payment that two have charged, or one twice, and no other", () => {
    assert.deepStrictEqual(
      chargedTwice([
        { payment: "pay_1", at: "stripe" },
        { payment: "pay_2", at: "stripe" },
        { payment: "pay_1", at: "adyen" },
        { payment: "pay_3", at: "adyen" },
        { payment: "pay_3", at: "adyen" },
        { payment: "pay_4", at: "adyen" }
      ]),
      ["pay_1", "pay_3"]
    )
  })

  it.effect("hears of every charge, at whichever it is", () =>
    inEnvironment({}, ({ charges, pay }) =>
      Effect.gen(function* () {
        const made: Array<{ readonly payment: string; readonly at: string }> = []
        for (const at of instances) {
          const { payment } = yield* pay({ [at]: tokens[at] })
          made.push({ payment: payment.id, at })
        }
        assert.deepStrictEqual(yield* charges, made)
      })
    )
  )
})
