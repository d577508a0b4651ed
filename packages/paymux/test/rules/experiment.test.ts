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
/** By the arm that they were assigned to. */
const payers = { sandbox_card_a: [] as Array<string>, sandbox_card_b: [] as Array<string> }

const pay = async (all: ReadonlyArray<readonly [token: string, payer: string]>) => {
  // A provider takes so many at once and no more.
  for (let n = 0; n < all.length; n += 20) {
    await Promise.all(all.slice(n, n + 20).map(([token, payer]) => paymux.payments.create(card(token, payer))))
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-experiment-"))
  commands = startCommands()
  const database = `sqlite:${join(folder, "stored.db")}`
  {
    // Before the rule is renamed: whose payer is whose.
    await using before = await createPaymux({
      sandbox: true,
      database: `sqlite:${join(folder, "other.db")}`,
      routing: rules("cards")
    })
    for (let n = 0; Math.min(payers.sandbox_card_a.length, payers.sandbox_card_b.length) < 110; n++) {
      const payer = `payer${n}@example.com`
      const { attempts, routing } = await before.payments.create(card("tok_success", payer))
      assert.deepStrictEqual(routing.experiment, { name: "b in euros", arm: attempts[0]?.provider })
      payers[attempts[0]?.provider === "sandbox_card_a" ? "sandbox_card_a" : "sandbox_card_b"].push(payer)
    }
  }
  paymux = await createPaymux({ sandbox: true, database, routing: rules("renamed") })
  const of = (arm: keyof typeof payers, from: number, to: number, token: string) =>
    payers[arm].slice(from, to).map((payer) => [token, payer] as const)
  await pay(of("sandbox_card_a", 0, 12, "tok_declined"))
  await pay(of("sandbox_card_a", 12, 110, "tok_success"))
  await pay(of("sandbox_card_b", 0, 60, "tok_declined"))
  await pay(of("sandbox_card_b", 60, 110, "tok_success"))
  // Again, and each of them is paid: a payer counts once.
  await pay(of("sandbox_card_b", 0, 20, "tok_success"))
})
afterAll(async () => {
  commands.stop()
  await paymux.close()
  rmSync(folder, { recursive: true, force: true })
})

const experiment = (...args: ReadonlyArray<string>) =>
  commands.run(folder, "rules", "experiment", ...args, "--database", "sqlite:stored.db")

describe("paymux rules experiment", () => {
  const lines = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.trim())

  it("compares the arms: payers keep theirs while the rule is renamed, and count once", async () => {
    const { code, stderr, stdout } = await experiment("b in euros", "--settled", "1ms")
    assert.deepStrictEqual([code, stderr], [0, ""])
    const [title, counted, , head, a, b, , result, ...rest] = lines(stdout)
    assert.strictEqual(title, 'Experiment "b in euros"')
    assert.match(counted ?? "", /^240 test payments of account default, \S+Z to \S+Z$/)
    assert.match(head ?? "", /^arm +share +payments +compared +paid +success rate +by first attempts$/)
    assert.match(a ?? "", /^sandbox_card_a +50% +110 +110 +98 +89\.1% +89\.1%$/)
    assert.match(b ?? "", /^sandbox_card_b +50% +130 +110 +50 +45\.5% +45\.5%$/)
    assert.strictEqual(
      result,
      "sandbox_card_b is worse than sandbox_card_a: of 100 payments, 43.6 fewer are paid (15.8 to 71.5)."
    )
    assert.deepStrictEqual(rest, [
      "The ranges are 95% intervals for all looks together: at most 5 of 100 experiments report a difference that does not exist.",
      "Not compared: 20 payments after the first of the same payer."
    ])
  })

  it("compares with the arm that is asked for, from a time that is asked for, and prints JSON", async () => {
    const asked = ["--settled", "1ms", "--control", "sandbox_card_b"]
    const json = await experiment("b in euros", ...asked, "--json")
    const { control, effects, livemode, period, settled } = JSON.parse(json.stdout)
    assert.deepStrictEqual([control, effects[0].arm, effects[0].result], ["sandbox_card_b", "sandbox_card_a", "better"])
    assert.deepStrictEqual([livemode, settled], [false, "1ms"])
    assert.match(period.from, /^\d{4}-\d\d-\d\dT/)
    const { stdout } = await experiment("b in euros", ...asked, "--since", "1d")
    assert.include(stdout, "sandbox_card_a is better than sandbox_card_b: of 100 payments, 43.6 more are paid (")
    assert.include(
      stdout,
      "They hold for repeated looks only if the period starts at the same time each time; it was --since 1d."
    )
  })

  it("waits a day for failures that take long", async () => {
    const { stdout } = await experiment("b in euros")
    assert.deepStrictEqual(lines(stdout).slice(-3), [
      "Too few payments to compare sandbox_card_b with sandbox_card_a: each needs 100, of which 10 are paid and 10 are not.",
      "Not compared: 220 payments of the last 24h.",
      "Not compared: 20 payments after the first of the same payer."
    ])
  })

  it("says what there is where nothing was found, and which arms there are", async () => {
    const unknown = await experiment("b in euro")
    assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
    assert.include(
      unknown.stderr,
      'No payments of experiment "b in euro" were found; there are "b in euros" (test payments of account default).'
    )
    const live = await experiment("b in euros", "--live")
    assert.include(live.stderr, 'No payments of experiment "b in euros" were found (live payments of account default).')
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
    const never = await experiment("b in euros", "--settled", "soon")
    assert.include(never.stderr, '--settled cannot be "soon": name a duration, such as 24h (ms, s, m, h or d).')
  })
})
