/** The whole page, as text. Works without its script: it reloads while the payment is open. */
import type { Payment } from "@paymux/core"
import { Effect } from "effect"
import type { PageTexts } from "../locale/choose.ts"
import { isDue, isOpen, viewOf } from "../view.ts"
import { frame, shop } from "./frame.ts"
import type { PageSettings } from "./frame.ts"
import { html } from "./Html.ts"
import { headline } from "./money.ts"
import { panel } from "./panels.ts"
import { decisions } from "./providerPage.ts"

export const paymentPage = Effect.fnUntraced(function* (
  settings: PageSettings & { /** Whether the payer can be simulated. */ readonly canSimulate: boolean },
  payment: Payment,
  path: string,
  texts: PageTexts
) {
  const view = viewOf(payment)
  const open = isOpen(view)
  const shown = yield* panel(view, payment.amount, texts)
  const returnTo = payment.returnUrl === null ? null : returnAddress(payment.returnUrl, payment.id)
  const simulated = settings.canSimulate && !payment.livemode && open && view._tag !== "Authorized"
  const automatic = settings.branding.afterPayment === "return" ? returnTo : null
  return frame(
    settings,
    texts,
    html`<main
      id="content"
      class="card"
      data-version="${payment.version}"
      data-open="${String(open)}"
      data-events="${path}/events"
      data-return-to="${automatic ?? ""}"
    >
      ${shop(settings.branding)}
      <p class="due">${isDue(view) ? texts.amountDue : texts.amount}</p>
      ${headline(payment.amount, texts)}
      ${payment.description === null ? null : html`<p class="about"><bdi>${payment.description}</bdi></p>`} ${shown}
      ${open || returnTo === null ? null : html`<a class="button" href="${returnTo}" rel="noreferrer">${texts.backToShop}</a>`}
      ${simulated ? decisions(path, texts) : null}
    </main>`,
    { reference: payment.id, isTest: !payment.livemode, isLive: true, reloads: open }
  )
})

/** The merchant's own query stays as it was written. The status there proves nothing: the shop asks the API. */
const returnAddress = (returnUrl: string, id: string): string => {
  const address = new URL(returnUrl)
  if (address.searchParams.has("payment_id")) address.searchParams.set("payment_id", id)
  else address.search = `${address.search === "" ? "" : `${address.search}&`}payment_id=${id}`
  return address.href
}
