import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment, Engine, Payments } from "@paymux/core"
import type { PaymentRecord, Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { SandboxControl, SandboxLedger, sandboxProviders, SandboxSimulator, SandboxNotifier } from "@paymux/sandbox"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { books, withNotifier } from "./Books.ts"
import { paymentId } from "./Harness.ts"

const tenant: Tenant = { account: "default", livemode: false }

/** The engine in front of the six providers, with the simulator beside it. */
const engine = Layer.unwrap(
  Effect.gen(function* () {
    const providers = sandboxProviders({
      ledger: yield* SandboxLedger,
      notifier: yield* SandboxNotifier,
      control: yield* SandboxControl
    })
    return Engine.layerLive({ providers, publicUrl: "https://pay.example" })
  })
).pipe(
  Layer.provideMerge(SandboxSimulator.layer),
  Layer.provideMerge(withNotifier(books[0].layer)),
  Layer.provideMerge(MemoryStore.layer)
)
const provided = Effect.provide(engine)

const request = (change: object) => ({
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "payer@example.com", phone: "+919812345678" },
  ...change
})
const waitingUpi = request({ payment_method_details: { upi: { vpa: "pending@paymux" } } })
const waitingCoin = request({ payment_method: "stablecoin", currency: "USD" })
const waitingCard = request({ payment_method: "card", payment_method_details: { card: { token: "tok_3ds" } } })

const create = Effect.fnUntraced(function* (body: object) {
  const payments = yield* Payments
  const payment = yield* decodeCreatePayment(body)
  const creating = yield* Effect.forkChild(payments.create(payment, { tenant, idempotency: null }))
  yield* TestClock.adjust(1)
  return yield* Fiber.join(creating)
})

const simulate = (record: PaymentRecord, input: unknown, by: Tenant = tenant) =>
  Effect.flatMap(SandboxSimulator, (simulator) => simulator.simulate(by, record.payment.id, input))

const refusal = (record: PaymentRecord, input: unknown, by: Tenant = tenant) =>
  Effect.map(Effect.flip(simulate(record, input, by)), ({ reason }) => reason)

const seen = ({ payment }: PaymentRecord): string => {
  const { reviews, state } = payment
  const detail =
    state.status === "failed" ? ` ${state.failure.code}` : state.status === "pending" ? ` ${state.reason}` : ""
  return `${state.status}${detail}${reviews.map(({ reason }) => ` (${reason})`).join("")}`
}

const outcomes = [
  ["succeeded", waitingUpi, "succeeded"],
  ["authorized", waitingCard, "authorized"],
  ["failed", waitingUpi, "failed generic_decline"],
  ["expired", waitingUpi, "failed customer_timeout"],
  ["exact", waitingCoin, "succeeded"],
  ["over", waitingCoin, "succeeded"],
  ["under", waitingCoin, "pending needs_review (amount_mismatch)"],
  ["wrong_asset", waitingCoin, "pending needs_review (amount_mismatch)"],
  ["reorg", waitingCoin, "pending awaiting_customer"]
] as const

