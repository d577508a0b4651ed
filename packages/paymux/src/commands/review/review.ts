/** `paymux review`: what an operator has to resolve, and how it was resolved. */
import { ReviewRefused, Reviews } from "@paymux/core"
import type { PaymentRecord, Reviewed } from "@paymux/core"
import { eventIn, wordOf } from "@paymux/core/store"
import type { InboxEntry } from "@paymux/core/store"
import { iso, noHostedPage, paymentJson } from "@paymux/core/wire"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { jsonFlag, onExistingDatabase } from "../database.ts"
import { paymentRow } from "../payments/paymentRow.ts"
import { resolve } from "./reviewResolve.ts"
import { amountText } from "../amountText.ts"
import { asPaymentId, paymentArgument, paymentNotFound, where } from "./reviewShared.ts"
import { printable } from "../../printable.ts"
import { reviews } from "../../Audited.ts"
import { printTable } from "../table.ts"
import { userError } from "../userError.ts"

const list = Command.make(
  "list",
  { ...where, json: jsonFlag },
  Effect.fnUntraced(function* ({ account, database, json, live }) {
    const { page, parked } = yield* onExistingDatabase(
      database,
      reviews,
      Reviews.use((service) =>
        Effect.all({ page: service.list({ account, livemode: live }, LISTED), parked: service.parked(LISTED) })
      )
    )
    if (json) {
      const rows = page.records.flatMap((record) =>
        paymentJson(record, noHostedPage).reviews.map((each) => ({ payment: record.payment.id, ...each }))
      )
      return yield* Console.log(JSON.stringify({ reviews: rows, unmatched: parked.map(parkedJson) }, null, 2))
    }
    if (page.records.length === 0) yield* Console.error("No open reviews.")
    else {
      yield* printTable(
        ["payment", "review", "reason", "provider", "reference", "amount", "since"],
        page.records.flatMap((record) => reviewRows(record).map((row) => [record.payment.id, ...row]))
      )
    }
    if (page.hasMore) yield* Console.error(`These are the reviews of the newest ${LISTED} payments; there are more.`)
    if (parked.length > 0) yield* printParked(parked)
  })
).pipe(Command.withDescription("List open reviews, and provider reports that match no payment"))

const LISTED = 100

const reviewRows = ({ payment }: PaymentRecord) =>
  payment.reviews.map(({ currency, id, minorUnits, provider, reason, reference, since }) => [
    id,
    reason,
    provider,
    printable(reference ?? ""),
    amountText(minorUnits, currency),
    iso(since)
  ])

const parkedJson = ({ eventKey, evidence, provider, receivedAt }: InboxEntry) => ({
  provider,
  event: eventIn(eventKey),
  outcome: wordOf(evidence.outcome),
  operation: "operation" in evidence.about ? evidence.about.operation : null,
  reference: referenceOf(evidence),
  received_at: iso(receivedAt)
})

const referenceOf = ({ about, outcome }: InboxEntry["evidence"]): string | null =>
  outcome.reference ?? ("providerReference" in about ? about.providerReference : null)

const printParked = Effect.fnUntraced(function* (parked: ReadonlyArray<InboxEntry>) {
  yield* Console.error("Provider reports that match no payment in this database:")
  yield* printTable(
    ["provider", "event", "outcome", "operation", "reference", "received"],
    parked
      .map(parkedJson)
      .map(({ event, operation, outcome, provider, received_at, reference }) => [
        provider,
        printable(event),
        outcome,
        operation ?? "",
        printable(reference ?? ""),
        received_at
      ])
  )
})

const show = Command.make(
  "show",
  { payment: paymentArgument, ...where, json: jsonFlag },
  Effect.fnUntraced(function* ({ account, database, json, live, payment }) {
    const tenant = { account, livemode: live }
    const id = asPaymentId(payment)
    if (id === null) return yield* userError(paymentNotFound(payment, tenant))
    const found = yield* onExistingDatabase(
      database,
      reviews,
      Reviews.use((service) => service.get(tenant, id)).pipe(
        Effect.catch((error) => (error instanceof ReviewRefused ? Effect.succeed(null) : Effect.fail(error)))
      )
    )
    if (found === null) return yield* userError(paymentNotFound(payment, tenant))
    yield* json ? printJson(found) : printReviewed(found)
  })
).pipe(Command.withDescription("Show a payment's open reviews, its operations and the evidence for its status"))

const printJson = ({ evidence, record }: Reviewed) =>
  Console.log(JSON.stringify({ ...paymentJson(record, noHostedPage), evidence: evidence.map(evidenceJson) }, null, 2))

const evidenceJson = ({ document, eventId, kind, operationId, recordedAt, source, vendorCode }: Evidence) => ({
  source,
  kind,
  operation: operationId,
  vendor_code: vendorCode,
  event: eventId,
  document,
  recorded_at: iso(recordedAt)
})

type Evidence = Reviewed["evidence"][number]

const printReviewed = Effect.fnUntraced(function* ({ evidence, record }: Reviewed) {
  const { payment } = record
  const { currency } = payment.amount
  const { overpayment } = paymentJson(record, noHostedPage)
  yield* Console.log(
    [
      `${payment.id}: ${paymentRow(record).status}, ${amountText(payment.amount.minorUnits, currency)}`,
      `captured ${amountText(payment.amountCaptured, currency)}`,
      `refunded ${amountText(payment.amountRefunded, currency)}`,
      ...(overpayment === undefined ? [] : [`overpayment ${amountText(overpayment, currency)}`])
    ].join(", ")
  )
  if (payment.reviews.length === 0) yield* Console.error("No open reviews.")
  else yield* printTable(["review", "reason", "provider", "reference", "amount", "since"], reviewRows(record))
  yield* printTable(
    ["operation", "kind", "purpose", "status", "amount", "provider", "reference"],
    record.operations.map(({ id, kind, minorUnits, provider, purpose, reference, status }) => [
      id,
      kind,
      purpose,
      status,
      amountText(minorUnits, currency),
      provider,
      printable(reference ?? "")
    ])
  )
  if (evidence.length === 0) return
  yield* printTable(
    ["evidence", "outcome", "operation", "code", "document", "recorded"],
    evidence.map(({ document, kind, operationId, recordedAt, source, vendorCode }) => [
      source,
      kind,
      operationId,
      printable(vendorCode ?? ""),
      printable(document ?? ""),
      iso(recordedAt)
    ])
  )
})

export const review = Command.make("review").pipe(
  Command.withDescription("List and show what an operator has to resolve, and resolve it with evidence"),
  Command.withSubcommands([list, show, resolve])
)
