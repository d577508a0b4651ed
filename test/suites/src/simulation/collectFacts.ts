/** What the judge is given: the vendors' ledgers and what the public API answers, as it answers it. */
import type { PaymentId, PaymentRecord, Payments, Reviews } from "@paymux/core"
import { everyPayment, isRefund } from "@paymux/core/store"
import type { InboxEntry, Page } from "@paymux/core/store"
import { eventBody, noHostedPage, paymentJson, refundJson } from "@paymux/core/wire"
import { Effect } from "effect"
import type { ClientAnswer, Entry } from "./History.ts"
import type { Facts, LedgerCharge, Order, RequestView } from "./judge/index.ts"
import { tenant } from "./merchant/Clients.ts"
import { currencies } from "./Plan.ts"
import type { Incident, PaymentPlan } from "./Plan.ts"
import type { TestEnvironment } from "./TestEnvironment.ts"
import type { Charge } from "./vendor/Ledger.ts"

/** Everything that the API and the operators' list show, read page by page. */
export interface ApiView {
  readonly records: ReadonlyArray<PaymentRecord>
  readonly parked: ReadonlyArray<InboxEntry>
}

export const readApi = (payments: Payments["Service"], reviews: Reviews["Service"]) =>
  Effect.gen(function* () {
    const records: Array<PaymentRecord> = []
    let after: PaymentId | null = null
    let hasMore = true
    while (hasMore) {
      const position: { readonly side: "after"; readonly id: PaymentId } | null =
        after === null ? null : { side: "after", id: after }
      const page: Page = yield* payments.list(tenant, { ...everyPayment, limit: PAGE, position })
      records.push(...page.records)
      after = page.records.at(-1)?.payment.id ?? null
      hasMore = page.hasMore && after !== null
    }
    return { records, parked: yield* reviews.parked(MOST_PARKED) } satisfies ApiView
  })

/** The most that a page of the API holds. */
const PAGE = 100
const MOST_PARKED = 10_000

export const collectFacts = ({ history, ledger, plan }: TestEnvironment, { parked, records }: ApiView): Facts => ({
  orders: plan.payments.map(orderOf),
  charges: ledger.charges.map(chargeOf),
  payments: records.map((record) => paymentJson(record, noHostedPage)),
  refunds: records.flatMap((record) => record.operations.filter(isRefund).map((refund) => refundJson(record, refund))),
  events: history.entries.flatMap(eventsOf),
  requests: requestsOf(history.entries),
  unmatched: parked.map(({ evidence: { about, outcome }, provider }) => ({
    provider,
    reference: outcome.reference ?? ("providerReference" in about ? about.providerReference : null),
    amount: "amount" in outcome ? (outcome.amount?.minorUnits ?? null) : null
  })),
  lostCommits: plan.incidents.flatMap((incident) => lostBy(incident, history.entries))
})

const orderOf = ({ captureMethod, key, minorUnits, n, rail }: PaymentPlan): Order => ({
  id: String(n),
  minorUnits,
  currency: currencies[rail],
  captureMethod,
  key
})

const chargeOf = ({ currency, movements, n, orderReference, provider, reference, status }: Charge): LedgerCharge => ({
  provider,
  reference,
  ...(orderReference !== null && { orderReference }),
  order: String(n),
  currency,
  isWaiting: status === "waiting",
  movements
})

const eventsOf = (entry: Entry): Facts["events"] => {
  if (entry.kind !== "committed") return []
  return entry.events.map((event) => ({
    payment: event.paymentId,
    type: event.type,
    sequence: event.sequence,
    body: eventBody(event)
  }))
}

const requestsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<RequestView> => {
  const kept = new Set<string>()
  return entries.flatMap((entry) => {
    if (entry.kind === "answer_kept") kept.add(entry.body)
    if (entry.kind !== "client" || entry.call === "get") return []
    const { answer, call, elapsed, key, n, wants } = entry
    return [{ order: String(n), call, key, wants, at: elapsed, answer: answerSeen(answer, kept) }]
  })
}

const answerSeen = (answer: ClientAnswer, kept: ReadonlySet<string>): RequestView["answer"] => {
  switch (answer.kind) {
    case "accepted":
      return { ...answer, kept: kept.has(answer.body) }
    case "refused":
      return answer
    case "hung_up":
    case "connection_lost":
      return { kind: "unanswered" }
  }
}

const lostBy = (incident: Incident, entries: ReadonlyArray<Entry>): Facts["lostCommits"] => {
  if (incident.kind !== "rollback") return []
  const [from, to] = [incident.at - incident.loses, incident.at]
  const lost = entries.filter(({ elapsed, kind }) => kind === "committed" && elapsed >= from && elapsed <= to)
  return [{ from, to, orders: new Set(lost.map(({ n }) => String(n))) }]
}
