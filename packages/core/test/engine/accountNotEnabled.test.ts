/** An account that is not enabled for a kind of payment: the next provider takes it, and no breaker opens. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Logger, Metric, References } from "effect"
import { TestClock } from "effect/testing"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import type { ProviderOperation } from "../../src/provider/Provider.ts"
import { Payments } from "../../src/Payments.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { accountNotEnabled } from "../../src/provider/ProviderError.ts"
import type { AccountNotEnabled } from "../../src/provider/ProviderError.ts"
import { Breakers } from "../../src/resilience/Breaker.ts"
import { decodeCreatePayment } from "../../src/wire/CreatePaymentJson.ts"
import { engine, inquiryOnly, plain, scripted } from "./fixtures.ts"

const paymentIn = (currency: string, card: object = { token: "tok_any" }) =>
  decodeCreatePayment({
    amount: 1200,
    currency,
    payment_method: "card",
    customer: { email: "asha@example.com" },
    payment_method_details: { card }
  })

const create = (currency: string, card?: object) =>
  Effect.gen(function* () {
    const payments = yield* Payments
    return (yield* payments.create(yield* paymentIn(currency, card), plain)).record
  })

const tried = ({ attempts }: PaymentRecord) =>
  attempts.map(({ code, provider, status }) => `${provider} ${status}${code === null ? "" : ` ${code}`}`)

/** Takes nothing in US dollars until it is enabled. `before`: what a call waits for, by its number. */
const exporter = (
  about: AccountNotEnabled["about"],
  before: (call: number) => Effect.Effect<void> = () => Effect.void
) => {
  const isEnabled = { now: false }
  const asked: Array<string> = []
  const create = Effect.fnUntraced(function* ({ amount }: ProviderOperation) {
    asked.push(amount.currency)
    yield* before(asked.length)
    if (amount.currency !== "USD" || isEnabled.now) return Outcome.succeeded()
    return yield* accountNotEnabled("export_not_enabled", about)
  })
  return { asked, isEnabled, provider: scripted("a", { create }) }
}

const taken = scripted("b", { create: () => Effect.succeed(Outcome.succeeded()) })

describe("an account that is not enabled for a kind of payment", () => {
  it.effect("is followed by the next provider, and the attempt has the vendor's code", () =>
    Effect.gen(function* () {
      const record = yield* create("USD")
      assert.strictEqual(record.payment.state.status, "succeeded")
      assert.deepStrictEqual(tried(record), ["a not_executed account_not_enabled", "b succeeded"])
      assert.strictEqual(record.attempts[0]?.vendorCode, "export_not_enabled")
    }).pipe(Effect.provide(engine([exporter("kind").provider, taken])))
  )

  it.effect("alone fails the payment with a code and a sentence of its own", () =>
    Effect.gen(function* () {
      const { state } = (yield* create("USD")).payment
      if (state.status !== "failed") return assert.fail(state.status)
      assert.deepStrictEqual(
        [state.failure.code, state.failure.retryable, state.failure.message],
        [
          "account_not_enabled",
          false,
          "The account at the provider is not enabled for this kind of payment; nothing was charged."
        ]
      )
    }).pipe(Effect.provide(engine([exporter("kind").provider])))
  )

  it.effect("fails a payment that lacks a detail with another code", () =>
    Effect.gen(function* () {
      const { state } = (yield* create("USD")).payment
      assert.strictEqual(state.status === "failed" ? state.failure.code : null, "details_required")
    }).pipe(Effect.provide(engine([exporter("customer.address").provider])))
  )

  it.effect("opens no breaker: payments of other kinds reach the same provider", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 25; n++) yield* create("USD")
      for (let n = 0; n < 20; n++) assert.deepStrictEqual(tried(yield* create("EUR")), ["a succeeded"])
      // The same currency by another flow.
      assert.deepStrictEqual(tried(yield* create("USD", {})), ["a not_executed account_not_enabled", "b succeeded"])
      const breakers = yield* Breakers
      assert.strictEqual(breakers.stateOf({ provider: "a", operation: "create" }), "closed")
    }).pipe(Effect.provide(engine([exporter("kind").provider, taken])))
  )

  const remembering = exporter("kind")
  it.effect("is tried last for this kind, with the reason, until a probe succeeds", () =>
    Effect.gen(function* () {
      const { asked, isEnabled } = remembering
      yield* create("USD")
      const second = yield* create("USD")
      assert.deepStrictEqual(tried(second), ["b succeeded"])
      assert.deepStrictEqual(second.payment.routing.candidates, [
        { provider: "b", reason: "priority" },
        { provider: "a", reason: "account_not_enabled" }
      ])
      assert.deepStrictEqual(asked, ["USD"])
      yield* TestClock.adjust("16 minutes")
      // The probe; those after it are not sent there again.
      assert.deepStrictEqual(tried(yield* create("USD")), ["a not_executed account_not_enabled", "b succeeded"])
      assert.deepStrictEqual(tried(yield* create("USD")), ["b succeeded"])
      yield* TestClock.adjust("16 minutes")
      isEnabled.now = true
      assert.deepStrictEqual(tried(yield* create("USD")), ["a succeeded"])
      assert.deepStrictEqual(tried(yield* create("USD")), ["a succeeded"])
    }).pipe(Effect.provide(engine([remembering.provider, taken])))
  )

  it.effect("sends one probe, however many payments come at once", () =>
    Effect.gen(function* () {
      const othersAreDone = yield* Deferred.make<void>()
      const { asked, provider } = exporter("kind", (call) => (call === 2 ? Deferred.await(othersAreDone) : Effect.void))
      let done = 0
      const oneOfTen = Effect.tap(create("USD"), () =>
        ++done === 9 ? Deferred.succeed(othersAreDone, undefined) : Effect.void
      )
      yield* Effect.gen(function* () {
        yield* create("USD")
        yield* TestClock.adjust("16 minutes")
        const ten = Array.from({ length: 10 }, () => oneOfTen)
        const records = yield* Effect.all(ten, { concurrency: "unbounded" })
        assert.lengthOf(
          records.map(tried).filter(([first]) => first === "b succeeded"),
          9
        )
        assert.deepStrictEqual(asked, ["USD", "USD"])
      }).pipe(Effect.provide(engine([provider, taken])))
    })
  )

  for (const about of ["payment", "customer.address"] as const) {
    const narrow = exporter(about)
    it.effect(`is not remembered if the code is about ${about}`, () =>
      Effect.gen(function* () {
        for (let n = 0; n < 3; n++) yield* create("USD")
        assert.deepStrictEqual(narrow.asked, ["USD", "USD", "USD"])
      }).pipe(Effect.provide(engine([narrow.provider, taken])))
    )
  }

  const only = exporter("kind")
  it.effect("is tried all the same if there is no other provider", () =>
    Effect.gen(function* () {
      yield* create("USD")
      only.isEnabled.now = true
      assert.deepStrictEqual(tried(yield* create("USD")), ["a succeeded"])
    }).pipe(Effect.provide(engine([only.provider])))
  )

  it.effect("is counted by provider, method, flow, currency and code", () =>
    Effect.gen(function* () {
      yield* create("USD")
      const labels = {
        provider: "a",
        payment_method: "card",
        flow: "token",
        currency: "USD",
        code: "export_not_enabled"
      }
      const counted = (yield* Metric.snapshot).filter(({ id }) => id === "paymux_account_not_enabled_total")
      assert.deepInclude(
        counted.map(({ attributes }) => attributes),
        labels
      )
    }).pipe(Effect.provide(engine([exporter("kind").provider, taken])))
  )
})

