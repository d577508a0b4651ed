/** How a vendor takes captures, cancels and refunds of a charge that it has. */
import { captured, held, kept } from "../judge/index.ts"
import type { LedgerMovement } from "../judge/index.ts"
import type { FollowUpScript } from "../Plan.ts"
import { answerToRepeat, enter } from "./charges.ts"
import type { Charge, FollowUp, Statement } from "./Ledger.ts"
import type { Vendor } from "./Vendor.ts"
import { reportFollowUp } from "./webhooks.ts"

/** A request as it arrives. It names its charge by the vendor's reference, or by the key of the create. */
export interface FollowUpRequest {
  readonly kind: FollowUp["kind"]
  readonly merchantReference: string
  readonly key: string
  readonly minorUnits: number
  readonly charge: { readonly reference: string | null; readonly key: string }
  /** ms since the start of the run, when it left. */
  readonly sentAt: number
}

export const followUp = (vendor: Vendor, request: FollowUpRequest, script: FollowUpScript): Statement => {
  const charge = chargeOf(vendor, request.charge)
  if (charge === undefined) return { kind: "refused", reference: null, code: "no_such_charge" }
  const known = charge.followUps.find(({ key }) => key === request.key)
  if (known !== undefined && script.breaks !== "ignores_key") {
    const answer = answerToRepeat(vendor, answerOf(charge, known), known, request.sentAt)
    if (answer !== null) return answer
  }
  const reference = referenceOf(vendor, charge, request.kind)
  const names = { reference, operation: request.merchantReference }
  const minorUnits = moved(vendor, charge, request, script, names)
  const entered: FollowUp = {
    kind: request.kind,
    reference,
    merchantReference: request.merchantReference,
    key: request.key,
    minorUnits: minorUnits ?? request.minorUnits,
    isDone: minorUnits !== null,
    sentAt: request.sentAt,
    arrivedAt: vendor.surroundings.now(),
    script
  }
  charge.followUps.push(entered)
  if (entered.isDone) {
    vendor.surroundings.note(charge)
    reportFollowUp(vendor, charge, entered)
  }
  return answerOf(charge, entered)
}

const chargeOf = ({ surroundings: { ledger } }: Vendor, charge: FollowUpRequest["charge"]): Charge | undefined =>
  (charge.reference === null ? undefined : ledger.ofReference(charge.reference)) ?? ledger.ofKey(charge.key)

/** A capture may have no id of its own; a refund has one everywhere. */
const referenceOf = ({ plan }: Vendor, charge: Charge, kind: FollowUp["kind"]): string =>
  kind === "refund" || (kind === "capture" && plan.namesCaptures)
    ? `${charge.reference}:${kind}_${charge.followUps.length}`
    : charge.reference

/** What a movement is called: by the vendor, and by us. */
type Names = Pick<LedgerMovement, "operation" | "reference">

/** Minor units that it moved; `null`: the vendor refuses. */
const moved = (
  vendor: Vendor,
  charge: Charge,
  { kind, minorUnits }: FollowUpRequest,
  script: FollowUpScript,
  names: Names
): number | null => {
  if (script.refuses) return null
  switch (kind) {
    case "capture":
      return capture(vendor, charge, script.breaks === "takes_all" ? held(charge) : minorUnits, names)
    case "cancel":
      return cancel(vendor, charge, names)
    case "refund":
      if (charge.status !== "captured" || minorUnits > kept(charge)) return null
      enter(vendor, charge, "refunded", minorUnits, "request", names)
      return minorUnits
  }
}

const capture = (vendor: Vendor, charge: Charge, minorUnits: number, names: Names): number | null => {
  const isOpen = charge.status === "held" || (charge.status === "captured" && vendor.plan.severalCaptures)
  if (!isOpen || minorUnits === 0 || minorUnits > held(charge)) return null
  charge.status = "captured"
  enter(vendor, charge, "captured", minorUnits, "request", names)
  if (!vendor.plan.severalCaptures) enter(vendor, charge, "released", held(charge), "request")
  return minorUnits
}

const cancel = (vendor: Vendor, charge: Charge, names: Names): number | null => {
  if ((charge.status !== "held" && charge.status !== "waiting") || captured(charge) > 0) return null
  const minorUnits = held(charge)
  enter(vendor, charge, "released", minorUnits, "request", names)
  charge.status = "canceled"
  charge.wasClosed = true
  return minorUnits
}

const answerOf = (charge: Charge, { isDone, minorUnits, reference }: FollowUp): Statement =>
  isDone
    ? { kind: "done", reference, minorUnits, currency: charge.currency }
    : { kind: "refused", reference: null, code: `is_${charge.status}` }

/** The vendor's word on one of our follow-up operations. */
export const findFollowUp = (vendor: Vendor, request: Pick<FollowUpRequest, "charge" | "key">): Statement => {
  const { surroundings } = vendor
  const charge = chargeOf(vendor, request.charge)
  const known = charge?.followUps.find(
    ({ arrivedAt, key, script }) => key === request.key && surroundings.now() - arrivedAt >= script.forgottenFor
  )
  return charge === undefined || known === undefined ? { kind: "not_found" } : answerOf(charge, known)
}
