/**
 * What a vendor reports without being asked.
 *
 * Scripts draw when webhooks leave, how many copies, and what is wrong with them. One more, which is right and arrives,
 * is sent wherever nothing else could show the change: the vendor cannot be asked, or it has called the charge closed
 * before, or the payer was slow, or the books have more than one entry for one request.
 */
import { captured } from "../judge/index.ts"
import type { CreateScript, FollowUpScript } from "../Plan.ts"
import type { Charge, FollowUp } from "./Ledger.ts"
import { statementOf } from "./Ledger.ts"
import type { Vendor, VendorEvent } from "./Vendor.ts"

export const reportCharge = (vendor: Vendor, charge: Charge): void => {
  const event = eventOf(charge)
  sendCopies(vendor, charge, charge.script, event, charge.reference)
  if (charge.status === "waiting") return
  const { ledger, now } = vendor.surroundings
  const ofRequest = ledger.ofMerchantReference(charge.merchantReference)
  if (ofRequest.length > 1) {
    for (const each of ofRequest.filter(movesMoney)) sendForSure(vendor, each, each.script, eventOf(each))
    return
  }
  const isLate = charge.wasClosed || now() - charge.arrivedAt > PATIENCE
  if (!vendor.plan.canInquire || (movesMoney(charge) && (isLate || isAnsweredWrongly(charge)))) {
    sendForSure(vendor, charge, charge.script, event)
  }
}

const movesMoney = ({ status }: Charge): boolean => status === "captured" || status === "held"

const eventOf = (charge: Charge): VendorEvent => {
  const { code, currency, minorUnits, reference, retry, status, url } = statementOf(charge)
  return {
    id: `evt_${reference}_${status}`,
    about: "charge",
    reference,
    merchantReference: charge.merchantReference,
    status,
    minorUnits,
    currency,
    code,
    retry,
    url
  }
}

/** Whoever was answered with another charge's body never asks about this one. */
const isAnsweredWrongly = ({ script }: Charge): boolean => script.breaks === "other_body" || script.breaks === "denies"

export const reportFollowUp = (vendor: Vendor, charge: Charge, entered: FollowUp): void => {
  const { kind, merchantReference, minorUnits, reference, script } = entered
  const event: VendorEvent = {
    id: `evt_${charge.reference}_${kind}_${charge.followUps.length}`,
    about: kind,
    reference,
    merchantReference,
    status: "done",
    minorUnits,
    currency: charge.currency,
    code: null,
    retry: "never",
    url: null
  }
  sendCopies(vendor, charge, script, event, kind === "refund" ? reference : charge.reference)
  const isRepeat = charge.followUps.filter(({ key }) => key === entered.key).length > 1
  if (!vendor.plan.canInquire || isRepeat || script.breaks !== null) sendForSure(vendor, charge, script, event)
}

/** ms after which nobody asks often about a payer who was shown what to do. */
const PATIENCE = 10 * 60_000

const sendCopies = (
  vendor: Vendor,
  charge: Charge,
  script: CreateScript | FollowUpScript,
  event: VendorEvent,
  reference: string
): void => {
  const { deliver, later } = vendor.surroundings
  const isTotal = event.about === "capture" && script.byReference && !vendor.plan.namesCaptures
  const isByReference = script.byReference || !vendor.plan.handsBackOurReference
  const copy: VendorEvent = {
    ...event,
    ...(isByReference && { merchantReference: null, reference }),
    // Under the reference of the charge a vendor reports what was captured of it in all.
    minorUnits: Math.max(1, (isTotal ? captured(charge) : event.minorUnits) + script.misreportsBy)
  }
  script.webhooksAfter.forEach((after, place) =>
    later(after, () => deliver(charge, script.ownEventIds ? { ...copy, id: `${event.id}_${place}` } : copy))
  )
}

const sendForSure = (
  { plan, surroundings }: Vendor,
  charge: Charge,
  { reportedAfter }: CreateScript | FollowUpScript,
  event: VendorEvent
): void => {
  const merchantReference = plan.handsBackOurReference ? event.merchantReference : null
  surroundings.later(reportedAfter, () =>
    surroundings.deliver(charge, { ...event, merchantReference, id: `${event.id}!` })
  )
}
