/** The engine with instances of Adyen, all at one fake: see `testEngine`. */
import { type PaymentRecord } from "@paymux/core"
import { testEngine } from "@paymux/test-suites"
import { Effect } from "effect"
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

type PaymentId = PaymentRecord["payment"]["id"]

/** `patience`: see `virtualTime`. */
export const environment = Effect.fnUntraced(function* (
  instances: ReadonlyArray<string> = ["adyen"],
  options: { readonly patience?: number } = {}
) {
  yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
  const vendor = yield* fake.start({ mode: "test" })
  const { network } = vendor
  if (network === null) return yield* Effect.die(new Error("Adyen is reached over a network"))
  const engine = testEngine(
    instances.map((id) => adyen({ ...optionsOf(vendor), id, payWithinMinutes: 20 })),
    options
  )
  const running = yield* engine.start
  const { inbox, payments } = running

  const create = (change: Change = {}) =>
    Effect.map(
      engine.create(running, {
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
      }),
      ({ payment }) => payment.id
    )
  const current = (id: PaymentId) => engine.current({ payment: { id } })
  const reported = (id: PaymentId) => engine.reported({ payment: { id } })

  const post = (...items: ReadonlyArray<Item>) => {
    const { body, headers } = signedBody(items, vendor.credentials)
    return inbox.receive(instances[0] ?? "", body, headers)
  }

  /** What the vendor has to report, the newest last. */
  const items = Effect.sync(() => vendor.ledger.events().map(itemOf))
  const newest = Effect.flatMap(items, (all) => {
    const item = all.at(-1)
    return item === undefined ? Effect.die(new Error("no event was recorded")) : Effect.succeed(item)
  })

  const sent = Effect.map(network.requests, (requests) => requests.map(({ method, path }) => `${method} ${path}`))
  return { vendor, network, payments, create, current, reported, post, items, newest, pass: engine.pass, sent }
})
