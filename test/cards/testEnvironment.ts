/**
 * The real engine with the real adapters of Stripe and Adyen, each at a fake of its own, and a second instance of Adyen, which
 * no test should ever need. Sockets are real, and only the clock is not.
 */
import {
  decodeCreatePayment,
  Engine,
  Ids,
  Inbox,
  type OperationId,
  type PaymentRecord,
  Payments,
  type Provider
} from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { virtualTime } from "@paymux/test-suites"
import type { LedgerEvent } from "@paymux/testkit"
import { assert } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { adyen } from "../../packages/adapters/adyen/src/index.ts"
import { fake as adyenFake } from "../../packages/adapters/adyen/src/testing/fake.ts"
import { encrypted } from "../../packages/adapters/adyen/test/operations.ts"
import { optionsOf as adyenOptions } from "../../packages/adapters/adyen/src/testing/options.ts"
import { stripe } from "../../packages/adapters/stripe/src/index.ts"
import { fake as stripeFake } from "../../packages/adapters/stripe/src/testing/fake.ts"
import { bookOf } from "../../packages/adapters/stripe/src/testing/objects.ts"
import { optionsOf as stripeOptions } from "../../packages/adapters/stripe/src/testing/options.ts"

export const minutes = 60_000

export type Instance = "stripe" | "adyen" | "adyen_b"
export const instances: ReadonlyArray<Instance> = ["stripe", "adyen", "adyen_b"]

export const adyenFirst: ReadonlyArray<Instance> = ["adyen", "stripe", "adyen_b"]

/** For all three. */
export const tokens = { stripe: "pm_card_visa", adyen: encrypted, adyen_b: encrypted }

interface Setting {
  /** Whom routing prefers, first to last. */
  readonly order?: ReadonlyArray<Instance>
  /** Whose credentials are wrong. */
  readonly stranger?: "stripe" | "adyen"
  /** Real ms after which a call is taken for one that never ends. */
  readonly patience?: number
}

/** Whatever is done in it, when it is over no payment was charged by two. */
export const inEnvironment = (setting: Setting, act: (here: Here) => Effect.Effect<void, unknown, Scope.Scope>) =>
  Effect.gen(function* () {
    const here = yield* environment(setting)
    yield* act(here)
    assert.deepStrictEqual(chargedTwice(yield* here.charges), [])
  }).pipe(Effect.scoped)

export type Here = Effect.Success<ReturnType<typeof environment>>

export interface Charge {
  readonly payment: string
  readonly at: Instance
}

/** Payments of which money was held or taken more than once, wherever. */
export const chargedTwice = (charges: ReadonlyArray<Charge>): ReadonlyArray<string> => [
  ...new Set(
    charges
      .filter((each, index) => charges.findIndex(({ payment }) => payment === each.payment) < index)
      .map((each) => each.payment)
  )
]

