/** What people do with payments in the dashboard, in a browser, and what the library says afterwards. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Role } from "@paymux/dashboard"
import type { Locator, Page } from "playwright-core"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { activate, fill } from "./keyboard.ts"
import { people } from "./people.ts"

// cspell:ignore ليلى حدّاد ngstro
const [rightToLeft, combining] = ["ليلى حدّاد", "Zoe\u0301 A\u030angstro\u0308m"]

const phone = "+4915112345678"

const card = {
  amount: 1_000,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } },
  customer: { email: "payer@shop.example", phone }
} as const

/** What does not appear is named by the failure, before the test ends by its own limit. */
const opened = async (server: DashboardServer, path: string, role: Role) => {
  const recorded = await server.open(path, { role })
  recorded.page.setDefaultTimeout(60_000)
  return recorded
}

describe.skipIf(!hasBrowser)("payments in the dashboard (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  }, 600_000)
  afterAll(() => server.close())

  const create = (changes: Partial<Parameters<typeof server.paymux.payments.create>[0]> = {}) =>
    server.paymux.payments.create({ ...card, ...changes })

  const paidBy = (email: string) => create({ customer: { email, phone } })

  const refundsOf = async (paymentId: string) => (await server.paymux.refunds.search({ paymentId, limit: 100 })).data

  const amountsOf = async (paymentId: string) => (await refundsOf(paymentId)).map(({ amount }) => amount)

  const asOperator = (path: string) => opened(server, path, "operator")

  /** The dialog that refunds, of a page that shows a payment. */
  const openRefund = async (page: Page): Promise<Locator> => {
    await page.getByRole("button", { name: "Refund", exact: true }).click()
    return page.getByRole("dialog", { name: "Refund the payment" })
  }

  const said = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor()

  it("show the address of a customer, and what is known of one without an e-mail address", async () => {
    const address = { line1: "1 Main Road", city: "Pune", postal_code: "411001", country: "IN" }
    const { id } = await create({ customer: { phone, address } })
    const { page, problems } = await asOperator(`payments/${id}`)
    const customer = page.getByRole("region", { name: "Customer" })
    await customer.getByText("1 Main Road, 411001, Pune, IN").waitFor()
    await customer.getByText(phone).waitFor()
    assert.strictEqual(await customer.getByRole("link").count(), 0)
    await page.goto(page.url().replace(`/${id}`, ""))
    await page.getByRole("table").getByText(phone).first().waitFor()
    assert.deepStrictEqual(problems, [])
  })

  it("are found by email and half refunded, with the mouse", async () => {
    const { id } = await paidBy("mouse@shop.example")
    await paidBy("other@shop.example")
    const { page, problems } = await asOperator("")
    await page.getByRole("searchbox").fill("mouse@shop.example")
    await page.getByRole("searchbox").press("Enter")
    const row = page.getByRole("table").getByRole("row").nth(1)
    await row.getByText("mouse@shop.example").click()
    await page.getByRole("heading", { level: 1, name: "10.00 EUR" }).waitFor()

    const dialog = await openRefund(page)
    await dialog.getByLabel("Amount").fill("5.001")
    await dialog.getByRole("button", { name: "Refund" }).click()
    await dialog.getByText("Enter an amount in EUR").waitFor()
    await dialog.getByLabel("Amount").fill("10.01")
    await dialog.getByRole("button", { name: "Refund" }).click()
    await dialog.getByText("Enter at most 10.00 EUR.").waitFor()
    await dialog.getByLabel("Amount").fill("5.00")
    await dialog.getByLabel("Reason").fill("half of it came back")
    await dialog.getByRole("button", { name: "Refund 5.00 EUR" }).dblclick()
    await said(page, "Refund requested")
    await page.getByText("Partly refunded").waitFor()
    const refunds = await refundsOf(id)
    assert.deepStrictEqual(
      refunds.map(({ amount, reason }) => [amount, reason]),
      [[500, "half of it came back"]]
    )

    await page.getByRole("region", { name: "Refunds" }).getByRole("link", { name: "5.00 EUR" }).click()
    await page.getByRole("heading", { level: 1, name: "Refund of 5.00 EUR" }).waitFor()
    await page.getByRole("link", { name: "Open the payment" }).click()
    await page.getByRole("heading", { level: 1, name: "10.00 EUR" }).waitFor()
    assert.deepStrictEqual(problems, [])
  })

  it("are found by email and half refunded, with the keyboard alone", async () => {
    const { id } = await paidBy("keys@shop.example")
    const { page, problems } = await asOperator("")
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("keys@shop.example")
    await page.keyboard.press("Enter")
    await page.getByRole("table").getByText("keys@shop.example").waitFor()
    // Out of the search, where letters are typed.
    await page.keyboard.press("Tab")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "10.00 EUR" }).waitFor()
    const button = page.getByRole("button", { name: "Refund", exact: true })
    await activate(page, button)
    const dialog = page.getByRole("dialog", { name: "Refund the payment" })
    await fill(page, dialog.getByLabel("Amount"), "5")
    await page.keyboard.press("Enter")
    await said(page, "Refund requested")
    assert.deepStrictEqual(await amountsOf(id), [500])
    assert.isTrue(
      await button.evaluate(
        (element: { ownerDocument: { activeElement: unknown } }) => element.ownerDocument.activeElement === element
      )
    )
    assert.deepStrictEqual(problems, [])
  })

  it("are refunded once, although the connection was lost and it was sent again", async () => {
    const { id } = await create()
    const { page } = await asOperator(`payments/${id}`)
    const dialog = await openRefund(page)
    await dialog.getByLabel("Amount").fill("4")
    let lost = 0
    await page.route("**/refunds", async (route) => {
      if (route.request().method() !== "POST" || lost > 0) return route.fallback()
      lost++
      await route.fetch()
      return route.abort()
    })
    await dialog.getByRole("button", { name: "Refund 4.00 EUR" }).click()
    await dialog.getByText("Connection lost").waitFor()
    assert.deepStrictEqual(await amountsOf(id), [400])
    await dialog.getByRole("button", { name: "Send again" }).click()
    await said(page, "Refund requested")
    assert.deepStrictEqual([lost, await amountsOf(id)], [1, [400]])
  })

  it("keep what was entered, when the session ends meanwhile", async () => {
    const { id } = await create()
    const { page } = await asOperator(`payments/${id}`)
    const dialog = await openRefund(page)
    await dialog.getByLabel("Amount").fill("3.50")
    await dialog.getByLabel("Reason").fill("a long story")
    const { origin } = new URL(server.url)
    const ended = await page
      .context()
      .request.post(`${server.url}/dashboard/api/session/sign-out`, { headers: { origin } })
    assert.isBelow(ended.status(), 300)
    await dialog.getByRole("button", { name: "Refund 3.50 EUR" }).click()
    const signIn = page.getByRole("dialog", { name: "Your session has ended" })
    await signIn.getByLabel("Email").fill(people.operator.email)
    await signIn.getByLabel("Password").fill(people.operator.password)
    assert.strictEqual(await page.locator("textarea").inputValue(), "a long story")
    await signIn.getByRole("button", { name: "Sign in" }).click()
    await said(page, "Refund requested")
    assert.deepStrictEqual(
      (await refundsOf(id)).map(({ amount, reason }) => [amount, reason]),
      [[350, "a long story"]]
    )
  })

  it("show what another person changed, before it is refunded again", async () => {
    const { id } = await create()
    const [one, other] = [await asOperator(`payments/${id}`), await opened(server, `payments/${id}`, "owner")]
    const [first, second] = [await openRefund(one.page), await openRefund(other.page)]
    await second.getByLabel("Amount").fill("7")
    await first.getByLabel("Amount").fill("6")
    await first.getByRole("button", { name: "Refund 6.00 EUR" }).click()
    await said(one.page, "Refund requested")
    await second.getByRole("button", { name: "Refund 7.00 EUR" }).click()
    await second.getByText("The payment has changed since you opened this").waitFor()
    await second.getByRole("row", { name: "Refunded 0.00 EUR 6.00 EUR" }).waitFor()
    await second.getByRole("row", { name: "Most you can refund 10.00 EUR 4.00 EUR" }).waitFor()
    assert.deepStrictEqual(await amountsOf(id), [600])

    await second.getByRole("button", { name: "Continue with the payment as it is now" }).click()
    await second.getByRole("button", { name: "Refund" }).click()
    await second.getByText("Enter at most 4.00 EUR.").waitFor()
    await second.getByLabel("Amount").fill("1")
    await second.getByRole("button", { name: "Refund 1.00 EUR" }).click()
    await said(other.page, "Refund requested")
    assert.deepStrictEqual(
      (await amountsOf(id)).toSorted((a, b) => a - b),
      [100, 600]
    )
  })

  it("that are held are captured in part or canceled, by operators alone", async () => {
    const [taken, released] = [await create({ capture_method: "manual" }), await create({ capture_method: "manual" })]
    const { page } = await asOperator(`payments/${taken.id}`)
    await page.getByRole("button", { name: "Capture", exact: true }).click()
    const capture = page.getByRole("dialog", { name: "Capture the payment" })
    await capture.getByLabel("Amount").fill("9.99")
    await capture.getByRole("button", { name: "Capture 9.99 EUR" }).click()
    await said(page, "Capture requested")
    assert.strictEqual((await server.paymux.payments.get(taken.id)).amount_captured, 999)

    await page.goto(`${server.url}/dashboard/default/test/payments/${released.id}`)
    await page.getByRole("button", { name: "Cancel", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the payment" }).click()
    await said(page, "Cancel requested")
    assert.strictEqual((await server.paymux.payments.get(released.id)).status, "canceled")

    const viewer = await opened(server, `payments/${taken.id}`, "viewer")
    await viewer.page.getByRole("heading", { level: 1, name: "10.00 EUR" }).waitFor()
    const refused = viewer.page.getByRole("button", { name: "Refund", exact: true })
    assert.isTrue(await refused.isDisabled())
    await refused.focus()
    await viewer.page.getByRole("tooltip", { name: "Only owners and operators can do this." }).waitFor()
    await viewer.page.keyboard.press("Enter")
    assert.strictEqual(await viewer.page.getByRole("dialog").count(), 0)
  })

  it("that wait for their payer are decided in the sandbox", async () => {
    const { id } = await create({
      currency: "INR",
      payment_method: "upi",
      payment_method_details: { upi: { flow: "collect", vpa: "pending@paymux" } }
    })
    const { page } = await opened(server, `payments/${id}`, "developer")
    await page.getByRole("button", { name: "Simulate" }).click()
    await page.getByRole("menuitem", { name: "Approve" }).click()
    await said(page, "The payer is simulated")
    await page.getByRole("heading", { level: 1, name: "Succeeded" }).waitFor()
    assert.strictEqual((await server.paymux.payments.get(id)).status, "succeeded")
  })

  it("that do not exist, and those of another account, are calmly not found", async () => {
    const { id } = await server.paymux.forAccount("shop_b").payments.create(card)
    for (const path of [
      `payments/${id}`,
      "payments/pay_00000000000000000000000000",
      "payments/nothing",
      "refunds/re_1"
    ]) {
      const { page } = await asOperator(path)
      await page.getByText("This account and mode has no such").waitFor()
      assert.isFalse(await page.getByText("10.00").isVisible())
      await page.context().close()
    }
  })
})

