/** Numbers over time through the library and the commands, of payments that a running server has made. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"

const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+4915112345678" }
} as const

let folder = ""
let commands: Commands
let paymux: Paymux

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-stats-"))
  commands = startCommands()
  paymux = await createPaymux({ sandbox: true, database: `sqlite:${join(folder, "paymux.db")}` })
})

afterAll(async () => {
  await paymux.close()
  commands.stop()
  rmSync(folder, { recursive: true, force: true })
})

const pay = (token: string, currency = "EUR") =>
  paymux.payments.create({ ...card, currency, payment_method_details: { card: { token } } })

/** The server counts in the background. */
const totals: Paymux["statistics"]["totals"] = async (query) => {
  for (;;) {
    const found = await paymux.statistics.totals(query)
    if (found.uncountedSince === null) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe("statistics", () => {
  it("equal what the payments and refunds of the account and mode say", async () => {
    await pay("tok_success")
    const paid = await pay("tok_success")
    await pay("tok_declined")
    await pay("tok_success", "JPY")
    await paymux.refunds.create(paid.id, { amount: 500 })
    const { groups, from, until } = await totals({ groupBy: "currency" })
    const listed = (await paymux.payments.list({ limit: 100 })).data
    assert.deepStrictEqual(
      groups.map(({ amounts, count, group, outcomes, successRate }) => ({
        amounts,
        count,
        group,
        outcomes,
        successRate
      })),
      ["EUR", "JPY"].map((currency) => {
        const mine = listed.filter((payment) => payment.currency === currency)
        const succeeded = mine.filter(({ status }) => status === "succeeded")
        const failed = mine.length - succeeded.length
        return {
          amounts: [
            {
              currency,
              amount: String(mine.reduce((sum, { amount }) => sum + amount, 0)),
              succeeded: String(mine.reduce((sum, { amount_captured }) => sum + amount_captured, 0))
            }
          ],
          count: mine.length,
          group: currency,
          outcomes: { ...(failed > 0 && { failed }), succeeded: succeeded.length },
          successRate: succeeded.length / mine.length
        }
      })
    )
    const refunds = await totals({ of: "refunds" })
    assert.deepStrictEqual(refunds.groups[0]?.amounts, [{ currency: "EUR", amount: "500", succeeded: "500" }])
    const attempts = await totals({ of: "attempts", groupBy: "provider" })
    assert.strictEqual(
      attempts.groups.reduce((sum, { count }) => sum + count, 0),
      listed.reduce((sum, payment) => sum + payment.attempts.length, 0)
    )
    assert.isTrue(attempts.groups.every(({ duration }) => (duration?.count ?? 0) > 0))

    for (const other of [paymux.forAccount("other"), paymux.forAccount("default", { mode: "live" })]) {
      assert.deepStrictEqual((await other.statistics.totals()).groups, [])
      assert.deepStrictEqual((await other.statistics.series()).points, [])
    }

    const period = ["--since", new Date(from).toISOString(), "--until", new Date(until).toISOString()]
    const shown = await commands.run(
      folder,
      "stats",
      "show",
      "--by",
      "currency",
      "--step",
      "total",
      "--json",
      ...period
    )
    assert.deepStrictEqual(JSON.parse(shown.stdout), { of: "payments", from, until, groups, uncountedSince: null })
    const rebuilt = await commands.run(folder, "stats", "rebuild")
    assert.include(rebuilt.stderr, "were rebuilt")
    assert.deepStrictEqual((await totals({ groupBy: "currency", from, until })).groups, groups)

    const series = await paymux.statistics.series({ step: "hour", groupBy: "failureCode" })
    const json = await commands.run(folder, "stats", "show", "--step", "hour", "--by", "failure-code", "--json")
    assert.deepStrictEqual(JSON.parse(json.stdout).points, series.points)
    const table = await commands.run(folder, "stats", "show", "--of", "attempts", "--by", "provider")
    assert.match(table.stdout, /start +provider +count +success +outcomes +amount +succeeded +p50 +p95 +p99/)
    assert.match(table.stdout, /EUR \d+\.00/)
    const empty = await commands.run(folder, "stats", "show", "--account", "other")
    assert.include(empty.stderr, "No payments in this period.")
  })

  it("refuse a query that makes no sense", async () => {
    const day = 86_400_000
    for (const query of [
      { from: -1 },
      { from: 5, until: 5 },
      { until: Number.NaN },
      { of: "disputes" },
      { of: 7 },
      { step: "minute" },
      { groupBy: "customer" },
      { groupBy: null },
      { providers: [] },
      { providers: "acme" },
      { methods: [7] },
      { currencies: [""] },
      { outcomes: ["a\u0000"] },
      { failureCodes: ["x".repeat(201)] },
      { failureCodes: Array.from({ length: 101 }, () => "x") },
      { provider: ["acme"] },
      { step: "hour", from: 0, until: 2001 * 3_600_000 },
      { from: 0, until: 2001 * day },
      { from: 0 },
      null
    ]) {
      const error = await paymux.statistics.series(query as never).then(
        () => "accepted",
        (reason: unknown) => String(reason)
      )
      assert.include(error, "is not valid", JSON.stringify(query))
    }
    const strange = { providers: ["' OR 1=1 --"], methods: ["%"], currencies: ["\ud800"] }
    assert.deepStrictEqual((await paymux.statistics.totals(strange)).groups, [])
    const refused = await commands.run(folder, "stats", "show", "--since", "2000d", "--step", "hour")
    assert.include(refused.stderr, "more than 2000 steps")
  })
})
