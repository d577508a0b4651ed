import { Effect } from "effect"
import { withoutNetwork } from "../exemptions.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { requestsOfCreate } from "./faults.ts"
import { laterKinds } from "./laterKinds.ts"

export const notSent: ConformanceCheck = {
  id: "not-sent",
  title: "a refused connection or a failed TLS handshake proves that nothing was executed",
  why:
    "The engine tries another provider only with proof. A connection that was never established is the most common " +
    "proof: without it, every outage of a provider leaves its payments open for days.",
  howToFix:
    "Distinguish requests that were sent from requests that were not: `ProviderHttp` fails with `NotSent` or " +
    "`SentOutcomeUnknown`, and `HttpOutcome.operation` converts both. Never disable certificate checks. An inquiry " +
    "that was not sent is `Outcome.unknown`.",
  exempt: withoutNetwork,
  check: (context) =>
    Effect.gen(function* () {
      for (const sample of context.samples) {
        // A check that is switched off for one mode is missing in the other.
        for (const mode of ["test", "live"] as const) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const harness = yield* context.begin(mode)
              for (const away of yield* unreachable(harness)) {
                const ending = yield* away.harness.send(yield* away.harness.create(sample))
                yield* isNotSent(harness, `a ${sample.name} create of a ${mode} instance, ${away.how}`, ending)
              }
            })
          )
        }
      }
      for (const sample of context.samples) yield* leaving(context, sample)
      yield* Effect.scoped(laterOperations(context))
    })
}

/** Gone in the middle of a create: what was not sent is no proof of what was. */
const leaving = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const requests = yield* requestsOfCreate(context, sample)
  for (let count = 1; count < requests; count++) {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const harness = yield* context.begin()
        const operation = yield* harness.create(sample)
        yield* harness.vendor.network?.leaveAfter(count) ?? Effect.void
        const seen = yield* harness.send(operation)
        const said = seen._tag === "Answered" ? seen.answer._tag : null
        const found = (yield* harness.vendor.payments).find(({ status }) => status !== "draft")
        const isProof = said === "NotExecuted" && found === undefined
        yield* harness.expect(isProof || said === "Unknown", {
          tried: `a ${sample.name} create whose vendor is gone after request ${count} of ${requests}`,
          expected: found === undefined ? "NotExecuted or Unknown" : "Unknown: the vendor has done something",
          seen
        })
      })
    )
  }
})

const laterOperations = Effect.fnUntraced(function* (context: ConformanceContext) {
  for (const { kind, made, harness } of yield* laterKinds(context)) {
    for (const away of yield* unreachable(harness)) {
      const operation = yield* harness.later(kind, made)
      yield* isNotSent(harness, `a ${kind}, ${away.how}`, yield* away.harness.send(operation))
    }
    if (harness.operations.inquire === undefined) continue
    for (const away of yield* unreachable(harness)) {
      const seen = yield* away.harness.inquire(made.operation)
      const knowsNothing = seen._tag === "Failed" || (seen._tag === "Answered" && seen.answer._tag === "Unknown")
      yield* harness.expect(knowsNothing, {
        tried: `an inquiry, ${away.how}`,
        expected: "Unknown: the question was not asked",
        seen
      })
    }
  }
})

const unreachable = Effect.fnUntraced(function* (harness: TestHarness) {
  const { network } = harness.vendor
  if (network === null) return []
  return [
    { how: "while the vendor's port is closed", harness: yield* harness.at(yield* network.refusing) },
    { how: "while the vendor's certificate is not valid", harness: yield* harness.at(yield* network.untrusted) }
  ]
})

const isNotSent = (harness: TestHarness, tried: string, seen: Ending) =>
  harness.expect(seen._tag === "Answered" && seen.answer._tag === "NotExecuted" && seen.answer.reason === "not_sent", {
    tried,
    expected: 'NotExecuted { reason: "not_sent" }',
    seen
  })
