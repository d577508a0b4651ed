/** Replies that say nothing definite about what was asked. */
import { Effect } from "effect"
import type { FakeAnswer, Fault, FaultyReply } from "../../fake/Fault.ts"
import type { Sample } from "../samples.ts"
import type { Trial } from "../Trial.ts"

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
  { status: 302, headers: { location: "https://pay.example/elsewhere" } }
]

/** Whatever is seen, it cannot be known whether it was executed. */
export const noAnswers: ReadonlyArray<Fault> = [
  ...(["reset", "reset_in_body", "half_body", "not_http", ...answers] satisfies ReadonlyArray<FaultyReply>).map(
    (reply) => ({ executed: true, reply })
  ),
  ...(["reset", "half_body", answers[0], answers[3]] satisfies ReadonlyArray<FaultyReply | undefined>).flatMap(
    (reply) => (reply === undefined ? [] : [{ executed: false, reply }])
  )
]

/** One of each kind, where trying all of them would say nothing more. */
export const someNoAnswers: ReadonlyArray<Fault> = [
  { executed: true, reply: "reset" },
  { executed: true, reply: "half_body" },
  { executed: true, reply: { status: 500 } },
  { executed: true, reply: { status: 200, json: {} } },
  { executed: false, reply: "reset" }
]

/** How many requests the adapter makes for one create of this kind: each of them can go wrong. */
export const requestsOfCreate = (trial: Trial, sample: Sample): Effect.Effect<number> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stand = yield* trial.begin()
      yield* stand.send(yield* stand.create(sample))
      return stand.vendor.network === null ? 0 : (yield* stand.vendor.network.requests).length
    })
  )
