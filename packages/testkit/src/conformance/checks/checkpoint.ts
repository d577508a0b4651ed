import type { ProviderOperation } from "@paymux/core"
import { Effect, Fiber } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { SeenRequest } from "../../fake/Vendor.ts"
import { withoutNetwork } from "../exemptions.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { endsWithin, eventually, hasEnded } from "../realTime.ts"
import { type Sample, within } from "../samples.ts"
import type { Ending, HeldCheckpoint, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { answeredTag, truthOf } from "./ledgerTruth.ts"
import { arrives, requestsAt } from "./silence.ts"

export const checkpoint: ConformanceCheck = {
  id: "checkpoint",
  title: "a create that crashed between two requests resumes from its checkpoint",
  why:
    "A process can crash between the request for the order and the request for its payment. The next process knows " +
    "only the checkpoint: without it, the adapter opens a second order, and the payer can pay both.",
  howToFix:
    "After the first request, call `context.checkpoint(operation, id)` with the id that it created, and wait for the " +
    "result before you send the second. If `operation.reference` is set, continue from it and do not open another " +
    "order. A create with one request needs no checkpoint.",
  exempt: withoutNetwork,
  check: (context) =>
    Effect.gen(function* () {
      for (const sample of context.samples) yield* ofSample(context, sample)
    })
}

const ofSample = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const course = yield* Effect.scoped(courseOf(context, sample))
  for (let index = 1; index <= course.checkpoints; index++) yield* Effect.scoped(slow(context, sample, index))
  const by = context.capabilities.operations.create.idempotency?.by ?? "none"
  // Without any idempotency nothing is sent after a crash: the checkpoint is what an inquiry asks with.
  if (course.changes < 2 || by === "none") return
  for (let index = 1; index <= course.checkpoints; index++)
    yield* Effect.scoped(crashed(context, sample, course, index))
  for (let request = 0; request < course.requests; request++) {
    yield* Effect.scoped(killed(context, sample, course, request, by))
  }
})

/** How a create goes when nothing happens to it. */
interface Course {
  readonly requests: number
  readonly checkpoints: number
  /** Requests that change something of the payment, and those before that an instance sends once (a session, a token). */
  readonly changes: number
  readonly setup: number
  /** Requests that are the same for another payment: they are not about it. */
  readonly routine: ReadonlySet<string>
  readonly status: LedgerPayment["status"]
}

/** Fails the check where there is no checkpoint between two requests that change something. */
const courseOf = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const { operation, payment } = yield* harness.paid(sample)
  const checkpoints = harness.checkpoints.filter((each) => each.operation === operation.id)
  const seen = yield* requestsAt(harness)
  const minorUnits = within(sample, sample.amount.minorUnits + 100)
  yield* harness.send(yield* harness.create(sample, { minorUnits }))
  const seenNext = (yield* requestsAt(harness)).slice(seen.length)

  const next = new Set(seenNext.map(signatureOf))
  const routine = new Set(seen.map(signatureOf).filter((signature) => next.has(signature)))
  const changing = changes(seen, routine)
  const setup = Math.max(0, changing.length - changes(seenNext, routine).length)
  const ofPayment = changing.slice(setup)
  const course: Course = {
    requests: seen.length,
    checkpoints: checkpoints.length,
    changes: ofPayment.length,
    setup,
    routine,
    status: payment.status
  }
  for (const [index, later] of ofPayment.slice(1).entries()) {
    const earlier = ofPayment[index] ?? later
    const isBetween = checkpoints.some(
      ({ requestsBefore }) => requestsBefore > seen.indexOf(earlier) && requestsBefore <= seen.indexOf(later)
    )
    yield* harness.expect(isBetween, {
      tried: `a ${sample.name} create, which sends ${listed(ofPayment)}`,
      expected: `context.checkpoint after ${listed([earlier])} was answered and before ${listed([later])} is sent`,
      seen:
        checkpoints.length === 0
          ? "no checkpoint"
          : `checkpoints after request ${checkpoints.map(({ requestsBefore }) => requestsBefore).join(", ")} only`
    })
  }
  return course
})

/** Until it is kept, it is as if there were none: nothing may be sent that a crash would leave without it. */
const slow = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, index: number) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample)
  const held = yield* harness.holdCheckpoint(index)
  const call = yield* Effect.forkDetach(harness.operations.create(operation), { startImmediately: true })
  yield* reaches(held, call)
  const since = harness.checkpoints[index - 1]?.requestsBefore
  if (since === undefined) return
  const late = Effect.map(requestsAt(harness), (requests) => requests.slice(since).filter(isChange))
  yield* eventually(
    Effect.map(late, ({ length }) => length > 0),
    grace
  )
  const seen = yield* late
  yield* held.release
  yield* endsWithin(Fiber.await(call))
  yield* harness.expect(seen.length === 0, {
    tried: `a ${sample.name} create, while its checkpoint ${index} is being kept`,
    expected: "no request until context.checkpoint has ended",
    seen: listed(seen)
  })
})

