/** The payment page in a browser: each payment method in each situation, on a phone and a desktop, in light and dark. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { Page } from "playwright-core"
import { decide, openCheckout, violations } from "../../packages/paymux/test/CheckoutBrowser.ts"
import type { CheckoutBrowser, NewPayment } from "../../packages/paymux/test/CheckoutBrowser.ts"
import { slice } from "../support/amount.ts"
import { hasBrowser } from "../support/browser.ts"

const common = {
  amount: 10_000,
  currency: "INR",
  customer: { email: "asha@example.com", phone: "+919876543210" },
  metadata: { sandbox_scenario: "undecided" }
} as const

const upi = (details: object): NewPayment =>
  Object.assign({}, common, { payment_method: "upi" as const, payment_method_details: { upi: details } })

const methods: { readonly [name: string]: NewPayment } = {
  "UPI intent": { ...common, payment_method: "upi" },
  "UPI QR": upi({ flow: "qr" }),
  "UPI collect": upi({ flow: "collect", vpa: "asha@okaxis" }),
  card: { ...common, payment_method: "card" },
  stablecoin: {
    ...common,
    currency: "USD",
    payment_method: "stablecoin",
    payment_method_details: { stablecoin: { asset: "USDC", network: "base" } }
  }
}

const screens = [360, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ viewport: { width, height: 800 }, colorScheme }))
)

interface Situation {
  readonly change?: Partial<NewPayment>
  /** On the open page of an undecided payment; afterwards the page has `title`. */
  readonly happens: (page: Page, url: string) => Promise<unknown>
  readonly title: string
  /** Such as a page of the provider, which a UPI request has not. */
  readonly only?: ReadonlyArray<string>
}

const situations: { readonly [name: string]: Situation } = {
  succeeds: { happens: (_, url) => decide(url, "approve"), title: "Payment complete" },
  fails: { happens: (_, url) => decide(url, "decline"), title: "Payment failed" },
  expires: { happens: (_, url) => decide(url, "expire"), title: "Payment expired" },
  "is paid while its tab is closed": {
    happens: async (page, url) => {
      await page.goto("about:blank")
      await decide(url, "approve")
      await page.goto(url)
    },
    title: "Payment complete"
  },
  "is paid while the network is lost": {
    happens: async (page, url) => {
      await page.context().setOffline(true)
      await page.locator("#offline").waitFor()
      await decide(url, "approve")
      await page.context().setOffline(false)
    },
    title: "Payment complete"
  },
  "finds its providers down": {
    change: { metadata: { sandbox_scenario: "all_down" } },
    happens: async () => {},
    title: "Payment failed"
  },
  "is redirected and returns": {
    only: ["card"],
    happens: async (page, url) => {
      await page.locator("a", { hasText: "Continue to pay" }).click()
      await page.locator("button", { hasText: "Approve" }).click()
      await page.waitForURL(url)
    },
    title: "Payment complete"
  },
  "receives too little": {
    only: ["stablecoin"],
    change: { metadata: { sandbox_transfer: "under" } },
    happens: async () => {},
    // "Send the rest" is shown for a second only, until the transfer is final.
    title: "Payment is being processed"
  }
}

describe.skipIf(!hasBrowser)("the payment page (Linux on x64, or CHROMIUM_PATH)", () => {
  let checkout: CheckoutBrowser
  beforeAll(async () => {
    checkout = await openCheckout({
      sandbox: true,
      checkout: { name: "Chai & Co.", afterPayment: "stay" },
      logs: false
    })
  })
  afterAll(() => checkout.close())

  for (const [name, payment] of Object.entries(methods)) {
    const possible = Object.entries(situations).filter(([, { only }]) => only?.includes(name) ?? true)
    for (const [what, { change = {}, happens, title }] of slice(possible, 3)) {
      it(`of ${name} that ${what} shows "${title}", at any width and in any colors`, async () => {
        const seenOn = async (screen: (typeof screens)[number]) => {
          const { url } = await checkout.created(Object.assign({}, payment, change))
          const { page, wrong } = await checkout.opened(url, screen)
          assert.deepStrictEqual(await violations(page), [])
          await happens(page, url)
          await page.locator("h1", { hasText: title }).waitFor({ timeout: 30_000 })
          assert.deepStrictEqual(await violations(page), [])
          const isWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")
          assert.isFalse(isWide, "it scrolls sideways")
          // A lost network is an error of the console.
          assert.deepStrictEqual(what.includes("network") ? [] : wrong, [])
          await page.context().close()
        }
        await Promise.all(screens.map(seenOn))
      })
    }

    it(`of ${name} works without script, by its reload`, async () => {
      const { url } = await checkout.created(payment)
      const { page } = await checkout.opened(url, { javaScriptEnabled: false })
      assert.strictEqual(await page.locator('meta[http-equiv="refresh"]').count(), 1)
      await decide(url, "approve")
      await page.reload()
      assert.strictEqual(await page.locator("h1").textContent(), "Payment complete")
      assert.strictEqual(await page.locator('meta[http-equiv="refresh"]').count(), 0)
      await page.context().close()
    })
  }
})
