/** The pages of providers: their health, their circuit breakers, and checks. */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { accountNotEnabled, defineProvider } from "@paymux/core"
import { Effect, Schema } from "effect"
import type { Locator, Page } from "playwright-core"
import { inTurn } from "../support/amount.ts"
import { hasBrowser } from "../support/browser.ts"
import { layoutShift, overflow, screenPairs, violationsOn } from "./axe.ts"
import { openDashboard, screens } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"

const provider = "sandbox_upi_a"
const day = 86_400_000

const cellsOf = async (page: Page, id: string): Promise<ReadonlyArray<string>> =>
  page
    .getByRole("region", { name: "Providers" })
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: id, exact: true }) })
    .getByRole("cell")
    .allInnerTexts()

/** The rows of a chart's table, without its head. */
const tableOf = async (chart: Locator): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  await chart.getByRole("button", { name: "Show as table" }).click()
  const rows = await chart.getByRole("row").all()
  return Promise.all(rows.slice(1).map((row) => row.locator("th, td").allInnerTexts()))
}

describe.skipIf(!hasBrowser)("the pages of providers (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard({ data: "example" })
  }, 600_000)
  afterAll(() => server.close())

  /** Of today and the 29 days before, as the pages read it. */
  const period = () => {
    const until = Math.ceil((Date.now() + 1) / 3_600_000) * 3_600_000
    return { from: Math.ceil(until / day) * day - 30 * day, until }
  }

  it("shows the attempts and success rates that the library reports", async () => {
    const { page } = await server.open("providers?period=30")
    const { groups } = await server.paymux.statistics.totals({ of: "attempts", groupBy: "provider", ...period() })
    for (const { id } of await server.paymux.providers.list()) {
      const numbers = groups.find(({ group }) => group === id)
      const rate = numbers?.successRate ?? null
      const expected = [String(numbers?.count ?? 0), rate === null ? "–" : `${Math.round(rate * 1000) / 10} %`]
      // The row stands before its numbers do.
      await vi.waitFor(async () => assert.deepStrictEqual((await cellsOf(page, id)).slice(4, 6), expected, id), 30_000)
    }
    assert.deepStrictEqual(server.problems(), [])
  })

  it("shows the limits of amounts by currency", async () => {
    const { page } = await server.open(`providers/${provider}`)
    await page.getByText("up to 100,000.00 INR").waitFor()
  })

  it("shows each day of a provider as the library reports it", async () => {
    const { page } = await server.open(`providers/${provider}?period=30`)
    const query = { of: "attempts", providers: [provider], ...period() } as const
    const { points } = await server.paymux.statistics.series({ ...query, step: "day" })
    const attempts = await tableOf(page.getByRole("figure", { name: "Attempts by outcome" }))
    assert.lengthOf(attempts, 30)
    const counts = attempts.map(([, ...cells]) => cells.reduce((sum, cell) => sum + Number(cell), 0))
    const reported = Array.from(
      { length: 30 },
      (_, index) => points.find(({ start }) => start === period().from + index * day)?.count ?? 0
    )
    assert.deepStrictEqual(counts, reported)

    const rates = await tableOf(page.getByRole("figure", { name: "Success rate of attempts" }))
    for (const [index, [, rate]] of rates.entries()) {
      const point = points.find(({ start }) => start === period().from + index * day)
      assert.strictEqual(rate === "–", (point?.successRate ?? null) === null, `day ${index}`)
    }

    const codes = await server.paymux.statistics.totals({ ...query, groupBy: "failureCode" })
    const table = page.getByRole("region", { name: "Failure codes of attempts" }).getByRole("table")
    await table.waitFor()
    assert.lengthOf(
      (await table.getByRole("row").all()).slice(1),
      codes.groups.filter(({ group }) => group !== null).length
    )
    assert.deepStrictEqual(server.problems(), [])
  })

  it("reads out a chart to the keyboard", async () => {
    const { page } = await server.open(`providers/${provider}?period=30`)
    const chart = page.getByRole("slider", { name: "Attempts by outcome" })
    await chart.focus()
    await page.keyboard.press("Home")
    const first = await chart.getAttribute("aria-valuetext")
    await page.keyboard.press("ArrowRight")
    assert.notStrictEqual(await chart.getAttribute("aria-valuetext"), first)
    assert.match(first ?? "", /^\d+ \w+: Succeeded \d+, /)
  })

  it("lists what the check of the server found, and of one instance", async () => {
    const { page } = await server.open("providers")
    await page.getByRole("button", { name: "Check the server" }).click()
    const findings = page.getByRole("list", { name: "Findings: server check" })
    await findings.waitFor()
    const shown = await findings.getByRole("listitem").allInnerTexts()
    const found = await server.paymux.doctor()
    const texts = found.map(({ name, text }) => `${name}: ${text}`)
    assert.deepStrictEqual(shown.toSorted(), texts.toSorted())
    assert.isTrue(found.some(({ grade }) => grade === "warning"))
    assert.strictEqual(
      await findings.getByRole("listitem").first().getByRole("img").getAttribute("aria-label"),
      "Warning"
    )

    await page.getByRole("link", { name: provider, exact: true }).click()
    await page.getByRole("button", { name: "Check", exact: true }).click()
    await page.getByText("reached, credentials accepted").waitFor()
    assert.deepStrictEqual(server.problems(), [])
  })

  it("shows an open breaker, and how it opened", async () => {
    for (let n = 0; n < 60; n++) {
      const open = await server.paymux.breakers.list({ provider, state: "open" })
      if (open.length > 0) break
      await server.paymux.payments.create({
        amount: 10_000,
        currency: "INR",
        payment_method: "upi",
        customer: { email: "asha@example.com", phone: "+919812345678" },
        metadata: { sandbox_scenario: "all_down" }
      })
    }
    const { page } = await server.open(`providers/${provider}`)
    const breakers = page.getByRole("region", { name: "Circuit breakers" })
    await breakers.getByText("Open", { exact: true }).first().waitFor()
    const history = page.getByRole("region", { name: "History of circuit breakers" })
    await history.getByText("Too many calls failed").first().waitFor()
    const { data: transitions } = await server.paymux.breakers.history({ provider })
    assert.lengthOf((await history.getByRole("row").all()).slice(1), Math.min(20, transitions.length))
    await page.getByRole("link", { name: "Home" }).click()
    await page.getByRole("link", { name: /^Open breakers ?[1-9]/ }).waitFor()
    assert.deepStrictEqual(server.problems(), [])
  })

  it("says calmly that a provider does not exist, and what a viewer may not do", async () => {
    const { page } = await server.open("providers/acme_eu", { role: "viewer" })
    await page.getByRole("heading", { level: 1, name: /not found/i }).waitFor()
    await page.getByRole("link", { name: "Providers" }).click()
    assert.isTrue(await page.getByRole("button", { name: "Check the server" }).isDisabled())
    assert.deepStrictEqual(server.problems(), [])
  })

  it("is accessible, fits a phone, and does not move while it loads", { timeout: 600_000 }, async () => {
    for (const path of ["providers", `providers/${provider}?period=30`, "?period=90", "?view=setup"]) {
      const { page } = await server.open(path)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.waitForLoadState("networkidle")
      assert.isBelow(await layoutShift(page), 0.1, path)
      assert.deepStrictEqual(await violationsOn(page, inTurn(screenPairs)), [], path)
      await page.setViewportSize(screens.phoneLight.viewport)
      assert.strictEqual(await overflow(page), 0, path)
      await page.close()
    }
    assert.deepStrictEqual(server.problems(), [])
  })
})

