import { Effect } from "effect"
import { describeFault, type Fault } from "../../fake/Fault.ts"
import type { LedgerStatus } from "../../fake/Ledger.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { failing, requestsOfCreate, someNoAnswers } from "./faults.ts"
import { laterKind } from "./laterKinds.ts"
import { arrived } from "./ledgerTruth.ts"

export const oneEffect: ConformanceCheck = {
  id: "one-effect",
  title: "an operation has one effect, however often it is sent",
  why:
    "After a lost response, a timeout or a crash, the engine sends the same operation again under the same key. If " +
    "the vendor treats it as a new one, the payer pays twice. An adapter that retries on its own causes the same.",
  howToFix:
    "Send one request for each call, whatever its outcome: the engine retries. Send `operation.key` as the vendor's " +
    "idempotency key; you may format it, but never create another. If the vendor has no keys, use `operation.id` as " +
    "the reference of the payment so that the vendor refuses a second one, or declare `lookup` and look the payment " +
    "up before you send.",
  check: (context) =>
    Effect.gen(function* () {
      for (const sample of context.samples) {
        if (isSentAgain(context)) yield* Effect.scoped(sentTwice(context, sample))
        const requests = yield* requestsOfCreate(context, sample)
        for (let request = 0; request < requests; request++) {
          for (const fault of someNoAnswers) yield* Effect.scoped(sent(context, sample, fault, request))
        }
      }
      yield* refunds(context)
    })
}

/** Without idempotency the engine sends nothing twice. */
const isSentAgain = ({ capabilities }: ConformanceContext): boolean =>
  (capabilities.operations.create.idempotency?.by ?? "none") !== "none"

const sentTwice = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample)
  const first = yield* harness.send(operation)
  yield* harness.send(harness.again(operation, first))
  yield* one(context, harness, `a ${sample.name} create, and the same operation again`)
})

const sent = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, fault: Fault, request: number) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample)
  const first = yield* failing(harness, fault, request, harness.send(operation))
  if (first === null) return
  const tried = `a ${sample.name} create, its request ${request + 1}: ${describeFault(fault)}`
  yield* oneAtMost(harness, `${tried}; sent once`)
  if (!isSentAgain(context)) return
  yield* (yield* harness.restart).send(harness.again(operation, first))
  yield* one(context, harness, `${tried}; then the same operation again`)
})

/** Whatever is declared: what was sent once can be paid once. */
const oneAtMost = Effect.fnUntraced(function* (harness: TestHarness, tried: string) {
  const { length } = (yield* harness.vendor.payments).filter(({ status }) => payable.includes(status))
  yield* harness.expect(length <= 1, {
    tried,
    expected: "one payment at the vendor that can be paid, at most",
    seen: `${length} payments`
  })
})

const payable: ReadonlyArray<LedgerStatus> = ["pending", "authorized", "captured"]

/** A refund that is sent again by the adapter itself gives back twice. */
const refunds = Effect.fnUntraced(function* (context: ConformanceContext) {
  const requests = yield* Effect.scoped(refund(context, null, 0))
  for (let request = 0; request < requests; request++) {
    for (const fault of someNoAnswers) yield* Effect.scoped(refund(context, fault, request))
  }
})

/** How many requests it took. `null`: nothing goes wrong. */
const refund = Effect.fnUntraced(function* (context: ConformanceContext, fault: Fault | null, request: number) {
  const found = yield* laterKind(context, "refund")
  if (found === null) return 0
  const { made, harness } = found
  const before = yield* arrived(harness)
  // A part of it, where that is declared: of the whole there is no second.
  const isPart = context.capabilities.operations.refund?.partial === true && made.payment.captured >= 4
  const minorUnits = isPart ? Math.floor(made.payment.captured / 4) : made.payment.captured
  const call = Effect.flatMap(harness.later("refund", made, { minorUnits }), harness.send)
  yield* fault === null ? call : failing(harness, fault, request, call)
  const payment = (yield* harness.vendor.payments).find(({ id }) => id === made.payment.id)
  const given = payment?.refunds.filter(({ status }) => status !== "failed").length ?? 0
  yield* harness.expect(given <= 1, {
    tried: `a refund, its request ${request + 1}: ${fault === null ? "answered" : describeFault(fault)}; sent once`,
    expected: "one refund at the vendor, at most",
    seen: `${given} refunds`
  })
  return (yield* arrived(harness)) - before
})

const one = Effect.fnUntraced(function* ({ capabilities }: ConformanceContext, harness: TestHarness, tried: string) {
  const { length } = yield* harness.vendor.payments
  // A duplicate that was refused is inquired about: what did not come about then is sent no more.
  const least = capabilities.operations.create.idempotency?.by === "reference" ? 0 : 1
  yield* harness.expect(length === 1 || length === least, {
    tried,
    expected: "one payment at the vendor",
    seen: `${length} payments`
  })
})
