import { assert, describe, it } from "@effect/vitest"
import { isProviderError, Outcome, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { stripe } from "../src/index.ts"
import { declines, refusals } from "../src/declines.ts"
import { codes } from "../src/testing/codes.ts"
import { fake } from "../src/testing/fake.ts"
import { createOperation, laterOperation, money, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const { network } = vendor
  if (network === null) return yield* Effect.die(new Error("Stripe is reached over a network"))
  const instance = yield* running(stripe(optionsOf(vendor)))
  /** What the adapter makes of this answer to a create. */
  const answered = Effect.fnUntraced(function* (
    status: number,
    error: object,
    change: Partial<ProviderOperation> = {}
  ) {
    yield* network.failNext({ executed: false, reply: { status, json: { error } } })
    return yield* Effect.result(instance.create(yield* createOperation(change)))
  })
  return { network, instance, answered }
})

const declined = (error: object) =>
  Effect.gen(function* () {
    const { answered } = yield* begin
    const { _tag, ...result } = yield* answered(402, { type: "card_error", code: "card_declined", ...error })
    if (_tag !== "Success" || !("success" in result)) return assert.fail("a 402 is no error of ours")
    return result.success
  }).pipe(Effect.scoped)

describe("declines", () => {
  it("no published code is unmapped, and no mapped one but for these is unpublished", () => {
    assert.deepStrictEqual(
      codes.filter((code) => !Object.hasOwn(declines, code)),
      []
    )
    assert.deepStrictEqual(
      Object.keys(declines).filter((code) => !codes.includes(code)),
      // Of other endpoints, or reported as the reason of a charge.
      [
        "authentication_not_handled",
        "mobile_device_authentication_required",
        "authentication_failure",
        "highest_risk_level",
        "invalid_card_type"
      ]
    )
  })

  it("another provider is tried for what broke on the way, and for no word of the issuer or the payer", () => {
    const soft = Object.entries(declines).filter(([, { retry }]) => retry === "other_provider")
    assert.deepStrictEqual(
      soft.map(([code]) => code),
      [
        "try_again_later",
        "reenter_transaction",
        "processing_error",
        "payment_method_not_available",
        "issuer_not_available"
      ]
    )
  })

  it("a card that is closed for good is declined for every provider, unlike one that failed for this payment", () => {
    const ended = Object.entries(declines).filter(([, { retry }]) => retry === "never")
    assert.deepStrictEqual(ended.map(([code]) => code).toSorted(), [
      "do_not_try_again",
      "incorrect_number",
      "invalid_account",
      "invalid_number",
      "lost_card",
      "pickup_card",
      "revocation_of_all_authorizations",
      "revocation_of_authorization",
      "stolen_card",
      "stop_payment_order"
    ])
  })

  it.live("advice makes the class stricter, and never milder", () =>
    Effect.gen(function* () {
      const retryOf = Effect.fnUntraced(function* (error: object) {
        const answer = yield* declined(error)
        return answer._tag === "Declined" ? answer.retry : answer._tag
      })
      const unavailable = { decline_code: "issuer_not_available" }
      assert.strictEqual(yield* retryOf(unavailable), "other_provider")
      assert.strictEqual(yield* retryOf({ ...unavailable, advice_code: "try_again_later" }), "other_provider")
      assert.strictEqual(yield* retryOf({ ...unavailable, advice_code: "confirm_card_data" }), "same_later")
      assert.strictEqual(yield* retryOf({ ...unavailable, advice_code: "do_not_try_again" }), "never")
      assert.strictEqual(yield* retryOf({ ...unavailable, network_advice_code: "24" }), "same_later")
      assert.strictEqual(yield* retryOf({ ...unavailable, network_advice_code: "03" }), "never")
      assert.strictEqual(yield* retryOf({ ...unavailable, network_advice_code: "99" }), "other_provider")
      assert.strictEqual(yield* retryOf({ decline_code: "stolen_card", advice_code: "try_again_later" }), "never")
      assert.strictEqual(yield* retryOf({ decline_code: "fraudulent", advice_code: "do_not_try_again" }), "never")
      assert.strictEqual(
        yield* retryOf({ decline_code: "insufficient_funds", network_advice_code: "02" }),
        "same_later"
      )
    })
  )

  it.live("a decline code that is new is a decline all the same; a card error that is new is not known", () =>
    Effect.gen(function* () {
      const reference = "pi_1"
      const inside = { payment_intent: { id: reference, client_secret: "pi_1_secret_2" } }
      assert.deepStrictEqual(
        yield* declined({ decline_code: "out_of_luck", ...inside }),
        Outcome.declined({ code: "generic_decline", retry: "same_later", vendorCode: "out_of_luck", reference })
      )
      assert.deepStrictEqual(
        yield* declined({ code: "card_out_of_luck", ...inside }),
        Outcome.unknown({ reason: "unmapped", vendorCode: "card_out_of_luck", reference })
      )
      assert.deepStrictEqual(
        yield* declined({ code: "No such card: 4242 4242 4242 4242" }),
        Outcome.unknown({ reason: "unmapped", vendorCode: "card_error" })
      )
    })
  )
})

