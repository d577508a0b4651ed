/** The data that tests and screenshots of the dashboard show, and the server they are served by. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { roles } from "@paymux/dashboard"
import { Effect, Exit, Scope } from "effect"
import { migrations } from "../../packages/paymux/src/Database.ts"
import { amount } from "../support/amount.ts"
import { hasBrowser } from "../support/browser.ts"
import { temporaryDatabase } from "../support/PostgresDatabases.ts"
import { layoutShift, overflow, violations } from "./axe.ts"
import { openDashboard } from "./DashboardServer.ts"
import type { DashboardServer } from "./DashboardServer.ts"
import { activate, fill, focused, moveTo } from "./keyboard.ts"
import { pagesOf } from "./pages.ts"

const databases = amount({ part: ["SQLite"], all: ["SQLite", "PostgreSQL"] })

describe.skipIf(!hasBrowser).each(databases)(
  "the dashboard of the tests on %s (Linux on x64, or CHROMIUM_PATH)",
  (kind) => {
    const scope = Scope.makeUnsafe()
    let server: DashboardServer
    beforeAll(async () => {
      const postgres = Scope.provide(temporaryDatabase(migrations), scope)
      const database = kind === "SQLite" ? {} : { database: await Effect.runPromise(postgres) }
      server = await openDashboard({ data: "example", ...database })
    }, 600_000)
    afterAll(async () => {
      await server.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    const distinct = (values: ReadonlyArray<string | number | null | undefined>) =>
      [...new Set(values)].toSorted((one, other) => (String(one) < String(other) ? -1 : 1))

    it("has a month of payments in every state, method and currency, with their refunds", async () => {
      const { data: refunds } = await server.paymux.refunds.search({ limit: 1000 })
      const payments: Array<Awaited<ReturnType<typeof server.paymux.payments.list>>["data"][number]> = []
      for (let after: string | null | undefined; after !== null;) {
        const page = await server.paymux.payments.list({
          limit: 100,
          ...(after !== undefined && { starting_after: after })
        })
        payments.push(...page.data)
        after = page.next_cursor
      }
      assert.isAtLeast(payments.length, 280)
      assert.deepStrictEqual(distinct(payments.map(({ status }) => status)), [
        "authorized",
        "canceled",
        "failed",
        "pending",
        "succeeded"
      ])
      assert.deepStrictEqual(distinct(payments.map(({ payment_method }) => payment_method)), [
        "card",
        "stablecoin",
        "upi"
      ])
      assert.includeMembers(distinct(payments.map(({ currency }) => currency)), ["INR", "EUR", "USD", "JPY", "KWD"])
      assert.isAtLeast(distinct(payments.map(({ failure }) => failure?.code)).length, 8)
      const amounts = new Map(payments.map(({ amount, id }) => [id, amount]))
      assert.isTrue(refunds.some(({ amount, payment }) => amount === amounts.get(payment)))
      assert.isTrue(refunds.some(({ amount, payment }) => amount < (amounts.get(payment) ?? 0)))
    })

    it("has what operators and developers work on", async () => {
      const { apiKeys, auditLog, reports, requests, reviews, rules, webhookDeliveries, webhookEndpoints } =
        server.paymux
      assert.includeMembers(distinct((await reviews.list()).data.map(({ reason }) => reason)), [
        "amount_mismatch",
        "duplicate_capture",
        "late_success"
      ])
      assert.deepStrictEqual(distinct((await reports.list()).data.map(({ status }) => status)), [
        "dismissed",
        "matched",
        "parked"
      ])
      const endpoints = await webhookEndpoints.list()
      assert.deepStrictEqual(
        endpoints.map(({ disabledReason, failingSince }) => [disabledReason, failingSince !== null]),
        [
          [null, false],
          ["operator", false],
          [null, true]
        ]
      )
      const failing = await webhookDeliveries.list({ endpointId: endpoints[2]?.id ?? "", limit: 1000 })
      assert.isAtLeast(Math.max(...failing.records.map(({ attempts }) => attempts)), 5)
      const keys = await apiKeys.list()
      assert.isTrue(keys.some(({ lastUsedAt, revokedAt }) => lastUsedAt !== null && revokedAt === null))
      assert.isTrue(keys.some(({ revokedAt }) => revokedAt !== null))
      assert.isTrue(keys.some(({ expiresAt }) => expiresAt !== null))
      assert.lengthOf((await rules.history()).versions, 5)
      assert.isAtLeast((await auditLog.list({ limit: 100 })).entries.length, 30)
      assert.includeMembers(
        distinct((await requests.list({ limit: 100 })).data.map(({ status }) => status)),
        [200, 201, 400, 404, 422]
      )
    })

    it("signs a person of each role in", async () => {
      const { page } = await server.newPage()
      for (const role of roles) {
        await server.signIn(page, role)
        const me = await page.context().request.get(`${server.url}/dashboard/api/session`)
        assert.include(await me.text(), `"role":"${role}"`)
      }
      await page.context().close()
    })

    it("finds an id for each detail page, and a path for each page", async () => {
      const { page } = await server.newPage()
      await server.signIn(page, "owner")
      const pages = await pagesOf(page.context().request, server.url)
      assert.lengthOf(new Set(pages.map(({ name }) => name)), pages.length)
      for (const { path } of pages.filter(({ name }) =>
        ["payment", "refund", "report", "review", "event", "request"].includes(name)
      )) {
        const api = path.replace("/dashboard/", "/dashboard/api/")
        assert.strictEqual((await page.context().request.get(`${server.url}${api}`)).status(), 200, path)
      }
      await page.context().close()
    })

    it("records what goes wrong in a page, and only that", async () => {
      const { page, problems } = await server.newPage()
      await server.signIn(page, "viewer")
      await page.goto(`${server.url}/dashboard/api/session`)
      assert.deepStrictEqual(problems, [])
      await page.evaluate(`fetch("/dashboard/api/default/test/nothing")`)
      await page.evaluate(`fetch("http://localhost:9/").catch(() => {})`)
      await page.evaluate(`console.error("written")`)
      await page.evaluate(`setTimeout(() => { throw new Error("thrown") })`)
      await page.waitForTimeout(0)
      await page.evaluate("new Promise((resolve) => setTimeout(resolve))")
      for (const part of ["nothing was answered 404", "goes to another server", "written", "thrown"]) {
        assert.isTrue(
          problems.some((problem) => problem.includes(part)),
          `${part} in ${problems.join("\n")}`
        )
      }
      assert.includeMembers([...server.problems()], [...problems])
      await page.context().close()
    })
  }
)

describe.skipIf(!hasBrowser)("a second dashboard with the data (Linux on x64, or CHROMIUM_PATH)", () => {
  it("has a copy of its own, and webhooks that reach its own receiver", async () => {
    const servers = await Promise.all([openDashboard({ data: "example" }), openDashboard({ data: "example" })])
    const [one, other] = servers
    const [first] = await one.paymux.webhookEndpoints.list()
    const [same] = await other.paymux.webhookEndpoints.list()
    assert.strictEqual(first?.id, same?.id)
    assert.notStrictEqual(first?.url, same?.url)
    assert.deepInclude(await other.paymux.webhookEndpoints.test(same?.id ?? ""), { status: 204 })
    await other.paymux.apiKeys.revoke((await other.paymux.apiKeys.list())[0]?.keyId ?? "")
    const revoked = async ({ paymux }: DashboardServer) =>
      (await paymux.apiKeys.list()).filter(({ revokedAt }) => revokedAt !== null).length
    assert.strictEqual(await revoked(other), (await revoked(one)) + 1)
    await Promise.all(servers.map((server) => server.close()))
  }, 600_000)
})

describe.skipIf(!hasBrowser)("the checks of a page (Linux on x64, or CHROMIUM_PATH)", () => {
  let server: DashboardServer
  beforeAll(async () => {
    server = await openDashboard()
  })
  afterAll(() => server.close())

  const shown = async (body: string) => {
    const { page } = await server.newPage()
    await page.setContent(
      `<!doctype html><html lang="en"><title>A page</title><body><main><h1>A page</h1>${body}</main>`
    )
    return page
  }

  it("name what breaks WCAG 2.2 AA, and where", async () => {
    const page = await shown('<button></button><p style="color: #bbb">Faint</p>')
    const found = await violations(page)
    assert.match(found.join("\n"), /button-name: Buttons must have discernible text\n {2}button: /)
    assert.match(found.join("\n"), /color-contrast: /)
    assert.deepStrictEqual(await violations(await shown("<p>Fine</p>")), [])
  })

  it("measure what moves and what is too wide", async () => {
    const page = await shown('<div id="late"></div><p style="height: 400px">Below</p>')
    assert.deepStrictEqual([await layoutShift(page), await overflow(page)], [0, 0])
    await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
      document.getElementById("late").style.height = "300px"
      requestAnimationFrame(() => requestAnimationFrame(resolve))
    })))`)
    assert.isAbove(await layoutShift(page), 0.05)
    assert.isAbove(await overflow(await shown('<div style="width: 3000px">Wide</div>')), 1_000)
  })

  it("reach an element by the keyboard alone, or name what was reached", async () => {
    const page = await shown(
      `<a href="#a">First</a> <label>Name <input></label> <button onclick="document.title = 'Pressed'">Save</button>`
    )
    await fill(page, page.locator("input"), "Asha")
    assert.strictEqual(await page.locator("input").inputValue(), "Asha")
    await activate(page, page.locator("button"))
    assert.deepStrictEqual([await page.title(), await focused(page)], ["Pressed", "button Save"])
    const unreachable = await moveTo(page, page.locator("h1"), { atMost: 4 }).catch(String)
    assert.include(unreachable, "does not lead to")
    assert.include(unreachable, "a First")
  })
})