describe("SandboxSimulator", () => {
  for (const [outcome, body, expected] of outcomes) {
    it.effect(`${outcome} makes a pending payment ${expected}`, () =>
      Effect.gen(function* () {
        const { record } = yield* create(body)
        assert.strictEqual(seen(record), "pending awaiting_customer")
        assert.strictEqual(seen(yield* simulate(record, { outcome })), expected)
      }).pipe(provided)
    )
  }

  it.effect("failed takes the decline code it is given", () =>
    Effect.gen(function* () {
      const { record } = yield* create(waitingCard)
      const failed = yield* simulate(record, { outcome: "failed", code: "expired_card" })
      assert.strictEqual(seen(failed), "failed expired_card")
    }).pipe(provided)
  )

  it.effect("what is simulated replaces what the simulated payer would have done", () =>
    Effect.gen(function* () {
      const { record } = yield* create(request({}))
      yield* simulate(record, { outcome: "failed" })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(seen(yield* (yield* Payments).get(tenant, record.payment.id)), "failed generic_decline")
      assert.deepStrictEqual(yield* (yield* SandboxLedger).movements(record.payment.id), [])
    }).pipe(provided)
  )

  it.effect("a payment whose reorg took the transfer back can be paid after all", () =>
    Effect.gen(function* () {
      const { record } = yield* create(waitingCoin)
      yield* simulate(record, { outcome: "reorg" })
      assert.strictEqual(seen(yield* simulate(record, { outcome: "exact" })), "succeeded")
      assert.strictEqual((yield* (yield* SandboxLedger).movements(record.payment.id)).length, 1)
    }).pipe(provided)
  )

  it.effect("refuses a body that is not one of its words, and changes nothing", () =>
    Effect.gen(function* () {
      const { record } = yield* create(waitingUpi)
      const bodies: ReadonlyArray<unknown> = [
        null,
        [],
        {},
        { outcome: "Succeeded" },
        { outcome: "toString" },
        { outcome: "succeeded", amount: 1 },
        { outcome: "succeeded", code: "expired_card" },
        { outcome: "failed", code: "nonsense" },
        { outcome: "authorized" },
        { outcome: "under" }
      ]
      for (const body of bodies) {
        assert.strictEqual((yield* refusal(record, body))._tag, "InvalidSimulation", JSON.stringify(body))
      }
      assert.strictEqual(
        (yield* (yield* Payments).get(tenant, record.payment.id)).payment.version,
        record.payment.version
      )
    }).pipe(provided)
  )

  it.effect("does not find another tenant's payment, nor one of live mode, nor one that is no id", () =>
    Effect.gen(function* () {
      const { record } = yield* create(waitingUpi)
      const body = { outcome: "succeeded" }
      assert.strictEqual((yield* refusal(record, body, { ...tenant, account: "other" }))._tag, "PaymentNotFound")
      const live = {
        payment: { ...record.payment, id: paymentId(1), livemode: true },
        attempts: record.attempts,
        operations: [],
        entries: []
      }
      yield* (yield* PaymentStore).begin({ record: live, binding: null })
      assert.strictEqual((yield* refusal(live, body, { ...tenant, livemode: true }))._tag, "PaymentNotFound")
      const simulator = yield* SandboxSimulator
      const missing = yield* Effect.flip(simulator.simulate(tenant, "pay_'; DROP TABLE", body))
      assert.strictEqual(missing.reason._tag, "PaymentNotFound")
    }).pipe(provided)
  )

  it.effect("refuses a payment that is decided", () =>
    Effect.gen(function* () {
      const { record } = yield* create(waitingUpi)
      yield* simulate(record, { outcome: "succeeded" })
      const refused = yield* refusal(record, { outcome: "failed" })
      assert.deepInclude(refused, { _tag: "NotPending", status: "succeeded" })
    }).pipe(provided)
  )
})

describe("primary_down, again and again", () => {
  it.effect("opens the primary's breaker: later payments go straight to the secondary", () =>
    Effect.gen(function* () {
      const body = request({ metadata: { sandbox_scenario: "primary_down" } })
      const first = yield* create(body)
      assert.strictEqual(first.record.attempts[0]?.provider, "sandbox_upi_a")
      for (let n = 0; n < 30; n++) yield* create(body)
      const later = yield* create(body)
      assert.strictEqual(later.record.attempts[0]?.provider, "sandbox_upi_b")
      assert.deepInclude(later.record.payment.routing.candidates, { provider: "sandbox_upi_a", reason: "breaker_open" })
    }).pipe(provided)
  )
})

describe("the scenarios, through the engine", () => {
  const stories = [
    ["primary_down", "upi", "succeeded", 1],
    ["primary_timeout", "upi", "succeeded", 1],
    ["primary_reset", "upi", "succeeded", 1],
    ["primary_5xx", "upi", "succeeded", 1],
    ["late_success", "upi", "succeeded", 1],
    ["all_down", "upi", "failed provider_unavailable", 0],
    ["primary_down", "card", "succeeded", 1],
    ["primary_timeout", "card", "succeeded", 1],
    ["primary_reset", "card", "succeeded", 1],
    ["late_success", "card", "succeeded", 1]
  ] as const
  for (const [scenario, rail, expected, captures] of stories) {
    it.effect(`${scenario} over ${rail} ends ${expected}, and takes the money ${captures} times`, () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const body = request({ payment_method: rail, metadata: { sandbox_scenario: scenario } })
        const creating = yield* Effect.forkChild(
          payments.create(yield* decodeCreatePayment(body), { tenant, idempotency: null })
        )
        yield* TestClock.adjust("11 seconds")
        const { record } = yield* Fiber.join(creating)
        for (let second = 0; second < 180; second++) yield* TestClock.adjust("1 second")
        const ended = yield* payments.get(tenant, record.payment.id)
        assert.strictEqual(seen(ended), expected)
        const taken = yield* (yield* SandboxLedger).movements(record.payment.id)
        assert.strictEqual(taken.length, captures)
        assert.isTrue(taken.every(({ minorUnits }) => minorUnits === 10_000))
      }).pipe(provided)
    )
  }
})
