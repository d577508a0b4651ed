/** The pages for a payer who returns to a merchant without a page of its own. They contain no data of the request. */
import type { PaymentStatus } from "@paymux/core"
import { HttpServerResponse } from "effect/http"
import { escape, guarded, htmlPage } from "./htmlPage.ts"

/** A page that shows the status of the payment. */
export const statusPage = (status: PaymentStatus) => {
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

export const page = (status: number, title: string, text: string) =>
  HttpServerResponse.text(
    htmlPage({
      title,
      head: '<meta name="robots" content="noindex">',
      body: `<h1>${escape(title)}</h1>\n<p role="status">${escape(text)}</p>`
    }),
    { status, contentType: "text/html; charset=utf-8", headers: guarded }
  )
