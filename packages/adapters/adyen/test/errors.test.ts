import type { InquiryOutcome, ProviderOperation } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import type { FakeAnswer } from "@paymux/testkit"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"
import { refusals } from "../src/errors.ts"
import { adyen } from "../src/index.ts"
import { codes } from "../src/testing/codes.ts"
import { resultOf } from "../src/testing/fake.ts"
import { begin, card, encrypted, euros, later, operation, stored } from "./operations.ts"

const ok = (json: object): FakeAnswer => ({ status: 200, json })
const psp = "JLCMPCQ8HXSKGK82"

/** What a create comes to whose answer is this. */
const answered = Effect.fnUntraced(function* (answer: FakeAnswer, asked = operation()) {
  const { create, network } = yield* begin
  yield* network.failNext({ executed: false, reply: answer })
  return yield* create(asked)
}, Effect.scoped)

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

describe("what the card form reads of the browser", () => {
  const browserInfo = {
    acceptHeader: "*/*",
    colorDepth: 24,
    javaEnabled: false,
    language: "en-IN",
    screenHeight: 1080,
    screenWidth: 1920,
    timeZoneOffset: -330,
    userAgent: "Mozilla/5.0"
  }
  const sent = Effect.fnUntraced(function* (given: unknown) {
    const { create, network } = yield* begin
    const outcome = yield* create(operation({ method: card({ ...encrypted, browserInfo: given }) }))
    const [request] = yield* network.requests
    return { outcome, browserInfo: request === undefined ? null : JSON.parse(request.body).browserInfo }
  }, Effect.scoped)

  it.live("is sent with the token, beside its fields", () =>
    Effect.gen(function* () {
      const { browserInfo: whole, outcome } = yield* sent({ ...browserInfo, javaScriptEnabled: true })
      assert.deepStrictEqual(whole, { ...browserInfo, javaScriptEnabled: true })
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.deepStrictEqual((yield* sent({ ...browserInfo, riskData: "4111" })).browserInfo, browserInfo)
      for (const none of [undefined, null]) assert.isUndefined((yield* sent(none)).browserInfo)
    })
  )

  it.live("is not sent where it cannot be Adyen's, and neither is the payment", () =>
    Effect.gen(function* () {
      const { language: _, ...partial } = browserInfo
      for (const given of [
        "",
        1,
        [],
        {},
        partial,
        { ...browserInfo, screenWidth: "1920" },
        { ...browserInfo, userAgent: "a".repeat(5_000) }
      ]) {
        const { browserInfo: whole, outcome } = yield* sent(given)
        assert.isNull(whole)
        assert.deepInclude(outcome, { _tag: "NotExecuted", reason: "adapter_fault", vendorCode: "token" })
      }
    })
  )
})

