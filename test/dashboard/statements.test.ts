/** Statements in the dashboard: runs, differences and payouts, with their payments and reviews, and not for everyone. */
import { assert, describe, it } from "@effect/vitest"
import { misconfigured } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll } from "vitest"
import { card } from "../../packages/paymux/test/card.ts"
import { provider, statementsOf } from "../../packages/paymux/test/statements/Shop.ts"
import { inTurn } from "../support/amount.ts"
import { hasBrowser } from "../support/browser.ts"
import { overflow, screenPairs, violationsOn } from "./axe.ts"
import { openDashboard, screens } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { joinByLink } from "./joinByLink.ts"
import { opened } from "./opened.ts"

/** A provider's id may have any character. */
const payout = "po/1 <img src=x> ü"
const problem = "<script>window.ran = 1</script>"

/** Movements of one payout: two charges and two refunds, by amount, fee and net amount. */
const withFeesGivenBack = (foreign: StatementMovement): ReadonlyArray<StatementMovement> => {
  const euros = (minorUnits: number) => ({ ...foreign.amount, minorUnits })
  const refund = { ...foreign, type: "refund", direction: "out" } as const
  return (
    [
      [foreign, 1000, -30, 1030],
      [refund, 300, -10, 290],
      [refund, 300, -350, 50],
      [foreign, 20, 30, 10]
    ] as const
  ).map(([movement, amount, fee, net], index) => {
    const name = `fee_${index + 1}`
    const amounts = { amount: euros(amount), fee: euros(fee), net: euros(net) }
    return { ...movement, ...amounts, id: name, reference: name, payout: "po_fees" }
  })
}

