import type { OperationKind, ProviderError, ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { Scope } from "effect"
import { describeAnswer, type FakeAnswer } from "../../fake/Fault.ts"
import type { ScriptedOutcome, LedgerPayment } from "../../fake/Ledger.ts"
import { anyOf, withoutNetwork } from "../exemptions.ts"
import type { ConformanceCheck, CheckFailed, CheckFacts } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { failing, requestsOfCreate } from "./faults.ts"
import { laterKind } from "./laterKinds.ts"
import { answeredTag, arrived, nowAt, truthOf } from "./ledgerTruth.ts"
import { names } from "./naming.ts"

export const secondRefusal: ConformanceCheck = {
  id: "second-refusal",
  title: "a refusal of the second send says nothing about the first",
  why:
    "The first send may have taken the money although its response was lost. A 409, a 400 or a 401 for the second " +
    "send is about the second send only. A decline lets the payer pay again, and a success ships goods that were not " +
    "paid for.",
  howToFix:
    'Return `Outcome.unknown({ reason: "duplicate" })` for "duplicate", "in progress" and "same key, other body", ' +
    "including those that come as a 400: the engine then inquires about the first send. Let 400, 422, 401, 403 and " +
    "429 fail with their `ProviderError`. Decline only by the vendor's decline codes, never by an HTTP status.",
  exempt: anyOf(withoutNetwork, ({ capabilities }) =>
    kinds.some((kind) => isSentAgain({ capabilities }, kind))
      ? null
      : "it declares no idempotency, so the engine sends nothing twice"
  ),
  check: (context) =>
    Effect.gen(function* () {
      if (isSentAgain(context, "create")) {
        for (const [index, sample] of context.samples.entries()) {
          yield* creates(context, sample, index === 0 ? refusals : someRefusals)
        }
      }
      for (const kind of ["capture", "cancel", "refund"] as const) {
        if (isSentAgain(context, kind)) yield* laterOperations(context, kind)
      }
    })
}

const kinds: ReadonlyArray<OperationKind> = ["create", "capture", "cancel", "refund"]

const isSentAgain = ({ capabilities }: Pick<CheckFacts, "capabilities">, kind: OperationKind) =>
  (capabilities.operations[kind]?.idempotency?.by ?? "none") !== "none"

/** How the second send is refused: by the vendor's own rule, or by a scripted answer for one of its requests. */
type Refusal =
  | {
      readonly by: "vendor"
      readonly says: string
      readonly change: (operation: ProviderOperation) => ProviderOperation
    }
  | { readonly by: "answer"; readonly answer: FakeAnswer }

const own: ReadonlyArray<Refusal> = [
  { by: "vendor", says: "the same operation again", change: (operation) => operation },
  {
    by: "vendor",
    says: "the same operation again, in other words",
    change: (operation) => ({
      ...operation,
      description: "Order 1001, once more",
      customer: { ...operation.customer, email: "asha.rao@example.com", name: "Asha R." },
      metadata: { ...operation.metadata, once: "more" }
    })
  }
]

const unheardOf = { error: { code: "conformance_unheard_of", message: "refused" } }
const duplicates: ReadonlyArray<Refusal> = [
  { by: "answer", answer: { status: 409 } },
  { by: "answer", answer: { status: 409, json: unheardOf } }
]
/** One of each kind, where trying all of them would say nothing more. */
const someRefusals: ReadonlyArray<Refusal> = [...own, ...duplicates]

const refusals: ReadonlyArray<Refusal> = [
  ...someRefusals,
  { by: "answer", answer: { status: 400 } },
  ...[400, 401, 403, 422, 429, 503].map((status): Refusal => ({ by: "answer", answer: { status, json: unheardOf } }))
]

const creates = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  tried: ReadonlyArray<Refusal>
) {
  const requests = yield* requestsOfCreate(context, sample)
  for (let lost = 0; lost < requests; lost++) {
    for (const refusal of lost === requests - 1 ? tried : someRefusals) {
      // The vendor refuses whichever request its own rule applies to.
      for (let at = 0; at < (refusal.by === "vendor" ? 1 : requests); at++) {
        yield* Effect.scoped(create(context, sample, "approve", lost, refusal, at))
      }
    }
  }
  const [code] = context.declineCodes
  for (const scripted of code === undefined ? (["wait"] as const) : (["wait", { decline: code }] as const)) {
    for (const refusal of someRefusals) {
      yield* Effect.scoped(create(context, sample, scripted, requests - 1, refusal, 0))
    }
  }
})

const create = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  scripted: ScriptedOutcome,
  lost: number,
  refusal: Refusal,
  at: number
) {
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample, { scripted })
  const first = yield* losing(harness, operation, lost)
  if (first === null) return
  const [payment] = yield* harness.vendor.payments
  const second = yield* refused(harness, operation, first, refusal, at)
  if (second === null) return
  const [now] = yield* harness.vendor.payments
  const tried = `a ${sample.name} create whose ${lostReply(lost)}; then ${described(refusal, at)}`
  yield* settlesNothing(harness, { tried, refusal, second, operation, payment: now ?? payment })
})