describe("errors", () => {
  const unknown: ReadonlyArray<readonly [number, object, Outcome.Unknown]> = [
    [
      409,
      { type: "idempotency_error", code: "idempotency_key_in_use" },
      Outcome.unknown({ reason: "in_progress", vendorCode: "idempotency_key_in_use" })
    ],
    [400, { type: "idempotency_error" }, Outcome.unknown({ reason: "duplicate", vendorCode: "idempotency_error" })],
    [409, {}, Outcome.unknown({ reason: "duplicate", vendorCode: "http_409" })],
    [424, { type: "api_error" }, Outcome.unknown({ reason: "unmapped", vendorCode: "api_error" })],
    [500, { type: "api_error" }, Outcome.unknown({ reason: "server_error", vendorCode: "api_error" })],
    // A decline's words in an answer that says nothing.
    [
      503,
      { type: "card_error", code: "card_declined" },
      Outcome.unknown({ reason: "server_error", vendorCode: "card_declined" })
    ]
  ]
  for (const [status, error, expected] of unknown) {
    it.live(`${status} ${JSON.stringify(error)} is unknown: ${expected.reason}`, () =>
      Effect.gen(function* () {
        const { answered } = yield* begin
        const result = yield* answered(status, error)
        assert.deepStrictEqual("success" in result ? result.success : null, expected)
      }).pipe(Effect.scoped)
    )
  }

  const failing = [
    [400, { type: "invalid_request_error", code: "resource_missing" }, "InvalidRequest"],
    [401, { type: "invalid_request_error" }, "Misconfigured"],
    [403, { type: "invalid_request_error", code: "secret_key_required" }, "Misconfigured"],
    [400, { type: "invalid_request_error", code: "secret_key_required" }, "Misconfigured"],
    // Of the payer's bank account, and of a token that a payer may have sent: neither is about our credentials.
    [400, { type: "invalid_request_error", code: "account_closed" }, "InvalidRequest"],
    [400, { type: "invalid_request_error", code: "livemode_mismatch" }, "InvalidRequest"],
    [402, { type: "invalid_request_error", message: "News." }, "InvalidRequest"],
    [400, { type: "invalid_request_error", code: "rate_limit" }, "RateLimited"],
    [429, { type: "invalid_request_error", code: "lock_timeout" }, "RateLimited"]
  ] as const
  for (const [status, error, expected] of failing) {
    it.live(`${status} ${JSON.stringify(error)} is a ${expected}`, () =>
      Effect.gen(function* () {
        const { answered } = yield* begin
        const result = yield* answered(status, error)
        const failure = "failure" in result ? result.failure : null
        assert.isTrue(isProviderError(failure))
        assert.strictEqual(failure?.reason._tag, expected)
      }).pipe(Effect.scoped)
    )
  }

  describe("an error about the account", () => {
    const fault = { type: "invalid_request_error", message: "Your account cannot currently make live charges." }

    for (const [intent, isProof] of [
      [{ status: "requires_payment_method", amount_received: 0 }, true],
      [{ status: "requires_confirmation" }, true],
      [{ status: "canceled", amount_received: null }, true],
      [{}, true],
      [{ status: "requires_action" }, false],
      [{ status: "requires_capture" }, false],
      [{ status: "processing" }, false],
      [{ status: "succeeded" }, false],
      [{ status: "new" }, false],
      [{ status: "canceled", amount_received: 1 }, false],
      [{ status: "requires_payment_method", amount_received: "0" }, false]
    ] as const) {
      it.live(`is ${isProof ? "proof" : "no proof"} beside a PaymentIntent ${JSON.stringify(intent)}`, () =>
        Effect.gen(function* () {
          const { answered } = yield* begin
          for (const error of [fault, { ...fault, code: "testmode_charges_only" }, { ...fault, code: "url_invalid" }]) {
            const result = yield* answered(400, { ...error, payment_intent: { id: "pi_1", ...intent } })
            if (isProof) assert.isTrue("failure" in result && isProviderError(result.failure))
            else {
              const found = "success" in result ? result.success : null
              assert.deepInclude(found, { _tag: "Unknown", reason: "unmapped", reference: "pi_1" })
            }
          }
        }).pipe(Effect.scoped)
      )
    }

    it.live("is read by its message only where its type is that of a refused request", () =>
      Effect.gen(function* () {
        const { answered } = yield* begin
        const reasonOf = Effect.fnUntraced(function* (error: object) {
          const result = yield* answered(400, error)
          return "failure" in result ? result.failure.reason._tag : null
        })
        assert.strictEqual(yield* reasonOf(fault), "AccountNotEnabled")
        assert.strictEqual(yield* reasonOf({ ...fault, type: "api_error" }), "InvalidRequest")
        assert.strictEqual(yield* reasonOf({ ...fault, code: "parameter_invalid_empty" }), "InvalidRequest")
        assert.strictEqual(yield* reasonOf({ ...fault, message: "Your account." }), "InvalidRequest")
      }).pipe(Effect.scoped)
    )

    it.live("is of a create alone: a capture or refund is refused, and an inquiry learns nothing", () =>
      Effect.gen(function* () {
        const { instance, network } = yield* begin
        const created = yield* createOperation()
        const { reference } = yield* instance.create(created)
        for (const error of [fault, { type: fault.type, code: "testmode_charges_only" }]) {
          for (const kind of ["capture", "refund"] as const) {
            yield* network.failNext({ executed: false, reply: { status: 400, json: { error } } })
            const refused = yield* Effect.flip(instance[kind](yield* laterOperation(kind, created, reference)))
            assert.strictEqual(refused.reason._tag, "InvalidRequest")
          }
          yield* network.failNext({ executed: false, reply: { status: 400, json: { error } } })
          const inquiry = yield* Effect.flip(instance.inquire({ ...created, reference: reference ?? null }))
          assert.strictEqual(inquiry.reason._tag, "InvalidRequest")
        }
      }).pipe(Effect.scoped)
    )
  })

  it.live("what became of the payment refuses a capture, cancel or refund for good, whatever 4xx says so", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* begin
      const created = yield* createOperation()
      for (const code of Object.keys(refusals)) {
        for (const kind of ["capture", "cancel", "refund"] as const) {
          const operation = yield* laterOperation(kind, created, "pi_1")
          for (const status of [400, 409]) {
            const error = { code, payment_intent: { id: "pi_1", status: "succeeded", amount_received: 17_050 } }
            yield* network.failNext({ executed: false, reply: { status, json: { error } } })
            assert.deepStrictEqual(
              yield* instance[kind](operation),
              Outcome.declined({ code: "processing_error", retry: "never", vendorCode: code })
            )
          }
          yield* network.failNext({ executed: false, reply: { status: 400, json: { error: { code } } } })
          assert.strictEqual((yield* Effect.flip(instance.inquire(operation))).reason._tag, "InvalidRequest")
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("what no answer came of is found by our id, on whichever page of the list it is", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* begin
      const lost = yield* createOperation()
      yield* network.failNext({ executed: true, reply: "reset" })
      assert.deepStrictEqual(yield* instance.create(lost), Outcome.unknown({ reason: "reset" }))
      for (let others = 0; others < 120; others++) yield* instance.create(yield* createOperation())
      const found = yield* instance.inquire(lost)
      assert.deepStrictEqual(found, Outcome.succeeded({ reference: "pi_vp_1", amount: money(17_050, "EUR") }))
      assert.deepStrictEqual(yield* instance.inquire(yield* createOperation()), Outcome.notFound())
    }).pipe(Effect.scoped)
  )

  it.live("it is looked for among what was made until its deadline, and in more than a thousand it may still be", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* begin
      const createdAt = 1_795_000_000_000
      const lost = yield* createOperation({ createdAt, deadlineAt: createdAt + 30_000 })
      const page = { data: [{ id: "pi_other", metadata: {} }], has_more: true }
      for (let each = 0; each < 10; each++) {
        yield* network.failNext({ executed: false, reply: { status: 200, json: page } }, each)
      }
      assert.deepStrictEqual(
        yield* instance.inquire(lost),
        Outcome.unknown({ reason: "in_progress", vendorCode: "too_many_to_look_through" })
      )
      const asked = yield* network.requests
      assert.lengthOf(asked, 10)
      const query = new URLSearchParams(asked[0]?.path.split("?")[1])
      assert.strictEqual(query.get("created[gte]"), "1794999940")
      assert.strictEqual(query.get("created[lte]"), "1795000090")
    }).pipe(Effect.scoped)
  )

  it.live("a refund that no answer came of is found by our id, on whichever page of its payment's refunds it is", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* begin
      const created = yield* createOperation()
      const { reference } = yield* instance.create(created)
      const ofOneEuro = { amount: money(100, "EUR") }
      const lost = yield* laterOperation("refund", created, reference, ofOneEuro)
      yield* network.failNext({ executed: true, reply: "reset" })
      assert.strictEqual((yield* instance.refund(lost))._tag, "Unknown")
      for (let others = 0; others < 120; others++) {
        yield* instance.refund(yield* laterOperation("refund", created, reference, ofOneEuro))
      }
      const before = (yield* network.requests).length
      assert.strictEqual((yield* instance.inquire(lost))._tag, "Succeeded")
      assert.lengthOf((yield* network.requests).slice(before), 2)
    }).pipe(Effect.scoped)
  )

  it.live("a refund is not proven undone by a thousand others of its payment", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* begin
      const refund = yield* laterOperation("refund", yield* createOperation(), "pi_1")
      const other = { id: "re_other", status: "succeeded", amount: 1, currency: "eur", metadata: {} }
      for (let each = 0; each < 20; each++) {
        const reply = { status: 200, json: { data: [other], has_more: true } }
        yield* network.failNext({ executed: false, reply }, each)
      }
      assert.deepStrictEqual(
        yield* instance.inquire(refund),
        Outcome.unknown({ reason: "in_progress", vendorCode: "too_many_to_look_through" })
      )
      assert.lengthOf(yield* network.requests, 10)
    }).pipe(Effect.scoped)
  )

  it.live("a capture, cancel or refund is not proven undone by a payment that is not there", () =>
    Effect.gen(function* () {
      const { instance } = yield* begin
      const created = yield* createOperation()
      const unheard = Outcome.unknown({ reason: "unmapped", vendorCode: "resource_missing" })
      for (const kind of ["capture", "cancel"] as const) {
        for (const reference of ["pi_unheard", "cs_unheard"]) {
          const operation = yield* laterOperation(kind, created, reference)
          assert.deepStrictEqual(yield* instance.inquire(operation), unheard)
        }
      }
      const refund = yield* laterOperation("refund", created, "pi_unheard", { reference: "re_unheard" })
      assert.deepStrictEqual(yield* instance.inquire(refund), unheard)
    }).pipe(Effect.scoped)
  )

  it.live("a 500 that was saved under the key is answered again, and the reference is asked about", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* begin
      const operation = yield* createOperation()
      const saved = { executed: true, reply: { status: 500, json: { error: { type: "api_error" } } } } as const
      yield* network.failNext(saved)
      assert.strictEqual((yield* instance.create(operation))._tag, "Unknown")
      yield* network.failNext(saved)
      assert.strictEqual((yield* instance.create(operation))._tag, "Unknown")
      const reported = yield* instance.inquire({ ...operation, reference: "pi_vp_1" })
      assert.deepStrictEqual(reported, Outcome.succeeded({ reference: "pi_vp_1", amount: money(17_050, "EUR") }))
    }).pipe(Effect.scoped)
  )
})

