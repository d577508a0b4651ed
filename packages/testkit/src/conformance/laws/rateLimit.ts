import type { ProviderOperation } from "@paymux/core"
import { Clock, Effect } from "effect"
import { describeAnswer, type FakeAnswer } from "../../fake/Fault.ts"
import type { VendorNetwork } from "../../fake/Vendor.ts"
import { withoutNetwork } from "../exemptions.ts"
import type { Law } from "../Law.ts"
import type { Sample } from "../samples.ts"
import type { Ending, Stand, Trial } from "../Trial.ts"
import { requestsOfCreate } from "./faults.ts"
import { laterKinds } from "./laterKinds.ts"

export const rateLimit: Law = {
  id: "rate-limit",
  title: "too many requests are RateLimited, with the time that the vendor asks for",
  why:
    "The engine waits that long, or tries the next provider. A 429 that is told as unknown holds the payment for nothing; a " +
    "time in the wrong unit, or one that is no number, makes the engine hammer a vendor that asked for quiet.",
  mend:
    "End in `HttpOutcome.ofStatus`, also in the inquiry, which reads `Retry-After` in seconds and as a date. A header of " +
    "the vendor's own: `rateLimited(ms)` from now, in ms, and `null` where it is absent or no finite number from 0 on.",
  exempt: withoutNetwork,
  check: (trial) =>
    Effect.gen(function* () {
      for (const [index, sample] of trial.samples.entries()) {
        const requests = yield* requestsOfCreate(trial, sample)
        for (let request = 0; request < requests; request++) {
          yield* Effect.scoped(create(trial, sample, request, index === 0 ? everyLimit : usualLimits))
        }
        if (index === 0) yield* Effect.scoped(inquiry(trial, sample))
      }
      yield* Effect.scoped(laterOperations(trial))
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
  const silent: Limit = { reply: rateLimited(null), expected: "null: no time was told", isRight: (ms) => ms === null }
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
        expected: "a time of about 7000 ms: the vendor told the date of then",
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

/** The headers by which the vendor tells the time: those that are others without one. */
const timeHeaders = ({ rateLimited }: VendorNetwork<unknown>): ReadonlyArray<string> => {
  const silent = rateLimited(null).headers ?? {}
  return Object.entries(rateLimited(7).headers ?? {}).flatMap(([name, value]) => (silent[name] === value ? [] : [name]))
}

const create = Effect.fnUntraced(function* (trial: Trial, sample: Sample, request: number, limits: Limits) {
  const stand = yield* trial.begin()
  const tried = `a ${sample.name} create, its request ${request + 1}`
  yield* isLimited(stand, tried, limits, request, Effect.flatMap(stand.create(sample), stand.send))
})

const inquiry = Effect.fnUntraced(function* (trial: Trial, sample: Sample) {
  const stand = yield* trial.begin()
  if ((trial.capabilities.operations.create.inquiry?.by ?? "none") === "none") return
  const operation = yield* stand.create(sample)
  const asked: ProviderOperation = stand.again(operation, yield* stand.send(operation))
  yield* isLimited(stand, "an inquiry", usualLimits, 0, stand.inquire(asked))
})

const laterOperations = Effect.fnUntraced(function* (trial: Trial) {
  for (const { kind, made, stand } of yield* laterKinds(trial)) {
    yield* isLimited(stand, `a ${kind}`, usualLimits, 0, Effect.flatMap(stand.later(kind, made), stand.send))
  }
})

const isLimited = Effect.fnUntraced(function* (
  stand: Stand,
  tried: string,
  limits: Limits,
  request: number,
  call: Effect.Effect<Ending>
) {
  const { network } = stand.vendor
  if (network === null) return
  for (const { expected, isRight, reply } of limits(network, yield* Clock.currentTimeMillis)) {
    yield* network.failNext({ executed: false, reply }, request)
    const seen = yield* call
    const reason = seen._tag === "Failed" ? seen.error.reason : null
    yield* stand.expect(reason?._tag === "RateLimited" && isRight(reason.retryAfterMs), {
      tried: `${tried}, ${describeAnswer(reply)}`,
      expected: `a ProviderError RateLimited whose retryAfterMs is ${expected}`,
      seen
    })
  }
})
