import type { ProviderOperation } from "@paymux/core"
import { Clock, Effect } from "effect"
import type { Scope } from "effect"
import { describeAnswer, type FakeAnswer } from "../../fake/Fault.ts"
import type { LedgerStatus } from "../../fake/Ledger.ts"
import type { VendorNetwork } from "../../fake/Vendor.ts"
import { withoutNetwork } from "../exemptions.ts"
import type { ConformanceCheck, CheckFailed } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { failing, requestsOfCreate } from "./faults.ts"
import { laterKind, type LaterKind } from "./laterKinds.ts"

export const rateLimit: ConformanceCheck = {
  id: "rate-limit",
  title: "a rate-limited request fails with RateLimited and the vendor's delay",
  why:
    "The engine waits for that delay, or tries the next provider. If a 429 becomes an unknown outcome, the payment is " +
    "held without need. If the delay is in the wrong unit or is not a number, the engine keeps sending requests to a " +
    "vendor that asked it to stop.",
  howToFix:
    "End with `Codes.outcome` or `HttpOutcome.ofStatus`, also in the inquiry: they read `Retry-After` in seconds and " +
    "as a date. For a header of the vendor's own, return `rateLimited(ms)` from now; `null` if it is absent or not a " +
    "finite number from 0.",
  exempt: withoutNetwork,
  check: (context) =>
    Effect.gen(function* () {
      for (const [index, sample] of context.samples.entries()) {
        const requests = yield* requestsOfCreate(context, sample)
        const limits = index === 0 ? everyLimit : usualLimits
        for (let request = 0; request < requests; request++) {
          yield* eachIsReported(context, limits, request, create(context, sample, request))
        }
        if (index === 0) yield* eachIsReported(context, usualLimits, 0, inquiry(context, sample))
      }
      for (const kind of ["capture", "cancel", "refund"] as const) {
        yield* eachIsReported(context, usualLimits, 0, later(context, kind))
      }
    })
}

/** An answer, and what may be read from it. */
interface Limit {
  readonly reply: FakeAnswer
  readonly expected: string
  readonly isRight: (retryAfterMs: number | null) => boolean
}
type Limits = (network: VendorNetwork<unknown>, now: number) => ReadonlyArray<Limit>

const usualLimits: Limits = ({ rateLimited }) => {
  const reply = rateLimited(7)
  const silent: Limit = { reply: rateLimited(null), expected: "null: there was no delay", isRight: (ms) => ms === null }
  if (JSON.stringify(reply) === JSON.stringify(silent.reply)) return [silent]
  return [
    {
      reply,
      expected: "a time of 5000 to 7000 ms: the vendor said 7 s",
      isRight: (ms) => ms !== null && ms > 5_000 && ms <= 7_000
    },
    silent
  ]
}

const everyLimit: Limits = (network, now) => [
  ...usualLimits(network, now),
  ...unreadable.flatMap((value) =>
    saying(network, value).map((reply) => ({
      reply,
      expected: "null, or a finite number of ms from 0 on: the time cannot be right",
      isRight: (ms: number | null) => ms === null || (Number.isFinite(ms) && ms >= 0)
    }))
  ),
  ...asDate(network, now)
]

const unreadable = ["soon", "-5", "99999999999999", "1e999", "Wed, 21 Oct 2015 07:28:00 GMT", ""]

/** RFC 9110 10.2.3 allows a date, and what stands before a vendor uses it. */
const asDate: Limits = (network, now) =>
  timeHeaders(network).some((name) => name.toLowerCase() === "retry-after")
    ? saying(network, new Date(now + 7_000).toUTCString()).map((reply) => ({
        reply,
        expected: "about 7000 ms: the vendor sent the date of then",
        isRight: (ms) => ms !== null && ms > 3_000 && ms <= 7_000
      }))
    : []

