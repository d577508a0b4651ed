/**
 * The real engine with Adyen's adapter at its fake: sockets are real, and only the clock is not. Time passes in small steps,
 * and after each of them every call that is on its way is waited for.
 */
import { decodeCreatePayment, Engine, Ids, Inbox, type PaymentRecord, Payments } from "@paymux/core"
import { MemoryStore, PaymentStore } from "@paymux/core/store"
import { virtualTime } from "@paymux/test-suites"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { adyen } from "../src/index.ts"
import { fake, itemOf } from "../src/testing/fake.ts"
import { encrypted } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"
import { type Item, signedBody } from "../src/testing/signed.ts"

export const minutes = 60_000

/** How a payment differs from one of 10 000 minor units by encrypted cards, taken at once. */
interface Change {
  readonly link?: boolean
  readonly manual?: boolean
  readonly currency?: string
  readonly tokens?: { readonly [instance: string]: unknown }
}

/** `patience`: see `virtualTime`. */
export const environment = Effect.fnUntraced(function* (
  instances: ReadonlyArray<string> = ["adyen"],
  options: { readonly patience?: number } = {}
) {
  yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
  const vendor = yield* fake.start({ mode: "test" })
  const { network } = vendor
  if (network === null) return yield* Effect.die(new Error("Adyen is reached over a network"))
  const store = MemoryStore.make()
  const { pass, step, watched } = virtualTime(options)
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const built = yield* Layer.buildWithScope(
    Engine.layer({
      providers: instances.map((id) => watched(adyen({ ...optionsOf(vendor), id, payWithinMinutes: 20 }))),
      publicUrl: "https://pay.example",
      drain: 0,
      reconciler: { every: step }
    }).pipe(Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))),
    scope
  )
  const payments = Context.get(built, Payments)
  const inbox = Context.get(built, Inbox)

  const asked = (change: Change) =>
    Effect.orDie(
      decodeCreatePayment({
        amount: 10_000,
        currency: change.currency ?? "EUR",
        payment_method: "card",
        return_url: "https://shop.example/thanks",
        customer: { email: "asha@example.com", phone: "+4915112345678" },
        ...(change.manual === true && { capture_method: "manual" }),
        ...(change.link !== true && {
          payment_method_details: {
            card: { tokens: change.tokens ?? Object.fromEntries(instances.map((id) => [id, encrypted])) }
          }
        })
      })
    )

  const create = (change: Change = {}) =>
    Effect.flatMap(asked(change), (payment) =>
      Effect.map(
        payments.create(payment, plain),
        ({
          record: {
            payment: { id }
          }
        }) => id
      )
    )

  const current = (id: PaymentRecord["payment"]["id"]) =>
    Effect.flatMap(Effect.orDie(store.get(id)), (found) =>
      found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
    )

  const reported = (id: PaymentRecord["payment"]["id"]) =>
    Effect.map(Effect.orDie(store.undispatchedEvents(1000)), (events) =>
      events.filter(({ paymentId }) => paymentId === id).map(({ type }) => type)
    )

  const post = (...items: ReadonlyArray<Item>) => {
    const { body, headers } = signedBody(items, vendor.credentials)
    return inbox.receive(instances[0] ?? "", body, headers)
  }

  /** What the vendor has to tell, the newest last. */
  const items = Effect.sync(() => vendor.ledger.events().map(itemOf))
  const newest = Effect.flatMap(items, (all) => {
    const item = all.at(-1)
    return item === undefined ? Effect.die(new Error("no event was recorded")) : Effect.succeed(item)
  })

  const sent = Effect.map(network.requests, (requests) => requests.map(({ method, path }) => `${method} ${path}`))
  return { vendor, network, payments, create, current, reported, post, items, newest, pass, sent }
})

/** How the engine is asked, without a key. */
export const plain = { tenant: { account: "default", livemode: false }, idempotency: null } as const

export const stateOf = ({ payment: { reviews, state } }: PaymentRecord) => ({
  status: state.status,
  ...(state.status === "failed" && { code: state.failure.code }),
  reviews: reviews.map(({ reason }) => reason)
})
