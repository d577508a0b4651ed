/** The home page: from an empty database to a paid payment and a verified webhook, and the numbers of a month. */
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { inTurn } from "../support/amount.ts"
import { hasBrowser } from "../support/browser.ts"
import { screenPairs, violationsOn } from "./axe.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { activate, fill, moveTo } from "./keyboard.ts"
import { makeProject, runInShell } from "./printedPrograms.ts"
import { freePort } from "../support/freePort.ts"

const stepOf = (page: Page, title: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) })

const isDone = (step: Locator): Promise<void> => step.getByRole("status").getByText("Done", { exact: true }).waitFor()

const codeIn = (step: Locator): Promise<string> => step.getByRole("tabpanel").locator("pre").innerText()

describe.skipIf(!hasBrowser)("the first steps of a new account (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  let project: ReturnType<typeof makeProject>
  beforeEach(async () => {
    server = await openDashboard()
    project = makeProject()
  })
  afterEach(async () => {
    project.remove()
    await server.close()
  })

  it("leads with the mouse from a key to a paid payment and a verified event", async () => {
    const { page } = await server.open("")
    await page.getByRole("heading", { level: 1, name: "Get started" }).waitFor()

    await page.getByRole("button", { name: "Create a test key" }).click()
    const key = await page.locator("[data-secret]").innerText()
    assert.match(key, /^pmx_test_/)

    const request = stepOf(page, "Create a payment")
    await request.getByRole("tab", { name: "curl" }).click()
    const curl = await codeIn(request)
    assert.include(curl, key)
    assert.include(curl, `${server.url}/v1/payments`)
    const created = JSON.parse(await runInShell(curl))
    await isDone(request)

    const pay = stepOf(page, "Pay it")
    await isDone(pay)
    await pay.getByText(created.id).waitFor()
    assert.strictEqual((await server.paymux.payments.get(created.id))?.status, "succeeded")

    const port = await freePort()
    const endpoint = stepOf(page, "Add a webhook endpoint")
    await endpoint.getByLabel("Address of your receiver").fill(`http://127.0.0.1:${port}/hooks`)
    await endpoint.getByRole("button", { name: "Add the endpoint" }).click()
    await isDone(endpoint)
    assert.include(await codeIn(endpoint), await endpoint.locator("[data-secret]").innerText())
    const receiver = await project.startReceiver(process.execPath, "receive.mjs", await codeIn(endpoint), port)
    try {
      const event = stepOf(page, "Receive a verified event")
      await event.getByRole("button", { name: "Send a test event" }).click()
      await event.getByText("The test event arrived: status 204").waitFor()
      assert.match(receiver.printed(), /Verified: webhook\.test evt_/)

      const again = JSON.parse(await runInShell(curl))
      await isDone(event)
      await page.getByText("Everything works").waitFor()
      const { records } = await server.paymux.webhookDeliveries.list({ status: "delivered" })
      assert.isNotEmpty(records)
      for (const { eventId } of records) {
        assert.include(receiver.printed(), eventId)
        assert.strictEqual((await server.paymux.events.get(eventId))?.data.payment.id, again.id)
      }
    } finally {
      await receiver.stop()
    }
    await page.getByRole("link", { name: "Go to the overview" }).click()
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
    assert.deepStrictEqual(server.problems(), [])
  })

  it("leads there with the keyboard alone", async () => {
    const { page } = await server.open("")
    await activate(page, page.getByRole("button", { name: "Create a test key" }))
    await page.locator("[data-secret]").waitFor()

    const request = stepOf(page, "Create a payment")
    await moveTo(page, request.getByRole("tab", { name: "curl" }))
    await page.keyboard.press("ArrowRight")
    await request.getByRole("tabpanel", { name: "Node" }).waitFor()
    const code = await codeIn(request)
    assert.match(await project.runNode("pay.mjs", code), /^201 /)
    await isDone(request)
    await isDone(stepOf(page, "Pay it"))

    const port = await freePort()
    const endpoint = stepOf(page, "Add a webhook endpoint")
    await fill(page, endpoint.getByLabel("Address of your receiver"), `http://127.0.0.1:${port}/`)
    await page.keyboard.press("Enter")
    await isDone(endpoint)
    await moveTo(page, endpoint.getByRole("tab", { name: "Node" }))
    await page.keyboard.press("ArrowRight")
    await endpoint.getByRole("tabpanel", { name: "Python" }).waitFor()
    const receiver = await project.startReceiver("python3", "receive.py", await codeIn(endpoint), port)
    try {
      const event = stepOf(page, "Receive a verified event")
      await activate(page, event.getByRole("button", { name: "Send a test event" }))
      await event.getByText("The test event arrived: status 204").waitFor()
      assert.match(receiver.printed(), /Verified: webhook\.test evt_/)
      assert.match(await project.runNode("pay.mjs", code), /^201 /)
      await isDone(event)
    } finally {
      await receiver.stop()
    }
    assert.deepStrictEqual(server.problems(), [])
  })

  it("shows a pending payment with the page on which it is approved", async () => {
    const { page } = await server.open("?view=setup")
    const pay = stepOf(page, "Pay it")
    await page.getByText("Waiting for your first payment").waitFor()
    const { id } = await server.paymux.payments.create({
      amount: 10_000,
      currency: "INR",
      payment_method: "upi",
      customer: { email: "asha@example.com", phone: "+919812345678" },
      metadata: { sandbox_scenario: "undecided" }
    })
    const opened = page.context().waitForEvent("page")
    await pay.getByRole("link", { name: "Open its payment page and approve it" }).click()
    const payerPage = await opened
    await payerPage.getByRole("button", { name: "Approve" }).click()
    await isDone(pay)
    assert.strictEqual((await server.paymux.payments.get(id))?.status, "succeeded")
    assert.deepStrictEqual(server.problems(), [])
  })

  it("says why a test event did not arrive, and keeps the step open", async () => {
    const { page } = await server.open("?view=setup")
    await server.paymux.webhookEndpoints.add({ url: `http://127.0.0.1:${await freePort()}/` })
    await page.reload()
    const event = stepOf(page, "Receive a verified event")
    await event.getByRole("button", { name: "Receive a verified event" }).click()
    await event.getByRole("button", { name: "Send a test event" }).click()
    await event.getByText("ECONNREFUSED").waitFor()
    assert.strictEqual(await event.getByText("Done", { exact: true }).count(), 0)
    assert.deepStrictEqual(server.problems(), [])
  })

  it("shows a key once, and offers none to a viewer", async () => {
    const { page } = await server.open("")
    await page.getByRole("button", { name: "Create a test key" }).click()
    const key = await page.locator("[data-secret]").innerText()
    await page.reload()
    await page.getByText(`pmx_test_…${key.slice(-4)}`, { exact: true }).waitFor()
    assert.notInclude(await page.content(), key)
    assert.notInclude(await page.evaluate<string>("JSON.stringify([location.href, localStorage, sessionStorage])"), key)

    const viewer = await server.open("", { role: "viewer" })
    await viewer.page.getByText("Owners and developers of this account can create one.").waitFor()
    assert.strictEqual(await viewer.page.getByRole("button", { name: "Create a test key" }).count(), 0)
    assert.deepStrictEqual(await violationsOn(page, inTurn(screenPairs)), [])
    assert.deepStrictEqual(server.problems(), [])
  })
})

