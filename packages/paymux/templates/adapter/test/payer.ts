/** What Acme makes the payer of a card do: nothing with a token, else a page. */
import type { LedgerPayment } from "@paymux/testkit"

/** How Acme's payers pay. */
export const flows = ["token", "hosted"] as const

export const awaitsPayer = (method: { readonly [name: string]: string | null }): boolean =>
  method["type"] === "card_page"

export const actionOf = (method: { readonly [name: string]: string | null }, { id, status }: LedgerPayment) =>
  awaitsPayer(method) && status === "pending"
    ? { type: "redirect", url: `https://pay.acme.example/${id}`, expires: null }
    : null
