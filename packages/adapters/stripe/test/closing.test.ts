/** A payment that the payer may not, or cannot, continue is closed at Stripe: its client secret is in the return URL. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import type { FaultyReply } from "@paymux/testkit"
import { Effect } from "effect"
import { stripe } from "../src/index.ts"
import { cards, fake } from "../src/testing/fake.ts"
import { card, createOperation, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"

const begin = Effect.fnUntraced(function* (token: string) {
  const vendor = yield* fake.start({ mode: "test" })
  const { network } = vendor
  if (network === null) return yield* Effect.die(new Error("Stripe is reached over a network"))
  const instance = yield* running(stripe(optionsOf(vendor)))
  const operation = yield* createOperation({ method: card(token) })
  const closes = Effect.map(network.requests, (requests) =>
    requests.filter(({ body, path }) => path.endsWith("/cancel") && body === "cancellation_reason=abandoned")
  )
  return { vendor, network, instance, operation, asked: { ...operation, reference: "pi_vp_1" }, closes }
})

const refusals: ReadonlyArray<readonly [string, FaultyReply]> = [
  ["is refused", { status: 400, json: { error: { code: "payment_intent_unexpected_state" } } }],
  ["is forbidden", { status: 403, json: { error: { code: "secret_key_required" } } }],
  ["breaks", "reset"],
  ["says nothing", { status: 200, json: {} }]
]

// A new code of Stripe's, an error that has none, and one whose code is prose.
for (const [name, reported, vendorCode] of [
  ["that is not listed", { type: "card_error", code: "card_out_of_luck" }, "card_out_of_luck"],
  ["that is missing", { type: "card_error" }, "card_error"],
  ["that is prose", { type: "card_error", code: "No such card." }, "card_error"]
] as const) {
  describe(`a card error with a code ${name}`, () => {
    const declined = Outcome.declined({
      code: "generic_decline",
      retry: "same_later",
      reference: "pi_vp_1",
      vendorCode
    })

    it.live("declines a create once its PaymentIntent is canceled", () =>
      Effect.gen(function* () {
        const { closes, instance, network, operation } = yield* begin(cards.redirect)
        const json = { error: { ...reported, payment_intent: { id: "pi_vp_1" } } }
        yield* network.failNext({ executed: true, reply: { status: 402, json } })
        assert.deepStrictEqual(yield* instance.create(operation), declined)
        assert.lengthOf(yield* closes, 1)
        const canceled = { id: "pi_vp_1", status: "canceled", cancellation_reason: "abandoned", created: 1_700_000_000 }
        yield* network.failNext({
          executed: false,
          reply: { status: 200, json: { ...canceled, last_payment_error: reported } }
        })
        assert.deepStrictEqual(yield* instance.inquire({ ...operation, reference: "pi_vp_1" }), declined)
      }).pipe(Effect.scoped)
    )

    it.live("is a decline to an inquiry that closes it", () =>
      Effect.gen(function* () {
        const { asked, closes, instance, network, operation } = yield* begin(cards.redirect)
        yield* instance.create(operation)
        const json = {
          id: "pi_vp_1",
          status: "requires_payment_method",
          created: 1_700_000_000,
          last_payment_error: reported
        }
        yield* network.failNext({ executed: false, reply: { status: 200, json } })
        assert.deepStrictEqual(yield* instance.inquire(asked), declined)
        assert.lengthOf(yield* closes, 1)
      }).pipe(Effect.scoped)
    )

    for (const [how, reply] of refusals) {
      it.live(`is not known where its close ${how}: it may be confirmed again`, () =>
        Effect.gen(function* () {
          const { instance, network, operation } = yield* begin(cards.redirect)
          const json = { error: { ...reported, payment_intent: { id: "pi_vp_1" } } }
          yield* network.failNext({ executed: true, reply: { status: 402, json } })
          yield* network.failNext({ executed: false, reply }, 1)
          assert.deepStrictEqual(
            yield* instance.create(operation),
            Outcome.unknown({ reason: "unmapped", reference: "pi_vp_1", vendorCode })
          )
        }).pipe(Effect.scoped)
      )
    }
  })
}

describe("a decline after 3-D Secure", () => {
  const code = "payment_intent_authentication_failure"
  const declined = Outcome.declined({
    code: "authentication_failed",
    retry: "same_later",
    reference: "pi_vp_1",
    vendorCode: code
  })
  const returned = Effect.gen(function* () {
    const found = yield* begin(cards.redirect)
    yield* found.vendor.decide({ decline: code })
    assert.strictEqual((yield* found.instance.create(found.operation))._tag, "Pending")
    yield* found.vendor.payersAct
    return found
  })

  for (const by of ["complete", "inquire"] as const) {
    it.live(`reported by ${by}, is the end of its PaymentIntent: it cannot be confirmed again`, () =>
      Effect.gen(function* () {
        const { asked, closes, instance, network } = yield* returned
        assert.deepStrictEqual(
          yield* by === "complete" ? instance.complete(asked, {}) : instance.inquire(asked),
          declined
        )
        const [close] = yield* closes
        // A refusal that Stripe keeps under a key would answer every try to come.
        assert.isUndefined(close?.headers["idempotency-key"])
        assert.strictEqual(JSON.parse((yield* network.requests).at(-1)?.answer ?? "").status, "canceled")
        // A second inquiry, after a crash in between, reports the same.
        assert.deepStrictEqual(yield* instance.inquire(asked), declined)
        assert.lengthOf(yield* closes, 1)
      }).pipe(Effect.scoped)
    )
  }

  for (const [how, reply] of refusals) {
    it.live(`is reported all the same if its close ${how}`, () =>
      Effect.gen(function* () {
        const { asked, closes, instance, network } = yield* returned
        yield* network.failNext({ executed: false, reply }, 1)
        assert.deepStrictEqual(yield* instance.complete(asked, {}), declined)
        assert.lengthOf(yield* closes, 1)
      }).pipe(Effect.scoped)
    )
  }

  it.live("is no reason to close what was not declined", () =>
    Effect.gen(function* () {
      const { asked, closes, instance, operation, vendor } = yield* begin(cards.redirect)
      yield* instance.create(operation)
      assert.strictEqual((yield* instance.complete(asked, {}))._tag, "Pending")
      yield* vendor.payersAct
      assert.strictEqual((yield* instance.complete(asked, {}))._tag, "Succeeded")
      assert.lengthOf(yield* closes, 0)
    }).pipe(Effect.scoped)
  )
})

describe("a step that only Stripe's script can show", () => {
  const declined = Outcome.declined({
    code: "authentication_required",
    retry: "same_later",
    reference: "pi_vp_1",
    vendorCode: "use_stripe_sdk"
  })
  const pending = Outcome.pending({ reference: "pi_vp_1", vendorCode: "use_stripe_sdk" })

  it.live("is never asked for, and is closed and declined where it comes all the same", () =>
    Effect.gen(function* () {
      const { instance, network, operation, vendor } = yield* begin(cards.script)
      assert.deepStrictEqual(yield* instance.create(operation), declined)
      assert.notInclude((yield* network.requests)[0]?.body, "use_stripe_sdk")
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ status }) => status),
        ["canceled"]
      )
    }).pipe(Effect.scoped)
  )

  for (const [how, reply] of refusals) {
    it.live(`is pending, and no page, where its close ${how}; an inquiry closes it`, () =>
      Effect.gen(function* () {
        const { asked, instance, network, operation } = yield* begin(cards.script)
        yield* network.failNext({ executed: false, reply }, 1)
        assert.deepStrictEqual(yield* instance.create(operation), pending)
        assert.deepStrictEqual(yield* instance.inquire(asked), declined)
      }).pipe(Effect.scoped)
    )
  }

  it.live("is canceled, where the answer to its close was lost", () =>
    Effect.gen(function* () {
      const { asked, instance, network, operation } = yield* begin(cards.script)
      yield* network.failNext({ executed: true, reply: "reset" }, 1)
      assert.deepStrictEqual(yield* instance.create(operation), pending)
      assert.deepStrictEqual(yield* instance.inquire(asked), Outcome.canceled({ reference: "pi_vp_1" }))
    }).pipe(Effect.scoped)
  )
})