/** The vendor's own words, with another time in them. */
const saying = (network: VendorNetwork<unknown>, value: string): ReadonlyArray<FakeAnswer> => {
  const names = timeHeaders(network)
  const reply = network.rateLimited(7)
  if (names.length === 0) return []
  return [{ ...reply, headers: { ...reply.headers, ...Object.fromEntries(names.map((name) => [name, value])) } }]
}

/** The headers in which the vendor sends the delay: those that differ without one. */
const timeHeaders = ({ rateLimited }: VendorNetwork<unknown>): ReadonlyArray<string> => {
  const silent = rateLimited(null).headers ?? {}
  return Object.entries(rateLimited(7).headers ?? {}).flatMap(([name, value]) => (silent[name] === value ? [] : [name]))
}

/** A call of which one request is answered with a limit. */
interface Limited {
  readonly harness: TestHarness
  readonly tried: string
  readonly call: Effect.Effect<Ending, CheckFailed>
}
type Begin = Effect.Effect<Limited | null, CheckFailed, Scope.Scope>

const create = (context: ConformanceContext, sample: Sample, request: number): Begin =>
  Effect.map(context.begin(), (harness) => ({
    harness,
    tried: `a ${sample.name} create, its request ${request + 1}`,
    call: Effect.flatMap(harness.create(sample), harness.send)
  }))

const inquiry = (context: ConformanceContext, sample: Sample): Begin =>
  Effect.gen(function* () {
    if ((context.capabilities.operations.create.inquiry?.by ?? "none") === "none") return null
    const harness = yield* context.begin()
    const operation = yield* harness.create(sample)
    const asked: ProviderOperation = harness.again(operation, yield* harness.send(operation))
    return { harness, tried: "an inquiry", call: harness.inquire(asked) }
  })

const later = (context: ConformanceContext, kind: LaterKind["kind"]): Begin =>
  Effect.map(laterKind(context, kind), (found) =>
    found === null
      ? null
      : {
          harness: found.harness,
          tried: `a ${kind}`,
          call: Effect.flatMap(found.harness.later(kind, found.made), found.harness.send)
        }
  )

/** A harness for each: what an instance asks for once (an access token) is asked for again. */
const eachIsReported = Effect.fnUntraced(function* (
  context: ConformanceContext,
  limits: Limits,
  request: number,
  begin: Begin
) {
  for (let index = 0; yield* Effect.scoped(isReported(context, limits, index, request, begin)); index++);
})

/** Whether there is a limit of that index. */
const isReported = Effect.fnUntraced(function* (
  context: ConformanceContext,
  limits: Limits,
  index: number,
  request: number,
  begin: Begin
) {
  const limited = yield* begin
  const network = limited?.harness.vendor.network ?? null
  if (limited === null || network === null) return false
  const limit = limits(network, yield* Clock.currentTimeMillis)[index]
  if (limit === undefined) return false
  const { call, harness, tried } = limited
  const seen = yield* failing(harness, { executed: false, reply: limit.reply }, request, call)
  if (seen === null) return true
  const isHeld = request > 0 && (yield* harness.vendor.payments).some(({ status }) => held.includes(status))
  const isProof = context.capabilities.operations.create.rateLimitIsNotExecuted === true
  const reason = seen._tag === "Failed" ? seen.error.reason : null
  const isRateLimited = reason?._tag === "RateLimited" && limit.isRight(reason.retryAfterMs)
  const isUnknown = seen._tag === "Answered" && seen.answer._tag === "Unknown"
  const error = `a ProviderError RateLimited whose retryAfterMs is ${limit.expected}`
  yield* harness.expect((isRateLimited && !(isHeld && isProof)) || (isUnknown && isHeld), {
    tried: `${tried}, ${describeAnswer(limit.reply)}`,
    expected: isHeld ? `Unknown: the vendor has done something${isProof ? "" : `; or ${error}`}` : error,
    seen
  })
  return true
})

/** What an earlier request of the same create may have made. */
const held: ReadonlyArray<LedgerStatus> = ["pending", "authorized", "captured"]
