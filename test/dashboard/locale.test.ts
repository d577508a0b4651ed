/** The dashboard in a browser of another region: amounts are shown, typed and filtered as its reader writes them. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard, screens } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"

const card = {
  amount: 123_450,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } },
  customer: { email: "payer@shop.example", phone: "+4915112345678" }
} as const

const german = { ...screens.desktopLight, locale: "de-DE" }

describe.skipIf(!hasBrowser)("the dashboard in a German browser (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  }, 600_000)
  afterAll(() => server.close())

  it("offers, reads and confirms the amount of a refund with a comma, and refuses what could be two amounts", async () => {
    const { id } = await server.paymux.payments.create(card)
    const { page } = await server.open(`payments/${id}`, { role: "operator", screen: german })
    await page.getByRole("heading", { level: 1, name: "1.234,50 EUR" }).waitFor()
    await page.getByRole("button", { name: "Refund", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Refund the payment" })
    assert.strictEqual(await dialog.getByLabel("Amount").inputValue(), "1234,50")
    await dialog.getByLabel("Amount").fill("12.50")
    await dialog.getByRole("button", { name: "Refund" }).click()
    await dialog.getByText('digits, with "," before at most 2 decimals').waitFor()
    await dialog.getByLabel("Amount").fill("1.012,50")
    await dialog.getByRole("button", { name: "Refund 1.012,50 EUR" }).click()
    await page.getByText("Partly refunded").waitFor()
    const { data: refunds } = await server.paymux.refunds.search({ paymentId: id })
    assert.deepStrictEqual(
      refunds.map(({ amount }) => amount),
      [101_250]
    )
  })

  it("has a filter in its address that means the same to a reader of another region", async () => {
    await server.paymux.payments.create({ ...card, amount: 12_345, currency: "HUF" })
    const { page } = await server.open("payments", { role: "viewer", screen: german })
    await page.getByRole("group", { name: "Filters" }).getByRole("button", { name: "Amount" }).click()
    await page.getByLabel("Currency", { exact: true }).fill("huf")
    await page.getByLabel("At least").fill("123.45")
    await page.getByRole("button", { name: "Apply" }).click()
    await page.getByText("Enter an amount in HUF, such as 12,50.").waitFor()
    await page.getByLabel("At least").fill("123,45")
    await page.getByRole("button", { name: "Apply" }).click()
    await page.getByRole("table").getByText("123,45 HUF").waitFor()
    const { search } = new URL(page.url())
    assert.strictEqual(search, "?amountMin=123.45&currency=HUF")
    await page.getByRole("button", { name: "123,45 – … HUF" }).waitFor()

    const other = await server.open(`payments${search}`, { role: "viewer" })
    await other.page.getByRole("table").getByText("123.45 HUF").waitFor()
    await other.page.getByRole("button", { name: "123.45 – … HUF" }).waitFor()
  })

  it("has the amount of a made-up payment in its address as every reader reads it", async () => {
    const { page } = await server.open("routing/explain?subject=request", { screen: german })
    await page.getByLabel("Amount").fill("12.5")
    await page.getByRole("button", { name: "Explain" }).click()
    await page.getByText(/^Enter an amount in \w{3}, such as 12,50\.$/).waitFor()
    await page.getByLabel("Amount").fill("12,5")
    await page.getByRole("button", { name: "Explain" }).click()
    await page.waitForURL(/[?&]amount=12\.50(&|$)/)
    await page.reload()
    await page.getByLabel("Amount").and(page.locator("input[value='12,50']")).waitFor()
  })

  it("opens in a browser whose language is the name of a POSIX locale, which is passed over", async () => {
    const { page } = await server.open("payments", { role: "viewer", screen: german })
    await page.addInitScript("Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'de'] })")
    await page.reload()
    await page.getByText("1.234,50 EUR").first().waitFor()
  })
})
