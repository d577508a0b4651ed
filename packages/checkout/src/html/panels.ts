/** The part of the page that changes: what the payer has to do, or what became of the payment. */
import { iso } from "@paymux/core/wire"
import { Effect } from "effect"
import { Money } from "@paymux/core"
import type { PageTexts } from "../locale/choose.ts"
import type { Texts } from "../locale/Texts.ts"
import type { View } from "../view.ts"
import { qrCode } from "./code.ts"
import { html } from "./Html.ts"
import type { Html } from "./Html.ts"
import { amountOf, formatTime } from "./money.ts"

type Of<Tag extends View["_tag"]> = Extract<View, { readonly _tag: Tag }>

export const panel = (view: View, amount: Money.Money, texts: PageTexts): Effect.Effect<Html> => {
  switch (view._tag) {
    case "UpiLink":
      return upiLink(view, texts)
    case "UpiQr":
      return upiQr(view, texts)
    case "Approve":
      return Effect.succeed(approve(view, texts))
    case "Redirect":
      return Effect.succeed(redirect(view, texts))
    case "Transfer":
      return transfer(view, amount, texts)
    default:
      return Effect.succeed(outcome(view, texts))
  }
}

/** Nothing is left to do for the payer. */
export type Outcome = Exclude<View, { readonly expiresAt: number | null }>

export const outcome = (view: Outcome, texts: Texts): Html => {
  switch (view._tag) {
    case "Confirming":
      return message("", texts.confirming)
    case "Processing":
      return message("", texts.processing)
    case "Authorized":
      return message("good", texts.authorized)
    case "Succeeded":
      return message("good", texts.succeeded)
    case "Failed":
      return message("bad", {
        title: texts.failed.title,
        text: view.code === "generic_decline" ? texts.failed.declined : texts.failed.text
      })
    case "Expired":
      return message("bad", texts.expired)
    case "Canceled":
      return message("bad", texts.canceled)
  }
}

const message = (kind: "" | "good" | "bad", { text, title }: { readonly title: string; readonly text: string }): Html =>
  html`<h1 class="${kind}">${title}</h1>
    <p>${text}</p>`

/** iOS has no chooser for `upi:` links: each app has a scheme of its own. Sources: the apps' own integration guides. */
const apps = [
  ["Google Pay", "tez://upi/pay"],
  ["PhonePe", "phonepe://pay"],
  ["Paytm", "paytmmp://pay"]
] as const

const upiLink = (view: Of<"UpiLink">, texts: Texts): Effect.Effect<Html> =>
  Effect.map(qrCode(view.uri), (code) => {
    const query = view.uri.slice(view.uri.indexOf("?"))
    return html`<h1>${texts.upi.title}</h1>
      <div class="on-phone">
        <a class="button" href="${view.uri}">${texts.upi.openApp}</a>
        <div class="apps">
          ${apps.map(([name, link]) => html`<a class="button plain" href="${link + query}">${name}</a>`)}
        </div>
      </div>
      ${scan(code, texts)}
      <p>${texts.upi.whatNext}</p>
      ${left(view, texts)}`
  })

const upiQr = (view: Of<"UpiQr">, texts: Texts): Effect.Effect<Html> =>
  Effect.map(view.payload === null ? Effect.succeed(null) : qrCode(view.payload), (code) => {
    const drawn = code ?? (view.image === null ? null : html`<img src="${view.image}" alt="QR" />`)
    return html`<h1>${texts.upi.title}</h1>
      ${scan(drawn, texts)}
      <p>${texts.upi.whatNext}</p>
      ${left(view, texts)}`
  })

const scan = (code: Html | null, texts: Texts): Html | null =>
  code === null
    ? null
    : html`<p>${texts.upi.scan}</p>
        <div class="code">${code}</div>`

const approve = (view: Of<"Approve">, texts: Texts): Html =>
  html`<h1>${texts.approve.title}</h1>
    <p>${texts.approve.text}</p>
    ${view.vpa === null ? null : html`<p class="muted">${texts.approve.vpa} <bdi>${view.vpa}</bdi></p>`}
    ${left(view, texts)}`

const redirect = (view: Of<"Redirect">, texts: Texts): Html =>
  html`<h1>${texts.redirect.title}</h1>
    <p>${texts.redirect.text}</p>
    <a class="button" href="${view.url}" rel="noreferrer">${texts.redirect.button}</a>
    ${left(view, texts)}`

/** Once a part has arrived, the rest is asked for: the provider's link and code name the whole amount. */
const transfer = (view: Of<"Transfer">, due: Money.Money, texts: PageTexts): Effect.Effect<Html> => {
  const { address, amount, asset, network, received, uri } = view
  const isPart = received !== null && received > 0
  const wanted = isPart ? Money.decimal({ ...due, minorUnits: due.minorUnits - received }) : amount
  return Effect.map(isPart ? Effect.succeed(null) : qrCode(uri), (code) => {
    return html`<h1>${isPart ? texts.transfer.rest : texts.transfer.title}</h1>
      ${asset === null || network === null ? null : html`<p class="warning">${texts.transfer.warning(asset, network)}</p>`}
      ${code === null ? null : html`<div class="code">${code}</div>`}
      <dl>
        ${isPart ? row(texts.transfer.received, amountOf({ ...due, minorUnits: received }, texts)) : null}
        <div>
          <dt>${isPart ? texts.transfer.missing : texts.transfer.amount}</dt>
          <dd>
            <span><bdi>${wanted}</bdi> ${asset ?? ""}</span>${copy(wanted, texts)}
          </dd>
        </div>
        <div>
          <dt>${texts.transfer.address}</dt>
          <dd>
            <span class="mono"><bdi>${address}</bdi></span
            >${copy(address, texts)}
          </dd>
        </div>
        ${network === null ? null : row(texts.transfer.network, network)}
      </dl>
      ${isPart ? null : html`<a class="button plain on-phone" href="${uri}">${texts.transfer.openWallet}</a>`}
      ${left(view, texts)}`
  })
}

const row = (name: string, value: string | Html): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`

/** Hidden until the script can copy. */
const copy = (text: string, texts: Texts): Html =>
  html`<button class="copy" type="button" hidden data-copy="${text}" data-copied="${texts.copied}">
    ${texts.copy}
  </button>`

const left = ({ expiresAt }: { readonly expiresAt: number | null }, texts: Texts): Html | null =>
  expiresAt === null
    ? null
    : html`<p class="left muted" data-expires="${iso(expiresAt)}" data-label="${texts.expiresIn}">
        ${texts.expiresAt(formatTime(texts.locale, expiresAt))}
      </p>`
