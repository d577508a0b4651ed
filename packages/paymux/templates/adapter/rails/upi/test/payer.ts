/** What Acme makes the payer of a UPI payment do: confirm it in an app, which the link opens or the code is read with. */
import type { LedgerPayment } from "@paymux/testkit"

/** How Acme's payers pay. */
export const flows = ["intent", "qr"] as const

/** Throws where a request lacks what Acme demands: the fake refuses it. */
export const awaitsPayer = ({ ip, type, user_agent }: { readonly [name: string]: string | null }): boolean => {
  if (type === "upi_intent" && (!ip || !user_agent)) throw new Error("an intent needs the payer's device")
  return true
}

export const actionOf = (
  { type }: { readonly [name: string]: string | null },
  { amount, id, status }: LedgerPayment
) => {
  if (status !== "pending") return null
  const uri = `upi://pay?pa=acme@example&tr=${id}&am=${(amount.minorUnits / 100).toFixed(2)}&cu=${amount.currency}`
  return type === "upi_qr" ? { type, payload: uri, expires: null } : { type: "upi_intent", uri, expires: null }
}
