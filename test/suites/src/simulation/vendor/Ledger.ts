/**
 * A simulated vendor's books: who was charged, held, captured and refunded, when and under which key. Every sum is
 * derived from movements, and nothing in the engine can change them.
 */
import { captured, held, kept } from "../judge/index.ts"
import type { LedgerMovement } from "../judge/index.ts"
import type { CreateScript, FollowUpScript } from "../Plan.ts"

/** What the vendor has decided about a charge. Of money, only the movements tell. */
export type ChargeStatus = "waiting" | "held" | "captured" | "declined" | "expired" | "canceled"

export interface Charge {
  readonly provider: string
  /** The vendor's own id of it. */
  readonly reference: string
  /** The vendor's own id of the order that the charge was made for; `null`: there was none. */
  readonly orderReference: string | null
  /** The payment of the plan. */
  readonly n: number
  readonly currency: string
  /** Our id of the operation, as the vendor was given it. */
  readonly merchantReference: string
  readonly key: string
  readonly script: CreateScript
  readonly isManual: boolean
  /** What was asked for. */
  readonly asked: { readonly minorUnits: number; readonly currency: string }
  /** What the payer is charged, which a vendor that errs makes another amount. */
  readonly minorUnits: number
  /** When its request left; its key counts from here. */
  readonly sentAt: number
  readonly arrivedAt: number
  readonly movements: Array<LedgerMovement>
  readonly followUps: Array<FollowUp>
  status: ChargeStatus
  /** The vendor has reported it as declined, expired or canceled, so the engine no longer inquires. */
  wasClosed: boolean
  /** The vendor did, or may do, what it declares that it never does. */
  breaksPromises: boolean
  /** The engine's database has lost it, before it arrived or after: only a report that names our operation can tell. */
  isLost: boolean
  firstAnswer: Statement | null
}

/** A capture, cancel or refund that arrived. */
export interface FollowUp {
  readonly kind: "capture" | "cancel" | "refund"
  /** The vendor's own id of it; without one it is known by its charge. */
  readonly reference: string
  readonly merchantReference: string
  readonly key: string
  readonly minorUnits: number
  readonly isDone: boolean
  readonly sentAt: number
  readonly arrivedAt: number
  readonly script: FollowUpScript
}

/** What a vendor says, in its own words; the adapter translates it. */
export type Statement =
  | ChargeStatement
  | { readonly kind: "done"; readonly reference: string; readonly minorUnits: number; readonly currency: string }
  | { readonly kind: "refused"; readonly reference: string | null; readonly code: string }
  | { readonly kind: "duplicate"; readonly reference: string | null }
  | { readonly kind: "not_found" }

export interface ChargeStatement {
  readonly kind: "charge"
  readonly reference: string
  readonly status: ChargeStatus
  readonly minorUnits: number
  readonly currency: string
  readonly code: string | null
  readonly retry: "never" | "other_provider" | "same_later"
  /** Where the payer has to go. */
  readonly url: string | null
}

export interface Ledger {
  readonly charges: ReadonlyArray<Charge>
  readonly add: (charge: Charge) => void
  readonly ofOrder: (n: number) => ReadonlyArray<Charge>
  readonly ofMerchantReference: (reference: string) => ReadonlyArray<Charge>
  readonly ofReference: (reference: string) => Charge | undefined
  /** The latest one under this key. */
  readonly ofKey: (key: string) => Charge | undefined
  /** The latest one that this vendor has captured, before `charge`. */
  readonly neighborOf: (charge: Charge) => Charge | undefined
}

export const make = (): Ledger => {
  const charges: Array<Charge> = []
  const orders = new Map<number, Array<Charge>>()
  const merchantReferences = new Map<string, Array<Charge>>()
  const references = new Map<string, Charge>()
  const keys = new Map<string, Charge>()
  return {
    charges,
    add: (charge) => {
      charges.push(charge)
      push(orders, charge.n, charge)
      push(merchantReferences, charge.merchantReference, charge)
      references.set(charge.reference, charge)
      keys.set(charge.key, charge)
    },
    ofOrder: (n) => orders.get(n) ?? [],
    ofMerchantReference: (reference) => merchantReferences.get(reference) ?? [],
    ofReference: (reference) => references.get(reference),
    ofKey: (key) => keys.get(key),
    neighborOf: ({ currency, n, provider }) =>
      charges.findLast(
        (each) => each.provider === provider && each.n !== n && each.currency === currency && each.status === "captured"
      )
  }
}

const push = <K>(groups: Map<K, Array<Charge>>, key: K, charge: Charge): void => {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [charge])
  else group.push(charge)
}

/** Cumulative: how much the vendor shows as the charge's amount now. */
const amountOf = (charge: Charge): number => {
  switch (charge.status) {
    case "captured":
      return captured(charge)
    case "held":
      return held(charge)
    default:
      return charge.minorUnits
  }
}

/** What the vendor truly says of a charge now. */
export const statementOf = (charge: Charge): ChargeStatement => {
  const { currency, reference, script, status } = charge
  const { outcome } = script
  const isScripted = outcome.kind === "declined"
  return {
    kind: "charge",
    reference,
    status,
    minorUnits: amountOf(charge),
    currency,
    code: status !== "declined" ? null : isScripted ? outcome.code : "authentication_failed",
    retry: isScripted ? outcome.retry : "same_later",
    url: outcome.kind === "waits" && outcome.action ? `https://pay.example/${reference}` : null
  }
}

/** The charge's money, minor units in all. */
export const balanceOf = (charge: Charge) => ({
  held: held(charge),
  captured: captured(charge),
  refunded: captured(charge) - kept(charge)
})