describe.skipIf(!hasBrowser)("a provider whose account is not enabled (Linux on x64, or CHROMIUM_PATH)", () => {
  const acme = defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { token: {} } } },
      operations: { create: {} },
      accountHelp: { export_off: "Enable exports in the settings of your account at Acme." }
    }),
    make: () => Effect.succeed({ create: () => Effect.fail(accountNotEnabled("export_off", "kind")) })
  })
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard({ paymux: { providers: [acme({})] } })
  })
  afterAll(() => server.close())

  it("has the refused kind of payments on its page, with what to do, and the payment leads there", async () => {
    const { id } = await server.paymux.payments.create({
      amount: 1200,
      currency: "USD",
      payment_method: "card",
      payment_method_details: { card: { token: "tok" } },
      customer: { email: "asha@example.com" }
    })
    const { page } = await server.open(`payments/${id}`)
    await page.getByText("Attempt 1 with acme: not executed").click()
    await page.getByRole("link", { name: "See acme" }).click()
    const section = page.getByRole("region", { name: "Not enabled for your account" })
    await section.getByText("Enable exports in the settings of your account at Acme.").waitFor()
    assert.match((await section.getByRole("row").nth(1).innerText()).replaceAll(/\s+/g, " "), /^Card in USD \(token\)/)
    assert.deepStrictEqual(await violationsOn(page, inTurn(screenPairs)), [])
    assert.deepStrictEqual(server.problems(), [])
  })
})