describe.skipIf(!hasBrowser)("statements in the dashboard (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  let payments: { readonly [name in "missing" | "paidOut" | "ofOther"]: string }
  beforeAll(async () => {
    server = await openDashboard()
    await plant()
  })
  afterAll(() => server?.close())

  const account = (name: string) => server.paymux.forAccount(name, { mode: "test" })

  /** One charge is not booked, and one of another account is booked with less; the others are in a payout. */
  const plant = async () => {
    const create = async (name: string, amount: number) => (await account(name).payments.create({ ...card, amount })).id
    payments = {
      missing: await create("default", 1200),
      paidOut: await create("default", 1300),
      ofOther: await create("shop_b", 1400)
    }
    await setTimeout(20)
    const statements = statementsOf(server.database)
    const booked = await statements.booked()
    const of = (amount: number) => booked.find((each) => each.amount.minorUnits === amount) ?? assert.fail("no charge")
    const [paidOut, ofOther] = [of(1300), of(1400)]
    const foreign: StatementMovement = { ...paidOut, operation: null, reference: "ch_other", original: null }
    const net = paidOut.net ?? assert.fail("no net amount")
    const transfer: StatementMovement = {
      ...foreign,
      id: "transfer",
      type: "payout",
      direction: "out",
      amount: net,
      fee: null,
      net,
      reference: null,
      payout
    }
    await statements.read(
      [
        { ...paidOut, payout },
        { ...ofOther, amount: { ...ofOther.amount, minorUnits: 1000 }, fee: null, net: null, payout },
        transfer,
        { ...foreign, id: "other" },
        ...withFeesGivenBack(foreign)
      ],
      { window: { since: 0, until: null } }
    )
    await statements.refused(misconfigured(problem))
    for (const name of ["default", "shop_b"]) {
      while ((await account(name).reviews.list()).data.length === 0) await setTimeout(20)
    }
  }

  it("say so if nothing was read yet, and which command reads", async () => {
    const empty = await openDashboard()
    const { page, problems } = await empty.open("")
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("s")
    await page.getByText("No statement was read yet").waitFor()
    await page.getByText("npx paymux reconcile").waitFor()
    const row = page.getByRole("row").filter({ hasText: provider })
    await row.getByRole("cell", { name: "Not read yet", exact: true }).waitFor()
    await row.getByRole("link").click()
    await page.getByText("Nothing was read yet").waitFor()
    await page.getByRole("link", { name: "Payouts" }).click()
    await page.getByText("No payouts", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Other systems" }).click()
    await page.getByText("No movements of other systems").waitFor()
    assert.deepStrictEqual(problems, [])
    await empty.close()
  })

  it("show how the last run ended, and each difference with its amounts, payment and review", async () => {
    const { page, problems } = await server.open("statements", { role: "viewer" })
    const last = page
      .getByRole("region", { name: "Statements of providers" })
      .getByRole("row")
      .filter({ hasText: provider })
    await last.getByText("Failed").waitFor()
    await last.getByText(problem).waitFor()
    assert.isFalse(await page.evaluate(`"ran" in window`))

    const differences = page.getByRole("region", { name: "Differences" }).getByRole("table")
    const missing = differences.getByRole("row").filter({ hasText: payments.missing })
    await missing.getByText("Not booked", { exact: true }).waitFor()
    await missing.getByRole("cell", { name: "12.00 EUR", exact: true }).waitFor()
    const less = differences.getByRole("row").filter({ hasText: payments.ofOther })
    await less.getByText("Different amount", { exact: true }).waitFor()
    const cells = await less.getByRole("cell").allInnerTexts()
    assert.deepStrictEqual(cells.slice(1, 3), ["14.00 EUR", "10.00 EUR"])
    await less.getByText("Account shop_b").waitFor()

    await less.getByRole("link", { name: "In review" }).click()
    await page.waitForURL(`**/dashboard/shop_b/test/reviews/${payments.ofOther}`)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.goBack()
    await differences.getByRole("link", { name: payments.missing }).click()
    await page.waitForURL(`**/dashboard/default/test/payments/${payments.missing}`)
    assert.deepStrictEqual(problems, [])
  })

  it("are filtered by kind, state and run, with the filters in the address", async () => {
    const { page, problems } = await server.open("statements")
    const differences = page.getByRole("region", { name: "Differences" })
    await differences.getByRole("button", { name: "Difference", exact: true }).click()
    await page.getByRole("radio", { name: "Not booked", exact: true }).check()
    await page.getByRole("button", { name: "Apply" }).click()
    await page.waitForURL("**/statements?kind=missing_there")
    await differences.getByText(payments.ofOther).waitFor({ state: "detached" })
    await differences.getByText(payments.missing).waitFor()
    await page.goto(`${server.url}/dashboard/default/test/statements?state=resolved`)
    await page.getByText("No difference matches these filters").waitFor()

    await page.goto(`${server.url}/dashboard/default/test/statements/${provider}`)
    const complete = page.getByRole("row").filter({ hasText: "Complete" })
    await complete.getByRole("link", { name: "2", exact: true }).click()
    await page.waitForURL("**/statements?run=*")
    await differences.getByText(payments.ofOther).waitFor()
    assert.deepStrictEqual(problems, [])
  })

  it("open a payout and its payments by the keyboard", async () => {
    const { page, problems } = await server.open(`statements/${provider}/payouts`)
    await page.getByRole("link", { name: payout }).waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.waitForURL("**/payout?payout=*")
    await page.getByRole("heading", { level: 1, name: "12.74 EUR" }).waitFor()
    await page.getByText("to the bank").waitFor()
    const sums = page.getByRole("region", { name: "Sums by type" }).getByRole("row")
    assert.deepStrictEqual(await sums.last().getByRole("cell").allInnerTexts(), ["Payment", "2", "23.00 EUR"])
    await page.getByText("One movement without a net amount is not in the sum.").waitFor()
    const movements = page.getByRole("region", { name: "Movements of the payout" })
    await movements.getByRole("link", { name: payments.ofOther }).waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.waitForURL(`**/default/test/payments/${payments.paidOut}`)
    assert.deepStrictEqual(problems, [])
  })

  it("open a payout by its id", async () => {
    const { page } = await server.open(`statements/${provider}/payouts`)
    const field = page.getByRole("textbox", { name: "Payout id" })
    await field.fill("  ")
    await page.getByRole("button", { name: "Open payout" }).click()
    await field.fill("po_none")
    await page.getByRole("button", { name: "Open payout" }).click()
    await page.getByText("There is no such payout in this mode").waitFor()
    await page.goBack()
    await field.fill(` ${payout} `)
    await field.press("Enter")
    await page.getByRole("heading", { level: 1, name: "12.74 EUR" }).waitFor()
  })

  it("show the net amounts of fees that were given back, also above the amount of a refund", async () => {
    const { page } = await server.open(`statements/${provider}/payout?payout=po_fees`)
    const amountsOf = (reference: string) =>
      page.getByRole("row").filter({ hasText: reference }).getByRole("cell").filter({ hasText: "EUR" }).allInnerTexts()
    await page.getByText("fee_1").waitFor()
    assert.deepStrictEqual(await amountsOf("fee_1"), ["10.00 EUR", "−0.30 EUR", "10.30 EUR"])
    assert.deepStrictEqual(await amountsOf("fee_2"), ["−3.00 EUR", "−0.10 EUR", "−2.90 EUR"])
    assert.deepStrictEqual(await amountsOf("fee_3"), ["−3.00 EUR", "−3.50 EUR", "0.50 EUR"])
    assert.deepStrictEqual(await amountsOf("fee_4"), ["0.20 EUR", "0.30 EUR", "−0.10 EUR"])
  })

  it("list what belongs to other systems", async () => {
    const { page } = await server.open(`statements/${provider}/foreign`)
    const row = page.getByRole("row").filter({ hasText: "ch_other" })
    await row.getByText("13.00 EUR").waitFor()
  })

  it("say calmly what does not exist", async () => {
    const { page } = await server.open("statements/acme")
    await page.getByText("There is nothing at this address").waitFor()
    await page.goto(`${server.url}/dashboard/default/test/statements/${provider}/payout?payout=po_none`)
    await page.getByText("There is no such payout in this mode").waitFor()
    await page.goto(`${server.url}/dashboard/default/test/statements?kind=none`)
    await page.getByRole("alert").waitFor()
  })

  it("are accessible on every screen, and fit a phone", async () => {
    const { page } = await server.open("")
    const paths = [
      `statements/${provider}/payouts`,
      "statements",
      `statements/${provider}`,
      `statements/${provider}/payout?payout=${encodeURIComponent(payout)}`
    ]
    for (const path of paths) {
      await opened(page, `${server.url}/dashboard/default/test/${path}`)
      assert.deepStrictEqual(await violationsOn(page, inTurn(screenPairs)), [], path)
      await page.setViewportSize(screens.phoneLight.viewport)
      assert.strictEqual(await overflow(page), 0, path)
    }
  })

  it("are for people with a role in every account, and each page says so", async () => {
    const person = { email: "of.one@shop.example", password: "correct horse battery staple" }
    const { link } = await server.paymux.dashboard.invite({ email: person.email, role: "owner", account: "default" })
    const { page } = await server.newPage()
    await joinByLink(page, link, person)
    for (const path of [
      "",
      `/${provider}`,
      `/${provider}/payouts`,
      `/${provider}/foreign`,
      `/${provider}/payout?payout=x`
    ]) {
      await page.goto(`${server.url}/dashboard/default/test/statements${path}`)
      await page.getByText("Statements need a role in every account").waitFor()
      assert.strictEqual(await page.getByRole("table").count(), 0, path)
    }
  })
})
