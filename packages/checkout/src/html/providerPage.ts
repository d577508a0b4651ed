/** The page of a simulated provider: where a `redirect` of the sandbox leads. In the look of the payment page. */
import type { Money } from "@paymux/core"
import { assetsOf } from "../assets/assets.ts"
import { textsFor } from "../locale/choose.ts"
import type { PageTexts } from "../locale/choose.ts"
import type { Texts } from "../locale/Texts.ts"
import { brandingOf } from "../options.ts"
import type { CheckoutOptions } from "../options.ts"
import { frame, messagePage, shop } from "./frame.ts"
import type { PageSettings } from "./frame.ts"
import { html } from "./Html.ts"
import type { Html } from "./Html.ts"
import { headline } from "./money.ts"
import { outcome } from "./panels.ts"
import type { Outcome } from "./panels.ts"

/** A payment as the simulated provider has it. */
export interface SimulatedPayment {
  /** The provider instance, such as `sandbox_card_a`. */
  readonly provider: string
  readonly paymentId: string
  readonly amount: Money.Money
  readonly description: string | null
  /** Where the payer returns; `null`: to no other page. */
  readonly returnUrl: string | null
  readonly state: "pending" | "detected" | "authorized" | "approved" | "declined" | "expired" | "canceled"
}

export interface SimulatedPages {
  /** `accept`: the browser's `Accept-Language`. */
  readonly payment: (payment: SimulatedPayment, accept: string | undefined) => string
  readonly message: (about: "notFound" | "unavailable" | "badDecision", accept: string | undefined) => string
}

export const simulatedPages = (options: CheckoutOptions, basePath: string): SimulatedPages => {
  const branding = brandingOf(options)
  const settings: PageSettings = { branding, basePath, assets: assetsOf(branding.color) }
  const texts = (accept: string | undefined) => textsFor(branding.language, accept)
  return {
    payment: (payment, accept) => paymentAt(settings, texts(accept), payment),
    message: (about, accept) => messagePage(settings, texts(accept), texts(accept)[about])
  }
}

const paymentAt = (settings: PageSettings, texts: PageTexts, payment: SimulatedPayment): string => {
  const { amount, description, paymentId, provider, returnUrl, state } = payment
  const isOpen = state === "pending" || state === "detected"
  return frame(
    settings,
    texts,
    html`<main class="card">
      ${shop(settings.branding)}
      <p class="due">${isOpen ? texts.amountDue : texts.amount}</p>
      ${headline(amount, texts)} ${description === null ? null : html`<p class="about"><bdi>${description}</bdi></p>`}
      ${state === "pending" ? null : outcome(viewOf(state), texts)}
      <p class="muted">${texts.simulate.provider(provider)}</p>
      ${isOpen ? decisions("", texts) : null}
      ${isOpen || returnUrl === null ? null : html`<a class="button" href="${returnUrl}">${texts.backToShop}</a>`}
    </main>`,
    { reference: paymentId, isTest: true, isLive: false, reloads: false }
  )
}

/** `action`: where the decision is posted; empty: to the page's own address. */
export const decisions = (action: string, texts: Texts): Html =>
  html`<section class="simulate">
    <h2>${texts.simulate.title}</h2>
    <form method="post" action="${action}">
      <button class="button" name="decision" value="approve">${texts.simulate.approve}</button>
      <button class="button plain" name="decision" value="decline">${texts.simulate.decline}</button>
      <button class="button plain wide" name="decision" value="expire">${texts.simulate.expire}</button>
    </form>
  </section>`

const viewOf = (state: Exclude<SimulatedPayment["state"], "pending">): Outcome => {
  switch (state) {
    case "detected":
      return { _tag: "Confirming" }
    case "authorized":
      return { _tag: "Authorized" }
    case "approved":
      return { _tag: "Succeeded" }
    case "declined":
      return { _tag: "Failed", code: "generic_decline" }
    case "expired":
      return { _tag: "Expired" }
    case "canceled":
      return { _tag: "Canceled" }
  }
}
