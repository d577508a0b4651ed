/** Inquiries about captures, cancels and refunds, where they are declared. */
import { Effect } from "effect"
import { describeFault, type Fault } from "../../fake/Fault.ts"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { CheckFailed } from "../ConformanceCheck.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { askedAfter, type InquiredBy, inquiredBy, knowsNothing, saysNothing } from "./inquiries.ts"
import { laterKind, type LaterKind } from "./laterKinds.ts"
import { arrived, nowAt, truthOf } from "./ledgerTruth.ts"
import { isAccepted, refunded, reportedAmount } from "./money.ts"

type Kind = LaterKind["kind"]

export const laterInquiries = Effect.fnUntraced(function* (context: ConformanceContext) {
  for (const kind of ["capture", "cancel", "refund"] as const) {
    const by = inquiredBy(context, kind)
    if (by === null) continue
    if (by !== "replay") yield* Effect.scoped(neverSent(context, kind))
    const clean = yield* Effect.scoped(answered(context, kind))
    if (clean === null) continue
    for (let request = 0; request < clean.requests; request++) {
      for (const fault of lostReplies) yield* Effect.scoped(unanswered(context, kind, { fault, request, by, clean }))
    }
  }
})

const lostReplies: ReadonlyArray<Fault> = [
  { executed: true, reply: "reset" },
  { executed: false, reply: "reset" }
]

/** How an operation goes when its reply arrives. */
interface Clean {
  readonly requests: number
  readonly ending: Ending
}

const neverSent = Effect.fnUntraced(function* (context: ConformanceContext, kind: Kind) {
  const begun = yield* begin(context, kind)
  if (begun === null) return
  const seen = yield* begun.harness.inquire(begun.operation)
  yield* begun.harness.expect(knowsNothing(seen), {
    tried: `an inquiry about a ${kind} that was never sent${begun.another}`,
    expected: "NotFound or Unknown",
    seen
  })
})

const answered = Effect.fnUntraced(function* (context: ConformanceContext, kind: Kind) {
  const begun = yield* begin(context, kind)
  if (begun === null) return null
  const { operation, harness } = begun
  const before = yield* arrived(harness)
  const ending = yield* harness.send(operation)
  const clean: Clean = { requests: (yield* arrived(harness)) - before, ending }
  if (!isAccepted(ending)) return null
  const now = (yield* nowAt(harness, begun.payment)) ?? begun.payment
  yield* begun.sendAnother
  const seen = yield* askedAfter(harness, operation, ending)
  yield* agrees(harness, { ...begun, now }, `an inquiry about a ${kind}${begun.another}`, seen, clean)
  return clean
})

const unanswered = Effect.fnUntraced(function* (
  context: ConformanceContext,
  kind: Kind,
  {
    by,
    clean,
    fault,
    request
  }: { readonly fault: Fault; readonly request: number; readonly by: InquiredBy; readonly clean: Clean }
) {
  const begun = yield* begin(context, kind)
  if (begun === null) return
  const { operation, harness } = begun
  yield* harness.vendor.network?.failNext(fault, request) ?? Effect.void
  const ending = yield* harness.send(operation)
  const isNameless = by === "providerReference" && harness.again(operation, ending).reference === null
  const now = (yield* nowAt(harness, begun.payment)) ?? begun.payment
  yield* begun.sendAnother
  const seen = yield* askedAfter(harness, operation, ending)
  if (isNameless && saysNothing(seen)) return
  const tried = `an inquiry about a ${kind}${begun.another}, its request ${request + 1}: ${describeFault(fault)}`
  yield* agrees(harness, { ...begun, now }, tried, seen, clean)
})

interface Begun extends Pick<LaterKind, "kind" | "harness"> {
  readonly operation: Parameters<TestHarness["send"]>[0]
  /** As it was before the operation. */
  readonly payment: LedgerPayment
  /** For people: what else was done to the payment. */
  readonly another: string
  /** Of the same amount; nothing where it cannot be done twice. */
  readonly sendAnother: Effect.Effect<void, CheckFailed>
}

/** A part, if that is possible: it differs from the whole. Before a refund an equal one, which must not be taken for it. */
const begin = Effect.fnUntraced(function* (context: ConformanceContext, kind: Kind) {
  const found = yield* laterKind(context, kind)
  if (found === null) return null
  const { made, harness } = found
  const { minorUnits } = made.payment.amount
  const isPart = kind !== "cancel" && context.capabilities.operations[kind]?.partial === true && minorUnits >= 4
  const hasOther = kind === "refund" && isPart
  const part = Math.floor(minorUnits / (hasOther ? 4 : 2))
  const sendAnother = hasOther
    ? Effect.asVoid(Effect.flatMap(harness.later(kind, made, { minorUnits: part }), harness.send))
    : Effect.void
  yield* sendAnother
  const operation = yield* harness.later(kind, made, isPart ? { minorUnits: part } : {})
  const payment = (yield* nowAt(harness, made.payment)) ?? made.payment
  const another = hasOther ? " among others of the same amount" : ""
  return { kind, harness, operation, payment, another, sendAnother } satisfies Begun
})

/** What is done is found; it may be Pending at a vendor that said so before. Of what is not done nothing is said. */
const agrees = Effect.fnUntraced(function* (
  harness: TestHarness,
  { kind, now, operation, payment: before }: Begun & { readonly now: LedgerPayment },
  tried: string,
  seen: Ending,
  clean: Clean
) {
  const isDone = kind === "refund" ? now.refunds.length > before.refunds.length : truthOf(kind, now) === "Succeeded"
  const wasPending = clean.ending._tag === "Answered" && clean.ending.answer._tag === "Pending"
  const said = seen._tag === "Answered" ? seen.answer._tag : null
  if (!isDone) {
    return yield* harness.expect(knowsNothing(seen) || (wasPending && said === "Pending"), {
      tried,
      expected: `${wasPending ? "Pending, " : ""}NotFound or Unknown: the vendor has not done it`,
      seen
    })
  }
  const isSaid =
    said === "Succeeded" || (wasPending && said === "Pending") || (kind === "cancel" && said === "Canceled")
  const moved = kind === "refund" ? refunded(now) - refunded(before) : now.captured
  const reported = kind === "cancel" ? null : reportedAmount(seen)
  const isRight = reported === null || (reported.minorUnits === moved && reported.currency === now.amount.currency)
  yield* harness.expect(isSaid && isRight, {
    tried,
    expected: `Succeeded${kind === "cancel" ? "" : ` with ${now.amount.currency} ${moved}`}, as the vendor did it (its answer to the ${operation.kind}: ${describeEnding(clean.ending)})`,
    seen
  })
})
