/** `paymux payments review`: what an operator has to look at, and the word that ends it. */
import { Ids, isPaymentId, iso, paymentJson, PaymentWriter, resolutions, Reviews } from "@paymux/core"
import type { InboxEntry, Reviewed } from "@paymux/core"
import { Console, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { paymentRow } from "./paymentRow.ts"
import { printTable } from "./table.ts"
import { told } from "./told.ts"

export const review = Command.make(
  "review",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("pay_…; without it, all that are in review are listed"),
      Argument.optional
    ),
    resolve: Flag.Literals("resolve", resolutions).pipe(
      Flag.withDescription(
        "succeeded: it was done. not_done: it was not, and will not be. given_back: the money was returned by hand. dismissed: nothing to do"
      ),
      Flag.optional
    ),
    evidence: Flag.String("evidence").pipe(
      Flag.withDescription("What shows it, such as the provider's reference and who saw it; kept for good"),
      Flag.optional
    ),
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, database, evidence, id, json, live, resolve }) {
    const tenant = { account, livemode: live }
    const run = <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E, Reviews>) =>
      onExistingDatabase(database, reviews, effect)
    if (Option.isNone(id)) {
      if (Option.isSome(resolve))
        return yield* told(new Error("Say which payment: paymux payments review <id> --resolve …"))
      return yield* printAll(
        yield* run(Reviews.use((desk) => desk.list(tenant, LISTED))),
        yield* run(Reviews.use((desk) => desk.parked(LISTED))),
        json
      )
    }
    const missing = told(
      new Error(`There is no payment ${id.value} in account ${account} (${live ? "live" : "test"} mode).`)
    )
    if (!isPaymentId(id.value)) return yield* missing
    const payment = id.value
    if (Option.isNone(resolve) && Option.isSome(evidence)) {
      return yield* told(new Error("Evidence is for a resolution: say which with --resolve."))
    }
    if (Option.isNone(resolve)) return yield* printOne(yield* run(Reviews.use((desk) => desk.get(tenant, payment))))
    const word = { resolution: resolve.value, evidence: Option.getOrElse(evidence, () => "") }
    const record = yield* run(Reviews.use((desk) => desk.resolve(tenant, payment, word)))
    yield* Console.error(`Kept. The payment is ${record.payment.state.status}.`)
    yield* Console.log(JSON.stringify(paymentJson(record), null, 2))
  })
).pipe(
  Command.withDescription("List what an operator has to look at, show one, or resolve it with evidence"),
  Command.withExamples([
    { command: "paymux payments review", description: "What waits for somebody to look" },
    {
      command: 'paymux payments review pay_… --resolve not_done --evidence "Acme support, ticket 4711: no such order"',
      description: "End a review"
    }
  ])
)

const LISTED = 100

const reviews = Reviews.layer.pipe(Layer.provide(PaymentWriter.layer), Layer.provide(Ids.layer))

const printAll = Effect.fnUntraced(function* (
  page: { readonly records: ReadonlyArray<Reviewed["record"]>; readonly hasMore: boolean },
  parked: ReadonlyArray<InboxEntry>,
  json: boolean
) {
  if (json) {
    const unmatched = parked.map(({ eventKey, evidence, provider, receivedAt }) => ({
      provider,
      event: eventKey,
      claim: evidence.claim.kind,
      received_at: iso(receivedAt)
    }))
    return yield* Console.log(JSON.stringify({ payments: page.records.map(paymentJson), unmatched }, null, 2))
  }
  if (page.records.length === 0) yield* Console.error("No payment is in review.")
  else {
    yield* printTable(
      ["id", "review", "created", "amount", "received", "status", "provider"],
      page.records.map((record) => {
        const row = paymentRow(record)
        return [
          row.id,
          record.payment.review?.reason ?? "",
          row.created,
          row.amount,
          row.received,
          row.status,
          row.provider
        ]
      })
    )
  }
  if (page.hasMore) yield* Console.error(`These are the newest ${LISTED}; there are more.`)
  if (parked.length === 0) return
  yield* Console.error("Told by providers about no payment that is known:")
  yield* printTable(
    ["provider", "event", "claim", "received"],
    parked.map(({ eventKey, evidence, provider, receivedAt }) => [
      provider,
      eventKey,
      evidence.claim.kind,
      iso(receivedAt)
    ])
  )
})

const printOne = ({ evidence, record }: Reviewed) =>
  Console.log(
    JSON.stringify(
      {
        ...paymentJson(record),
        evidence: evidence.map(({ document, eventId, kind, operationId, recordedAt, source, vendorCode }) => ({
          source,
          kind,
          operation: operationId,
          vendor_code: vendorCode,
          event: eventId,
          document,
          recorded_at: iso(recordedAt)
        }))
      },
      null,
      2
    )
  )
