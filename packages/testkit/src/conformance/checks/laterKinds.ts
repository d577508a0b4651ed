/** A payment for each later operation that the provider declares, in the state that the operation needs. */
import { Effect } from "effect"
import type { Scope } from "effect"
import type { CheckFailed } from "../ConformanceCheck.ts"
import type { Paid, TestHarness, ConformanceContext } from "../ConformanceContext.ts"

export interface LaterKind {
  readonly kind: "capture" | "cancel" | "refund"
  readonly harness: TestHarness
  /** What it is done to: authorized for a capture and a cancel, captured for a refund. */
  readonly made: Paid
}

/** Kinds that no declared method can be brought to (a capture without manual capture) are left out. */
export const laterKinds = (
  context: ConformanceContext
): Effect.Effect<ReadonlyArray<LaterKind>, CheckFailed, Scope.Scope> =>
  Effect.map(
    Effect.forEach(["capture", "cancel", "refund"] as const, (kind) => laterKind(context, kind)),
    (found) => found.filter((each) => each !== null)
  )

export const laterKind = Effect.fnUntraced(function* (
  context: ConformanceContext,
  kind: "capture" | "cancel" | "refund"
): Effect.fn.Return<LaterKind | null, CheckFailed, Scope.Scope> {
  if (context.capabilities.operations[kind] === undefined) return null
  const captureMethod = kind === "refund" ? "automatic" : "manual"
  const sample = context.samples.find(
    ({ cancelable, captureMethods }) => captureMethods.includes(captureMethod) && (cancelable || kind !== "cancel")
  )
  if (sample === undefined) return kind === "cancel" ? yield* unpaid(context) : null
  const harness = yield* context.begin()
  return { kind, harness, made: yield* harness.paid(sample, { captureMethod }) }
})

/** A provider that holds nothing cancels what its payer has not paid. */
const unpaid = Effect.fnUntraced(function* (
  context: ConformanceContext
): Effect.fn.Return<LaterKind | null, CheckFailed, Scope.Scope> {
  const sample = context.samples.find(({ cancelable }) => cancelable)
  if (sample === undefined) return null
  const harness = yield* context.begin()
  const operation = yield* harness.create(sample, { scripted: "wait" })
  const ending = yield* harness.send(operation)
  const [payment] = yield* harness.vendor.payments
  return payment === undefined
    ? null
    : { kind: "cancel", harness, made: { operation: harness.again(operation, ending), ending, payment } }
})
