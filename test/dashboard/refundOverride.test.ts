/** Refunds of more than disputes, and refunds in the provider's dashboard, leave: refused, explained, and made with evidence. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { card } from "../../packages/paymux/test/card.ts"
import { report } from "../../packages/paymux/test/ProviderReports.ts"
import { hasBrowser } from "../support/browser.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"

const proof = "Letter of the acquirer, 3 May: dp_1 was withdrawn. Read by A. Rao"

describe.skipIf(!hasBrowser)("refunds of more than is left (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  }, 600_000)
  afterAll(() => server?.close())

  /** EUR 12.00, of which 1.00 was refunded elsewhere. */
  const disputed = async (minorUnits: number): Promise<string> => {
    const { id } = await server.paymux.payments.create(card)
    await refundedElsewhere(id)
    await dispute(id, minorUnits)
    return id
  }
  const refundedElsewhere = (id: string) =>
    report(server.database, id, (amount) => ({
      _tag: "RefundSucceeded",
      amount: { ...amount, minorUnits: 100 },
      reference: `re_${id}`
    }))
  const dispute = (id: string, minorUnits: number) =>
    report(server.database, id, (amount) => ({
      _tag: "Disputed",
      amount: { ...amount, minorUnits },
      reference: "dp_1"
    }))

  const amountsOf = async (paymentId: string) =>
    (await server.paymux.refunds.search({ paymentId })).data.map(({ amount }) => amount)

  const overridesOf = async (id: string) => {
    const { items } = await server.paymux.payments.timeline(id)
    return items.flatMap((item) =>
      item.kind === "evidence" && item.outcome === "refund_override" ? [item.document] : []
    )
  }

  const opened = async (id: string) => {
    const { page, problems } = await server.open(`payments/${id}`, { role: "operator" })
    page.setDefaultTimeout(60_000)
    return { page, problems }
  }
  const openRefund = async (page: Page): Promise<Locator> => {
    await page.getByRole("button", { name: "Refund", exact: true }).click()
    return page.getByRole("dialog", { name: "Refund the payment" })
  }
  const rows = async (dialog: Locator) => (await dialog.getByRole("row").allInnerTexts()).map((row) => row.split("\t"))
  const more = (dialog: Locator) => dialog.getByRole("checkbox", { name: /Refund more than is left/ })
  const evidence = (dialog: Locator) => dialog.getByRole("textbox", { name: "Evidence" })
  const requested = (page: Page) => page.getByRole("status").filter({ hasText: "Refund requested" }).waitFor()

  it("say what is left and why, and are made only with evidence", { timeout: 600_000 }, async () => {
    const id = await disputed(700)
    const { page, problems } = await opened(id)
    const remaining = page.locator("dl > div", { has: page.getByText("Remaining", { exact: true }) })
    assert.include(await remaining.innerText(), "4.00 EUR")
    const dialog = await openRefund(page)
    await dialog.getByText("Only 4.00 EUR is left to refund").waitFor()
    assert.deepStrictEqual(await rows(dialog), [
      ["Captured", "12.00 EUR"],
      ["Refunded", "0.00 EUR"],
      ["Being refunded", "0.00 EUR"],
      ["Refunded outside of Paymux", "1.00 EUR"],
      ["Disputed", "7.00 EUR"],
      ["Left to refund", "4.00 EUR"]
    ])
    const amount = dialog.getByLabel("Amount")
    assert.strictEqual(await amount.inputValue(), "4.00")
    await amount.fill("4.01")
    await dialog.getByRole("button", { name: "Refund", exact: true }).click()
    await dialog.getByText("Enter at most 4.00 EUR.").waitFor()

    await more(dialog).check()
    for (const missing of ["", " \n "]) {
      await evidence(dialog).fill(missing)
      await dialog.getByRole("button", { name: "Refund 4.01 EUR anyway" }).click()
      await dialog.getByText("Enter what shows that the refund is right").waitFor()
      assert.strictEqual(await evidence(dialog).getAttribute("aria-invalid"), "true")
    }
    await page.evaluate("navigator.clipboard.writeText('x'.repeat(10_001))")
    await evidence(dialog).fill("")
    await evidence(dialog).press("ControlOrMeta+v")
    await dialog.getByText("At most 10,000 characters fit.").waitFor()
    assert.strictEqual(await evidence(dialog).inputValue(), "")
    assert.deepStrictEqual(await amountsOf(id), [])

    await evidence(dialog).fill(proof)
    await dialog.getByRole("button", { name: "Refund 4.01 EUR anyway" }).dblclick()
    await requested(page)
    assert.deepStrictEqual(await amountsOf(id), [401])
    assert.deepStrictEqual(await overridesOf(id), [proof])
    const { entries } = await server.paymux.auditLog.list({ target: id })
    assert.deepStrictEqual(
      entries.map(({ action, after }) => [action, after]),
      [["payment.refund", { amount: 401, override: true }]]
    )
    assert.deepStrictEqual(problems, [])
  })

  it("are offered where nothing is left, and not to viewers", { timeout: 600_000 }, async () => {
    const id = await disputed(1100)
    const { page, problems } = await opened(id)
    const dialog = await openRefund(page)
    await dialog.getByText("Nothing is left to refund").waitFor()
    assert.strictEqual(await dialog.getByLabel("Amount").count(), 0)
    assert.strictEqual(await dialog.getByRole("button", { name: /^Refund/ }).count(), 0)
    await more(dialog).check()
    await evidence(dialog).fill(proof)
    assert.strictEqual(await dialog.getByLabel("Amount").inputValue(), "12.00")
    await dialog.getByLabel("Amount").fill("3")
    await dialog.getByRole("button", { name: "Refund 3.00 EUR anyway" }).click()
    await requested(page)
    assert.deepStrictEqual([await amountsOf(id), await overridesOf(id)], [[300], [proof]])
    assert.deepStrictEqual(problems, [])

    const viewer = await server.open(`payments/${id}`, { role: "viewer" })
    assert.isTrue(await viewer.page.getByRole("button", { name: "Refund", exact: true }).isDisabled())
  })

  it("are explained where the server refuses what the page offers", { timeout: 600_000 }, async () => {
    const id = await disputed(700)
    const { page } = await server.open("payments", { role: "operator" })
    page.setDefaultTimeout(60_000)
    // A page that does not know what reduces the amount.
    await page.route(`**/payments/${id}`, async (route) => {
      if (route.request().resourceType() === "document") return route.continue()
      const response = await route.fetch()
      const details: { readonly actions: ReadonlyArray<{ readonly kind: string }> } = await response.json()
      const actions = details.actions.map((action) =>
        action.kind === "refund" ? { ...action, amount: 1200, partial: true, override: null } : action
      )
      await route.fulfill({ response, json: { ...details, actions } })
    })
    await page.goto(`${server.url}/dashboard/default/test/payments/${id}`)
    const dialog = await openRefund(page)
    await dialog.getByRole("button", { name: "Refund 12.00 EUR" }).click()
    await dialog.getByRole("alert").getByText("Only 4.00 EUR is left to refund").waitFor()
    assert.deepInclude(await rows(dialog), ["Refunded outside of Paymux", "1.00 EUR"])
    assert.strictEqual(await dialog.getByText("At most 400 can be refunded").count(), 0)
    assert.deepStrictEqual(await amountsOf(id), [])
    await more(dialog).check()
    await dialog.getByLabel("Amount").fill("5")
    await evidence(dialog).fill(proof)
    await dialog.getByRole("button", { name: "Refund 5.00 EUR anyway" }).click()
    await requested(page)
    assert.deepStrictEqual([await amountsOf(id), await overridesOf(id)], [[500], [proof]])
  })

  it("are offered where a dispute is opened behind the dialog", { timeout: 600_000 }, async () => {
    const { id } = await server.paymux.payments.create(card)
    const { page } = await opened(id)
    const dialog = await openRefund(page)
    await dispute(id, 1200)
    await dialog.getByRole("button", { name: "Refund 12.00 EUR" }).click()
    await dialog.getByRole("row", { name: "Disputed 0.00 EUR 12.00 EUR" }).waitFor()
    await dialog.getByRole("row", { name: "Most you can refund 12.00 EUR 0.00 EUR" }).waitFor()
    await dialog.getByRole("button", { name: "Continue with the payment as it is now" }).click()
    await dialog.getByText("Nothing is left to refund").waitFor()
    assert.isFalse(await more(dialog).isChecked())
    assert.deepStrictEqual(await amountsOf(id), [])
  })
})