const environment = Effect.fnUntraced(function* ({ order = instances, patience, stranger }: Setting) {
  // The fakes' own times are real ones.
  yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
  const vendors = {
    stripe: yield* stripeFake.start({ mode: "test" }),
    adyen: yield* adyenFake.start({ mode: "test" }),
    adyen_b: yield* adyenFake.start({ mode: "test" })
  }
  const store = MemoryStore.make()
  const { pass, settle, step, watched } = virtualTime({ ...(patience !== undefined && { patience }) })
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const atStripe = stripeOptions(vendors.stripe)
  const atAdyen = adyenOptions(vendors.adyen)
  const providers: { readonly [instance in Instance]: Provider } = {
    stripe: watched(stripe({ ...atStripe, ...(stranger === "stripe" && { secretKey: "sk_test_anotheraccount" }) })),
    adyen: watched(adyen({ ...atAdyen, ...(stranger === "adyen" && { apiKey: "AQE_another_account" }) })),
    adyen_b: watched(adyen({ ...adyenOptions(vendors.adyen_b), id: "adyen_b" }))
  }
  const built = yield* Layer.buildWithScope(
    Engine.layer({
      providers: order.map((instance) => providers[instance]),
      publicUrl: "https://pay.example",
      drain: 0,
      reconciler: { every: step }
    }).pipe(Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))),
    scope
  )
  const payments = Context.get(built, Payments)
  const inbox = Context.get(built, Inbox)

  /** Created, and given the time that its answer takes. Without tokens it is for a page. */
  const pay = Effect.fnUntraced(function* (given: { readonly [instance in Instance]?: unknown } | null = tokens) {
    const asked = yield* Effect.orDie(
      decodeCreatePayment({
        amount: 10_000,
        currency: "EUR",
        payment_method: "card",
        ...(given !== null && { payment_method_details: { card: { tokens: given } } }),
        customer: { email: "asha@example.com", phone: "+4915112345678" },
        return_url: "https://shop.example/thanks"
      })
    )
    const creating = yield* Effect.forkChild(payments.create(asked, plain), { startImmediately: true })
    yield* settle
    while (creating.pollUnsafe() === undefined) yield* pass(step)
    return (yield* Fiber.join(creating)).record
  })

  const current = ({ payment }: PaymentRecord) =>
    Effect.flatMap(Effect.orDie(store.get(payment.id)), (found) =>
      found === null ? Effect.die(new Error("the payment was lost")) : Effect.succeed(found)
    )

  /** It posts what happened, signed now. */
  const tell = (at: Instance, events: ReadonlyArray<LedgerEvent> = vendors[at].ledger.events()) =>
    Effect.forEach(events, (event) => {
      const { webhooks } = vendors[at]
      return Effect.flatMap(webhooks?.deliver([event]) ?? Effect.die(new Error("it posts webhooks")), (posted) =>
        inbox.receive(at, posted.body, posted.headers)
      )
    })

  /** How many payments or pages each was asked for, whatever it answered. */
  const asked = Effect.map(
    Effect.forEach(instances, (at) => vendors[at].network.requests),
    (requests) =>
      requests.map((each) => each.filter(({ method, path }) => method === "POST" && creates.has(path)).length)
  )

  /** Adyen's reference names the instance as well. */
  const paymentOf = (reference: string) => {
    const [operation = "?"] = /op_[0-9a-z]{26}/.exec(reference) ?? []
    // Boundary of a test: it may be no id of ours.
    return Effect.map(
      Effect.orDie(store.findByOperation(operation as OperationId)),
      (found) => found?.payment.id ?? "?"
    )
  }

  /** Whatever was held or taken at any time. */
  const charges = Effect.gen(function* () {
    const found: Array<Charge> = []
    for (const at of instances) {
      const { ledger } = vendors[at]
      const charged = ledger.events().filter(({ type }) => type === "captured" || type === "authorized")
      for (const id of new Set(charged.map(({ payment }) => payment.id))) {
        const payment = ledger.find(id)
        if (payment === undefined) return assert.fail("a ledger forgets nothing")
        const reference = at === "stripe" ? bookOf(ledger, payment).metadata["paymux_operation"] : payment.reference
        found.push({ at, payment: yield* paymentOf(reference ?? "") })
      }
    }
    return found
  })

  return { ...vendors, payments, pay, pass, current, tell, asked, charges }
})

const creates: ReadonlySet<string> = new Set([
  "/v1/payment_intents",
  "/v1/checkout/sessions",
  "/payments",
  "/paymentLinks"
])

export const stateOf = ({ attempts, payment: { reviews, state } }: PaymentRecord) => ({
  status: state.status,
  ...(state.status === "failed" && { code: state.failure.code }),
  tried: attempts.map(({ provider }) => provider),
  reviews: reviews.map(({ reason }) => reason)
})

/** How the engine is asked, without a key. */
const plain = { tenant: { account: "default", livemode: false }, idempotency: null } as const
