/** A provider that is out for minutes of virtual time under steady traffic, and every call that it is asked meanwhile. */
import { decodeCreatePayment, defineProvider, Engine, Outcome, Payments } from "@paymux/core"
import type { InquiryOutcome, ProviderOperation } from "@paymux/core"
import type { BreakerSettings } from "@paymux/core/engine"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { ClockBreaker } from "@paymux/test-suites"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Effect, Layer, Logger, Schema } from "effect"
import { TestClock } from "effect/testing"

export interface Outage {
  readonly minutes: number
  readonly perSecond: number
  /** The share of sends that the provider leaves without a usable answer. */
  readonly failing: number
  /** Whether the provider can be asked what became of a payment; else the same key is sent again to learn it. */
  readonly canInquire: boolean
  readonly breaker: Partial<BreakerSettings>
  readonly seed: number
}

export interface OutageReport {
  /** Payments asked for, of which those that the breaker refuses are never begun. */
  readonly asked: number
  readonly begun: number
  /** Creates that were sent, with every repeat. */
  readonly sends: number
  readonly inquiries: number
  /** The most sends of one attempt. */
  readonly mostSends: number
}

/** It never has seen enough calls. */
export const withoutBreaker: Partial<BreakerSettings> = { minimumCalls: 1_000_000 }

export const outage = (plan: Outage): Promise<OutageReport> => {
  const sends = new Map<string, number>()
  const asked = { inquiries: 0 }
  const random = SeededRandom.stream(plan.seed, "outage")
  /** A moment, so that calls lie beside each other, and no answer that could be used. */
  const answer = (): Effect.Effect<Outcome.SendOutcome> =>
    Effect.as(
      Effect.sleep(100),
      random.next() < plan.failing ? Outcome.unknown({ reason: "server_error" }) : Outcome.succeeded()
    )
  const create = ({ id }: ProviderOperation) =>
    Effect.suspend(() => {
      sends.set(id, (sends.get(id) ?? 0) + 1)
      return answer()
    })
  const inquire = (): Effect.Effect<InquiryOutcome> =>
    Effect.suspend(() => {
      asked.inquiries++
      return answer()
    })
  const provider = defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { hosted: {} } } },
      operations: {
        create: {
          idempotency: { by: "header", lifetime: "24 hours" },
          ...(plan.canInquire && { inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" } })
        }
      }
    }),
    make: () => Effect.succeed({ create, inquire })
  })({})
  const engine = Engine.layer({
    providers: [provider],
    publicUrl: "http://localhost:4310",
    breakers: ClockBreaker.layer(plan.breaker),
    // The clock does not move any more when the engine closes.
    drain: 0
  }).pipe(Layer.provide(MemoryStore.layer), Layer.provide(SeededRandom.idsLayer(SeededRandom.stream(plan.seed, "ids"))))
  const traffic = Effect.gen(function* () {
    const payments = yield* Payments
    const payment = yield* decodeCreatePayment({
      amount: 10_000,
      currency: "EUR",
      payment_method: "card",
      customer: { email: "payer@example.com", phone: "+491701234567" }
    })
    const plain = { tenant: { account: "default", livemode: false }, idempotency: null }
    const count = plan.minutes * 60 * plan.perSecond
    for (let i = 0; i < count; i++) {
      yield* Effect.forkChild(Effect.exit(payments.create(payment, plain)), { startImmediately: true })
      yield* TestClock.adjust(1_000 / plan.perSecond)
    }
    const each = [...sends.values()]
    return {
      asked: count,
      begun: each.length,
      sends: each.reduce((total, of) => total + of, 0),
      inquiries: asked.inquiries,
      mostSends: each.reduce((most, of) => Math.max(most, of), 0)
    }
  })
  return Effect.runPromise(
    traffic.pipe(
      Effect.provide(Layer.provideMerge(engine, Logger.layer([]))),
      Effect.provide(TestClock.layer()),
      Effect.scoped
    )
  )
}
