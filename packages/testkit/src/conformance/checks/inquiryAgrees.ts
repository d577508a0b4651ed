import { Effect } from "effect"
import { describeFault, type Fault } from "../../fake/Fault.ts"
import type { ScriptedOutcome } from "../../fake/Ledger.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { type Sample, within } from "../samples.ts"
import type { TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { requestsOfCreate } from "./faults.ts"
import { agrees, askedAfter, inquiredBy, knowsNothing, saysNothing } from "./inquiries.ts"
import { laterInquiries } from "./laterInquiries.ts"
import { nowAt } from "./ledgerTruth.ts"
import { takes } from "./money.ts"

export const inquiryAgrees: ConformanceCheck = {
  id: "inquiry-agrees",
  title: "an inquiry reports what the vendor did, and nothing that it did not do",
  why:
    "After a lost response, the inquiry alone decides whether the payer is charged once, twice or not at all. It must " +
    "find this operation, and an empty result must not become a decline.",
  howToFix:
    "Inquire by `operation.id` if the vendor stores it, otherwise by `operation.reference`; return `unknown` while " +
    "that is `null`. Map a status with the same function as `create`, report the amount that was taken, and return " +
    "`notFound` for an empty list.",
  exempt: (facts) =>
    (["create", "capture", "cancel", "refund"] as const).some((kind) => inquiredBy(facts, kind) !== null)
      ? null
      : "it declares no inquiry",
  check: (context) =>
    Effect.gen(function* () {
      if (inquiredBy(context, "create") !== null) for (const sample of context.samples) yield* ofSample(context, sample)
      yield* laterInquiries(context)
    })
}

const ofSample = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  for (const captureMethod of ["automatic", "manual"] as const) {
    if (!takes(sample, captureMethod)) continue
    for (const scripted of scriptedOutcomes(context))
      yield* Effect.scoped(answered(context, sample, scripted, captureMethod))
  }
  const requests = yield* requestsOfCreate(context, sample)
  for (let request = 0; request < requests; request++) {
    for (const fault of lostReplies) {
      yield* Effect.scoped(unanswered(context, sample, fault, { request, requests }))
    }
  }
  // A replay is the request itself: the engine does not ask so before anything was sent.
  if (inquiredBy(context, "create") !== "replay") yield* Effect.scoped(neverSent(context, sample))
  yield* Effect.scoped(expired(context, sample))
})

const scriptedOutcomes = ({ declineCodes: [code] }: ConformanceContext): ReadonlyArray<ScriptedOutcome> =>
  code === undefined ? ["approve", "wait"] : ["approve", { decline: code }, "wait"]

const lostReplies: ReadonlyArray<Fault> = [
  { executed: true, reply: "reset" },
  { executed: true, reply: { status: 500 } },
  { executed: false, reply: "reset" }
]

const answered = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  scripted: ScriptedOutcome,
  captureMethod: "automatic" | "manual"
) {
  const harness = yield* context.begin()
  yield* anotherPayment(context, harness, sample, scripted)
  const made = yield* madeSince(harness)
  const operation = yield* harness.create(sample, { scripted, captureMethod })
  const reported = yield* harness.send(operation)
  if (scripted !== "wait") yield* harness.vendor.payersAct
  const [payment] = yield* made
  // A payer who acts on another payment must not act on ours.
  if (scripted === "wait") yield* harness.send(yield* harness.create(sample))
  else yield* anotherPayment(context, harness, sample, scripted)
  const tried = `an inquiry about a ${sample.name} create (capture ${captureMethod}) whose payer ${scriptedText(scripted)}`
  if (payment === undefined) {
    return yield* harness.broken({ tried, expected: "a payment at the vendor, to be asked about", seen: reported })
  }
  yield* agrees(harness, context, { tried, reported, payment }, yield* askedAfter(harness, operation, reported))
})

const unanswered = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  fault: Fault,
  { request, requests }: { readonly request: number; readonly requests: number }
) {
  const harness = yield* context.begin()
  yield* anotherPayment(context, harness, sample, "approve")
  const made = yield* madeSince(harness)
  const operation = yield* harness.create(sample)
  yield* harness.vendor.network?.failNext(fault, request) ?? Effect.void
  const reported = yield* harness.send(operation)
  const isNameless =
    inquiredBy(context, "create") === "providerReference" && harness.again(operation, reported).reference === null
  const [begun] = yield* made
  yield* anotherPayment(context, harness, sample, "approve")
  const payment = begun && (yield* nowAt(harness, begun))
  const seen = yield* askedAfter(harness, operation, reported)
  if (isNameless && saysNothing(seen)) return
  const tried = `an inquiry about a ${sample.name} create, its request ${request + 1}: ${describeFault(fault)}`
  if (payment !== undefined) return yield* agrees(harness, context, { tried, reported: null, payment }, seen)
  // An order that is there and not paid.
  const isBegun = (request > 0 || (fault.executed && requests > 1)) && seen._tag === "Answered"
  yield* harness.expect(knowsNothing(seen) || (isBegun && seen.answer._tag === "Pending"), {
    tried,
    expected: "NotFound or Unknown: the vendor has no payment of it",
    seen
  })
})

const neverSent = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  yield* anotherPayment(context, harness, sample, "wait")
  const seen = yield* harness.inquire(yield* harness.create(sample))
  yield* harness.expect(knowsNothing(seen), {
    tried: `an inquiry about a ${sample.name} create that was never sent, while the vendor has another payment`,
    expected: "NotFound or Unknown",
    seen
  })
})

const expired = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample, { scripted: "wait" })
  const reported = yield* harness.send(operation)
  yield* harness.vendor.expire ?? Effect.void
  const [payment] = yield* harness.vendor.payments
  if (payment?.status !== "expired") return
  const tried = `an inquiry about a ${sample.name} create whose payer let the time run out`
  yield* agrees(harness, context, { tried, reported, payment }, yield* askedAfter(harness, operation, reported))
})

/** A payment of the same amount and another outcome, at the same time: an inquiry about ours must not find it. */
const anotherPayment = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  sample: Sample,
  scripted: ScriptedOutcome
) {
  const [code] = context.declineCodes
  const other: ScriptedOutcome = scripted === "approve" && code !== undefined ? { decline: code } : "approve"
  // If the outcomes are equal, only the amount distinguishes them.
  const minorUnits = within(sample, sample.amount.minorUnits + (other === scripted ? 100 : 0))
  // Sent by another instance: what one sends only once is still to be sent by ours.
  yield* (yield* harness.restart).send(yield* harness.create(sample, { scripted: other, minorUnits }))
  yield* harness.vendor.payersAct
})

/** What the vendor has since: ours is the first. */
const madeSince = Effect.fnUntraced(function* ({ vendor }: TestHarness) {
  const before = new Set((yield* vendor.payments).map(({ id }) => id))
  return Effect.map(vendor.payments, (payments) => payments.filter(({ id }) => !before.has(id)))
})

const scriptedText = (scripted: ScriptedOutcome): string => {
  if (scripted === "approve") return "approves"
  return scripted === "wait" ? "has not acted yet" : `is declined (${scripted.decline})`
}
