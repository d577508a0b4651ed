/** `paymux rules backtest` as a person runs it, in a process of its own, beside an engine on the same database. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import type { BacktestReport } from "@paymux/routing"
import { createPaymux } from "../../src/index.ts"
import type { Paymux } from "../../src/index.ts"
import { startCommands } from "../Commands.ts"
import type { Commands } from "../Commands.ts"
import { command } from "../ServerProcess.ts"

const customer = { email: "asha@example.com", phone: "+4915112345678" }
const card = (token: string, amount: number) =>
  ({ amount, currency: "EUR", payment_method: "card", customer, payment_method_details: { card: { token } } }) as const
/** It is never paid. */
const upi = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer,
  payment_method_details: { upi: { vpa: "pending@paymux" } }
} as const

const inForce = {
  version: 1,
  rules: [{ name: "cards", when: { payment_method: "card" }, choose: { priority: ["sandbox_card_a"] } }],
  default: { priority: ["sandbox_upi_a", "sandbox_upi_b"] }
} as const

const draft = `version: 1
rules:
  - name: large
    when: { currency: EUR, amount: { gte: 5000 } }
    choose: { priority: [sandbox_card_b, sandbox_card_a] }
  - name: large cards
    when: { payment_method: card, currency: [EUR, USD], amount: { gte: 6000 } }
    choose: { priority: [sandbox_card_a] }
  - name: yen
    when: { currency: JPY }
    choose: { priority: [sandbox_card_a] }
default: { priority: [sandbox_card_a] }
fees: { sandbox_card_a: { card: { percent: 2 } }, sandbox_card_b: { card: { percent: 1, fixed: { EUR: 10 } } } }
`

let folder: string
let paymux: Paymux
let commands: Commands
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-backtest-"))
  commands = startCommands()
  writeFileSync(join(folder, "draft.yaml"), draft)
  paymux = await createPaymux({ sandbox: true, database: `sqlite:${join(folder, "stored.db")}`, routing: inForce })
  // More than are read at a time.
  const small = Array.from({ length: 500 }, () => card("tok_success", 1_000))
  const large = Array.from({ length: 100 }, () => card("tok_success", 6_000))
  const declined = Array.from({ length: 20 }, () => card("tok_declined", 1_000))
  const all = [...small, ...large, ...declined, upi]
  // A provider takes so many at once and no more.
  for (let n = 0; n < all.length; n += 20) {
    await Promise.all(all.slice(n, n + 20).map((one) => paymux.payments.create(one)))
  }
})
afterAll(async () => {
  commands.stop()
  await paymux.close()
  rmSync(folder, { recursive: true, force: true })
})

const stored = ["--sandbox", "--database", "sqlite:stored.db"]
const backtest = (...args: ReadonlyArray<string>) => commands.run(folder, "rules", "backtest", ...args)

const figures = (text: string): Record<string, unknown> => JSON.parse(text)