const laterOperations = Effect.fnUntraced(function* (
  context: ConformanceContext,
  kind: "capture" | "cancel" | "refund"
) {
  const requests = yield* Effect.scoped(
    Effect.gen(function* () {
      const found = yield* laterKind(context, kind)
      if (found === null) return 0
      const before = yield* arrived(found.harness)
      yield* found.harness.send(yield* found.harness.later(kind, found.made))
      return (yield* arrived(found.harness)) - before
    })
  )
  for (let lost = 0; lost < requests; lost++) {
    for (const refusal of refusals) {
      for (let at = 0; at < (refusal.by === "vendor" ? 1 : requests); at++) {
        yield* Effect.scoped(later(context, kind, lost, refusal, at))
      }
    }
  }
})

const later = Effect.fnUntraced(function* (
  context: ConformanceContext,
  kind: "capture" | "cancel" | "refund",
  lost: number,
  refusal: Refusal,
  at: number
) {
  const found = yield* laterKind(context, kind)
  if (found === null) return
  const { made, harness } = found
  const operation = yield* harness.later(kind, made)
  const first = yield* losing(harness, operation, lost)
  if (first === null) return
  const second = yield* refused(harness, operation, first, refusal, at)
  if (second === null) return
  const payment = yield* nowAt(harness, made.payment)
  const tried = `a ${kind} whose ${lostReply(lost)}; then ${described(refusal, at)}`
  yield* settlesNothing(harness, { tried, refusal, second, operation, payment })
})

const losing = (harness: TestHarness, operation: ProviderOperation, request: number) =>
  failing(harness, { executed: true, reply: "reset" }, request, harness.send(operation))

interface Second {
  readonly ending: Ending
  /** The refused request named nothing of the operation (a session, a token): nothing else was sent then. */
  readonly wasBefore: boolean
}

const refused = Effect.fnUntraced(function* (
  harness: TestHarness,
  operation: ProviderOperation,
  first: Ending,
  refusal: Refusal,
  at: number
): Effect.fn.Return<Second | null, CheckFailed, Scope.Scope> {
  const restarted = yield* harness.restart
  const again = harness.again(operation, first)
  const { network } = harness.vendor
  if (refusal.by === "vendor" || network === null) {
    const change = refusal.by === "vendor" ? refusal.change(again) : again
    return { ending: yield* restarted.send(change), wasBefore: false }
  }
  const reply = refusal.answer.status === 429 ? network.rateLimited(1) : refusal.answer
  const before = yield* arrived(harness)
  const ending = yield* failing(harness, { executed: false, reply }, at, restarted.send(again))
  if (ending === null) return null
  const request = (yield* network.requests)[before + at]
  return { ending, wasBefore: request !== undefined && !names(request, again) }
})

const settlesNothing = (
  harness: TestHarness,
  {
    operation,
    payment,
    refusal,
    second,
    tried
  }: {
    readonly tried: string
    readonly refusal: Refusal
    readonly second: Second
    readonly operation: ProviderOperation
    readonly payment: LedgerPayment | undefined
  }
) => {
  const truth = truthOf(operation.kind, payment)
  const { ending, wasBefore } = second
  const said = answeredTag(ending)
  const isOpen = said === "Unknown" || said === "Pending"
  const isTrue = said !== null && said === truth
  const isAboutUs =
    (ending._tag === "Failed" && mayFail(refusal, ending.error)) || (wasBefore && said === "NotExecuted")
  const errors = isOfUs(refusal) ? ", or a ProviderError about this send" : ""
  const replayed = truth === null || truth === "Pending" ? "" : `, ${truth} as the vendor's ledger shows it`
  return harness.expect(isOpen || isTrue || isAboutUs, {
    tried,
    expected: `Unknown${replayed}${errors}`,
    seen: ending
  })
}

/**
 * What fits the status, the engine takes for an answer about the second send alone. The vendor's own refusal is one of a
 * request that it took before: nothing in it is invalid.
 */
const mayFail = (refusal: Refusal, { reason }: ProviderError): boolean =>
  isOfUs(refusal) && (reason._tag !== "RateLimited" || statusOf(refusal) === 429)

const isOfUs = (refusal: Refusal): boolean => [400, 422, 401, 403, 429].includes(statusOf(refusal))

const statusOf = (refusal: Refusal): number => (refusal.by === "answer" ? refusal.answer.status : 0)

const lostReply = (request: number) => `request ${request + 1} was executed and its reply lost`

const described = (refusal: Refusal, at: number): string =>
  refusal.by === "vendor"
    ? refusal.says
    : `the same operation again, its request ${at + 1} ${describeAnswer(refusal.answer)}`
