/** Reports that match no payment, in the dashboard: matched, dismissed, decided by someone else, and not for everyone. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { card } from "../../packages/paymux/test/card.ts"
import { reportLost } from "../../packages/paymux/test/ProviderReports.ts"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { joinByLink } from "./joinByLink.ts"

describe.skipIf(!hasBrowser)("unmatched reports in the dashboard (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  })
  afterAll(() => server?.close())

  const shop = () => server.paymux.forAccount("default", { mode: "test" })

  const lost = async (event: string): Promise<string> => {
    await reportLost(server.database, event)
    const { data: reports } = await shop().reports.list()
    return reports.find((report) => report.event === event)?.id ?? assert.fail(`no report of ${event}`)
  }

  it("are matched to a payment that the operator sees first", async () => {
    const id = await lost("evt_match")
    const payment = await shop().payments.create(card)
    const { page, problems } = await server.open("reports", { role: "operator" })
    await page.getByRole("row").filter({ hasText: "ch_evt_match" }).click()
    await page.getByRole("button", { name: "Match to payment" }).click()
    const dialog = page.getByRole("dialog")
    const field = dialog.getByRole("textbox", { name: "Payment id" })
    await field.fill("ch_evt_match")
    await dialog.getByRole("button", { name: "Find payment" }).click()
    await dialog.getByText("Enter the id of a payment").waitFor()
    await field.fill(payment.id)
    await dialog.getByRole("button", { name: "Find payment" }).click()
    await dialog.getByText(card.customer.email).waitFor()
    await dialog.getByText("12.00 EUR").first().waitFor()
    assert.strictEqual((await shop().reports.get(id)).status, "parked")
    await dialog.getByRole("button", { name: "Match report" }).dblclick()
    await dialog.waitFor({ state: "hidden" })
    await page.getByText("An operator matched it to a payment.").waitFor()
    const { paymentId, status } = await shop().reports.get(id)
    assert.deepStrictEqual({ paymentId: String(paymentId), status }, { paymentId: payment.id, status: "matched" })
    assert.strictEqual(await page.getByRole("button", { name: "Match to payment" }).count(), 0)
    assert.deepStrictEqual(problems, [])
  })

  it("are not matched by Enter pressed twice, nor to a payment that differs before the person confirms it", async () => {
    const id = await lost("evt_differs")
    const payment = await shop().payments.create({ ...card, amount: 1300 })
    const { page, problems } = await server.open(`reports/${id}`, { role: "operator" })
    await page.getByRole("button", { name: "Match to payment" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "Payment id" }).fill(payment.id)
    await page.keyboard.press("Enter")
    await dialog.getByText("No operation of the payment is of 12.00 EUR.").waitFor()
    await page.keyboard.press("Enter")
    assert.isTrue(await dialog.getByRole("button", { name: "Match report" }).isDisabled())
    assert.strictEqual((await shop().reports.get(id)).status, "parked")
    await dialog.getByRole("checkbox", { name: "although they do not agree" }).check()
    await dialog.getByRole("button", { name: "Match report" }).click()
    await dialog.waitFor({ state: "hidden" })
    assert.strictEqual((await shop().reports.get(id)).status, "matched")
    assert.deepStrictEqual(problems, [])
  })

  it("say which payment does not exist, and go back to the search", async () => {
    const id = await lost("evt_missing")
    const { page } = await server.open(`reports/${id}`, { role: "operator" })
    await page.getByRole("button", { name: "Match to payment" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "Payment id" }).fill("pay_01jd8w6x2vh6k9v0q3f7m5t1ac")
    await page.keyboard.press("Enter")
    await dialog.getByText("There is no such payment in this account and mode.").waitFor()
    await dialog.getByRole("button", { name: "Back" }).click()
    await dialog.getByRole("textbox", { name: "Payment id" }).waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    assert.strictEqual((await shop().reports.get(id)).status, "parked")
  })

  it("are dismissed with a reason, which is required", async () => {
    const id = await lost("evt_dismiss")
    const { page, problems } = await server.open(`reports/${id}`, { role: "operator" })
    await page.getByRole("button", { name: "Dismiss" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Dismiss report" }).click()
    await dialog.getByText("Enter why it belongs to no payment.").waitFor()
    assert.strictEqual((await shop().reports.get(id)).status, "parked")
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Of the old shop")
    await dialog.getByRole("button", { name: "Dismiss report" }).click()
    await dialog.waitFor({ state: "hidden" })
    await page.getByText("Of the old shop").waitFor()
    assert.deepInclude(await shop().reports.get(id), { status: "dismissed", note: "Of the old shop" })
    assert.deepStrictEqual(problems, [])
  })

  it("show what someone else decided meanwhile, and change nothing", async () => {
    const id = await lost("evt_conflict")
    const payment = await shop().payments.create(card)
    const { page } = await server.open(`reports/${id}`, { role: "operator" })
    await page.getByRole("button", { name: "Dismiss" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Of the old shop")
    await shop().reports.match(id, { paymentId: payment.id })
    await dialog.getByRole("button", { name: "Dismiss report" }).click()
    await dialog.getByText(`Its payment is ${payment.id}.`).waitFor()
    assert.deepInclude(await shop().reports.get(id), { status: "matched", note: null })
  })

  it("are for people with a role in every account, and the page says so", async () => {
    const person = { email: "of.one@shop.example", password: "correct horse battery staple" }
    const { link } = await server.paymux.dashboard.invite({
      email: person.email,
      role: "operator",
      account: "default"
    })
    const { page } = await server.newPage()
    await joinByLink(page, link, person)
    await page.goto(`${server.url}/dashboard/default/test/reports`)
    await page.getByText("Unmatched reports need a role in every account").waitFor()
  })
})
