/** A payment for each later operation that the provider declares, in the state that the operation needs. */
import { Effect } from "effect"
import type { Scope } from "effect"
import type { CheckFailed } from "../ConformanceCheck.ts"
import type { Paid, Stand, ConformanceContext } from "../ConformanceContext.ts"

export interface LaterKind {
  readonly kind: "capture" | "cancel" | "refund"
  readonly stand: Stand
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
  const sample = context.samples.find(({ captureMethods }) => captureMethods.includes(captureMethod))
  if (sample === undefined) return kind === "cancel" ? yield* unpaid(context) : null
  const stand = yield* context.begin()
  return { kind, stand, made: yield* stand.paid(sample, { captureMethod }) }
})

/** A provider that holds nothing cancels what its payer has not paid. */
const unpaid = Effect.fnUntraced(function* (
  context: ConformanceContext
): Effect.fn.Return<LaterKind | null, CheckFailed, Scope.Scope> {
  const [sample] = context.samples
  if (sample === undefined) return null
  const stand = yield* context.begin()
  const operation = yield* stand.create(sample, { scripted: "wait" })
  const ending = yield* stand.send(operation)
  const [payment] = yield* stand.vendor.payments
  return payment === undefined
    ? null
    : { kind: "cancel", stand, made: { operation: stand.again(operation, ending), ending, payment } }
})
