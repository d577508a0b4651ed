/**
 * What a vendor reports without being asked.
 *
 * Scripts draw when webhooks leave, how many copies, and what is wrong with them. One more, which is right and arrives,
 * is sent wherever nothing else could show the change: the vendor cannot be inquired, or it has called the charge closed
 * before, or the payer was slow, or the books have more than one entry for one request.
 */
import { currencies } from "../Plan.ts"
import type { CreateScript, FollowUpScript } from "../Plan.ts"
import type { Charge, FollowUp } from "./Ledger.ts"
import { statementOf } from "./Ledger.ts"
import type { Vendor, VendorEvent } from "./Vendor.ts"

export const reportCharge = (vendor: Vendor, charge: Charge): void => {
  const event = eventOf(charge)
  sendCopies(vendor, charge, charge.script, event)
  const isWaiting = charge.status === "waiting"
  if (charge.isLost && !isWaiting) sendForSure(vendor, charge, { reportedAfter: SETTLEMENT }, event)
  if (charge.script.breaks === "contradicts" && !isWaiting) return contradict(vendor, charge, event)
  const { ledger, now } = vendor.surroundings
  const ofRequest = ledger.ofMerchantReference(charge.merchantReference)
  if (ofRequest.length > 1) {
    const isSilent = !vendor.plan.canInquire
    const reported = ofRequest.filter((each) => movesMoney(each) || (isSilent && each.status !== "waiting"))
    for (const each of reported) sendForSure(vendor, each, each.script, eventOf(each))
    return
  }
  if (isWaiting) return
  const isLate = charge.wasClosed || now() - charge.arrivedAt > PATIENCE
  if (!vendor.plan.canInquire || (movesMoney(charge) && (isLate || isAnsweredWrongly(charge)))) {
    sendForSure(vendor, charge, charge.script, event)
  }
}

/** The wrong word first, the right one after it. */
const contradict = (vendor: Vendor, charge: Charge, event: VendorEvent): void => {
  const wrong = { ...event, id: `${event.id}_wrong`, status: "declined", code: "do_not_honor" } as const
  sendForSure(vendor, charge, { reportedAfter: 5_000 }, wrong, "webhook")
  sendForSure(vendor, charge, { reportedAfter: 20_000 }, event)
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

/** An engine that was answered with another charge's body does not inquire about this one. */
const isAnsweredWrongly = ({ script }: Charge): boolean => script.breaks === "other_body" || script.breaks === "denies"

export const reportFollowUp = (vendor: Vendor, charge: Charge, entered: FollowUp): void => {
  const { script } = entered
  const event = eventOfFollowUp(vendor, charge, entered)
  sendCopies(vendor, charge, script, event)
  if (vendor.surroundings.isLost(entered.merchantReference)) {
    sendForSure(vendor, charge, { reportedAfter: SETTLEMENT }, event)
  }
  const done = charge.followUps.filter(({ isDone, key }) => isDone && key === entered.key)
  if (done.length > 1) {
    for (const each of done) sendForSure(vendor, charge, each.script, eventOfFollowUp(vendor, charge, each))
    return
  }
  if (!vendor.plan.canInquire || script.breaks !== null) sendForSure(vendor, charge, script, event)
}

/** A capture without an id of its own is reported as what was captured of its charge in all. */
const eventOfFollowUp = ({ plan }: Vendor, charge: Charge, entered: FollowUp): VendorEvent => {
  const { kind, merchantReference, minorUnits, reference } = entered
  const place = charge.followUps.indexOf(entered)
  if (kind === "capture" && !plan.namesCaptures) {
    return { ...eventOf(charge), id: `evt_${charge.reference}_captured_${place}` }
  }
  return {
    id: `evt_${charge.reference}_${kind}_${place}`,
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
}

/** How this charge stands, and everything that moved money for it, once more: after a report may have been lost. */
export const reportAgain = (vendor: Vendor, charge: Charge): void => {
  sendForSure(vendor, charge, { ...charge.script, reportedAfter: SETTLEMENT }, eventOf(charge))
  for (const entered of charge.followUps.filter(({ isDone }) => isDone)) {
    const event = eventOfFollowUp(vendor, charge, entered)
    sendForSure(vendor, charge, { ...entered.script, reportedAfter: SETTLEMENT }, event)
  }
}

/** ms */
const SETTLEMENT = 60 * 60_000

/** ms after which inquiries about a payer who was shown what to do are rare. */
const PATIENCE = 10 * 60_000

const sendCopies = (
  vendor: Vendor,
  charge: Charge,
  script: CreateScript | FollowUpScript,
  event: VendorEvent
): void => {
  const { deliver, later } = vendor.surroundings
  const copy: VendorEvent = {
    ...event,
    ...((script.byReference || !vendor.plan.handsBackOurReference) && { merchantReference: null }),
    minorUnits: Math.max(1, event.minorUnits + (isCheckable(vendor, charge) ? script.misreportsBy : 0))
  }
  script.webhooksAfter.forEach((after, place) =>
    later(after, () =>
      deliver(
        charge,
        script.ownEventIds ? { ...copy, id: `${event.id}_${place}` } : copy,
        script.misreportsBy === 0 ? "any" : "webhook"
      )
    )
  )
}

/**
 * On a chain any amount may arrive. Of a vendor that cannot be inquired, it could not be known that it reports another one
 * than arrived.
 */
const isCheckable = ({ plan }: Vendor, { currency }: Charge): boolean =>
  plan.canInquire || currency !== currencies.stablecoin

/**
 * Names our operation, unless the answer has named the vendor's reference. Of several charges for one request, the engine
 * may have had no answer about any, and a report with the vendor's reference alone would look like another system's.
 */
const sendForSure = (
  { plan, surroundings }: Vendor,
  charge: Charge,
  { reportedAfter }: Pick<CreateScript, "reportedAfter">,
  event: VendorEvent,
  by: "webhook" | "any" = "any"
): void => {
  const { answer, breaks } = charge.script
  // A settlement report lists the merchant's own references, too.
  const isSettlement = reportedAfter === SETTLEMENT
  const isOnly = surroundings.ledger.ofMerchantReference(charge.merchantReference).length === 1
  const isKnown =
    !isSettlement && isOnly && answer === "truth" && breaks === null && event.reference === charge.reference
  const merchantReference = isKnown && !plan.handsBackOurReference ? null : event.merchantReference
  surroundings.later(reportedAfter, () =>
    surroundings.deliver(
      charge,
      // Two texts are two events.
      {
        ...event,
        merchantReference,
        id: `${event.id}_${isSettlement ? "settlement" : `report_of_${merchantReference}`}`
      },
      by
    )
  )
}
