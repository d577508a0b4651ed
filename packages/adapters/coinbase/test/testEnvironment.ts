/**
 * The real engine with Coinbase's adapter at its fake: sockets are real, and only the clock is not. Time passes in small
 * steps, and after each of them every call that is on its way is waited for.
 */
import { decodeCreatePayment, Engine, Ids, Inbox, type PaymentRecord, Payments } from "@paymux/core"
import { everyPayment, MemoryStore, PaymentStore } from "@paymux/core/store"
import { virtualTime } from "@paymux/test-suites"
import { type LedgerEvent } from "@paymux/testkit"
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { coinbase } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { bookOf, booksOf } from "../src/testing/objects.ts"
import { optionsOf } from "../src/testing/options.ts"
import { posted } from "../src/testing/posted.ts"

export const minutes = 60_000
export const days = 24 * 60 * minutes

type Running = { readonly payments: Payments["Service"]; readonly inbox: Inbox["Service"] }

/** `every`: ms, how often the engine looks for what is due; seldom, where days pass. */
export const environmentOf = Effect.fnUntraced(function* (every?: number) {
  yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
  const vendor = yield* fake.start({ mode: "test" })
  const { network, webhooks } = vendor
  if (network === null || webhooks === null) return yield* Effect.die(new Error("the fake has both"))
  const books = booksOf(vendor.ledger)
  const store = MemoryStore.make()
  const { pass, settle, step, watched } = virtualTime({ patience: 200 })
  const provider = watched(coinbase(optionsOf(vendor)))

  /** As one process: it is ended by closing its scope, and what it kept is in the store. */
  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const built = yield* Layer.buildWithScope(
      Engine.layer({
        providers: [provider],
        publicUrl: "https://pay.example",
        drain: 0,
        reconciler: { every: every ?? step }
      }).pipe(Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))),
      scope
    )
    return {
      payments: Context.get(built, Payments),
      inbox: Context.get(built, Inbox),
      end: Scope.close(scope, Exit.void)
    }
  })

  const create = ({ payments }: Running, change: { readonly capture_method?: "manual" } = {}) =>
    Effect.gen(function* () {
      const asked = yield* Effect.orDie(
        decodeCreatePayment({
          amount: 17_050,
          currency: "USD",
          payment_method: "stablecoin",
          payment_method_details: { stablecoin: { asset: "USDC", network: "base" } },
          customer: { email: "asha@example.com", phone: "+919812345678" },
          return_url: "https://shop.example/thanks",
          ...change
        })
      )
      return (yield* payments.create(asked, plain)).record
    })

  const current = (record: PaymentRecord) =>
    Effect.flatMap(store.get(record.payment.id), (found) =>
      found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
    )

  /** Until the engine has looked again at what is open. */
  const nextLook = Effect.fnUntraced(function* (record: PaymentRecord) {
    const due = (yield* current(record)).operations.flatMap(({ nextCheckAt }) => nextCheckAt ?? [])
    if (due.length === 0) return yield* Effect.die(new Error("nothing is looked at any more"))
    yield* TestClock.adjust(Math.max(0, Math.min(...due) - 1 - (yield* Clock.currentTimeMillis)))
    yield* pass((every ?? step) + 2 * step)
  })

  /** The one payment there is. */
  const only = ({ payments }: Running) =>
    Effect.flatMap(payments.list(plain.tenant, everyPayment), ({ records: [record] }) =>
      record === undefined ? Effect.die(new Error("the payment was lost")) : Effect.succeed(record)
    )

  const reported = (record: PaymentRecord) =>
    Effect.map(store.undispatchedEvents(1000), (events) =>
      events.filter(({ paymentId }) => paymentId === record.payment.id).map(({ type }) => type)
    )

  /** The vendor posts this event, signed now. */
  const post = Effect.fnUntraced(function* ({ inbox }: Running, event: LedgerEvent | undefined) {
    if (event === undefined) return yield* Effect.die(new Error("no event was recorded"))
    const { body, headers } = yield* webhooks.deliver([event])
    return yield* inbox.receive("coinbase", body, headers)
  })

  /** The vendor posts this, signed now. */
  const tell = Effect.fnUntraced(function* ({ inbox }: Running, name: string, data: object, id = name) {
    const now = yield* Clock.currentTimeMillis
    const event = { eventId: `evt_${id}`, eventType: `acceptance.payment_session.${name}`, occurredAt: now, data }
    const { body, headers } = posted(event, now, vendor.credentials.webhookSecret)
    return yield* inbox.receive("coinbase", body, headers)
  })

  const sent = Effect.map(network.requests, (requests) =>
    requests
      .filter(({ method }) => method === "POST")
      .map(({ path }) => path.replace("/platform/v2/payment-sessions", "").replace(/^\/[^/]+/, "") || "create")
  )
  const keysOf = (of: string) =>
    Effect.map(
      network.requests,
      (requests) =>
        new Set(
          requests
            .filter(({ method, path }) => method === "POST" && path.endsWith(of))
            .flatMap(({ headers }) => headers["x-idempotency-key"] ?? [])
        )
    )
  /** What Coinbase keeps of the newest session. */
  const book = Effect.sync(() => {
    const payment = vendor.ledger.payments().at(-1)
    if (payment === undefined) throw new Error("there is no session")
    return bookOf(vendor.ledger, payment)
  })
  return {
    vendor,
    network,
    books,
    book,
    start,
    pass,
    settle,
    create,
    current,
    nextLook,
    only,
    reported,
    post,
    tell,
    sent,
    keysOf
  }
})

export const environment = environmentOf()

/** What a test says of a payment. */
export const stateOf = ({ payment: { reviews, state } }: PaymentRecord) => ({
  status: state.status,
  ...(state.status === "failed" && { code: state.failure.code }),
  reviews: reviews.map(({ reason }) => reason)
})

/** Without a review. */
export const settled = (status: ReturnType<typeof stateOf>["status"]) => ({ status, reviews: [] })

export const operationOf = ({ operations }: PaymentRecord, kind: string) =>
  operations.findLast((operation) => operation.kind === kind)

/** How the engine is asked, without a key. */
export const plain = { tenant: { account: "default", livemode: false }, idempotency: null } as const
