/** `paymux rules experiment` as a person runs it, beside an engine on the same database. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { createPaymux } from "../../src/index.ts"
import type { Paymux } from "../../src/index.ts"
import { startCommands } from "../Commands.ts"
import type { Commands } from "../Commands.ts"

const card = (token: string, payer: string) =>
  ({
    amount: 1_200,
    currency: "EUR",
    payment_method: "card",
    customer: { email: payer, phone: "+4915112345678" },
    payment_method_details: { card: { token } }
  }) as const

const split = { sandbox_card_a: 50, sandbox_card_b: 50 } as const
const rules = (name: string) =>
  ({
    version: 1,
    rules: [
      {
        name,
        when: { payment_method: "card" },
        choose: { split, sticky_by: "customer.email", experiment: "b in euros" }
      }
    ],
    default: { priority: ["sandbox_upi_a"] }
  }) as const

let folder: string
let paymux: Paymux
let commands: Commands
/** A payer of each arm. */
const payers = new Map<string, string>()

const makeMany = async (count: number, token: string, payer: string) => {
  // A provider takes so many at once and no more.
  for (let n = 0; n < count; n += 20) {
    await Promise.all(Array.from({ length: 20 }, () => paymux.payments.create(card(token, payer))))
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-experiment-"))
  commands = startCommands()
  const database = `sqlite:${join(folder, "stored.db")}`
  {
    await using before = await createPaymux({ sandbox: true, database, routing: rules("cards") })
    for (let n = 0; payers.size < 2; n++) {
      const payer = `payer${n}@example.com`
      const { attempts, routing } = await before.payments.create(card("tok_success", payer))
      assert.strictEqual(routing.experiment?.arm, attempts[0]?.provider)
      assert.strictEqual(routing.experiment?.name, "b in euros")
      payers.set(routing.experiment?.arm ?? "", payer)
    }
  }
  paymux = await createPaymux({ sandbox: true, database, routing: rules("renamed") })
  const of = (arm: string) => payers.get(arm) ?? assert.fail(`no payer of ${arm}`)
  await makeMany(160, "tok_success", of("sandbox_card_a"))
  await makeMany(100, "tok_success", of("sandbox_card_b"))
  await makeMany(60, "tok_declined", of("sandbox_card_b"))
})
afterAll(async () => {
  commands.stop()
  await paymux.close()
  rmSync(folder, { recursive: true, force: true })
})

const experiment = (...args: ReadonlyArray<string>) =>
  commands.run(folder, "rules", "experiment", ...args, "--database", "sqlite:stored.db")

describe("paymux rules experiment", () => {
  it("compares the arms: those of a payer stay together while the rule is renamed", async () => {
    const { code, stderr, stdout } = await experiment("b in euros")
    assert.deepStrictEqual([code, stderr], [0, ""])
    const [title, counted, , head, a, b, , verdict, ...rest] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.trim())
    assert.strictEqual(title, 'Experiment "b in euros"')
    assert.match(counted ?? "", /^\d+ test payments of account default, \S+Z to \S+Z$/)
    assert.match(
      head ?? "",
      /^arm +share +payments +paid +failed +canceled +open +paid of those that ended +first attempts paid$/
    )
    assert.match(a ?? "", /^sandbox_card_a +50% +16\d +16\d +0 +0 +0 +100\.0% +100\.0%$/)
    assert.match(b ?? "", /^sandbox_card_b +50% +16\d +10\d +60 +0 +0 +6\d\.\d% +6\d\.\d%$/)
    assert.match(
      verdict ?? "",
      /^sandbox_card_b is worse than sandbox_card_a: of 100 payments, 3\d\.\d fewer are paid \(\d+\.\d to \d+\.\d\)\.$/
    )
    assert.deepStrictEqual(rest, [
      "You can look as often as you like: in at most 5 of 100 experiments, a provider is called better or worse that is not."
    ])
  })

  it("compares with the arm that is asked for, and prints JSON", async () => {
    const { stdout } = await experiment("b in euros", "--control", "sandbox_card_b", "--json")
    const { control, effects, livemode, period } = JSON.parse(stdout)
    assert.deepStrictEqual(
      [control, effects[0].arm, effects[0].verdict],
      ["sandbox_card_b", "sandbox_card_a", "better"]
    )
    assert.strictEqual(livemode, false)
    assert.match(period.from, /^\d{4}-\d\d-\d\dT/)
  })

  it("says what there is where nothing was found, and which arms there are", async () => {
    const unknown = await experiment("b in euro")
    assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
    assert.match(
      unknown.stderr,
      /No payments of experiment "b in euro" were found; there are "b in euros" \(test payments of account default, \S+ to \S+\)/
    )
    const live = await experiment("b in euros", "--live")
    assert.match(live.stderr, /No payments of experiment "b in euros" were found \(live payments of account default/)
    const control = await experiment("b in euros", "--control", "stripe")
    assert.strictEqual(control.code, 1)
    assert.include(
      control.stderr,
      '--control cannot be "stripe": experiment "b in euros" has the arms sandbox_card_a, sandbox_card_b'
    )
    const nowhere = await commands.run(folder, "rules", "experiment", "b in euros", "--database", "sqlite:none.db")
    assert.include(nowhere.stderr, "Database not found: none.db")
    const backwards = await experiment("b in euros", "--since", "1d", "--until", "2d")
    assert.include(backwards.stderr, "There is no time between")
  })
})
