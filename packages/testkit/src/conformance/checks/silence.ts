/** A request that the vendor does not answer, and the call that waits for it. */
import type { InquiryOutcome, ProviderError, ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { Fiber } from "effect"
import type { FaultyReply } from "../../fake/Fault.ts"
import type { SeenRequest } from "../../fake/Vendor.ts"
import { eventually, hasEnded } from "../realTime.ts"
import type { Sample } from "../samples.ts"
import type { Stand, ConformanceContext } from "../ConformanceContext.ts"
import { laterKinds } from "./laterKinds.ts"
import { requestsOfCreate } from "./faults.ts"

/** A call of which one request gets no answer. */
export interface Silence {
  /** For people. */
  readonly what: string
  readonly stand: Stand
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
  for (const { kind, made, stand } of yield* laterKinds(context)) {
    const operation = yield* stand.later(kind, made)
    const perform = stand.operations[kind]
    if (perform !== undefined) found.push(yield* silent(stand, operation, `a ${kind}`, perform, 0, reply))
  }
  const [sample] = context.samples
  if (sample === undefined) return found
  const stand = yield* context.begin()
  const { inquire } = stand.operations
  if (inquire === undefined) return found
  const operation = yield* stand.create(sample)
  const asked = stand.again(operation, yield* stand.send(operation))
  return [...found, yield* silent(stand, asked, "an inquiry", inquire, 0, reply)]
})

const silentCreate = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  request: number,
  reply: FaultyReply
) {
  const stand = yield* context.begin()
  const operation = yield* stand.create(sample)
  const what = `a ${sample.name} create, its request ${request + 1}`
  return yield* silent(stand, operation, what, stand.operations.create, request, reply)
})

const silent = Effect.fnUntraced(function* (
  stand: Stand,
  operation: ProviderOperation,
  what: string,
  perform: (operation: ProviderOperation) => Effect.Effect<InquiryOutcome, ProviderError>,
  request: number,
  reply: FaultyReply
): Effect.fn.Return<Silence> {
  const at = (yield* requestsAt(stand)).length + request
  yield* stand.vendor.network?.failNext({ executed: true, reply }, request) ?? Effect.void
  return { what, stand, operation, call: Effect.suspend(() => perform(operation)), at }
})

/** Whether the silent request has arrived; `false` where the call ended without it, or neither happened. */
export const arrives = ({ at, stand }: Silence, fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<boolean> =>
  Effect.andThen(
    eventually(Effect.zipWith(hasArrived(stand, at), hasEnded(fiber), (arrived, ended) => arrived || ended)),
    hasArrived(stand, at)
  )

const hasArrived = (stand: Stand, at: number) => Effect.map(requestsAt(stand), ({ length }) => length > at)

export const requestsAt = ({ vendor }: Stand): Effect.Effect<ReadonlyArray<SeenRequest>> =>
  vendor.network === null ? Effect.succeed([]) : vendor.network.requests

/** Requests after the silent one that ask for something to be done. */
export const sentAfter = ({ at, stand }: Silence): Effect.Effect<ReadonlyArray<SeenRequest>> =>
  Effect.map(requestsAt(stand), (requests) =>
    requests.slice(at + 1).filter(({ method }) => method !== "GET" && method !== "HEAD")
  )
