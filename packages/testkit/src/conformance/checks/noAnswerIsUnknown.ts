import { Effect } from "effect"
import { describeFault, type Fault } from "../../fake/Fault.ts"
import { withoutNetwork } from "../exemptions.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { failing, laterNoAnswers, mayAlsoBe, noAnswers, refusals, requestsOfCreate, someNoAnswers } from "./faults.ts"
import { laterKinds } from "./laterKinds.ts"
import { names } from "./naming.ts"
import { requestsAt } from "./silence.ts"

export const noAnswerIsUnknown: ConformanceCheck = {
  id: "no-answer-is-unknown",
  title: "without a definite response the outcome is unknown, never declined",
  why:
    "Once a byte was sent, the vendor may have executed the request: a reset, a 500, or a partial or unreadable " +
    "response proves nothing. If the adapter reports a decline, the payer may pay again for a payment that was taken.",
  howToFix:
    "Return `Outcome.unknown` for every response that the vendor's documentation does not define, including a " +
    "response of another shape: decode it leniently and end with `Codes.outcome` or `HttpOutcome.ofStatus`. Only a " +
    "declared proof code returns `notExecuted`.",
  exempt: withoutNetwork,
  check: (context) =>
    Effect.gen(function* () {
      for (const [index, sample] of context.samples.entries()) {
        const requests = yield* requestsOfCreate(context, sample)
        for (let request = 0; request < requests; request++) {
          for (const fault of index === 0 ? noAnswers : someNoAnswers) {
            yield* Effect.scoped(create(context, sample, fault, request))
          }
          for (const fault of request === 0 ? [] : refusals) {
            yield* Effect.scoped(refusedLater(context, sample, fault, request))
          }
        }
      }
      for (const fault of laterNoAnswers) yield* Effect.scoped(laterOperations(context, fault))
    })
}

const create = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  fault: Fault,
  request: number
) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample)
  const seen = yield* failing(harness, fault, request, harness.send(operation))
  if (seen === null) return
  const tried = `a ${sample.name} create, its request ${request + 1}: ${describeFault(fault)}`
  const faulty = (yield* requestsAt(harness))[request]
  // Nothing was asked for yet: it was to get an access token.
  const isBefore = faulty !== undefined && !names(faulty, operation)
  if (isBefore && seen._tag === "Answered" && seen.answer._tag === "NotExecuted") return
  const other = mayAlsoBe(fault)
  if (other === "InvalidRequest" && seen._tag === "Failed" && seen.error.reason._tag === other) return
  yield* isUnknown(harness, tried, seen, [...(yield* standing(harness)), ...(other === "Pending" ? [other] : [])])
})

/** What an earlier request of the same create took or holds is not given back by a refusal of a later one. */
const refusedLater = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  fault: Fault,
  request: number
) {
  const harness = yield* context.begin()
  const seen = yield* failing(harness, fault, request, Effect.flatMap(harness.create(sample), harness.send))
  const isHeld = (yield* harness.vendor.payments).some(({ status }) => status === "authorized" || status === "captured")
  if (seen === null || !isHeld) return
  const tried = `a ${sample.name} create, its request ${request + 1}: ${describeFault(fault)}, after an earlier one took or held money`
  yield* isUnknown(harness, tried, seen, yield* standing(harness))
})

const laterOperations = Effect.fnUntraced(function* (context: ConformanceContext, fault: Fault) {
  for (const { kind, made, harness } of yield* laterKinds(context)) {
    const operation = yield* harness.later(kind, made)
    const seen = yield* failing(harness, fault, 0, harness.send(operation))
    const done = fault.executed ? ["Succeeded", "Pending"] : []
    if (seen !== null) yield* isUnknown(harness, `a ${kind}: ${describeFault(fault)}`, seen, done)
    if (harness.operations.inquire === undefined || !someNoAnswers.includes(fault)) continue
    const asked = yield* failing(harness, fault, 0, harness.inquire(made.operation))
    if (asked !== null) yield* isUnknown(harness, `an inquiry: ${describeFault(fault)}`, asked, [])
  }
})

/** An adapter may have looked it up meanwhile: what is true may be said. */
const isUnknown = (harness: TestHarness, tried: string, seen: Ending, isTrue: ReadonlyArray<string>) => {
  const said = seen._tag === "Answered" ? seen.answer._tag : null
  return harness.expect(said === "Unknown" || (said !== null && isTrue.includes(said)), {
    tried,
    expected: "Unknown",
    seen
  })
}

/** What may be said of the payment that the vendor has. */
const standing = (harness: TestHarness): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(harness.vendor.payments, (payments) =>
    payments.flatMap(({ status }) => {
      if (status === "captured") return ["Succeeded"]
      if (status === "authorized") return ["Authorized"]
      return status === "pending" ? ["Pending"] : []
    })
  )
