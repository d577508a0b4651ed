import type { OperationKind } from "@paymux/core"
import { Clock, Effect } from "effect"
import { describeFault, type Fault } from "../../fake/Fault.ts"
import type { ScriptedOutcome } from "../../fake/Ledger.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { laterBy } from "../otherTime.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { failing, requestsOfCreate } from "./faults.ts"
import { laterKind } from "./laterKinds.ts"
import { answeredTag, arrived, effects, truthOf } from "./ledgerTruth.ts"

export const idempotency: ConformanceCheck = {
  id: "idempotency",
  title:
    "a repeat gets the response that its declared idempotency promises, and a new operation is not treated as a repeat",
  why:
    "If `header` or `body` is declared, the engine takes the response to a repeat as the result of the first send, " +
    "and a decline in it as final. But a shop may sell the same item to the same payer twice: both payments must be " +
    "made.",
  howToFix:
    "Send `operation.key` with every request that changes something, including captures, cancels and refunds. Send " +
    "the same body each time: no time, no counter, no random value. Never derive a key from the amount or the payer. " +
    "If the vendor refuses a repeat, declare `reference`.",
  check: (context) =>
    Effect.gen(function* () {
      for (const sample of context.samples) {
        yield* Effect.scoped(another(context, sample))
        yield* Effect.scoped(anotherAttempt(context, sample))
        yield* creates(context, sample)
        for (const fault of [null, lost]) yield* Effect.scoped(pastMidnight(context, sample, fault))
      }
      for (const kind of ["capture", "cancel", "refund"] as const) yield* laterOperations(context, kind)
    })
}

/** What is declared of repeats that may be sent. `null`: the engine sends none, or the adapter looks before. */
const repeatable = ({ capabilities }: ConformanceContext, kind: OperationKind): "key" | "reference" | null => {
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

const another = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const first = yield* harness.send(yield* harness.create(sample))
  const second = yield* harness.send(yield* harness.create(sample))
  const { length } = yield* harness.vendor.payments
  const tried = `two ${sample.name} creates of equal content, each with its own id and key`
  yield* harness.expect(length === 2, {
    tried,
    expected: "two payments at the vendor",
    seen: `${length}; the second was answered with ${describeEnding(second)}`
  })
  const reference = referenceOf(first)
  yield* harness.expect(reference === undefined || reference !== referenceOf(second), {
    tried,
    expected: "two references",
    seen: `the same one: ${reference}`
  })
})

/** The engine may come back to a provider within one payment: what was declined is not what is sent then. */
const anotherAttempt = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const [code] = context.declineCodes
  if (code === undefined) return
  const harness = yield* context.begin()
  const first = yield* harness.create(sample, { scripted: { decline: code } })
  const declined = yield* harness.send(first)
  yield* harness.vendor.payersAct
  const second = yield* harness.create(sample)
  const seen = yield* harness.send({ ...second, paymentId: first.paymentId })
  yield* harness.vendor.payersAct
  const taken = (yield* harness.vendor.payments).filter(
    ({ status }) => status === "captured" || status === "authorized"
  )
  const tried = `two ${sample.name} creates of one payment, each with its own id and key: the first is declined`
  yield* harness.expect(taken.length === 1, {
    tried,
    expected: "the second is paid: neither the key nor the name at the vendor is made of operation.paymentId",
    seen
  })
  const reference = referenceOf(seen)
  const isRepeat = answeredTag(seen) === "Declined" || (reference !== undefined && reference === referenceOf(declined))
  // A vendor may take another attempt at the same order: then its result is reported.
  yield* harness.expect(!isRepeat || answeredTag(seen) === "Succeeded" || answeredTag(seen) === "Pending", {
    tried,
    expected: "the second is answered with its own outcome",
    seen
  })
})

/** A second before midnight, UTC, and again two seconds later: whatever is made of the time is another then. */
const pastMidnight = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, fault: Fault | null) {
  const by = context.capabilities.operations.create.idempotency?.by ?? "none"
  if (by === "none") return
  const now = yield* Clock.currentTimeMillis
  const before = day - (now % day) - 1000
  const { first, operation, harness } = yield* laterBy(
    before,
    Effect.gen(function* () {
      const begun = yield* context.begin()
      const made = yield* begun.create(sample)
      const call = begun.send(made)
      const ending = yield* fault === null ? call : failing(begun, fault, 0, call)
      return { harness: begun, operation: made, first: ending }
    })
  )
  if (first === null) return
  const second = yield* laterBy(
    before + 2000,
    Effect.flatMap(harness.restart, ({ send }) => send(harness.again(operation, first)))
  )
  const { length } = yield* harness.vendor.payments
  const sent = `a ${sample.name} create a second before midnight, UTC${fault === null ? "" : `: ${describeFault(fault)}`}`
  const tried = `${sent}; the same operation again a second after it`
  yield* harness.expect(length <= 1, { tried, expected: "one payment at the vendor", seen: `${length} payments` })
  const declared = repeatable(context, "create")
  if (fault === null && declared !== null) yield* isRepeated(harness, tried, declared, operation.kind, first, second)
})

