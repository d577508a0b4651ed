import type { OperationKind } from "@paymux/core"
import { Effect } from "effect"
import type { Fate } from "../../fake/Ledger.ts"
import type { Law } from "../Law.ts"
import type { Sample } from "../samples.ts"
import type { Ending, Stand, Trial } from "../Trial.ts"
import { describeEnding } from "../words.ts"
import { requestsOfCreate } from "./faults.ts"
import { laterKind } from "./laterKinds.ts"
import { answeredTag, arrived, effects, truthOf } from "./ledgerTruth.ts"

export const idempotency: Law = {
  id: "idempotency",
  title: "a repeat is answered as its idempotency is declared, and what is no repeat is not taken for one",
  why:
    "Where `header` or `body` is declared, the engine takes the answer to a repeat for the first send's result, and a " +
    "decline in it for final. And a shop may sell the same thing to the same payer twice: both are to be paid.",
  mend:
    "Send `operation.key` with every request that changes something, captures, cancels and refunds too, and send the same " +
    "body every time: no time, no counter, nothing random. Never make a key of the amount or the payer. Where a repeat is " +
    "refused, declare `reference`.",
  check: (trial) =>
    Effect.gen(function* () {
      for (const sample of trial.samples) {
        yield* Effect.scoped(another(trial, sample))
        yield* creates(trial, sample)
      }
      for (const kind of ["capture", "cancel", "refund"] as const) yield* laterOperations(trial, kind)
    })
}

/** What is declared of repeats that may be sent. `null`: the engine sends none, or the adapter looks before. */
const repeatable = ({ capabilities }: Trial, kind: OperationKind): "key" | "reference" | null => {
  switch (capabilities.operations[kind]?.idempotency?.by) {
    case "header":
    case "body":
      return "key"
    case "reference":
      return "reference"
    case "lookup":
    case "none":
    case undefined:
      return null
  }
}

const another = Effect.fnUntraced(function* (trial: Trial, sample: Sample) {
  const stand = yield* trial.begin()
  const first = yield* stand.send(yield* stand.create(sample))
  const second = yield* stand.send(yield* stand.create(sample))
  const { length } = yield* stand.vendor.payments
  const tried = `two ${sample.name} creates of equal content, each with its own id and key`
  yield* stand.expect(length === 2, {
    tried,
    expected: "two payments at the vendor",
    seen: `${length}; the second was answered with ${describeEnding(second)}`
  })
  const reference = referenceOf(first)
  yield* stand.expect(reference === undefined || reference !== referenceOf(second), {
    tried,
    expected: "two references",
    seen: `the same one: ${reference}`
  })
})

const creates = Effect.fnUntraced(function* (trial: Trial, sample: Sample) {
  const declared = repeatable(trial, "create")
  if (declared === null) return
  const [code] = trial.declineCodes
  const fates: ReadonlyArray<Fate> = code === undefined ? ["approve"] : ["approve", { decline: code }]
  for (const fate of fates) {
    const begin = Effect.gen(function* () {
      const stand = yield* trial.begin()
      return { stand, operation: yield* stand.create(sample, { fate }) }
    })
    const clean = yield* Effect.scoped(Effect.flatMap(begin, (sent) => sentTwice(declared, sample.name, sent)))
    const requests = declared === "key" ? yield* requestsOfCreate(trial, sample) : 0
    for (let request = 0; request < requests; request++) {
      yield* Effect.scoped(Effect.flatMap(begin, (sent) => replyLost(sample.name, sent, request, clean)))
    }
  }
})

