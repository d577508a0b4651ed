/** The webhooks that a simulated vendor sends about its ledger. */
import type { ProviderOperation } from "@paymux/core"
import type { Charge, Movement } from "./VendorLedger.ts"
import type { VendorEvent } from "./VendorWebhook.ts"

let events = 0
const nextId = () => `evt_${++events}`

/** Reports one movement under its own reference, and the operation of ours that it belongs to. */
export const movementEvent = (
  type: "captured" | "refunded",
  charge: Charge,
  movement: Movement,
  operation: ProviderOperation
): VendorEvent => ({
  id: nextId(),
  type,
  merchantReference: operation.id,
  charge: charge.reference,
  movement: movement.reference,
  minorUnits: movement.minorUnits,
  currency: charge.currency
})

/** Reports a charge that was opened for an operation of ours. */
export const chargeEvent = (
  type: "held" | "captured" | "capture_failed",
  charge: Charge,
  operation: ProviderOperation,
  minorUnits: number | null
): VendorEvent => ({
  id: nextId(),
  type,
  merchantReference: operation.id,
  charge: charge.reference,
  movement: charge.reference,
  minorUnits,
  currency: charge.currency
})

/** Reports under the reference of the charge alone: it names neither a movement nor an operation of ours. */
export const unnamedEvent = (
  type: "held" | "captured" | "capture_failed",
  charge: Charge,
  minorUnits: number | null
): VendorEvent => ({
  id: nextId(),
  type,
  merchantReference: null,
  charge: charge.reference,
  movement: null,
  minorUnits,
  currency: charge.currency
})