describe("a code that an adapter makes of what it was sent", () => {
  const counted = Effect.map(Metric.snapshot, (all) =>
    all.flatMap(({ attributes, id }) =>
      id === "paymux_account_not_enabled_total" && attributes?.["provider"] === "leaky" ? [attributes["code"]] : []
    )
  )
  const leaky = (codeOf: (n: number) => string) => {
    let n = 0
    return scripted("leaky", {
      create: () => Effect.suspend(() => Effect.fail(accountNotEnabled(codeOf(n++), "kind")))
    })
  }

  it.effect("is neither logged nor counted if it is a card number", () => {
    const lines: Array<string> = []
    const log = Logger.make(({ fiber, message }) => {
      lines.push(JSON.stringify([message, fiber.getRef(References.CurrentLogAnnotations)]))
    })
    return Effect.gen(function* () {
      const record = yield* create("USD")
      assert.strictEqual(record.attempts[0]?.vendorCode, null)
      assert.deepStrictEqual(yield* counted, ["withheld"])
      assert.isAbove(lines.length, 0)
      assert.notInclude(lines.join("\n"), "4111")
    }).pipe(Effect.provide(engine([leaky(() => "4111111111111111")])), Effect.provide(Logger.layer([log])))
  })

  it.effect("makes no more than 500 series", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 520; n++) yield* create("USD")
      const codes = yield* counted
      assert.isAtMost(codes.length, 502)
      assert.include(codes, "other")
    }).pipe(Effect.provide(engine([leaky((n) => `order_${n}`)])))
  )
})

describe("a refusal of the account after a send without a definite answer", () => {
  it.effect("proves nothing: the payment is held, and no other provider is tried", () =>
    Effect.gen(function* () {
      let sends = 0
      const provider = scripted("a", {
        create: () =>
          Effect.suspend(() =>
            sends++ === 0
              ? Effect.succeed(Outcome.unknown({ reason: "reset" }))
              : Effect.fail(accountNotEnabled("export_not_enabled", "kind"))
          )
      })
      const record = yield* create("USD").pipe(Effect.provide(engine([provider, taken])))
      assert.strictEqual(sends, 2)
      assert.deepStrictEqual(tried(record), ["a unknown"])
      assert.strictEqual(record.payment.state.status, "pending")
    }).pipe(TestClock.withLive)
  )

  it.effect("fails a refund at once, without another send", () =>
    Effect.gen(function* () {
      let refunds = 0
      const provider = scripted(
        "a",
        {
          create: () => Effect.succeed(Outcome.succeeded()),
          refund: () =>
            Effect.suspend(() => {
              refunds++
              return Effect.fail(accountNotEnabled("refunds_not_enabled", "kind"))
            })
        },
        inquiryOnly
      )
      const code = yield* Effect.gen(function* () {
        const payments = yield* Payments
        const { payment } = yield* create("EUR")
        const { operation } = yield* payments.refund(payment.id, { minorUnits: null, reason: null }, plain)
        return operation.code
      }).pipe(Effect.provide(engine([provider])))
      assert.deepStrictEqual([refunds, code], [1, "account_not_enabled"])
    })
  )
})