describe("what Adyen answers instead", () => {
  const refused = (status: number, errorCode: string, headers = {}, errorType = "validation"): FakeAnswer => ({
    status,
    headers,
    json: { status, errorCode, errorType, message: "Not so." }
  })

  // Codes and types as in Adyen's API explorer and in public reports of its users.
  it.live("a definite type of error is a definite no, whatever the class of its status", () =>
    Effect.gen(function* () {
      for (const [status, code, type, tag] of [
        [500, "905_1", "configuration", "Misconfigured"],
        [500, "901", "security", "Misconfigured"],
        [403, "901", "security", "Misconfigured"],
        [422, "905_3", "configuration", "Misconfigured"],
        [500, "702", "validation", "InvalidRequest"],
        [400, "702", "validation", "InvalidRequest"]
      ] as const) {
        const { reason } = yield* Effect.flip(answered(refused(status, code, {}, type)))
        assert.deepInclude(reason, { _tag: tag, detail: code })
      }
      for (const type of ["internal", "constructor", ""]) {
        assert.deepInclude(yield* answered(refused(500, "905_1", {}, type)), {
          _tag: "Unknown",
          reason: "server_error"
        })
      }
    })
  )

  it.live("a definite type of error is a definite no to a capture, a cancel and a refund, too", () =>
    Effect.gen(function* () {
      for (const kind of ["capture", "cancel", "refund"] as const) {
        const { create, network, ...others } = yield* begin
        const asked = operation({ captureMethod: "manual" })
        const { reference = null } = yield* create(asked)
        yield* network.failNext({ executed: false, reply: refused(500, "905_1", {}, "configuration") })
        const { reason } = yield* Effect.flip(others[kind](later(kind, asked, reference)))
        assert.deepInclude(reason, { _tag: "Misconfigured", detail: "905_1" })
      }
    }).pipe(Effect.scoped)
  )

  it.live("what is wrong with the card's fields is a decline", () =>
    Effect.gen(function* () {
      for (const [vendorCode, code, retry] of [
        ["101", "invalid_number", "never"],
        ["103", "incorrect_cvc", "same_later"],
        ["129", "expired_card", "same_later"]
      ] as const) {
        const outcome = yield* answered(refused(422, vendorCode))
        assert.deepStrictEqual<unknown>(outcome, { _tag: "Declined", code, retry, vendorCode })
      }
      // The same codes of another status are of other things.
      const { reason } = yield* Effect.flip(answered(refused(400, "101")))
      assert.strictEqual(reason._tag, "InvalidRequest")
    })
  )

  it.live("704 and every 409 say nothing about the request that came first", () =>
    Effect.gen(function* () {
      for (const [status, code] of [
        [422, "704"],
        [409, "704"],
        [409, "1"]
      ] as const) {
        assert.deepInclude(yield* answered(refused(status, code)), {
          _tag: "Unknown",
          reason: "duplicate",
          vendorCode: code
        })
      }
      const invalid = yield* Effect.flip(answered(refused(422, "14_030")))
      assert.deepInclude(invalid.reason, { _tag: "InvalidRequest", detail: "14_030" })
    })
  )

  it.live("only transient-error: true proves that nothing was done", () =>
    Effect.gen(function* () {
      const transient = yield* answered(refused(503, "703", { "transient-error": "true" }))
      assert.deepInclude(transient, { _tag: "NotExecuted", reason: "proof_code", vendorCode: "transient-error" })
      for (const headers of [{}, { "transient-error": "false" }, { "transient-error": "TRUE" }]) {
        assert.deepInclude(yield* answered(refused(503, "703", headers, "internal")), {
          _tag: "Unknown",
          reason: "server_error"
        })
      }
    })
  )

  it.effect("without an answer the adapter ends before the engine's 20 seconds do, and says so", () =>
    Effect.gen(function* () {
      const { create, network } = yield* begin
      yield* network.failNext({ executed: true, reply: "never" })
      const creating = yield* Effect.forkChild(create(operation()), { startImmediately: true })
      while ((yield* network.requests).length === 0) yield* Effect.promise(() => nextTurn())
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(yield* Fiber.join(creating), { _tag: "Unknown", reason: "timeout" })
    }).pipe(Effect.scoped)
  )

  it.live("a payment has our own name before the first byte is sent, is known by it and canceled by it", () =>
    Effect.gen(function* () {
      const { cancel, checkpoints, create, network, vendor } = yield* begin
      yield* network.failNext({ executed: true, reply: "reset" })
      const asked = operation({ captureMethod: "manual" })
      assert.strictEqual((yield* create(asked))._tag, "Unknown")
      const [kept] = checkpoints
      assert.deepStrictEqual(kept, { reference: `${asked.id}-hold`, requestsBefore: 0 })
      yield* create({ ...asked, reference: kept?.reference ?? null })
      assert.lengthOf(checkpoints, 1)
      const canceled = yield* cancel(later("cancel", asked, kept?.reference ?? null))
      assert.strictEqual(canceled._tag, "Pending")
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ status }) => status),
        ["canceled"]
      )
    }).pipe(Effect.scoped)
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
