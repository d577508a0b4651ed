/** Amounts as the payer's region writes them, and times in the page's language. */
import { Money } from "@paymux/core"
import type { PageTexts } from "../locale/choose.ts"
import { html } from "./Html.ts"
import type { Html } from "./Html.ts"

/** `€12,345.60`: with the payer's own groups and separators, whose language and direction may differ from the page's. */
export const amountOf = (money: Money.Money, { amountLocale }: PageTexts): Html =>
  html`<bdi lang="${amountLocale}">${Money.format(money, amountLocale, "symbol")}</bdi>`

/** The amount of the payment, on one line of the narrowest phone: the first of two lines would read as a smaller amount. */
export const headline = (money: Money.Money, texts: PageTexts): Html => {
  const { length } = Money.format(money, texts.amountLocale, "symbol")
  const size = length > 19 ? " longer" : length > 13 ? " long" : ""
  return html`<p class="amount${size}">${amountOf(money, texts)}</p>`
}

/** A time of day in UTC. The page's script replaces it by a countdown. */
export const formatTime = (locale: string, ms: number): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: "short", dateStyle: "medium", timeZone: "UTC" }).format(ms)
