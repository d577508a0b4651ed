/** The whole page, as text. Works without its script: it reloads while the payment is open. */
import type { Payment } from "@paymux/core"
import { Effect } from "effect"
import type { Assets } from "../assets/assets.ts"
import type { Texts } from "../locale/Texts.ts"
import type { Branding } from "../options.ts"
import { isOpen, viewOf } from "../view.ts"
import { html } from "./Html.ts"
import type { Html } from "./Html.ts"
import { formatMoney } from "./money.ts"
import { panel } from "./panels.ts"

export interface PageSettings {
  readonly branding: Branding
  readonly assets: Assets
  /** Where the page is mounted: empty, or `/payments`. */
  readonly basePath: string
  /** Whether the payer can be simulated. */
  readonly canSimulate: boolean
}

export const paymentPage = Effect.fnUntraced(function* (
  settings: PageSettings,
  payment: Payment,
  path: string,
  texts: Texts
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
      <p class="due">${open ? texts.amountDue : texts.amount}</p>
      <p class="amount">${formatMoney(texts.locale, payment.amount)}</p>
      ${payment.description === null ? null : html`<p class="about"><bdi>${payment.description}</bdi></p>`} ${shown}
      ${open || returnTo === null ? null : html`<a class="button" href="${returnTo}" rel="noreferrer">${texts.backToShop}</a>`}
      ${simulated ? simulate(path, texts) : null}
    </main>`,
    { payment, open }
  )
})

/** A page that shows one sentence: the link is not valid, or the database is unavailable. */
export const messagePage = (
  settings: PageSettings,
  texts: Texts,
  { text, title }: { readonly title: string; readonly text: string }
): string =>
  frame(
    settings,
    texts,
    html`<main class="card">
      ${shop(settings.branding)}
      <h1>${title}</h1>
      <p>${text}</p>
    </main>`,
    null
  )

const frame = (
  { assets, basePath, branding }: PageSettings,
  texts: Texts,
  content: Html,
  of: { readonly payment: Payment; readonly open: boolean } | null
): string => {
  const title = branding.name === null ? texts.pay : `${texts.pay} · ${branding.name}`
  const folder = `${basePath}/pay/assets`
  const test = of !== null && !of.payment.livemode
  return html`<!doctype html>
    <html lang="${texts.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${folder}/${assets.style.name}" />
        ${of === null ? null : html`<script src="${folder}/${assets.script.name}" defer></script>`}
        ${of?.open === true ? html`<noscript><meta http-equiv="refresh" content="10" /></noscript>` : null}
      </head>
      <body>
        <div class="page">
          ${test ? html`<p class="test">${texts.testMode}</p>` : null}
          <p class="offline" id="offline" role="status" hidden>${texts.offline}</p>
          ${content}
          ${of === null ? null : html`<footer>${texts.reference} <span class="mono">${of.payment.id}</span></footer>`}
          <div class="announce" id="announce" role="status"></div>
        </div>
      </body>
    </html> `.text
}

const shop = ({ logo, name }: Branding): Html | null =>
  name === null && logo === null
    ? null
    : html`<p class="shop">
        ${logo === null ? null : html`<img src="${logo}" alt="${name === null ? "Logo" : ""}" />`}${name === null ? null : html`<bdi>${name}</bdi>`}
      </p>`

const simulate = (path: string, texts: Texts): Html =>
  html`<section class="simulate">
    <h2>${texts.simulate.title}</h2>
    <form method="post" action="${path}">
      <button class="button" name="decision" value="approve">${texts.simulate.approve}</button>
      <button class="button plain" name="decision" value="decline">${texts.simulate.decline}</button>
      <button class="button plain wide" name="decision" value="expire">${texts.simulate.expire}</button>
    </form>
  </section>`

/** The merchant's own query stays as it was written. The status there proves nothing: the shop asks the API. */
const returnAddress = (returnUrl: string, id: string): string => {
  const address = new URL(returnUrl)
  if (address.searchParams.has("payment_id")) address.searchParams.set("payment_id", id)
  else address.search = `${address.search === "" ? "" : `${address.search}&`}payment_id=${id}`
  return address.href
}
