/**
 * The real engine on the in-memory store, with simulated vendors, a merchant and an operator. After the history it
 * collects the facts that the judge reads: the vendors' ledgers and the public JSON.
 */
import type { PaymentId, PaymentRecord } from "@paymux/core"
import { everyPayment, refundsOf } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { PaymentEvent } from "@paymux/core/store"
import { eventBody, noHostedPage, paymentBody, refundBody } from "@paymux/core/wire"
import { Effect } from "effect"
import { start, tenant } from "../../packages/core/test/engine/fixtures.ts"
import type { EventView, Facts, RefundView } from "../suites/src/simulation/judge/index.ts"
import { makeMerchant } from "./Merchant.ts"
import { makeOperator } from "./Operator.ts"
import { refundViewOf, viewOf } from "./publicJson.ts"
import type { SimulatedVendor } from "./SimulatedVendor.ts"
import { bytesOf } from "./VendorWebhook.ts"
import type { VendorEvent } from "./VendorWebhook.ts"

export const startEnvironment = Effect.fnUntraced(function* (vendors: ReadonlyArray<SimulatedVendor>) {
  const store = MemoryStore.make()
  const engine = yield* start(
    store,
    vendors.map(({ provider }) => provider),
    { reconciler: { every: TEN_MINUTES }, breaker: { minimumCalls: 1000 } }
  )
  yield* Effect.addFinalizer(() => engine.end)
  const { orders, requests, ...calls } = makeMerchant(engine.payments)

  const facts = Effect.gen(function* () {
    const { records } = yield* Effect.orDie(engine.payments.list(tenant, { ...everyPayment, limit: 100 }))
    const events = yield* store.undispatchedEvents(10_000)
    return {
      orders,
      charges: vendors.flatMap(({ ledger }) => ledger.charges),
      payments: records.map((record) => viewOf(paymentBody(record, noHostedPage))),
      refunds: records.flatMap(refundViews),
      events: events.map(eventView),
      requests,
      unmatched: [],
      lostCommits: []
    } satisfies Facts
  })

  return {
    ...calls,
    operator: makeOperator(engine.reviews),
    /** The payment as the API shows it now. */
    view: (id: PaymentId) =>
      Effect.map(Effect.orDie(engine.payments.get(tenant, id)), (record) => viewOf(paymentBody(record, noHostedPage))),
    /** Delivers a webhook of this vendor. */
    deliver: (vendor: SimulatedVendor, event: VendorEvent) =>
      Effect.asVoid(Effect.orDie(engine.inbox.receive(vendor.id, bytesOf(event), {}))),
    facts
  }
})

/** How often the reconciler runs: fast enough for tests that cover days of virtual time. */
const TEN_MINUTES = 600_000

/** What `GET /v1/payments/{id}/refunds` lists. */
const refundViews = (record: PaymentRecord): ReadonlyArray<RefundView> =>
  refundsOf(record).map((refund) => refundViewOf(refundBody(record, refund)))

const eventView = (event: PaymentEvent): EventView => ({
  payment: event.paymentId,
  type: event.type,
  sequence: event.sequence,
  body: eventBody(event)
})
