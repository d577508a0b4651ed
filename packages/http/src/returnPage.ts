/** The pages that a shopper sees who came back, where the merchant has none. Plain words; nothing of a request is shown. */
import type { PaymentStatus } from "@paymux/core"
import { HttpServerResponse } from "effect/http"

/** How the payment stands. */
export const statusPage = (status: PaymentStatus): HttpServerResponse.HttpServerResponse => {
  const [title, text] = words[status]
  return page(200, title, text)
}

const words = {
  pending: ["Payment is being processed", "We do not know yet how it ends. You can close this page."],
  authorized: ["Payment authorized", "The amount is held. You can close this page."],
  succeeded: ["Payment succeeded", "You can close this page."],
  failed: ["Payment failed", "Nothing was paid. You can close this page."],
  canceled: ["Payment canceled", "Nothing was paid. You can close this page."]
} as const satisfies { readonly [status in PaymentStatus]: readonly [string, string] }

/** An answer of HTML that runs nothing, loads nothing, and that nobody keeps, frames or learns the address of. */
export const page = (status: number, title: string, text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html(title, text), { status, contentType: "text/html; charset=utf-8", headers: guarded })

export const guarded = {
  "content-security-policy": "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
} as const

const html = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p role="status">${text}</p>
</main>
</body>
</html>
`
