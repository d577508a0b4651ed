/**
 * The engine over an in-memory store in virtual time, for the tests of an adapter against its fake: sockets are real, and
 * only the clock is not. The store outlives the engines, so a test may end one and start the next.
 *
 * @example
 * ```ts
 * import type { Provider } from "@paymux/core"
 * import { stateOf, testEngine } from "@paymux/test-suites"
 * import { Effect } from "effect"
 *
 * const anHourLater = (provider: Provider, request: object) =>
 *   Effect.gen(function* () {
 *     const { create, current, pass, start } = testEngine([provider])
 *     const record = yield* create(yield* start, request)
 *     yield* pass(60 * 60_000)
 *     return stateOf(yield* current(record))
 *   })
 * ```
 */
import { decodeCreatePayment, Engine, Ids, Inbox, type PaymentRecord, Payments, type Provider } from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { virtualTime } from "./virtualTime.ts"

/** One engine, as one process: `end` ends it, and what it committed stays in the store. */
export interface RunningEngine {
  readonly payments: Payments["Service"]
  readonly inbox: Inbox["Service"]
  readonly end: Effect.Effect<void>
}

/** A record, or what names one. */
type OfPayment = { readonly payment: { readonly id: PaymentRecord["payment"]["id"] } }

/** The merchant of every test, asking without an idempotency key. */
export const plain = { tenant: { account: "default", livemode: false }, idempotency: null } as const

export const testEngine = (
  providers: ReadonlyArray<Provider>,
  options: {
    /** ms between two passes of the reconciler; a step of the virtual time unless given. Seldom, where days pass. */
    readonly every?: number
    /** Real ms after which a vendor that does not answer is not waited for: see `virtualTime`. */
    readonly patience?: number
  } = {}
) => {
  const store = MemoryStore.make()
  const { pass, settle, step, watched } = virtualTime(options)
  const every = options.every ?? step
  const instances = providers.map(watched)

  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const built = yield* Layer.buildWithScope(
      Engine.layer({
        providers: instances,
        publicUrl: "https://pay.example",
        drain: 0,
        reconciler: { every }
      }).pipe(Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))),
      scope
    )
    const running: RunningEngine = {
      payments: Context.get(built, Payments),
      inbox: Context.get(built, Inbox),
      end: Scope.close(scope, Exit.void)
    }
    return running
  })

  /** A request of the API, decoded and created. */
  const create = ({ payments }: Pick<RunningEngine, "payments">, request: object) =>
    Effect.flatMap(Effect.orDie(decodeCreatePayment(request)), (payment) =>
      Effect.map(payments.create(payment, plain), ({ record }) => record)
    )

  const current = ({ payment: { id } }: OfPayment) =>
    Effect.flatMap(Effect.orDie(store.get(id)), (found) =>
      found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
    )

  /** The one payment there is. */
  const only = ({ payments }: Pick<RunningEngine, "payments">) =>
    Effect.flatMap(Effect.orDie(payments.list(plain.tenant, everyPayment)), ({ records: [record] }) =>
      record === undefined ? Effect.die(new Error("the payment was lost")) : Effect.succeed(record)
    )

  /** The types of the payment's events, in their order. */
  const reported = ({ payment: { id } }: OfPayment) =>
    Effect.map(Effect.orDie(store.undispatchedEvents(1000)), (events) =>
      events.filter(({ paymentId }) => paymentId === id).map(({ type }) => type)
    )

  /** Until the reconciler has looked at what is due next; where nothing ever is, the test fails. */
  const nextLook = Effect.fnUntraced(function* (record: OfPayment) {
    const due = (yield* current(record)).operations.flatMap(({ nextCheckAt }) => nextCheckAt ?? [])
    if (due.length === 0) return yield* Effect.die(new Error("nothing of this payment is looked at any more"))
    yield* TestClock.adjust(Math.max(0, Math.min(...due) - step - (yield* Clock.currentTimeMillis)))
    yield* pass(every + 2 * step)
  })

  return { store, step, start, pass, settle, create, current, only, reported, nextLook }
}

/** What most tests expect of a payment. */
export const stateOf = ({ payment: { reviews, state } }: PaymentRecord) => ({
  status: state.status,
  ...(state.status === "failed" && { code: state.failure.code }),
  reviews: reviews.map(({ reason }) => reason)
})

/** This state, without a failure and without a review. */
export const settled = (status: ReturnType<typeof stateOf>["status"]) => ({ status, reviews: [] })
