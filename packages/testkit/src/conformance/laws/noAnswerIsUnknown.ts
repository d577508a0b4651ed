import { Effect } from "effect"
import { describeFault, type Fault } from "../../fake/Fault.ts"
import { withoutNetwork } from "../exemptions.ts"
import type { Law } from "../Law.ts"
import type { Sample } from "../samples.ts"
import type { Ending, Stand, Trial } from "../Trial.ts"
import { noAnswers, requestsOfCreate, someNoAnswers } from "./faults.ts"
import { laterKinds } from "./laterKinds.ts"
import { names } from "./naming.ts"
import { requestsAt } from "./silence.ts"

export const noAnswerIsUnknown: Law = {
  id: "no-answer-is-unknown",
  title: "without a definite answer the outcome is unknown, never declined",
  why:
    "Once a byte was sent, the vendor may have done what it was asked: a reset, a 500, half an answer or one that cannot be " +
    "read say nothing. A decline made of them lets the payer pay again for what was taken.",
  mend:
    "Answer `Outcome.unknown` for whatever the vendor's documentation does not define, also for an answer of another " +
    "shape: decode it leniently and end in `HttpOutcome.ofStatus`. Only a declared proof code makes `notExecuted`.",
  exempt: withoutNetwork,
  check: (trial) =>
    Effect.gen(function* () {
      for (const [index, sample] of trial.samples.entries()) {
        const requests = yield* requestsOfCreate(trial, sample)
        for (let request = 0; request < requests; request++) {
          for (const fault of index === 0 ? noAnswers : someNoAnswers) {
            yield* Effect.scoped(create(trial, sample, fault, request))
          }
        }
      }
      for (const fault of someNoAnswers) yield* Effect.scoped(laterOperations(trial, fault))
    })
}

const create = Effect.fnUntraced(function* (trial: Trial, sample: Sample, fault: Fault, request: number) {
  const stand = yield* trial.begin()
  const operation = yield* stand.create(sample)
  yield* stand.vendor.network?.failNext(fault, request) ?? Effect.void
  const seen = yield* stand.send(operation)
  const tried = `a ${sample.name} create, its request ${request + 1}: ${describeFault(fault)}`
  const faulty = (yield* requestsAt(stand))[request]
  // Nothing was asked for yet: it was to get an access token.
  const isBefore = faulty !== undefined && !names(faulty, operation)
  if (isBefore && seen._tag === "Answered" && seen.answer._tag === "NotExecuted") return
  yield* isUnknown(stand, tried, seen, yield* standing(stand))
})

const laterOperations = Effect.fnUntraced(function* (trial: Trial, fault: Fault) {
  for (const { kind, made, stand } of yield* laterKinds(trial)) {
    const operation = yield* stand.later(kind, made)
    yield* stand.vendor.network?.failNext(fault) ?? Effect.void
    const seen = yield* stand.send(operation)
    const done = fault.executed ? ["Succeeded", "Pending"] : []
    yield* isUnknown(stand, `a ${kind}: ${describeFault(fault)}`, seen, done)
    if (stand.operations.inquire === undefined) continue
    yield* stand.vendor.network?.failNext(fault) ?? Effect.void
    const asked = yield* stand.inquire(made.operation)
    yield* isUnknown(stand, `an inquiry: ${describeFault(fault)}`, asked, [])
  }
})

/** An adapter may have looked it up meanwhile: what is true may be said. */
const isUnknown = (stand: Stand, tried: string, seen: Ending, isTrue: ReadonlyArray<string>) => {
  const said = seen._tag === "Answered" ? seen.answer._tag : null
  return stand.expect(said === "Unknown" || (said !== null && isTrue.includes(said)), {
    tried,
    expected: "Unknown",
    seen
  })
}

/** What may be said of the payment that the vendor has. */
const standing = (stand: Stand): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(stand.vendor.payments, (payments) =>
    payments.flatMap(({ status }) => {
      if (status === "captured") return ["Succeeded"]
      if (status === "authorized") return ["Authorized"]
      return status === "pending" ? ["Pending"] : []
    })
  )
