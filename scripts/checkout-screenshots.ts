/**
 * Pictures of the payment page in each of its states, on a phone and on a desktop, in light and dark:
 * `node scripts/checkout-screenshots.ts [folder]`, by default `checkout-screenshots/`, which git ignores. `--guide` writes those
 * that the guide shows into `docs/guide/images`.
 */
import { mkdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Page } from "playwright-core"
import { decide, openCheckout } from "../packages/paymux/test/CheckoutBrowser.ts"
import type { NewPayment } from "../packages/paymux/test/CheckoutBrowser.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { guide: { type: "boolean", default: false } }
})
const root = resolve(import.meta.dirname, "..")
const folder = values.guide ? join(root, "docs/guide/images") : resolve(positionals[0] ?? "checkout-screenshots")

const shop = {
  amount: 49_900,
  currency: "INR",
  description: "Order 1042: two masala chai tins",
  customer: { email: "asha@example.com", phone: "+919876543210", name: "Asha Rao", address: null },
  return_url: "https://chai.example/thanks",
  metadata: { sandbox_scenario: "undecided" }
} as const

const upi: NewPayment = { ...shop, payment_method: "upi" }
const card: NewPayment = { ...shop, payment_method: "card" }
const coin: NewPayment = {
  ...shop,
  amount: 1_250,
  currency: "USD",
  payment_method: "stablecoin",
  payment_method_details: { stablecoin: { asset: "USDC", network: "base" } }
}

interface State {
  readonly name: string
  readonly payment: NewPayment
  /** What happens between the payment and the picture. */
  readonly act?: (page: Page, url: string, id: string) => Promise<unknown>
}

const checkout = await openCheckout({
  sandbox: true,
  checkout: { name: "Chai & Co.", color: "#8a3b12", afterPayment: "stay" }
})
const titled = (page: Page, title: string) => page.locator("h1", { hasText: title }).waitFor()
const decided =
  (decision: "approve" | "decline" | "expire", title: string): NonNullable<State["act"]> =>
  async (page, url) => {
    await decide(url, decision)
    await titled(page, title)
  }

const states: ReadonlyArray<State> = [
  { name: "upi-link", payment: upi },
  { name: "upi-qr", payment: { ...upi, payment_method_details: { upi: { flow: "qr" } } } },
  {
    name: "upi-collect",
    payment: { ...upi, payment_method_details: { upi: { flow: "collect", vpa: "asha@okaxis" } } }
  },
  { name: "card", payment: card },
  { name: "provider", payment: card, act: (page) => page.locator("main a").first().click() },
  { name: "transfer", payment: coin },
  {
    name: "transfer-short",
    payment: { ...coin, metadata: { sandbox_transfer: "under" } },
    act: (page) => titled(page, "Send the rest")
  },
  { name: "succeeded", payment: upi, act: decided("approve", "Payment complete") },
  { name: "failed", payment: upi, act: decided("decline", "Payment failed") },
  { name: "expired", payment: upi, act: decided("expire", "Payment expired") },
  {
    name: "canceled",
    payment: card,
    act: async (page, _url, id) => {
      await checkout.paymux.payments.cancel(id)
      await titled(page, "Payment canceled")
    }
  },
  {
    name: "authorized",
    payment: { ...card, capture_method: "manual" },
    act: async (page, url) => {
      await decide(url, "approve")
      await page.locator("#announce", { hasText: /./ }).waitFor()
    }
  },
  { name: "not-found", payment: upi, act: (page, url) => page.goto(`${url}x`) }
]

const shown = [
  { name: "phone-light", viewport: { width: 360, height: 740 }, colorScheme: "light" },
  { name: "phone-dark", viewport: { width: 360, height: 740 }, colorScheme: "dark" },
  { name: "desktop-light", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "desktop-dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" }
] as const

/** Those of the guide: a state on one device. */
const inGuide = [
  "upi-link-phone-light",
  "upi-link-desktop-light",
  "transfer-desktop-dark",
  "transfer-short-phone-dark",
  "succeeded-phone-light",
  "failed-phone-dark"
]

const picture = async (state: State, { name, ...device }: (typeof shown)[number], locale: string, suffix = "") => {
  const file = `${state.name}-${name}${suffix}`
  if (values.guide && !inGuide.includes(file)) return
  const { id, url } = await checkout.created(state.payment)
  const { page } = await checkout.opened(url, { ...device, locale, deviceScaleFactor: 2, reducedMotion: "reduce" })
  await state.act?.(page, url, id)
  await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true })
  await page.context().close()
  console.log(file)
}

await mkdir(folder, { recursive: true })
try {
  for (const state of states) for (const device of shown) await picture(state, device, "en-IN")
  // The others wait for a title in English.
  for (const state of states) if (state.act === undefined) await picture(state, shown[0], "hi-IN", "-hindi")
} finally {
  await checkout.close()
}
