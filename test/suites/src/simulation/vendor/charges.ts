/** How a vendor takes a request to create a charge, and what becomes of the charge. */
import { captured, held } from "../judge/index.ts"
import type { LedgerMovement } from "../judge/index.ts"
import type { CreateScript } from "../Plan.ts"
import type { Charge, ChargeStatus, Statement } from "./Ledger.ts"
import { statementOf } from "./Ledger.ts"
import type { Vendor } from "./Vendor.ts"
import { reportCharge } from "./webhooks.ts"

/** A request as it arrives. */
export interface CreateRequest {
  readonly n: number
  readonly merchantReference: string
  readonly orderReference: string | null
  readonly key: string
  readonly minorUnits: number
  readonly currency: string
  readonly isManual: boolean
  /** ms since the start of the run, when it left. */
  readonly sentAt: number
}

/** What the vendor makes of a request, and what it answers. */
export const create = (vendor: Vendor, request: CreateRequest, script: CreateScript): Statement => {
  const { ledger } = vendor.surroundings
  const known = ledger.ofKey(request.key)
  if (known !== undefined && script.breaks !== "ignores_key") {
    const answer = answerToRepeat(vendor, known.firstAnswer, known, request.sentAt)
    if (answer !== null) return answer
  }
  const charge = charged(vendor, request, script)
  ledger.add(charge)
  begin(vendor, charge)
  charge.firstAnswer = statementOf(charge)
  const neighbor = script.breaks === "other_body" ? ledger.neighborOf(charge) : undefined
  return neighbor === undefined ? charge.firstAnswer : statementOf(neighbor)
}

/** `null`: the vendor takes it for a new request. */
export const answerToRepeat = (
  { plan }: Vendor,
  first: Statement | null,
  known: { readonly reference: string; readonly sentAt: number },
  sentAt: number
): Statement | null => {
  switch (plan.idempotency) {
    case "reference":
      return { kind: "duplicate", reference: known.reference }
    case "header":
    case "body":
      return sentAt - known.sentAt < (plan.breaks.keyLifetime ?? plan.keyLifetime) ? first : null
    case "lookup":
    case "none":
      return null
  }
}

const charged = ({ plan, surroundings }: Vendor, request: CreateRequest, script: CreateScript): Charge => {
  const { outcome } = script
  const by = outcome.kind === "taken" ? outcome.by : 0
  const isOther = outcome.kind === "taken" && outcome.otherCurrency
  const { currency, isManual, key, merchantReference, minorUnits, n, orderReference, sentAt } = request
  return {
    provider: plan.id,
    reference: `${plan.id}:ch_${surroundings.ledger.charges.length}`,
    orderReference,
    n,
    merchantReference,
    key,
    script,
    isManual,
    asked: { minorUnits, currency },
    minorUnits: Math.max(1, minorUnits + by),
    currency: isOther ? (currency === "EUR" ? "USD" : "EUR") : currency,
    sentAt,
    arrivedAt: surroundings.now(),
    movements: [],
    followUps: [],
    status: "waiting",
    wasClosed: false,
    breaksPromises: script.breaks !== null || script.forgottenFor > 0 || plan.breaks.keyLifetime !== null,
    isLost: surroundings.isLost(merchantReference),
    firstAnswer: null
  }
}

const begin = (vendor: Vendor, charge: Charge): void => {
  const { outcome } = charge.script
  switch (outcome.kind) {
    case "taken":
      return take(vendor, charge)
    case "declined":
      become(vendor, charge, "declined")
      if (outcome.takenAfter === null) return
      return vendor.surroundings.later(outcome.takenAfter, () => {
        // UPI does it in fact; a vendor that declares its declines final breaks a promise.
        charge.breaksPromises ||= vendor.plan.declineIsFinal
        take(vendor, charge)
      })
    case "waits": {
      become(vendor, charge, "waiting")
      const { ends } = outcome
      if (ends === "nothing") return
      return vendor.surroundings.later(outcome.after, () => {
        if (charge.status !== "waiting") return
        if (ends === "taken") take(vendor, charge)
        else become(vendor, charge, ends)
      })
    }
  }
}

const take = (vendor: Vendor, charge: Charge): void => {
  const kind = charge.isManual ? "held" : "captured"
  enter(vendor, charge, kind, charge.minorUnits, "payer")
  become(vendor, charge, kind)
}

export const enter = (
  { surroundings }: Vendor,
  { movements }: Charge,
  kind: LedgerMovement["kind"],
  minorUnits: number,
  by: LedgerMovement["by"],
  names: Pick<LedgerMovement, "operation" | "reference"> = {}
): void => {
  if (minorUnits === 0) return
  movements.push({ kind, minorUnits, at: surroundings.now(), by, ...names })
}

const become = (vendor: Vendor, charge: Charge, status: ChargeStatus): void => {
  charge.status = status
  vendor.surroundings.note(charge)
  reportCharge(vendor, charge)
  charge.wasClosed ||= status === "declined" || status === "expired" || status === "canceled"
}

/** The vendor's word on one of our creates. Of several charges under one name it shows the one that moved money. */
export const findCharge = ({ surroundings }: Vendor, merchantReference: string): Statement => {
  const found = surroundings.ledger
    .ofMerchantReference(merchantReference)
    .filter(({ arrivedAt, script }) => surroundings.now() - arrivedAt >= script.forgottenFor)
  const [best] = found.toSorted((a, b) => weight(b) - weight(a))
  return best === undefined ? { kind: "not_found" } : statementOf(best)
}

const weight = (charge: Charge): number =>
  captured(charge) > 0 ? 3 : held(charge) > 0 ? 2 : charge.status === "waiting" ? 1 : 0