describe.skipIf(!hasBrowser)("the numbers of the home page (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard({ data: "example" })
  }, 600_000)
  afterAll(() => server.close())

  /** The last `days` of UTC, today included, as the page reads them. */
  const period = (days: number) => {
    const until = Math.ceil((Date.now() + 1) / 3_600_000) * 3_600_000
    return { from: Math.ceil(until / 86_400_000) * 86_400_000 - days * 86_400_000, until }
  }

  it("equal what the library reports, for the period in the address", async () => {
    const { page } = await server.open("")
    for (const days of [30, 7]) {
      await page.getByRole("link", { name: `${days} days` }).click()
      await page.waitForURL(new RegExp(`period=${days}$`))
      const { groups } = await server.paymux.statistics.totals({ groupBy: "currency", ...period(days) })
      const payments = groups.reduce((sum, { count }) => sum + count, 0)
      await page.getByText(String(payments), { exact: true }).first().waitFor()
      for (const { count, group } of groups) {
        const card = page
          .getByRole("listitem")
          .filter({ has: page.getByRole("figure", { name: `Volume in ${group}` }) })
        await card.getByText(`${count} payment`).waitFor()
      }
      const yen = groups.find(({ group }) => group === "JPY")?.amounts[0]?.succeeded
      if (yen !== undefined) await page.getByText(`${Number(yen).toLocaleString("en-US")} JPY`).waitFor()
      const codes = await server.paymux.statistics.totals({ groupBy: "failureCode", ...period(days) })
      const most = codes.groups.filter(({ group }) => group !== null).toSorted((a, b) => b.count - a.count)[0]
      const first = page.getByRole("region", { name: "Failure codes" }).getByRole("row").nth(1)
      await first.getByRole("cell", { name: String(most?.count), exact: true }).waitFor()
    }
    await page.reload()
    await page.getByRole("link", { name: "7 days" }).and(page.locator("[aria-current]")).waitFor()
    assert.deepStrictEqual(server.problems(), [])
  })

  it("lead from each number of open work to the page with as much", async () => {
    const { page } = await server.open("")
    const { pending } = await openWorkOf(server)
    await page.getByRole("link", { name: new RegExp(`^Pending ?${pending}$`) }).click()
    await page.waitForURL("**/payments?status=pending")
    assert.deepStrictEqual(server.problems(), [])
  })

  it("are polled while the page is visible", async () => {
    const { page } = await server.newPage()
    await server.signIn(page, "viewer")
    await page.clock.install()
    await page.goto(`${server.url}/dashboard/default/test/`)
    await page.getByText("Success rate", { exact: true }).first().waitFor()
    await page.waitForLoadState("networkidle")
    const again = page.waitForRequest(/statistics\/attention/)
    await page.clock.runFor(31_000)
    await again
    assert.deepStrictEqual(server.problems(), [])
  })
})

const openWorkOf = async ({ paymux }: DashboardServer) => {
  const { data } = await paymux.payments.list({ status: ["pending"], limit: 100 })
  return { pending: data.length }
}
