/** The payment page against what merchants' customers and other sites may do to it, in a browser. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { hasBrowser } from "../../../test/support/browser.ts"
import { decide, desktop, openCheckout, phone } from "./CheckoutBrowser.ts"
import type { CheckoutBrowser, NewPayment } from "./CheckoutBrowser.ts"

/** Each would call `alert` if it became markup, an attribute, a link, a style or a script. */
const corpus = [
  "<script>alert(1)</script>",
  "</title><script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '" autofocus onfocus=alert(1) x="',
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  "<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)></style>",
  "<iframe srcdoc='<script>parent.alert(1)</script>'>",
  "<a href='javascript:alert(1)'>pay</a>",
  "<form action=javascript:alert(1)><button>pay</button></form>",
  "<base href='https://attacker.example/'>",
  "<meta http-equiv=refresh content='0;url=https://attacker.example/'>",
  "<link rel=stylesheet href=https://attacker.example/a.css>",
  "<style>@import 'https://attacker.example/a.css'</style>",
  "<details open ontoggle=alert(1)>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<!--><img src=x onerror=alert(1)>-->",
  "&lt;img src=x onerror=alert(1)&gt;",
  "${alert(1)} {{constructor.constructor('alert(1)')()}}",
  "\u2028alert(1)//\\u003cimg src=x onerror=alert(1)\\u003e",
  "<ｓｃｒｉｐｔ>alert(1)</ｓｃｒｉｐｔ>",
  "`onmouseover=alert(1)"
] as const

const rails: ReadonlyArray<Pick<NewPayment, "currency" | "payment_method" | "payment_method_details">> = [
  { currency: "INR", payment_method: "upi" },
  { currency: "INR", payment_method: "upi", payment_method_details: { upi: { flow: "qr" } } },
  { currency: "INR", payment_method: "upi", payment_method_details: { upi: { flow: "collect", vpa: "asha@okaxis" } } },
  { currency: "INR", payment_method: "card" },
  { currency: "USD", payment_method: "stablecoin" }
]

const written = (text: string, at = 0): NewPayment => ({
  amount: 10_000,
  ...(rails[at % rails.length] ?? { currency: "INR", payment_method: "upi" }),
  description: text,
  customer: { email: "asha@example.com", phone: "+919876543210", name: text },
  metadata: { sandbox_scenario: "undecided", note: text }
})

describe.skipIf(!hasBrowser)("the payment page under attack (Linux on x64, or CHROMIUM_PATH)", () => {
  let checkout: CheckoutBrowser
  beforeAll(async () => {
    const name = `"><img src=x onerror=alert(1)><script>alert(1)</script>`
    checkout = await openCheckout({ sandbox: true, checkout: { name, afterPayment: "stay" } })
  })
  afterAll(() => checkout.close())

  it("runs nothing that stands in a description, a name, metadata or the shop's name", async () => {
    const context = await checkout.browser.newContext(desktop)
    for (const [at, text] of corpus.entries()) {
      const { url } = await checkout.created(written(text, at))
      const { page, wrong } = await checkout.opened(url, context)
      page.on("dialog", (dialog) => {
        wrong.push(`alert ${dialog.message()}`)
        void dialog.dismiss()
      })
      await decide(url, "approve")
      await page.locator("h1", { hasText: "Payment complete" }).waitFor({ timeout: 30_000 })
      assert.deepStrictEqual(wrong, [], text)
      assert.strictEqual(await page.locator(".about bdi").textContent(), text)
      assert.strictEqual(await page.locator("iframe, form, base, style, svg[onload]").count(), 0, text)
      assert.strictEqual(page.url(), url)
      await page.close()
    }
    await context.close()
  })

  it("runs nothing on the page of a simulated provider", async () => {
    const context = await checkout.browser.newContext(desktop)
    for (const text of corpus) {
      const { id } = await checkout.created({ ...written(text), ...rails[3] })
      const { next_action: action } = await checkout.paymux.payments.get(id)
      const { page, wrong } = await checkout.opened(action?.type === "redirect" ? action.url : "", context)
      page.on("dialog", (dialog) => {
        wrong.push(`alert ${dialog.message()}`)
        void dialog.dismiss()
      })
      assert.strictEqual(await page.locator(".about bdi").textContent(), text)
      assert.strictEqual(await page.locator("iframe, base, style, script, svg[onload]").count(), 0, text)
      assert.deepStrictEqual(wrong, [], text)
      await page.close()
    }
    await context.close()
  })

  it("is shown in no frame of another site", async () => {
    const { url } = await checkout.created(written("Order 42"))
    const page = await (await checkout.browser.newContext(desktop)).newPage()
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"))
    await page.setContent(`<iframe src="${url}" width="600" height="600"></iframe>`)
    await refused
    assert.strictEqual(await page.frameLocator("iframe").locator("main").count(), 0)
    await page.context().close()
  })

  it("has no field that a card number could be typed into", async () => {
    for (const [at] of rails.entries()) {
      const { url } = await checkout.created(written("Order 42", at))
      const { page } = await checkout.opened(url, desktop)
      assert.strictEqual(await page.locator("input, textarea, select, [contenteditable]").count(), 0)
      await page.context().close()
    }
  })

  it("shows each payment's result after a reload where script is disabled", async () => {
    for (const [at] of rails.entries()) {
      const { url } = await checkout.created(written("Order 42", at))
      const { page } = await checkout.opened(url, { ...phone, javaScriptEnabled: false })
      await decide(url, at % 2 === 0 ? "approve" : "decline")
      await page.reload()
      assert.strictEqual(await page.locator("h1").textContent(), at % 2 === 0 ? "Payment complete" : "Payment failed")
      await page.context().close()
    }
  })

  it("keeps what is written from right to left in its own place", async () => {
    const description = "طلب رقم ٤٢ (قهوة) 10,000"
    const { url } = await checkout.created(written(description))
    const { page, wrong } = await checkout.opened(url, phone)
    // The amount and the title are not drawn backwards.
    assert.strictEqual(await page.locator(".about bdi").textContent(), description)
    assert.match((await page.locator(".amount").textContent()) ?? "", /₹\s*100\.00/)
    const width: unknown = await page.evaluate("document.documentElement.scrollWidth")
    assert.strictEqual(width, 360)
    assert.deepStrictEqual(wrong, [])
    await page.context().close()
  })
})
