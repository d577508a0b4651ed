import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Payments } from "../../src/Payments.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { PaymentStore } from "../../src/store/PaymentStore.ts"
import { EventJson, eventBody } from "../../src/wire/EventJson.ts"
import { noHostedPage } from "../../src/wire/HostedPage.ts"
import { PaymentJson, paymentBody } from "../../src/wire/PaymentJson.ts"
import { card, engine, scripted, tenant } from "../engine/fixtures.ts"

const strict = { onExcessProperty: "error", errors: "all" } as const

const outcomes: ReadonlyArray<Outcome.SendOutcome> = [
  Outcome.succeeded(),
  Outcome.authorized(),
  Outcome.pending({ nextAction: { type: "redirect", url: "https://x.example", expiresAt: 5 } }),
  Outcome.pending({ nextAction: { type: "upi_intent", uri: "upi://pay", expiresAt: null } }),
  Outcome.pending({ nextAction: { type: "upi_qr", payload: "upi://pay", image: null, expiresAt: 1 } }),
  Outcome.pending({
    nextAction: { type: "stablecoin_transfer", address: "0x0", uri: "ethereum:0x0", amount: "1.5", expiresAt: 1 }
  }),
  Outcome.pending({
    nextAction: {
      type: "stablecoin_transfer",
      address: "0x0",
      uri: "ethereum:0x0",
      amount: "1.5",
      image: "data:image/svg+xml,x",
      expiresAt: null
    }
  }),
  Outcome.pending({ nextAction: { type: "wait", expiresAt: null } }),
  Outcome.pending({ awaitingFinality: true }),
  Outcome.declined({ code: "do_not_honor", retry: "never", vendorCode: "05" }),
  Outcome.notExecuted({ reason: "not_sent" })
]

describe("the public JSON", () => {
  for (const outcome of outcomes) {
    it.effect(`of a payment that is ${JSON.stringify(outcome)} is what its Schema says, and so is its event`, () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const { body, record } = yield* payments.create(yield* card, { tenant, idempotency: null })
        assert.strictEqual(body, paymentBody(record, noHostedPage))
        Schema.decodeUnknownSync(PaymentJson, strict)(JSON.parse(body))
        const [event] = yield* (yield* PaymentStore).undispatchedEvents(1)
        if (event === undefined) throw new Error("no event was written")
        const reported = Schema.decodeUnknownSync(EventJson, strict)(JSON.parse(eventBody(event)))
        assert.strictEqual(reported.data.payment.id, record.payment.id)
        assert.strictEqual(JSON.stringify(reported.data.payment), event.payment)
      }).pipe(Effect.provide(engine([scripted("a", { create: () => Effect.succeed(outcome) })])))
    )
  }

  it.effect("names the providers that were not candidates, why, and the reference of each attempt", () => {
    const succeeds = { create: () => Effect.succeed(Outcome.succeeded({ reference: "pi_1" })) }
    const euros = scripted("b", succeeds)
    const onlyRupees: typeof euros = {
      ...euros,
      capabilities: { ...euros.capabilities, methods: { card: { currencies: ["INR"], flows: { token: {} } } } }
    }
    return Effect.gen(function* () {
      const payments = yield* Payments
      const { body } = yield* payments.create(yield* card, { tenant, idempotency: null })
      const { attempts, routing } = Schema.decodeUnknownSync(PaymentJson, strict)(JSON.parse(body))
      assert.deepStrictEqual(routing.dropped, [{ provider: "b", reason: "currency_not_supported" }])
      assert.deepStrictEqual(
        attempts.map(({ provider, reference }) => [provider, reference]),
        [["a", "pi_1"]]
      )
    }).pipe(Effect.provide(engine([onlyRupees, scripted("a", succeeds)])))
  })
})
