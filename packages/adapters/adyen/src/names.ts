/**
 * Names that Adyen gets from us, and names that we keep of Adyen's.
 *
 * What Adyen calls `reference` comes back as `merchantReference`, which webhooks sign; so it says all that a webhook has to
 * know: whose operation it is, whether funds are held, and whether a payment link's payer may try again.
 *
 * `op_…` is a payment, `op_…-hold` one that is captured later, `op_…-link` and `op_…-link-hold` are payment links,
 * `op_…-capture`, `op_…-cancel` and `op_…-refund` are what is asked of a payment afterwards.
 */
import { type CardToken, cardToken, Ids, type OperationId, type ProviderOperation } from "@paymux/core"

/** `null`: there is no token that this instance may be given, and so a payment link is made. */
export const cardTokenOf = ({ method }: ProviderOperation, instance: string): CardToken | null =>
  method.rail === "card" ? cardToken(method, instance) : null

/** At most 80 characters. */
export const referenceOf = (operation: ProviderOperation, instance: string): string => {
  const { captureMethod, id, kind } = operation
  if (kind !== "create") return `${id}-${kind}`
  const isLink = cardTokenOf(operation, instance) === null
  return `${id}${isLink ? "-link" : ""}${captureMethod === "manual" ? "-hold" : ""}`
}

export interface Named {
  readonly operation: OperationId
  readonly kind: ProviderOperation["kind"]
  readonly isLink: boolean
  readonly isHeld: boolean
}

/** `null`: it is not of ours, but of another system at the same merchant account. */
export const readReference = (reference: string): Named | null => {
  const [, operation = "", link, hold, kind] =
    /^([^-]+)(?:(-link)?(-hold)?|-(capture|cancel|refund))$/.exec(reference) ?? []
  if (!Ids.isOperation(operation)) return null
  return {
    operation,
    kind: kind === "capture" || kind === "cancel" || kind === "refund" ? kind : "create",
    isLink: link !== undefined,
    isHeld: hold !== undefined
  }
}

/**
 * What an operation's own reference at Adyen is: the PSP reference of a payment or modification; until it is known, of a
 * payment the name that we gave it; of a link its id, marked, for PSP references may look like it.
 */
export type Kept =
  | { readonly _tag: "Payment"; readonly pspReference: string }
  | { readonly _tag: "Unnamed"; readonly reference: string }
  | { readonly _tag: "Link"; readonly id: string }

export const keptLink = (id: string): string => `${linkMark}${id}`

export const readKept = (reference: string): Kept => {
  if (reference.startsWith(linkMark)) return { _tag: "Link", id: reference.slice(linkMark.length) }
  return readReference(reference) === null
    ? { _tag: "Payment", pspReference: reference }
    : { _tag: "Unnamed", reference }
}

const linkMark = "paymentLinks/"
