/** A request that the vendor does not answer, and the call that waits for it. */
import type { InquiryOutcome, ProviderError, ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { Fiber } from "effect"
import type { FaultyReply } from "../../fake/Fault.ts"
import type { SeenRequest } from "../../fake/Vendor.ts"
import { eventually, hasEnded } from "../realTime.ts"
import type { Sample } from "../samples.ts"
import type { TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { laterKinds } from "./laterKinds.ts"
import { requestsOfCreate } from "./faults.ts"

/** A call of which one request gets no answer. */
export interface Silence {
  /** For people. */
  readonly what: string
  readonly harness: TestHarness
  readonly operation: ProviderOperation
  readonly call: Effect.Effect<InquiryOutcome, ProviderError>
  /** Which of the vendor's requests is the one without an answer. */
  readonly at: number
}

/** A create for each request that it makes, and one of each other call: each one's vendor is silent as `reply` says. */
export const silences = Effect.fnUntraced(function* (context: ConformanceContext, reply: FaultyReply) {
  const found: Array<Silence> = []
  for (const sample of context.samples) {
    const requests = yield* requestsOfCreate(context, sample)
    for (let request = 0; request < requests; request++)
      found.push(yield* silentCreate(context, sample, request, reply))
  }
  for (const { kind, made, harness } of yield* laterKinds(context)) {
    const operation = yield* harness.later(kind, made)
    const perform = harness.operations[kind]
    if (perform !== undefined) found.push(yield* silent(harness, operation, `a ${kind}`, perform, 0, reply))
  }
  const [sample] = context.samples
  if (sample === undefined) return found
  const harness = yield* context.begin()
  const { inquire } = harness.operations
  if (inquire === undefined) return found
  const operation = yield* harness.create(sample)
  const asked = harness.again(operation, yield* harness.send(operation))
  return [...found, yield* silent(harness, asked, "an inquiry", inquire, 0, reply)]
})

const silentCreate = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  request: number,
  reply: FaultyReply
) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample)
  const what = `a ${sample.name} create, its request ${request + 1}`
  return yield* silent(harness, operation, what, harness.operations.create, request, reply)
})

const silent = Effect.fnUntraced(function* (
  harness: TestHarness,
  operation: ProviderOperation,
  what: string,
  perform: (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>,
  request: number,
  reply: FaultyReply
): Effect.fn.Return<Silence> {
  const at = (yield* requestsAt(harness)).length + request
  yield* harness.vendor.network?.failNext({ executed: true, reply }, request) ?? Effect.void
  return { what, harness, operation, call: Effect.suspend(() => perform(operation)), at }
})

/** Whether the silent request has arrived; `false` where the call ended without it, or neither happened. */
export const arrives = ({ at, harness }: Silence, fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<boolean> =>
  Effect.andThen(
    eventually(Effect.zipWith(hasArrived(harness, at), hasEnded(fiber), (arrived, ended) => arrived || ended)),
    hasArrived(harness, at)
  )

const hasArrived = (harness: TestHarness, at: number) => Effect.map(requestsAt(harness), ({ length }) => length > at)

export const requestsAt = ({ vendor }: TestHarness): Effect.Effect<ReadonlyArray<SeenRequest>> =>
  vendor.network === null ? Effect.succeed([]) : vendor.network.requests

/** Requests after the silent one that ask for something to be done. */
export const sentAfter = ({ at, harness }: Silence): Effect.Effect<ReadonlyArray<SeenRequest>> =>
  Effect.map(requestsAt(harness), (requests) =>
    requests.slice(at + 1).filter(({ method }) => method !== "GET" && method !== "HEAD")
  )
