/** Replies that say nothing definite about what was asked. */
import { Effect } from "effect"
import type { FakeAnswer, Fault, FaultyReply } from "../../fake/Fault.ts"
import type { Sample } from "../samples.ts"
import type { CheckFailed } from "../ConformanceCheck.ts"
import type { TestHarness, ConformanceContext } from "../ConformanceContext.ts"

const unheardOf = { error: { code: "conformance_unheard_of", message: "refused" } }
const page = (status: number, text: string): FakeAnswer => ({
  status,
  text: `<html><h1>${status} ${text}</h1></html>`,
  headers: { "content-type": "text/html" }
})

/** Statuses of gateways and proxies, and those that vendors make up: with a body and without. */
const oddStatuses: ReadonlyArray<FakeAnswer> = [408, 425, 499, 520, 529].flatMap((status) => [
  { status },
  { status, json: unheardOf }
])

const answers: ReadonlyArray<FakeAnswer> = [
  { status: 500 },
  { status: 500, json: { error: { code: "conformance_unheard_of", message: "declined" } } },
  { status: 502, text: "<html><h1>502 Bad Gateway</h1></html>", headers: { "content-type": "text/html" } },
  { status: 503, text: "upstream connect error" },
  { status: 504, text: "" },
  { status: 200, text: "" },
  { status: 200, text: "<html>maintenance</html>", headers: { "content-type": "text/html" } },
  { status: 200, text: '{"id":"', headers: { "content-type": "application/json" } },
  { status: 200, json: {} },
  { status: 200, json: null },
  { status: 200, json: [] },
  { status: 200, json: { id: 7, status: { code: "declined" }, amount: "many" } },
  { status: 302, headers: { location: "https://pay.example/elsewhere" } },
  { status: 202 },
  { status: 202, json: {} },
  { status: 204 },
  { status: 402 },
  page(404, "Not Found"),
  page(410, "Gone"),
  ...oddStatuses
]

/** A vendor's own "there is no such thing" may speak of the request alone. */
const absences: ReadonlyArray<FakeAnswer> = [404, 410].map((status) => ({ status, json: unheardOf }))

/** Whatever is seen, it cannot be known whether it was executed. */
export const noAnswers: ReadonlyArray<Fault> = [
  ...(["reset", "reset_in_body", "half_body", "not_http", ...answers] satisfies ReadonlyArray<FaultyReply>).map(
    (reply) => ({ executed: true, reply })
  ),
  ...(["reset", "half_body", answers[0], answers[3]] satisfies ReadonlyArray<FaultyReply | undefined>).flatMap(
    (reply) => (reply === undefined ? [] : [{ executed: false, reply }])
  ),
  // If it was executed, the result could match by chance.
  ...[{ status: 200, json: {} }, { status: 202 }, { status: 202, json: {} }, { status: 204 }].map((reply) => ({
    executed: false,
    reply
  })),
  ...absences.map((reply) => ({ executed: false, reply }))
]

/** What else may be said of a reply: that it was taken on, or that the request is at fault. */
export const mayAlsoBe = ({ reply }: Fault): "Pending" | "InvalidRequest" | null => {
  if (typeof reply === "string") return null
  if (reply.status === 202) return "Pending"
  return absences.includes(reply) ? "InvalidRequest" : null
}

/** Of one request, and of nothing that was done before it. */
export const refusals: ReadonlyArray<Fault> = [400, 401, 403, 422].map((status) => ({
  executed: false,
  reply: { status, json: unheardOf }
}))

/** One of each kind, where trying all of them would say nothing more. */
export const someNoAnswers: ReadonlyArray<Fault> = [
  { executed: true, reply: "reset" },
  { executed: true, reply: "half_body" },
  { executed: true, reply: { status: 500 } },
  { executed: true, reply: { status: 200, json: {} } },
  { executed: false, reply: "reset" }
]

/** Of operations that may be refused for what they are about. */
export const laterNoAnswers: ReadonlyArray<Fault> = [
  ...someNoAnswers,
  ...[page(404, "Not Found"), { status: 408 }, { status: 529 }].map((reply) => ({ executed: true, reply }))
]

/**
 * What a call came to of which one request went wrong like this. `null`: it made no such request (what an instance before
 * has asked for is not asked for again), and none goes wrong later.
 */
export const failing = Effect.fnUntraced(function* <A, E, R>(
  { vendor: { network } }: TestHarness,
  fault: Fault,
  request: number,
  call: Effect.Effect<A, E, R>
) {
  if (network === null) return yield* call
  const planned = yield* network.failNext(fault, request)
  const seen = yield* call
  return (yield* planned.withdraw) ? seen : null
})

/** How many requests the adapter makes for one create of this kind: each of them can go wrong. */
export const requestsOfCreate = (context: ConformanceContext, sample: Sample): Effect.Effect<number, CheckFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const harness = yield* context.begin()
      yield* harness.send(yield* harness.create(sample))
      return harness.vendor.network === null ? 0 : (yield* harness.vendor.network.requests).length
    })
  )