describe.skipIf(!hasBrowser)("the list of payments in the dashboard (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
    const { payments } = server.paymux
    const named = (name: string, currency = "EUR", amount = 1_000) =>
      payments.create({ ...card, amount, currency, customer: { ...card.customer, name } })
    await named('=HYPERLINK("https://evil.example")')
    await named("@SUM(A1)")
    await named(rightToLeft, "JPY", 48_000)
    await named(combining, "KWD", 12_345)
    await named('Miller, "Max"\nJr.')
    for (let n = 0; n < 120; n++) await payments.create({ ...card, metadata: { order_id: `bulk-${n}`, kind: "bulk" } })
  }, 600_000)
  afterAll(() => server.close())

  const without = `delete window.showSaveFilePicker`

  const exported = async (page: Page): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click()
    ])
    assert.match(download.suggestedFilename(), /^payments-default-test-\d{4}-\d\d-\d\d\.csv$/)
    return readFileSync(await download.path(), "utf8")
  }

  it("is exported whole, with no formula in it", async () => {
    const { page, problems } = await opened(server, "payments", "viewer")
    await page.addInitScript(without)
    await page.reload()
    const text = await exported(page)
    assert.isTrue(text.startsWith("\uFEFFid,created_at,status,amount,currency,"))
    assert.include(text, `"'=HYPERLINK(""https://evil.example"")"`)
    assert.include(text, `,'@SUM(A1),payer@shop.example,'${phone},,`)
    assert.include(text, `"Miller, ""Max""\nJr."`)
    assert.include(text, ",48000,JPY,")
    assert.include(text, ",12.345,KWD,")
    assert.lengthOf(text.match(/^(?:\uFEFF)?(?:id|pay_\w{26}),/gm) ?? [], 1 + 5 + 120)
    assert.deepStrictEqual(problems, [])
  })

  it("is exported as it is filtered, page after page, and not at all once it is canceled", async () => {
    const { page } = await opened(server, "payments?metadata=kind=bulk", "viewer")
    await page.addInitScript(`window.written = []; window.showSaveFilePicker = async () => ({ createWritable: async () => ({
      write: async (text) => { window.written.push(text.split("\\r\\n").length - 1) },
      close: async () => { window.written.push("closed") },
      abort: async () => { window.written.push("aborted") } }) })`)
    await page.reload()
    const written = () => page.evaluate<ReadonlyArray<number | string>>("window.written")
    await page.getByRole("button", { name: "Export" }).click()
    await page.getByRole("status").filter({ hasText: "Exported 120 payments" }).waitFor()
    assert.deepStrictEqual(await written(), [101, 20, "closed"])

    await page.reload()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route("**/payments?*after=*", async (route) => {
      await held
      await route.fallback()
    })
    await page.getByRole("button", { name: "Export" }).click()
    await page.getByText("100 payments written").waitFor()
    await page.getByRole("button", { name: "Cancel" }).click()
    release()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    assert.deepStrictEqual(await written(), [101, "aborted"])
  })

  it("shows unusual names and currencies as they are", async () => {
    const { page, problems } = await opened(server, "payments?currency=JPY", "operator")
    const row = page.getByRole("table").getByRole("row").nth(1)
    await row.getByText("48,000 JPY").waitFor()
    await row.getByText(rightToLeft).click()
    await page.getByRole("heading", { level: 1, name: "48,000 JPY" }).waitFor()
    await page.getByRole("button", { name: "Refund", exact: true }).click()
    await page.getByRole("dialog").getByLabel("Amount").fill("1.5")
    await page.getByRole("dialog").getByRole("button", { name: "Refund" }).click()
    await page.getByText("Enter an amount in JPY: it has no decimals.").waitFor()
    await page.goto(`${server.url}/dashboard/default/test/payments?currency=KWD&amountMin=12.345&amountMax=12.345`)
    await page.getByText("12.345 KWD").first().waitFor()
    await page.getByText(combining).waitFor()
    assert.deepStrictEqual(problems, [])
  })

  it("is filtered by an amount of one currency, and keeps views and columns", async () => {
    const { page, problems } = await opened(server, "payments", "viewer")
    const filters = page.getByRole("group", { name: "Filters" })
    await filters.getByRole("button", { name: "Amount" }).click()
    await page.getByLabel("At least").fill("48000")
    await page.getByRole("button", { name: "Apply" }).click()
    await page.getByText("Enter a currency, such as EUR.").waitFor()
    await page.getByLabel("Currency", { exact: true }).fill("jpy")
    await page.getByRole("button", { name: "Apply" }).click()
    await page.getByRole("table").getByText("48,000 JPY").waitFor()
    assert.strictEqual(new URL(page.url()).search, "?amountMin=48000&currency=JPY")

    await page.getByRole("button", { name: "Save view" }).click()
    await page.getByLabel("Name").fill("Large in yen")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("link", { name: "All", exact: true }).click()
    await page.getByRole("button", { name: "Columns" }).click()
    await page.getByRole("menuitemcheckbox", { name: "Email" }).click()
    await page.keyboard.press("Escape")
    await page.reload()
    await page.getByRole("columnheader", { name: "Email" }).waitFor()
    await page.getByRole("link", { name: "Large in yen" }).click()
    await page.getByRole("table").getByText("48,000 JPY").waitFor()
    await page.getByRole("table").getByRole("row").nth(2).waitFor({ state: "detached" })
    assert.strictEqual(await page.getByRole("table").getByRole("row").count(), 2)
    assert.deepStrictEqual(problems, [])

    await page.goto(`${server.url}/dashboard/default/test/payments?amountMin=5`)
    await page.getByText("An amount needs exactly one currency.").waitFor()
  })

  it("leads to a payment with 200 refunds, whose timeline has pages", async () => {
    const { payments, refunds } = server.paymux
    const { id } = await payments.create({ ...card, amount: 20_000 })
    for (let n = 0; n < 200; n++) await refunds.create(id, { amount: 100 })
    const { page, problems } = await opened(server, `payments/${id}`, "viewer")
    const timeline = page.getByRole("region", { name: "Timeline" })
    await timeline.getByText("Payment of 200.00 EUR created").waitFor()
    assert.strictEqual(await timeline.getByRole("listitem").count(), 100)
    const more = timeline.getByRole("button", { name: "Show more" })
    while (await more.isVisible()) {
      const before = await timeline.getByRole("listitem").count()
      await more.click()
      await timeline.getByRole("listitem").nth(before).waitFor()
    }
    assert.strictEqual(await timeline.getByText("Refund of 1.00 EUR succeeded").count(), 200)
    assert.strictEqual(await timeline.getByText("refund.succeeded", { exact: true }).count(), 200)
    await timeline.getByText("Routing").click()
    await timeline.getByText("Order to try").waitFor()
    assert.deepStrictEqual(problems, [])
  })
})
