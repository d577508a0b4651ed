/** The payment page in a browser: every payment method to every end, without a reload by hand. */
import { assert, describe, it } from "@effect/vitest"
import jsQR from "jsqr"
import { afterAll, beforeAll } from "vitest"
import { hasBrowser } from "../../../test/support/browser.ts"
import { decide, desktop, ends, openCheckout, phone, violations } from "./CheckoutBrowser.ts"
import type { CheckoutBrowser, NewPayment } from "./CheckoutBrowser.ts"

const minimal = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  description: '<img src=x onerror="document.title=1">',
  customer: { email: "asha@example.com", phone: "+919876543210" },
  metadata: { sandbox_scenario: "undecided" }
} as const

const methods: { readonly [name: string]: NewPayment } = {
  "UPI intent": minimal,
  "UPI QR": { ...minimal, payment_method_details: { upi: { flow: "qr" } } },
  "UPI collect": { ...minimal, payment_method_details: { upi: { flow: "collect", vpa: "asha@okaxis" } } },
  card: { ...minimal, payment_method: "card" },
  stablecoin: {
    ...minimal,
    currency: "USD",
    payment_method: "stablecoin",
    payment_method_details: { stablecoin: { asset: "USDC", network: "base" } }
  }
}

describe.skipIf(!hasBrowser)("the payment page in a browser (Linux on x64, or CHROMIUM_PATH)", () => {
  let checkout: CheckoutBrowser
  beforeAll(async () => {
    checkout = await openCheckout({ sandbox: true, checkout: { name: "Chai <i>& Co.", afterPayment: "stay" } })
  })
  afterAll(() => checkout.close())
  const opened: CheckoutBrowser["opened"] = (...page) => checkout.opened(...page)
  const created: CheckoutBrowser["created"] = (payment) => checkout.created(payment)

  for (const [name, payment] of Object.entries(methods)) {
    it(`brings ${name} to each end, readable for everyone`, async () => {
      for (const [options, decision, title] of [
        [phone, "approve", "Payment complete"],
        [desktop, "decline", "Payment failed"],
        [phone, "expire", "Payment expired"]
      ] as const) {
        const { url } = await created(payment)
        const { page, wrong } = await opened(url, options)
        assert.deepStrictEqual(await violations(page), [])
        await decide(url, decision)
        await ends(page, title)
        assert.deepStrictEqual(await violations(page), [])
        assert.deepStrictEqual(wrong, [])
        assert.include(await page.title(), "Chai <i>& Co.")
        await page.context().close()
      }
    })
  }

  it("shows the amount on one line of the narrowest phone, to readers of every direction: half of it would be another amount", async () => {
    for (const [currency, amount, locale, text] of [
      ["HUF", 12_345, "en-US", "HUF 123.45"],
      ["HUF", 12_345, "hu-HU", "123,45 Ft"],
      ["IDR", 999_999_999_999, "id-ID", "Rp 9.999.999.999,99"],
      ["HUF", Number.MAX_SAFE_INTEGER, "en-IN", "HUF 9,00,71,99,25,47,409.91"],
      ["HUF", Number.MAX_SAFE_INTEGER, "ar-EG", "90,071,992,547,409.91 HUF"]
    ] as const) {
      const { url } = await created({ ...minimal, payment_method: "card", currency, amount })
      const { page, wrong } = await opened(url, { viewport: { width: 320, height: 640 }, locale })
      const shown = page.locator(".amount bdi")
      const written = (await shown.textContent())?.replaceAll(/[\u200e\u200f]/g, "").replaceAll(/\s/g, " ")
      assert.strictEqual(written, text)
      assert.isBelow((await shown.boundingBox())?.height ?? Infinity, 48, text)
      assert.strictEqual(await page.evaluate("document.documentElement.scrollWidth"), 320, text)
      assert.deepStrictEqual([...(await violations(page)), ...wrong], [])
      await page.context().close()
    }
  })

  it("shows the result to a payer who closed the tab and comes back", async () => {
    const { url } = await created(minimal)
    const { page } = await opened(url, phone)
    await page.context().close()
    await decide(url, "approve")
    const { page: again } = await opened(url, phone)
    assert.strictEqual(await again.locator("h1").textContent(), "Payment complete")
    await again.context().close()
  })

  it("finds the result after the network was lost", async () => {
    const { url } = await created(minimal)
    const { page } = await opened(url, phone)
    await page.context().route("**/*", (route) => route.abort())
    // The stream may still be opening: a connection is dropped once it is open.
    while (!(await page.locator("#offline").isVisible())) {
      checkout.dropConnections()
      await page.waitForTimeout(100)
    }
    await decide(url, "approve")
    await page.context().unroute("**/*")
    await ends(page, "Payment complete")
    assert.isFalse(await page.locator("#offline").isVisible())
    await page.context().close()
  })

  it("goes on saying that the connection is lost while the server answers with errors, and asks again", async () => {
    const { url } = await created(minimal)
    const { page } = await opened(url, phone)
    const answers = { status: 0, reads: 0 }
    await page.context().route("**/*", async (route) => {
      if (answers.status === 0 || route.request().url() !== url) return route.abort()
      answers.reads += 1
      await route.fulfill({ status: answers.status, body: "" })
    })
    while (!(await page.locator("#offline").isVisible())) {
      checkout.dropConnections()
      await page.waitForTimeout(100)
    }
    for (const status of [503, 429]) {
      Object.assign(answers, { status, reads: 0 })
      while (answers.reads < 2) await page.waitForTimeout(100)
      assert.isTrue(await page.locator("#offline").isVisible())
    }
    await decide(url, "approve")
    await page.context().unroute("**/*")
    await ends(page, "Payment complete")
    assert.isFalse(await page.locator("#offline").isVisible())
    await page.context().close()
  })

  it("shows no lost connection for an error of the server or of the page itself", async () => {
    const { url } = await created(minimal)
    const { page } = await opened(url, phone)
    const answers = { reads: 0 }
    await page.route(url, (route) =>
      answers.reads++ < 2 ? route.fulfill({ status: 503, body: "" }) : route.continue()
    )
    await page.evaluate("document.adoptNode = () => { throw new Error('broken page') }")
    const broken = page.waitForEvent("pageerror")
    await decide(url, "approve")
    while (answers.reads < 2) await page.waitForTimeout(50)
    assert.isFalse(await page.locator("#offline").isVisible())
    assert.strictEqual((await broken).message, "broken page")
    assert.isFalse(await page.locator("#offline").isVisible())
    await page.context().close()
  })

  it("says that a payment failed whose providers are down", async () => {
    const { url } = await created({ ...minimal, metadata: { sandbox_scenario: "all_down" } })
    const { page } = await opened(url, desktop)
    assert.strictEqual(await page.locator("h1").textContent(), "Payment failed")
    await page.context().close()
  })

  it("follows a stablecoin transfer from the first confirmation to the last", async () => {
    const { url } = await created({ ...methods["stablecoin"], metadata: {} } as NewPayment)
    const { page, wrong } = await opened(url, desktop)
    await page.locator("h1", { hasText: "Payment complete" }).waitFor({ timeout: 30_000 })
    assert.deepStrictEqual(wrong, [])
    await page.context().close()
  })

  it("shows a change that comes while the page still reads the change before", async () => {
    const transfer = { ...methods["stablecoin"], metadata: { sandbox_transfer: "under" } } as NewPayment
    const { id, url } = await created(transfer)
    const { page } = await opened(url, desktop)
    const isUnderpaid = async () => (await checkout.paymux.reviews.get(id)).reviews.length > 0
    let reads = 0
    await page.route(url, async (route) => {
      const response = await route.fetch()
      if (reads++ === 0) {
        while (!(await isUnderpaid())) await page.waitForTimeout(50)
        // The stream reports it within a second.
        await page.waitForTimeout(2_000)
      }
      await route.fulfill({ response })
    })
    await ends(page, "Payment is being processed")
    await page.context().close()
  })

  it("sends the payer to the provider's page and shows the result on return", async () => {
    const { url } = await created({ ...minimal, payment_method: "card" })
    const { page } = await opened(url, phone)
    await page.locator("a", { hasText: "Continue to pay" }).click()
    await page.locator("button", { hasText: "Approve" }).click()
    await page.waitForURL(url)
    assert.strictEqual(await page.locator("h1").textContent(), "Payment complete")
    await page.context().close()
  })

  it("works without script: it reloads while it waits, and its buttons work", async () => {
    const { url } = await created(minimal)
    const { page } = await opened(url, { ...phone, javaScriptEnabled: false })
    assert.strictEqual(await page.locator('meta[http-equiv="refresh"]').getAttribute("content"), "10")
    await page.locator("button", { hasText: "Approve" }).click()
    await page.locator("h1", { hasText: "Payment complete" }).waitFor()
    assert.strictEqual(await page.locator('meta[http-equiv="refresh"]').count(), 0)
    await page.context().close()
  })

  it("draws the very link of next_action as a QR code", async () => {
    for (const name of ["UPI intent", "UPI QR", "stablecoin"]) {
      const { id, url } = await created(methods[name] ?? minimal)
      const { next_action: action } = await checkout.paymux.payments.get(id)
      const { page } = await opened(url, desktop)
      // Boundary of a test: the answer of the script has this shape.
      const { dark, size } = await page.evaluate<{ dark: string; size: number }>(pixelsOfCode)
      const pixels = Array.from(dark).flatMap((each) => (each === "1" ? [0, 0, 0, 255] : [255, 255, 255, 255]))
      const text = jsQR.default(Uint8ClampedArray.from(pixels), size, size)?.data
      assert.strictEqual(
        text,
        action?.type === "upi_qr" ? action.payload : action !== null && "uri" in action ? action.uri : ""
      )
      await page.context().close()
    }
  })

  it("copies the address and the amount of a transfer", async () => {
    const { id, url } = await created(methods["stablecoin"] ?? minimal)
    const context = await checkout.browser.newContext({
      ...desktop,
      permissions: ["clipboard-read", "clipboard-write"]
    })
    const { page } = await opened(url, context)
    const { next_action: action } = await checkout.paymux.payments.get(id)
    assert.strictEqual(action?.type, "stablecoin_transfer")
    if (action?.type !== "stablecoin_transfer") return
    for (const text of [action.address, action.amount]) {
      await page.locator(`button[data-copy="${text}"]`).click()
      await page.locator("button", { hasText: "Copied" }).waitFor()
      assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), text)
      await page.locator("button", { hasText: "Copied" }).waitFor({ state: "detached" })
    }
    await context.close()
  })
})

// As text: the sources are checked without the types of a browser.
const pixelsOfCode = `(async () => {
  const svg = document.querySelector(".code svg").outerHTML
  const image = new Image()
  image.src = "data:image/svg+xml;base64," + btoa(svg)
  await image.decode()
  const size = 320
  const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size })
  const context = canvas.getContext("2d")
  context.fillStyle = "white"
  context.fillRect(0, 0, size, size)
  context.drawImage(image, 0, 0, size, size)
  const { data } = context.getImageData(0, 0, size, size)
  return { dark: Array.from({ length: size * size }, (_, at) => (data[at * 4] < 128 ? "1" : "0")).join(""), size }
})()`
