/** A payment for each later operation that the provider declares, in the state that the operation needs. */
import { Effect } from "effect"
import type { Scope } from "effect"
import type { CheckFailed } from "../ConformanceCheck.ts"
import type { Paid, Stand, Trial } from "../Trial.ts"

export interface LaterKind {
  readonly kind: "capture" | "cancel" | "refund"
  readonly stand: Stand
  /** What it is done to: authorized for a capture and a cancel, captured for a refund. */
  readonly made: Paid
}

/** Kinds that no declared method can be brought to (a capture without manual capture) are left out. */
export const laterKinds = (trial: Trial): Effect.Effect<ReadonlyArray<LaterKind>, CheckFailed, Scope.Scope> =>
  Effect.map(
    Effect.forEach(["capture", "cancel", "refund"] as const, (kind) => laterKind(trial, kind)),
    (found) => found.filter((each) => each !== null)
  )

export const laterKind = Effect.fnUntraced(function* (
  trial: Trial,
  kind: "capture" | "cancel" | "refund"
): Effect.fn.Return<LaterKind | null, CheckFailed, Scope.Scope> {
  if (trial.capabilities.operations[kind] === undefined) return null
  const captureMethod = kind === "refund" ? "automatic" : "manual"
  const sample = trial.samples.find(({ captureMethods }) => captureMethods.includes(captureMethod))
  if (sample === undefined) return kind === "cancel" ? yield* unpaid(trial) : null
  const stand = yield* trial.begin()
  return { kind, stand, made: yield* stand.paid(sample, { captureMethod }) }
})

/** A provider that holds nothing cancels what its payer has not paid. */
const unpaid = Effect.fnUntraced(function* (
  trial: Trial
): Effect.fn.Return<LaterKind | null, CheckFailed, Scope.Scope> {
  const [sample] = trial.samples
  if (sample === undefined) return null
  const stand = yield* trial.begin()
  const operation = yield* stand.create(sample, { scripted: "wait" })
  const ending = yield* stand.send(operation)
  const [payment] = yield* stand.vendor.payments
  return payment === undefined
    ? null
    : { kind: "cancel", stand, made: { operation: stand.again(operation, ending), ending, payment } }
})
