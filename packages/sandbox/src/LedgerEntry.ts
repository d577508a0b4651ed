/**
 * One payment in the ledger of a simulated provider, and its state transitions. Pure: a `SandboxLedger` only stores
 * entries.
 *
 * An entry contains its scenario as steps with a time. The first process that reads the entry applies a due step: the
 * notifier, or an inquiry, also after a restart. So the outcome does not depend on any process running when the step is
 * due.
 */
import type { CaptureMethod, Currency, DeclineCode, Money, OperationId, PaymentId, RetryClass } from "@paymux/core"

/** An event of a payment at a simulated provider. Amounts are minor units of the payment's currency. */
export type SandboxEvent =
  /** The payment succeeded. `received` differs from the requested amount in the transfers `under` and `wrong_asset`. */
  | { readonly kind: "succeeded"; readonly received: number }
  | { readonly kind: "authorized" }
  | { readonly kind: "declined"; readonly code: DeclineCode; readonly retry: RetryClass }
  | { readonly kind: "expired" }
  /** A transfer was detected on the chain, and is not final. */
  | { readonly kind: "detected"; readonly received: number; readonly asset: string | null }
  /** A reorganization of the chain removed the detected transfer. */
  | { readonly kind: "retracted" }

export interface Step {
  /** The time of the step, ms UTC. */
  readonly at: number
  readonly event: SandboxEvent
}

export const sandboxStates = [
  "pending",
  "detected",
  "authorized",
  "approved",
  "declined",
  "expired",
  "canceled"
] as const
export type SandboxState = (typeof sandboxStates)[number]

export interface LedgerEntry {
  /** The id of the simulated provider. */
  readonly provider: string
  /** The idempotency key of the create operation. */
  readonly key: string
  /** The provider's own id (reference) of the payment. */
  readonly reference: string
  readonly paymentId: PaymentId
  readonly operationId: OperationId
  readonly amount: Money.Money
  /** The payment method as text for display, such as `upi collect success@paymux`. */
  readonly method: string
  readonly captureMethod: CaptureMethod
  /**
   * The magic value that selected the payment's steps, such as `scenario late_success`, `token tok_3ds`, `transfer
   * under`, `payer`.
   */
  readonly trigger: string
  readonly state: SandboxState
  /** The amount that was paid or captured, minor units; `null` before. */
  readonly received: number | null
  readonly decline: { readonly code: DeclineCode; readonly retry: RetryClass } | null
  readonly steps: ReadonlyArray<Step>
  /** The number of steps that have been applied. */
  readonly applied: number
  /**
   * The number of steps that have been reported to the merchant, in a reply or by webhook; never more than `applied`.
   */
  readonly notified: number
  /** Whether the provider sends no webhooks, so that only an inquiry returns the outcome. */
  readonly silent: boolean
  readonly description: string | null
  readonly returnUrl: string | null
  /** The creation time of the entry, ms UTC. */
  readonly createdAt: number
  /** The version of the entry, which each change increments, for the compare-and-set of writers. */
  readonly revision: number
}

/** A movement of money, or the release of an authorization. Unique by provider and key. */
export interface Movement {
  readonly provider: string
  /** The idempotency key of the operation that caused the movement. */
  readonly key: string
  /** The operation that caused the movement; `null` in rows of earlier versions. */
  readonly operationId: OperationId | null
  readonly paymentId: PaymentId
  readonly kind: "capture" | "cancel" | "refund"
  readonly minorUnits: number
  readonly currency: Currency.Currency
  /** The time of the movement, ms UTC. */
  readonly at: number
}

/** A changed entry with its new movements, which are written in one transaction. */
export interface LedgerChange {
  readonly entry: LedgerEntry
  readonly movements: ReadonlyArray<Movement>
}

/** The time of the entry's next step to apply or to report, ms UTC; `null`: none. */
export const dueAt = (entry: LedgerEntry): number | null =>
  entry.steps[entry.silent ? entry.applied : entry.notified]?.at ?? null

/** Applies the steps that are due. Returns `null` if no step is due. */
export const applyDue = (entry: LedgerEntry, now: number): LedgerChange | null => {
  let changed = entry
  const movements: Array<Movement> = []
  for (const { at, event } of entry.steps.slice(entry.applied)) {
    if (at > now) break
    if (event.kind === "succeeded" && event.received > 0) movements.push(capture(entry, event.received, at))
    changed = { ...changed, ...stateAfter(event), applied: changed.applied + 1 }
  }
  return changed === entry ? null : { entry: revised(changed), movements }
}

/**
 * Replaces the steps that are not applied yet with `events`, which happen now and are reported: a user has decided the
 * payment.
 */
export const overrule = (entry: LedgerEntry, events: ReadonlyArray<SandboxEvent>, now: number): LedgerChange => {
  const happened = entry.steps.slice(0, entry.applied)
  const decided = {
    ...entry,
    silent: false,
    notified: entry.silent ? entry.applied : entry.notified,
    steps: [...happened, ...events.map((event) => ({ at: now, event }))]
  }
  return applyDue(decided, now) ?? { entry: revised(decided), movements: [] }
}

export const markNotified = (entry: LedgerEntry, notified: number): LedgerChange => ({
  entry: revised({ ...entry, notified: Math.max(entry.notified, notified) }),
  movements: []
})

/** Records a capture, cancel or refund, and drops the steps that are not applied yet. */
export const recordMovement = (entry: LedgerEntry, movement: Movement, state: SandboxState): LedgerChange => ({
  entry: revised({
    ...entry,
    state,
    received: movement.kind === "capture" ? movement.minorUnits : entry.received,
    steps: entry.steps.slice(0, entry.applied),
    notified: entry.applied
  }),
  movements: [movement]
})

/** Removes personal data: the UPI id, the description and the return URL. */
export const withoutPayer = (entry: LedgerEntry): LedgerEntry =>
  revised({
    ...entry,
    method: entry.method.replace(/^upi collect .*/, "upi collect"),
    description: null,
    returnUrl: null
  })

/** Whether the payer, or a simulation of the payer, can still approve or decline the payment. */
export const isOpen = (entry: LedgerEntry): boolean => entry.state === "pending" || entry.state === "detected"

/** The event of an approval: an authorization if the merchant captures manually, otherwise a success. */
export const approval = (entry: Pick<LedgerEntry, "amount" | "captureMethod">): SandboxEvent =>
  entry.captureMethod === "manual" ? { kind: "authorized" } : { kind: "succeeded", received: entry.amount.minorUnits }

const revised = (entry: LedgerEntry): LedgerEntry => ({ ...entry, revision: entry.revision + 1 })

const stateAfter = (event: SandboxEvent): Partial<LedgerEntry> => {
  switch (event.kind) {
    case "succeeded":
      return { state: "approved", received: event.received }
    case "authorized":
      return { state: "authorized" }
    case "declined":
      return { state: "declined", decline: { code: event.code, retry: event.retry } }
    case "expired":
      return { state: "expired" }
    case "detected":
      return { state: "detected" }
    case "retracted":
      return { state: "pending" }
  }
}

const capture = (entry: LedgerEntry, minorUnits: number, at: number): Movement => ({
  provider: entry.provider,
  key: entry.key,
  operationId: entry.operationId,
  paymentId: entry.paymentId,
  kind: "capture",
  minorUnits,
  currency: entry.amount.currency,
  at
})
