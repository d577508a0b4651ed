/** The list of payments, filtered by metadata that has no index, on more payments than one search passes. */
import { assert, describe, it } from "@effect/vitest"
import type { CreatePaymentJson } from "paymux"
import { afterAll, beforeAll } from "vitest"
import { hasBrowser } from "../support/browser.ts"
import { copyPayments, createLater } from "../support/copyPayments.ts"
import { overflow, violations } from "./axe.ts"
import { openDashboard, screens } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"

const card: CreatePaymentJson = {
  amount: 1_000,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } },
  customer: { email: "asha@example.com", phone: "+4915112345678" }
}

describe.skipIf(!hasBrowser)("a search for metadata (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  let oldest: string
  let newest: string
  beforeAll(async () => {
    server = await openDashboard()
    const { payments } = server.paymux
    oldest = (await payments.create({ ...card, metadata: { channel: "fax", desk: "1" } })).id
    const other = await createLater(oldest, () => payments.create(card))
    copyPayments(server.database.slice("sqlite:".length), other, 6_000)
    newest = await createLater(other, () => payments.create({ ...card, metadata: { channel: "fax" } }))
  })
  afterAll(() => server?.close())

  const rowOf = (id: string) => `a[href$="payments/${id}"]`

  it("says how far it went, and continues to what lies behind, below what it found and where it found nothing", async () => {
    const { page } = await server.open("payments?metadata=channel=fax", { role: "viewer" })
    const searched = page
      .getByRole("status")
      .filter({ hasText: /^Searched payments back to .+ Older payments may match/ })
    await searched.waitFor()
    await page.locator(rowOf(newest)).first().waitFor()
    assert.strictEqual(await page.locator(rowOf(oldest)).count(), 0)
    assert.deepStrictEqual([await overflow(page), await violations(page)], [0, []])
    await page.getByRole("button", { name: "Continue the search" }).click()
    await page.locator(rowOf(oldest)).first().waitFor()
    assert.strictEqual(await searched.count(), 0)
    await page.goBack()
    await page.locator(rowOf(newest)).first().waitFor()

    const empty = await server.open("payments?metadata=desk=1", { role: "viewer", screen: screens.phoneDark })
    await empty.page.getByText("No match so far").waitFor()
    assert.deepStrictEqual([await overflow(empty.page), await violations(empty.page)], [0, []])
    await empty.page.getByRole("button", { name: "Continue the search" }).click()
    await empty.page.locator(rowOf(oldest)).first().waitFor()
    assert.deepStrictEqual(server.problems(), [])
  })
})