const laterOperations = Effect.fnUntraced(function* (trial: Trial, kind: "capture" | "cancel" | "refund") {
  const declared = repeatable(trial, kind)
  if (declared === null) return
  const begin = Effect.gen(function* () {
    const found = yield* laterKind(trial, kind)
    return found === null ? null : { stand: found.stand, operation: yield* found.stand.later(kind, found.made) }
  })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const found = yield* begin
      if (found === null) return
      const clean = yield* sentTwice(declared, "", found)
      for (let request = 0; request < (declared === "key" ? clean.requests : 0); request++) {
        yield* Effect.scoped(
          Effect.flatMap(begin, (sent) => (sent === null ? Effect.void : replyLost("", sent, request, clean)))
        )
      }
    })
  )
})

interface Sent {
  readonly stand: Stand
  readonly operation: Parameters<Stand["send"]>[0]
}

/** How the first send ends when its reply arrives, how many requests it takes, and what it does. */
interface Clean {
  readonly ending: Ending
  readonly requests: number
  readonly done: string
}

const sentTwice = Effect.fnUntraced(function* (
  declared: "key" | "reference",
  name: string,
  { operation, stand }: Sent
) {
  const before = yield* arrived(stand)
  const ending = yield* stand.send(operation)
  const requests = (yield* arrived(stand)) - before
  const done = yield* effects(stand)
  const second = yield* (yield* stand.restart).send(stand.again(operation, ending))
  const tried = `a ${`${name} ${operation.kind}`.trim()}, and the same operation again`
  yield* isDoneOnce(stand, tried, done)
  // Refused as a duplicate, the adapter may ask; and a vendor may answer with what became of it since.
  const isRefused = declared === "reference" && answeredTag(second) === "Unknown"
  const isNewer = answeredTag(ending) === "Pending" && answeredTag(second) === (yield* truthIn(stand, operation.kind))
  yield* stand.expect(isRefused || isNewer || isSame(ending, second, declared), {
    tried,
    expected: `${declared === "reference" ? "Unknown, or " : ""}what the first was answered with: ${describeEnding(ending)}`,
    seen: second
  })
  return { ending, requests, done } satisfies Clean
})

/** What nobody heard the first time is heard the second time. */
const replyLost = Effect.fnUntraced(function* (
  name: string,
  { operation, stand }: Sent,
  request: number,
  clean: Clean
) {
  yield* stand.vendor.network?.failNext({ executed: true, reply: "reset" }, request) ?? Effect.void
  const first = yield* stand.send(operation)
  const second = yield* (yield* stand.restart).send(stand.again(operation, first))
  const tried = `a ${`${name} ${operation.kind}`.trim()} whose request ${request + 1} was executed and its reply lost; then the same operation again`
  yield* isDoneOnce(stand, tried, clean.done)
  const isNewer =
    answeredTag(clean.ending) === "Pending" && answeredTag(second) === (yield* truthIn(stand, operation.kind))
  yield* stand.expect(isNewer || isSameWord(second, clean.ending), {
    tried,
    expected: `the first send's result, as for one whose reply arrives: ${describeEnding(clean.ending)}`,
    seen: second
  })
})

const isDoneOnce = Effect.fnUntraced(function* (stand: Stand, tried: string, done: string) {
  const seen = yield* effects(stand)
  yield* stand.expect(seen === done, { tried, expected: `done once at the vendor: ${done}`, seen })
})

const isSame = (first: Ending, second: Ending, declared: "key" | "reference"): boolean =>
  isSameWord(first, second) && (declared === "reference" || referenceOf(first) === referenceOf(second))

const isSameWord = (first: Ending, second: Ending): boolean =>
  answeredTag(first) !== null && answeredTag(first) === answeredTag(second) && codeOf(first) === codeOf(second)

const truthIn = ({ vendor }: Stand, kind: OperationKind) =>
  Effect.map(vendor.payments, ([payment]) => truthOf(kind, payment))

const codeOf = (ending: Ending): string | undefined =>
  ending._tag === "Answered" && ending.answer._tag === "Declined" ? ending.answer.code : undefined

const referenceOf = (ending: Ending): string | undefined =>
  ending._tag === "Answered" ? ending.answer.reference : undefined
