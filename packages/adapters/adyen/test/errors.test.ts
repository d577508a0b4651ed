import type { InquiryOutcome, ProviderOperation } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import type { FakeAnswer } from "@paymux/testkit"
import { Effect } from "effect"
import { refusals } from "../src/codes.ts"
import { adyen } from "../src/index.ts"
import { codes } from "../src/testing/codes.ts"
import { resultOf } from "../src/testing/fake.ts"
import { answered, begin, card, encrypted, euros, later, operation, stored } from "./operations.ts"

const ok = (json: object): FakeAnswer => ({ status: 200, json })
const psp = "JLCMPCQ8HXSKGK82"

const result = (json: object, asked?: ProviderOperation) =>
  Effect.map(answered(ok({ pspReference: psp, ...json }), asked), (outcome: InquiryOutcome) => outcome)

describe("what Adyen answers to a payment", () => {
  it("all published refusal reasons are mapped, and no others", () => {
    assert.deepStrictEqual(Object.keys(refusals).toSorted(), codes.map(({ code }) => code).toSorted())
  })

  it("only of a card that no provider will take is it said that it is never to be tried again", () => {
    const never = Object.entries(refusals).filter(([, decline]) => decline?.retry === "never")
    // Blocked, a number that is none, and payments that its holder stopped at the bank.
    assert.deepStrictEqual(
      never.map(([code]) => code),
      ["5", "8", "26"]
    )
  })

  it.live("a 200 with a refusal is a decline, of the class that its reason has", () =>
    Effect.gen(function* () {
      const classes = {
        "4": ["processing_error", "other_provider"],
        "9": ["issuer_unavailable", "other_provider"],
        "12": ["insufficient_funds", "same_later"],
        "5": ["lost_or_stolen", "never"],
        "20": ["suspected_fraud", "same_later"],
        "38": ["authentication_required", "same_later"]
      }
      for (const [refusalReasonCode, expected] of Object.entries(classes)) {
        const reported = yield* result({ resultCode: "Refused", refusalReasonCode })
        assert.deepStrictEqual<unknown>(reported._tag === "Declined" && [reported.code, reported.retry], expected)
        assert.strictEqual(reported.vendorCode, refusalReasonCode)
      }
      for (const resultCode of ["Refused", "Error"]) {
        for (const none of [{}, { refusalReasonCode: "0" }, { refusalReasonCode: null }]) {
          const reported = yield* result({ resultCode, ...none })
          assert.strictEqual(reported._tag === "Declined" && reported.code, "generic_decline")
        }
      }
    })
  )

  it.live("an unknown result code, and an unknown reason of a refusal, are unknown", () =>
    Effect.gen(function* () {
      const others = ["PartiallyAuthorised", "AuthenticationFinished", "AuthenticationNotRequired", "Success", "Later"]
      for (const resultCode of others) {
        assert.deepInclude(yield* result({ resultCode }), {
          _tag: "Unknown",
          reason: "unmapped",
          vendorCode: resultCode
        })
      }
      const refused = yield* result({ resultCode: "Refused", refusalReasonCode: "999" })
      assert.deepInclude(refused, { _tag: "Unknown", reason: "unmapped", vendorCode: "999" })
      for (const inherited of ["constructor", "__proto__"]) {
        const reported = yield* result({ resultCode: "Refused", refusalReasonCode: inherited })
        assert.strictEqual(reported._tag, "Unknown")
      }
    })
  )

  it.live("a reason and an error that are JSON numbers are read as their text", () =>
    Effect.gen(function* () {
      const refused = yield* result({ resultCode: "Refused", refusalReasonCode: 12 })
      assert.deepInclude(refused, { _tag: "Declined", code: "insufficient_funds", vendorCode: "12" })
      const unnamed = yield* result({ resultCode: "Refused", refusalReasonCode: 0 })
      assert.deepInclude(unnamed, { _tag: "Declined", code: "generic_decline" })
      const paid = yield* result({ resultCode: "Authorised", refusalReasonCode: 0 })
      assert.deepStrictEqual(paid, { _tag: "Succeeded", reference: psp })
      const { reason } = yield* Effect.flip(
        answered({ status: 422, json: { errorCode: 905, errorType: "validation" } })
      )
      assert.deepInclude(reason, { _tag: "AccountNotEnabled", code: "905" })
    })
  )

  it.live("code 0 beside a success is ignored, and the amount is reported", () =>
    Effect.gen(function* () {
      const authorized = { resultCode: "Authorised", refusalReasonCode: "0", amount: { currency: "EUR", value: 7 } }
      assert.deepStrictEqual(yield* result(authorized), {
        _tag: "Succeeded",
        reference: psp,
        amount: euros(7)
      } as never)
      const held = yield* result({ resultCode: "Authorised" }, operation({ captureMethod: "manual" }))
      assert.deepStrictEqual(held, { _tag: "Authorized", reference: psp })
      // Without an amount it would be the whole one.
      for (const amount of [
        { currency: "ISK", value: 10_001 },
        { currency: "BGN", value: 12_345 },
        { currency: "EUR", value: -1 }
      ]) {
        assert.deepInclude(yield* result({ resultCode: "Authorised", amount }), {
          _tag: "Unknown",
          reason: "unreadable",
          reference: psp
        })
      }
      // Without Adyen's name of it nothing could be asked of it later.
      const nameless = yield* answered(ok({ resultCode: "Authorised" }))
      assert.deepInclude(nameless, { _tag: "Unknown", reason: "unreadable" })
    })
  )

  it.live("a redirect is shown; if the payer cannot continue there is nothing to show, and it is soon over", () =>
    Effect.gen(function* () {
      const asked = operation()
      const url = "https://checkoutshopper-test.adyen.com/threeDS"
      const shown = yield* result({ resultCode: "RedirectShopper", action: { type: "redirect", method: "GET", url } })
      assert.strictEqual(shown._tag === "Pending" && shown.nextAction?.type, "redirect")
      const unfollowable = [
        { resultCode: "RedirectShopper", action: { type: "redirect", method: "POST", url, data: { MD: "1" } } },
        { resultCode: "RedirectShopper", action: { type: "redirect", method: "GET", url: "javascript:alert(1)" } },
        { resultCode: "RedirectShopper" },
        { resultCode: "IdentifyShopper", action: { type: "threeDS2", subtype: "fingerprint", token: "eyJ0" } },
        { resultCode: "ChallengeShopper", action: { type: "threeDS2", subtype: "challenge", token: "eyJ0" } },
        { resultCode: "PresentToShopper", action: { type: "voucher" } }
      ]
      for (const json of unfollowable) {
        assert.deepStrictEqual(yield* result(json, asked), {
          _tag: "Pending",
          reference: psp,
          vendorCode: json.resultCode,
          nextAction: { type: "wait", expiresAt: asked.deadlineAt }
        })
      }
      for (const resultCode of ["Pending", "Received"]) {
        assert.deepStrictEqual(yield* result({ resultCode }), { _tag: "Pending", reference: psp })
      }
    })
  )
})

