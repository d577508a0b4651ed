/** The pages that a shopper sees who came back, where the merchant has none. Plain words; nothing of a request is shown. */
import type { PaymentStatus } from "@paymux/core"
import { HttpServerResponse } from "effect/http"
import { escape, guarded, htmlPage } from "./htmlPage.ts"

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

export const page = (status: number, title: string, text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    htmlPage({
      title,
      head: '<meta name="robots" content="noindex">',
      body: `<h1>${escape(title)}</h1>\n<p role="status">${escape(text)}</p>`
    }),
    { status, contentType: "text/html; charset=utf-8", headers: guarded }
  )