describe("amounts", () => {
  const unreadable = (reference: string) =>
    Outcome.unknown({ reason: "unmapped", reference, vendorCode: "amount_unreadable" })
  const amounts: ReadonlyArray<readonly [unknown, unknown]> = [
    [17_050.5, "isk"],
    [-1, "eur"],
    [Number.MAX_SAFE_INTEGER + 1, "eur"],
    ["17050", "eur"],
    [null, "eur"],
    [undefined, "eur"],
    [17_050, "bgn"],
    [17_050, null]
  ]

  for (const [minorUnits, currency] of amounts) {
    it.live(
      `money that moved over ${String(minorUnits)} ${String(currency)} is not the whole amount: the amount is unknown`,
      () =>
        Effect.gen(function* () {
          const { instance, network } = yield* begin
          const created = yield* createOperation({ reference: "pi_1" })
          const asked = Effect.fnUntraced(function* (operation: ProviderOperation, object: object) {
            const json = { created: 1_795_000_000, expires_at: 1_795_000_000, currency, ...object }
            yield* network.failNext({ executed: false, reply: { status: 200, json } })
            return yield* instance.inquire(operation)
          })
          const paid = {
            id: "pi_1",
            status: "succeeded",
            amount_received: minorUnits,
            created: 1_795_000_000,
            currency
          }
          assert.deepStrictEqual(yield* asked(created, paid), unreadable("pi_1"))
          const held = { id: "pi_1", status: "requires_capture", amount_capturable: minorUnits }
          assert.deepStrictEqual(yield* asked(created, held), unreadable("pi_1"))
          for (const status of ["complete", "expired", "open"]) {
            const page = { id: "cs_1", status, url: "https://checkout.stripe.example/1", payment_intent: paid }
            assert.deepStrictEqual(yield* asked({ ...created, reference: "cs_1" }, page), unreadable("pi_1"))
          }
          const capture = yield* laterOperation("capture", created, "pi_1")
          assert.deepStrictEqual(yield* asked(capture, paid), unreadable("pi_1"))
          const refund = yield* laterOperation("refund", created, "pi_1", { reference: "re_1" })
          const given = { id: "re_1", amount: minorUnits }
          assert.deepStrictEqual(yield* asked(refund, { ...given, status: "succeeded" }), unreadable("re_1"))
          // Where no money moved, none has to be read.
          assert.strictEqual((yield* asked(refund, { ...given, status: "failed" }))._tag, "Declined")
          assert.strictEqual((yield* asked(created, { ...paid, status: "processing" }))._tag, "Pending")
        }).pipe(Effect.scoped)
    )
  }
})

describe("options", () => {
  it("the key determines the mode, and only a secret or restricted key is accepted", () => {
    const modeOf = (secretKey: string) => stripe({ secretKey, webhookSecrets: ["whsec_1"] }).mode
    assert.strictEqual(modeOf("sk_test_1"), "test")
    assert.strictEqual(modeOf("rk_live_1"), "live")
    for (const key of ["pk_test_1", "sk_1", "whsec_1", "sk_test_", " sk_live_1"]) {
      assert.throws(() => modeOf(key), /secretKey: must be a secret or restricted key: sk_test_…/)
    }
    const fitting = { secretKey: "sk_test_1", webhookSecrets: ["whsec_1"] as const }
    for (const payWithinMinutes of [5, 60.5, Number.NaN]) {
      assert.throws(() => stripe({ ...fitting, payWithinMinutes }), /payWithinMinutes: must be a whole number from 40/)
    }
    for (const secret of ["abc", "sk_test_1", "whsec_", "whsec_1\n"]) {
      assert.throws(
        () => stripe({ ...fitting, webhookSecrets: [secret] }),
        /webhookSecrets.0: must be the signing secret/
      )
    }
  })
})