describe("what cannot be said in Adyen's terms", () => {
  it.live("is not sent", () =>
    Effect.gen(function* () {
      const { capture, create, network, refund } = yield* begin
      const unsendable = [
        operation({ returnUrl: null }),
        operation({ amount: euros(150, "IDR") }),
        operation({ amount: euros(Number.MAX_SAFE_INTEGER, "ISK") }),
        operation({ method: card({ number: "4111111111111111", cvc: "737" }) }),
        operation({ method: card({}) }),
        // Whose stored method it is must be said with it.
        operation({ method: card(stored.storedPaymentMethodId) }),
        operation({ method: card({ storedPaymentMethodId: stored.storedPaymentMethodId }) })
      ]
      const codes = ["return_url", "amount", "amount", "token", "token", "token", "token"]
      for (const [index, asked] of unsendable.entries()) {
        const unsaid = { _tag: "NotExecuted", reason: "adapter_fault", vendorCode: codes[index] ?? "" }
        assert.deepStrictEqual<unknown>(yield* create(asked), unsaid)
      }
      for (const reference of [null, "paymentLinks/PL1", operation().id]) {
        assert.strictEqual((yield* capture(later("capture", operation(), reference)))._tag, "NotExecuted")
        assert.strictEqual((yield* refund(later("refund", operation(), reference)))._tag, "NotExecuted")
      }
      assert.lengthOf(yield* network.requests, 0)
    }).pipe(Effect.scoped)
  )

  it.live("amounts are in Adyen's decimals, which are not those of ISO 4217 for CLP, CVE, IDR and ISK", () =>
    Effect.gen(function* () {
      const { create, receive, network } = yield* begin
      const values = { CLP: 15_000, CVE: 2, EUR: 150, IDR: 2, ISK: 15_000, JPY: 150, KWD: 150 }
      for (const [currency, value] of Object.entries(values)) {
        const money = euros(value === 2 ? 200 : 150, currency)
        const asked = operation({ amount: money })
        assert.deepInclude(yield* create(asked), { _tag: "Succeeded", amount: money })
        const sent = JSON.parse((yield* network.requests).at(-1)?.body ?? "{}")
        assert.deepStrictEqual(sent.amount, { currency, value })
        const reported = {
          eventCode: "AUTHORISATION",
          pspReference: psp,
          merchantReference: asked.id,
          amount: sent.amount
        }
        const [received] = yield* receive(reported)
        assert.deepStrictEqual(received?.outcome, { _tag: "Succeeded", amount: money, reference: psp })
      }
    }).pipe(Effect.scoped)
  )

  it.live("of a token only what Adyen's client encryption makes is sent on", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin
      yield* create(operation({ method: card({ ...encrypted, number: "4111111111111111", cvc: "737", type: "bcmc" }) }))
      const sent = JSON.parse((yield* network.requests).at(-1)?.body ?? "{}")
      assert.deepStrictEqual(sent.paymentMethod, encrypted)
    }).pipe(Effect.scoped)
  )
})

