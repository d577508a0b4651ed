/** The page of a simulated payment, as text. Everything that is not ours is escaped. */
import { Currency, Money } from "@paymux/core"
import type { LedgerEntry, SandboxState } from "./LedgerEntry.ts"
import { isOpen } from "./LedgerEntry.ts"

/** The page of one payment: with its two buttons while it waits for its payer, with its result afterwards. */
export const paymentPage = (entry: LedgerEntry): string =>
  page(
    "Sandbox payment",
    `<h1>Sandbox payment</h1>
<p><strong>This is a sandbox. No money moves, whatever you choose.</strong></p>
<dl>
<dt>Amount</dt><dd>${escape(Money.format(entry.amount, Currency.exponent(entry.amount.currency)))}</dd>
<dt>For</dt><dd>${escape(entry.description ?? "No description")}</dd>
<dt>Simulated provider</dt><dd>${escape(entry.provider)}</dd>
</dl>
${isOpen(entry) ? form(entry) : result(entry)}`
  )

/** A page that only says something. */
export const messagePage = (title: string, text: string): string =>
  page(title, `<h1>${escape(title)}</h1>\n<p>${escape(text)}</p>`)

export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`

const form = (entry: LedgerEntry): string => `<form method="post">
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="decline">Decline</button>
</form>${entry.steps.length > entry.applied ? "\n<p>If you do nothing, a simulated payer approves in a moment.</p>" : ""}`

const result = (entry: LedgerEntry): string =>
  `<p role="status">${results[entry.state]}</p>${
    entry.returnUrl === null ? "" : `\n<p><a href="${escape(entry.returnUrl)}">Return to the shop</a></p>`
  }`

const results: { readonly [state in SandboxState]: string } = {
  pending: "The payment is waiting for its payer.",
  detected: "The transfer was seen and is not final yet.",
  authorized: "The payment was approved. The merchant has still to capture it.",
  approved: "The payment was approved.",
  declined: "The payment was declined.",
  expired: "The payment has expired.",
  canceled: "The merchant has canceled the payment."
}