const lost: Fault = { executed: true, reply: "reset" }

/** ms */
const day = 86_400_000

const creates = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const declared = repeatable(context, "create")
  if (declared === null) return
  const [code] = context.declineCodes
  const scriptedOutcomes: ReadonlyArray<ScriptedOutcome> =
    code === undefined ? ["approve"] : ["approve", { decline: code }]
  for (const scripted of scriptedOutcomes) {
    const begin = Effect.gen(function* () {
      const harness = yield* context.begin()
      return { harness, operation: yield* harness.create(sample, { scripted }) }
    })
    const clean = yield* Effect.scoped(Effect.flatMap(begin, (sent) => sentTwice(declared, sample.name, sent)))
    const requests = declared === "key" ? yield* requestsOfCreate(context, sample) : 0
    for (let request = 0; request < requests; request++) {
      yield* Effect.scoped(Effect.flatMap(begin, (sent) => replyLost(sample.name, sent, request, clean)))
    }
  }
})

const laterOperations = Effect.fnUntraced(function* (
  context: ConformanceContext,
  kind: "capture" | "cancel" | "refund"
) {
  const declared = repeatable(context, kind)
  if (declared === null) return
  const begin = Effect.gen(function* () {
    const found = yield* laterKind(context, kind)
    return found === null ? null : { harness: found.harness, operation: yield* found.harness.later(kind, found.made) }
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
  readonly harness: TestHarness
  readonly operation: Parameters<TestHarness["send"]>[0]
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
  { operation, harness }: Sent
) {
  const before = yield* arrived(harness)
  const ending = yield* harness.send(operation)
  const requests = (yield* arrived(harness)) - before
  const done = yield* effects(harness)
  const second = yield* (yield* harness.restart).send(harness.again(operation, ending))
  const tried = `a ${`${name} ${operation.kind}`.trim()}, and the same operation again`
  yield* isDoneOnce(harness, tried, done)
  yield* isRepeated(harness, tried, declared, operation.kind, ending, second)
  return { ending, requests, done } satisfies Clean
})

const isRepeated = Effect.fnUntraced(function* (
  harness: TestHarness,
  tried: string,
  declared: "key" | "reference",
  kind: OperationKind,
  first: Ending,
  second: Ending
) {
  // Refused as a duplicate, the adapter may ask; and a vendor may answer with what became of it since.
  const isRefused = declared === "reference" && answeredTag(second) === "Unknown"
  const isNewer = answeredTag(first) === "Pending" && answeredTag(second) === (yield* truthIn(harness, kind))
  yield* harness.expect(isRefused || isNewer || isSame(first, second, declared), {
    tried,
    expected: `${declared === "reference" ? "Unknown, or " : ""}what the first was answered with: ${describeEnding(first)}`,
    seen: second
  })
})

/** The result whose first response was lost is returned the second time. */
const replyLost = Effect.fnUntraced(function* (
  name: string,
  { operation, harness }: Sent,
  request: number,
  clean: Clean
) {
  const first = yield* failing(harness, lost, request, harness.send(operation))
  if (first === null) return
  const second = yield* (yield* harness.restart).send(harness.again(operation, first))
  const tried = `a ${`${name} ${operation.kind}`.trim()} whose request ${request + 1} was executed and its reply lost; then the same operation again`
  yield* isDoneOnce(harness, tried, clean.done)
  const isNewer =
    answeredTag(clean.ending) === "Pending" && answeredTag(second) === (yield* truthIn(harness, operation.kind))
  yield* harness.expect(isNewer || isSameWord(second, clean.ending), {
    tried,
    expected: `the first send's result, as for one whose reply arrives: ${describeEnding(clean.ending)}`,
    seen: second
  })
})

const isDoneOnce = Effect.fnUntraced(function* (harness: TestHarness, tried: string, done: string) {
  const seen = yield* effects(harness)
  yield* harness.expect(seen === done, { tried, expected: `done once at the vendor: ${done}`, seen })
})

const isSame = (first: Ending, second: Ending, declared: "key" | "reference"): boolean =>
  isSameWord(first, second) && (declared === "reference" || referenceOf(first) === referenceOf(second))

const isSameWord = (first: Ending, second: Ending): boolean =>
  answeredTag(first) !== null && answeredTag(first) === answeredTag(second) && codeOf(first) === codeOf(second)

const truthIn = ({ vendor }: TestHarness, kind: OperationKind) =>
  Effect.map(vendor.payments, ([payment]) => truthOf(kind, payment))

const codeOf = (ending: Ending): string | undefined =>
  ending._tag === "Answered" && ending.answer._tag === "Declined" ? ending.answer.code : undefined

const referenceOf = (ending: Ending): string | undefined =>
  ending._tag === "Answered" ? ending.answer.reference : undefined
