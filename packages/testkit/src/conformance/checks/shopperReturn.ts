import type { ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { ScriptedOutcome, LedgerPayment } from "../../fake/Ledger.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { answeredTag, nowAt, truthOf } from "./ledgerTruth.ts"
import { reportedAmount } from "./money.ts"

export const shopperReturn: ConformanceCheck = {
  id: "return",
  title: "the query of the return URL is not trusted without the vendor's confirmation",
  why:
    "Anyone can open the return URL with `status=success`. An adapter that trusts it ships goods that were not paid " +
    "for. An adapter that trusts `status=failed` lets the payer pay a second time elsewhere.",
  howToFix:
    "In `complete`, ask the vendor about this operation, as `inquire` does: by `operation.id` or " +
    "`operation.reference`, never by an id from the query. Or verify the signature of the query, and that it is about " +
    "this operation. If neither is possible, return `unknown`.",
  check: (context) =>
    Effect.gen(function* () {
      for (const sample of context.samples) {
        if (!(yield* Effect.scoped(unpaid(context, sample)))) return
        const [decline] = context.declineCodes
        for (const scripted of ["approve", ...(decline === undefined ? [] : [{ decline }])] as const) {
          yield* Effect.scoped(decided(context, sample, scripted))
        }
      }
    })
}

interface Query {
  readonly [name: string]: string
}

/** Our query, and that of another payment: the id of a payment that is paid proves nothing about another. */
const queries = (...references: ReadonlyArray<string | null>): ReadonlyArray<Query> => [
  {},
  ...["success", "succeeded", "captured", "paid", "PAID", "SUCCESS", "failed", "canceled"].map((status) => ({
    status,
    redirect_status: status,
    payment_status: status,
    result: status,
    code: status
  })),
  ...references
    .filter((reference) => reference !== null)
    .flatMap((reference) => [
      named(reference),
      { ...named(reference), status: "success", redirect_status: "succeeded" }
    ])
]

const named = (reference: string): Query =>
  Object.fromEntries(
    ["id", "payment", "payment_id", "payment_intent", "order", "order_id", "session_id", "reference", "token"].map(
      (name) => [name, reference]
    )
  )

/** `false`: the adapter has nothing to say about a return. */
const unpaid = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  if (harness.operations.complete === undefined) return false
  const other = yield* harness.paid(sample)
  const operation = yield* harness.create(sample, { scripted: "wait" })
  const reported = yield* harness.send(operation)
  const payment = (yield* harness.vendor.payments).at(-1)
  if (payment === undefined || (payment.status !== "pending" && payment.status !== "draft")) return true
  const ours = harness.again(operation, reported)
  for (const query of queries(ours.reference, payment.id, other.operation.reference, other.payment.id)) {
    const seen = yield* complete(yield* harness.restart, ours, query)
    yield* harness.expect(!isDefinite(seen), {
      tried: `the return of the shopper of a ${sample.name} create with ${shown(query)}, before the payer has acted`,
      expected: "Pending or Unknown: the vendor has decided nothing yet",
      seen
    })
  }
  return true
})

const decided = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, scripted: ScriptedOutcome) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample, { scripted })
  const reported = yield* harness.send(operation)
  yield* harness.vendor.payersAct
  const payment = (yield* harness.vendor.payments).at(-1)
  if (payment === undefined) return
  const ours = harness.again(operation, reported)
  for (const query of queries(ours.reference, payment.id)) {
    const seen = yield* complete(harness, ours, query)
    const now = (yield* nowAt(harness, payment)) ?? payment
    const tried = `the return of the shopper of a ${sample.name} create with ${shown(query)}, after the payer has acted`
    yield* harness.expect(!isDefinite(seen) || isTrue(now, seen), {
      tried,
      expected: `what the vendor's ledger shows (${now.status}), or Pending or Unknown`,
      seen
    })
    const again = yield* complete(yield* harness.restart, ours, query)
    yield* harness.expect(answeredTag(again) === answeredTag(seen), {
      tried: `${tried}, twice`,
      expected: `the same as the first time: ${describeEnding(seen)}`,
      seen: again
    })
  }
})

const complete = (harness: TestHarness, operation: ProviderOperation, query: Query) => {
  const { complete: call } = harness.operations
  return call === undefined
    ? Effect.die(new Error("the adapter has no `complete`: the check must not apply"))
    : harness.ending(Effect.suspend(() => call(operation, query)))
}

const isDefinite = (seen: Ending): boolean => {
  const said = answeredTag(seen)
  return said === null ? seen._tag !== "Failed" : !open.has(said)
}

const open: ReadonlySet<string> = new Set(["Pending", "Unknown", "NotFound"])

const isTrue = (payment: LedgerPayment, seen: Ending): boolean => {
  const reported = reportedAmount(seen)
  return (
    answeredTag(seen) === truthOf("create", payment) &&
    (reported === null || reported.minorUnits === payment.amount.minorUnits)
  )
}

const shown = (query: Query): string => {
  const names = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return names.length === 0 ? "an empty query" : `?${names.join("&").slice(0, 80)}`
}