/** Until the checkpoint is asked for, or the call is over without it. */
const reaches = Effect.fnUntraced(function* (held: HeldCheckpoint, call: Fiber.Fiber<unknown, unknown>) {
  const reached = yield* Effect.forkDetach(held.reached, { startImmediately: true })
  yield* eventually(Effect.zipWith(hasEnded(reached), hasEnded(call), (kept, ended) => kept || ended))
})

/** ms; who does not wait sends at once. */
const grace = 50

/** The process dies when a checkpoint is kept: whatever would have come after it did not happen. */
const crashed = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  course: Course,
  index: number
) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample)
  const crash = yield* harness.holdCheckpoint(index)
  // It is not interrupted: a process that died does nothing more, not even that.
  const call = yield* Effect.forkDetach(harness.operations.create(operation), { startImmediately: true })
  yield* reaches(crash, call)
  const before = yield* requestsAt(harness)
  const done = ofPayment(before, course).length
  const ending = yield* (yield* harness.restart).send(harness.again(operation))
  const tried = `a ${sample.name} create, a crash right after its checkpoint ${index}; then the same operation with that reference`
  const repeated = ofPayment((yield* requestsAt(harness)).slice(before.length), course)
  const left = Math.max(0, course.changes - done)
  yield* harness.expect(repeated.length <= left, {
    tried,
    expected: `${left} of its ${course.changes} requests that change something: the others were answered before the crash`,
    seen: `${repeated.length}: ${listed(repeated)}`
  })
  yield* isOnePayment(harness, tried, course)
  yield* isResumed(harness, tried, operation, ending, left > 0)
})

/** The process is killed while the vendor is at one of its requests. */
const killed = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  course: Course,
  request: number,
  by: "header" | "body" | "reference" | "lookup"
) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample)
  const planned = yield* (
    harness.vendor.network?.failNext({ executed: true, reply: "never" }, request) ?? Effect.succeed(null)
  )
  const what = `a ${sample.name} create`
  const call = Effect.suspend(() => harness.operations.create(operation))
  const fiber = yield* Effect.forkDetach(call, { startImmediately: true })
  yield* arrives({ what, harness, operation, call, at: request }, fiber)
  fiber.interruptUnsafe()
  if (planned !== null && !(yield* planned.withdraw)) return
  const ending = yield* (yield* harness.restart).send(harness.again(operation))
  const tried = `${what}, killed when its request ${request + 1} was executed; then the same operation again`
  // Refused as a duplicate, it may end with an order that is not paid; an adapter that inquires or has keys continues.
  if (by !== "reference") return yield* isOnePayment(harness, tried, course)
  const { length } = yield* harness.vendor.payments
  yield* harness.expect(length <= 1, { tried, expected: "one payment at the vendor at most", seen: ending })
})

const isOnePayment = Effect.fnUntraced(function* (harness: TestHarness, tried: string, course: Course) {
  yield* harness.vendor.payersAct
  const payments = yield* harness.vendor.payments
  const seen = payments.map(({ status }) => status).join(" and ")
  yield* harness.expect(payments.length === 1 && payments[0]?.status === course.status, {
    tried,
    expected: `one payment at the vendor, ${course.status} when its payer has approved`,
    seen: payments.length === 0 ? "no payment" : seen
  })
})

/** What was left to do was done now, and has an answer. What was done before may be refused as a duplicate. */
const isResumed = Effect.fnUntraced(function* (
  harness: TestHarness,
  tried: string,
  operation: ProviderOperation,
  seen: Ending,
  wasLeft: boolean
) {
  const [payment] = yield* harness.vendor.payments
  const truth = truthOf(operation.kind, payment)
  const said = answeredTag(seen)
  const holds = said !== null && (said === truth || said === "Pending" || (said === "Unknown" && !wasLeft))
  yield* harness.expect(holds, { tried, expected: `${truth ?? "Pending"}, or Pending until the payer has acted`, seen })
})

/** Of what an instance sent since it was started, what is about the payment and changes something. */
const ofPayment = (requests: ReadonlyArray<SeenRequest>, { routine, setup }: Course) =>
  changes(requests, routine).slice(setup)

const changes = (requests: ReadonlyArray<SeenRequest>, routine: ReadonlySet<string>) =>
  requests.filter((request) => isChange(request) && !routine.has(signatureOf(request)))

const isChange = ({ method }: SeenRequest): boolean => !reads.includes(method)

const reads: ReadonlyArray<string> = ["GET", "HEAD"]

const signatureOf = ({ body, method, path }: SeenRequest) => `${method} ${path} ${body}`

const listed = (requests: ReadonlyArray<SeenRequest>) =>
  requests.map(({ method, path }) => `${method} ${path}`).join(" and then ")
