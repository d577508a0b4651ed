/**
 * One payment in the book of a simulated provider, and what time makes of it. Pure: the ledgers only keep entries.
 *
 * An entry carries its scenario as dated steps. A step becomes true when its time has come, independent of the first reader (a process
 * that waits for it, an inquiry after a restart): the book never depends on a process having been there.
 */
import type { CaptureMethod, Currency, DeclineCode, Money, OperationId, PaymentId, RetryClass } from "@paymux/core"

/** What happens to a payment at a simulated provider. Amounts are minor units of the payment's currency. */
export type SandboxEvent =
  /** `received`: what arrived, which is another amount than asked in the transfers `under` and `wrong_asset`. */
  | { readonly kind: "succeeded"; readonly received: number }
  | { readonly kind: "authorized" }
  | { readonly kind: "declined"; readonly code: DeclineCode; readonly retry: RetryClass }
  | { readonly kind: "expired" }
  /** A transfer was seen on the chain, and is not final. */
  | { readonly kind: "detected"; readonly received: number; readonly asset: string | null }
  /** A reorganization of the chain took the detection back. */
  | { readonly kind: "retracted" }

export interface Step {
  /** ms UTC */
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
  /** The provider instance. */
  readonly provider: string
  /** The idempotency key of the create operation. */
  readonly key: string
  /** The provider's own name for the payment. */
  readonly reference: string
  readonly paymentId: PaymentId
  readonly operationId: OperationId
  readonly amount: Money.Money
  /** For people, such as `upi collect success@paymux`. */
  readonly method: string
  readonly captureMethod: CaptureMethod
  /** What decided its story, such as `scenario late_success`, `token tok_3ds`, `transfer under`, `payer`. */
  readonly trigger: string
  readonly state: SandboxState
  /** Minor units that arrived, once money was taken. */
  readonly received: number | null
  readonly decline: { readonly code: DeclineCode; readonly retry: RetryClass } | null
  readonly steps: ReadonlyArray<Step>
  /** How many steps have become true. */
  readonly applied: number
  /** How many steps were reported to the merchant, by the reply or a webhook. At most `applied`. */
  readonly notified: number
  /** The provider sends no webhooks: only an inquiry shows the outcome. */
  readonly silent: boolean
  readonly description: string | null
  readonly returnUrl: string | null
  /** ms UTC */
  readonly createdAt: number
  /** Raised by each change; what a writer compares. */
  readonly revision: number
}

/** Money that moved, or a hold that was released. Unique over provider and key. */
export interface Movement {
  readonly provider: string
  /** The idempotency key of the operation that caused it. */
  readonly key: string
  /** `null`: written by an earlier version. */
  readonly operationId: OperationId | null
  readonly paymentId: PaymentId
  readonly kind: "capture" | "cancel" | "refund"
  readonly minorUnits: number
  readonly currency: Currency.Currency
  /** ms UTC */
  readonly at: number
}

/** What is written as one. */
export interface LedgerChange {
  readonly entry: LedgerEntry
  readonly movements: ReadonlyArray<Movement>
}

/** When the entry needs its provider's attention: a step becomes true, or has not been reported yet. ms UTC */
export const dueAt = (entry: LedgerEntry): number | null =>
  entry.steps[entry.silent ? entry.applied : entry.notified]?.at ?? null

/** Makes true what has become due. `null`: nothing has. */
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

/** A decision by a user: what was planned and has not happened is replaced by `events`, which happen now and are reported. */
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

/** A capture, cancel or refund that was asked for and done. */
export const moved = (entry: LedgerEntry, movement: Movement, state: SandboxState): LedgerChange => ({
  entry: revised({
    ...entry,
    state,
    received: movement.kind === "capture" ? movement.minorUnits : entry.received,
    steps: entry.steps.slice(0, entry.applied),
    notified: entry.applied
  }),
  movements: [movement]
})

/** What is said of the payer goes: their UPI id, what was paid for, and where they came from. */
export const withoutPayer = (entry: LedgerEntry): LedgerEntry =>
  revised({
    ...entry,
    method: entry.method.replace(/^upi collect .*/, "upi collect"),
    description: null,
    returnUrl: null
  })

/** Whether the payer, or who plays the payer, can still decide. */
export const isOpen = (entry: LedgerEntry): boolean => entry.state === "pending" || entry.state === "detected"

/** The approval of a payer, as the merchant asked for the money. */
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