describe("the shopper's return", () => {
  const redirected = Effect.gen(function* () {
    const harness = yield* begin
    yield* harness.vendor.decide("wait")
    const asked = operation()
    const reported = yield* harness.create(asked)
    const [payment] = yield* harness.vendor.payments
    if (payment === undefined) return yield* Effect.die(new Error("it was made"))
    yield* harness.vendor.decide("approve")
    return { ...harness, asked: { ...asked, reference: reported.reference ?? null }, redirectResult: resultOf(payment) }
  })

  it.live("is decided by Adyen, under a key of its own for each result", () =>
    Effect.gen(function* () {
      const { asked, complete, network, redirectResult } = yield* redirected
      const forged = yield* Effect.flip(complete(asked, { redirectResult: "made up" }))
      assert.strictEqual(forged.reason._tag, "InvalidRequest")
      const done = yield* complete(asked, { redirectResult })
      assert.deepInclude(done, { _tag: "Succeeded", amount: asked.amount })
      assert.deepStrictEqual(yield* complete(asked, { redirectResult }), done)
      const keys = (yield* network.requests).slice(1).map(({ headers }) => headers["idempotency-key"])
      assert.strictEqual(keys[1], keys[2])
      assert.lengthOf([...new Set(keys)], 2)
      for (const key of keys) assert.match(key ?? "", /^[0-9a-f]{64}$/)
    }).pipe(Effect.scoped)
  )

  it.live("with the result of another payment says nothing of this one", () =>
    Effect.gen(function* () {
      const { asked, complete, network, redirectResult } = yield* redirected
      const other = operation({ amount: euros(999_999) })
      assert.strictEqual((yield* complete(other, { redirectResult }))._tag, "Unknown")
      // Where Adyen does not say whose it is, its own name must be the one that is known.
      const details = ok({ resultCode: "Authorised", pspReference: psp })
      yield* network.failNext({ executed: false, reply: details })
      assert.strictEqual((yield* complete(asked, { redirectResult: "one" }))._tag, "Unknown")
      yield* network.failNext({ executed: false, reply: details })
      assert.strictEqual((yield* complete({ ...asked, reference: psp }, { redirectResult: "two" }))._tag, "Succeeded")
      for (const query of [{}, { redirectResult: "" }, { resultCode: "authorised" }]) {
        assert.strictEqual((yield* complete(asked, query))._tag, "Unknown")
      }
    }).pipe(Effect.scoped)
  )

  it.live("from a link asks for the link: that it was used does not say by which payment", () =>
    Effect.gen(function* () {
      const { complete, create, vendor } = yield* begin
      const asked = operation({ method: card(null) })
      const { reference = null } = yield* create(asked)
      const back = { ...asked, reference }
      assert.strictEqual((yield* complete(back, {}))._tag, "Pending")
      yield* vendor.payersAct
      assert.deepInclude(yield* complete(back, {}), { _tag: "Unknown", vendorCode: "completed" })
    }).pipe(Effect.scoped)
  )
})

describe("options", () => {
  const options = {
    environment: "test" as const,
    apiKey: "AQE",
    merchantAccount: "Shop",
    hmacKeys: ["44".repeat(32)] as const
  }
  it("the environment decides the mode, and the live host's prefix is of live alone", () => {
    assert.strictEqual(adyen(options).mode, "test")
    assert.strictEqual(adyen({ ...options, environment: "live", liveUrlPrefix: "1797a841-Shop" }).mode, "live")
    assert.throws(() => adyen({ ...options, environment: "live" }), /liveUrlPrefix: is missing/)
    assert.throws(() => adyen({ ...options, liveUrlPrefix: "1797a841-Shop" }), /liveUrlPrefix: is of live/)
    assert.throws(() => adyen({ ...options, environment: "live", liveUrlPrefix: "evil.example/" }), /liveUrlPrefix/)
    assert.throws(() => adyen({ ...options, hmacKeys: ["not hex"] }), /hmacKeys.0: must be hexadecimal/)
    assert.throws(() => adyen({ ...options, merchantAccount: "a:b" }), /merchantAccount: must be/)
    assert.throws(() => adyen({ ...options, payWithinMinutes: 1 }), /payWithinMinutes: must be a whole number from 5/)
  })

  it("an API key that no header can carry is refused, and not shown", () => {
    for (const apiKey of ["", "AQE1\n", "AQE 1", "schlüssel"]) {
      assert.throws(() => adyen({ ...options, apiKey }), /apiKey: must be the API key: [^]*(?<!AQE1)$/)
    }
  })
})