describe("paymux rules backtest", () => {
  it("replays what was stored beside a running engine, prints tables and writes every figure as JSON", async () => {
    const args = ["--rules", "draft.yaml", "--since", "1h", "--json", "out.json"]
    const { code, stderr, stdout } = await command(folder, "rules", "backtest", ...stored, ...args)
    assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
    for (const sentence of [
      /621 test payments of account default/,
      /another provider is asked first +100 +16\.1%/,
      /no provider can take it +1 +0\.2%/,
      /before, measured +96\.8%/,
      /sandbox_card_a +sandbox_card_b +100 +16\.1%/,
      /after, expected +96\.0% +9\d\.\d% to 9\d\.\d% +83\.9%/,
      /16\.1% of these payments are of a kind that the draft's provider has never had/,
      /default +sandbox_card_a +method_not_supported +1/,
      /large cards +0 +0\.0% +100 +shadowed by large \(100\)/,
      /yen +0 +0\.0% +0 +dead: it matches nothing/,
      /sandbox_card_b +EUR 0\.00 +EUR 6,000\.00 +EUR 0\.00 +EUR 70\.96/
    ]) {
      assert.match(stdout, sentence)
    }
    const reported = figures(readFileSync(join(folder, "out.json"), "utf8"))
    assert.deepInclude(reported, {
      account: "default",
      livemode: false,
      draft: "draft.yaml",
      estimate: true,
      usesLearnedRates: false,
      payments: 621,
      default: { payments: 521, share: 521 / 621 }
    })
    assert.deepInclude(reported["changes"], { payments: 101, share: 101 / 621 })
    const { after, before, measured } = reported["acceptance"] as BacktestReport["acceptance"]
    assert.deepStrictEqual(measured, { rate: 600 / 620, counted: 620 })
    // The other one was never asked; all others keep their results.
    assert.deepStrictEqual([before.coverage, after.coverage], [521 / 621, 521 / 621])
    assert.strictEqual(after.rate, 500 / 521)
    assert.isBelow(after.range?.low ?? 1, 500 / 521)
    assert.isAbove(after.range?.high ?? 0, 500 / 521)
    assert.strictEqual((await paymux.payments.create(card("tok_success", 1_000))).status, "succeeded")
  })

  it("says from whose attempts success rates were rebuilt, where the draft asks for them", async () => {
    writeFileSync(
      join(folder, "best.yaml"),
      "version: 1\ndefault: { best: success_rate, among: [sandbox_card_a, sandbox_card_b, sandbox_upi_a] }\n"
    )
    const { code, stdout } = await backtest(...stored, "--rules", "best.yaml", "--since", "1h")
    assert.strictEqual(code, 0)
    assert.include(
      stdout,
      "Success rates were rebuilt from the attempts of this account's test payments; a server learns from all accounts, and may choose otherwise.\n"
    )
  })

  it("prints JSON alone where it is asked for on standard output", async () => {
    const { code, stdout } = await backtest(...stored, "--rules", "draft.yaml", "--json", "-")
    assert.strictEqual(code, 0)
    assert.strictEqual(figures(stdout)["estimate"], true)
  })

  it("takes rules, providers and database from the configuration", async () => {
    const options = { sandbox: true, database: "sqlite:stored.db", routing: inForce }
    writeFileSync(join(folder, "own.config.mjs"), `export default ${JSON.stringify(options)}\n`)
    const { code, stdout } = await backtest("--config", "own.config.mjs", "--json", "-")
    assert.strictEqual(code, 0)
    assert.deepInclude(figures(stdout)["changes"], { payments: 0, share: 0 })
  })

  it("refuses a database that is not there, and makes none", async () => {
    const { code, stderr } = await backtest("--sandbox", "--rules", "draft.yaml", "--database", "sqlite:gone.db")
    assert.deepStrictEqual([code, existsSync(join(folder, "gone.db"))], [1, false])
    assert.match(stderr, /Database not found: gone\.db/)
  })

  const refusals: ReadonlyArray<readonly [string, ReadonlyArray<string>, RegExp]> = [
    ["no such file", ["--rules", "gone.yaml"], /gone\.yaml is not there/],
    ["a broken draft", ["--rules", "broken.yaml"], /broken\.yaml:2:23 .*provider "sandbox_card_c".*sandbox_card_/],
    ["no payments", ["--rules", "draft.yaml", "--until", "2d"], /Account default has no test payments from .*--live/],
    ["no live payments", ["--rules", "draft.yaml", "--live"], /Account default has no live payments from/],
    ["a bad duration", ["--rules", "draft.yaml", "--since", "3 weeks"], /--since cannot be "3 weeks": .*30d/],
    ["a bad time", ["--rules", "draft.yaml", "--until", "2026-13-01"], /--until cannot be "2026-13-01"/],
    ["a day that never comes", ["--rules", "draft.yaml", "--since", "2026-02-30"], /--since cannot be "2026-02-30"/],
    [
      "a time on such a day",
      ["--rules", "draft.yaml", "--until", "2025-02-29T10:00:00+05:30"],
      /--until cannot be "2025-02-29T10:00:00\+05:30"/
    ],
    [
      "days that do come, without payments",
      ["--rules", "draft.yaml", "--since", "2024-02-28", "--until", "2024-02-29T23:30:00-05:00"],
      /no test payments from 2024-02-28T00:00:00\.000Z to 2024-03-01T04:30:00\.000Z/
    ],
    [
      "a beginning after the end",
      ["--rules", "draft.yaml", "--since", "1d", "--until", "2d"],
      /There is no time between .* \(--since\) and .* \(--until\)/
    ],
    ["a file that cannot be written", ["--rules", "draft.yaml", "--json", "gone/out.json"], /gone\/out\.json cannot be/]
  ]
  for (const [what, args, sentence] of refusals) {
    it(`refuses ${what} in a sentence`, async () => {
      writeFileSync(join(folder, "broken.yaml"), "version: 1\ndefault: { priority: [sandbox_card_c] }\n")
      const { code, stderr } = await backtest(...stored, ...args)
      assert.match(stderr, sentence)
      assert.strictEqual(code, 1)
      assert.notMatch(stderr, / at .*\.ts:\d+/)
    })
  }
})
