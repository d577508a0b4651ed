/** `paymux rules …`, as a person uses it in a folder with a configuration, rules and a database. */
// cspell:ignore methd colour abababab
import { StoreUnavailable } from "@paymux/core/store"
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { join, resolve } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { userError } from "../../src/commands/userError.ts"
import { startCommands } from "../Commands.ts"
import type { Commands } from "../Commands.ts"
import { command } from "../ServerProcess.ts"

let top: string
let commands: Commands
/** With payments in it. */
let paid: string
let first: Made
let second: Made

interface Made {
  readonly id: string
  readonly routing: { readonly ruleset: string }
}

const rules = (letter: "a" | "b") => `version: 1
rules:
  - name: to ${letter}
    when: { payment_method: card }
    choose: { priority: [sandbox_card_${letter}] }
default: { priority: [sandbox_upi_a] }
`

const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+4915112345678" }
}

const files: { readonly [name: string]: string } = {
  "paymux.config.ts": `export default { sandbox: true, database: "sqlite:paymux.db", routing: "first.yaml" }\n`,
  "first.yaml": rules("a"),
  "second.yaml": rules("b"),
  "card.json": JSON.stringify(card),
  // As those that were made.
  "token.json": JSON.stringify({ ...card, payment_method_details: { card: { token: "tok_success" } } })
}

/** A folder of its own, with these files beside those that are always there. */
const folder = (more: { readonly [name: string]: string } = {}): string => {
  const own = mkdtempSync(join(top, "folder-"))
  for (const [name, content] of Object.entries({ ...files, ...more })) writeFileSync(join(own, name), content)
  return own
}

const run = (cwd: string, ...args: ReadonlyArray<string>) => commands.run(cwd, "rules", ...args)

beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), "paymux-commands-"))
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(top, "node_modules"), "junction")
  commands = startCommands()
  paid = folder()
  // Boundary: the payment of the fixture.
  ;[first, second] = (await commands.make(paid, join(import.meta.dirname, "twoRulesets.ts"))) as [Made, Made]
})
afterAll(() => {
  commands.stop()
  rmSync(top, { recursive: true, force: true })
})

/** What is said of both providers, and why which of them is first. */
const judged = (stdout: string) => {
  const of = (letter: string) => new RegExp(`^  sandbox_card_${letter}  (.*)$`, "mu").exec(stdout)?.[1] ?? ""
  const [, reason, first] = /^goes to, by (\w+)\n {2}sandbox_card_([ab]) /mu.exec(stdout) ?? []
  return { a: of("a"), b: of("b"), first, reason }
}

/** Nothing is known of either: both are expected to take 91%, and neither is better than the other. */
const assertUnknown = (stdout: string, why?: string): void => {
  const { a, b, reason } = judged(stdout)
  for (const said of [a, b])
    assert.match(said, /^success_rate 91\.0% of 0 cards( on a hosted page)?, drawn \d+\.\d%$/, why)
  assert.strictEqual(reason, "success_rate", why)
}

describe("paymux rules check", () => {
  it("prints how many rules there are, and their name", async () => {
    const own = folder()
    const checked = await run(own, "check", "second.yaml")
    assert.strictEqual(checked.code, 0)
    assert.match(checked.stdout, /^second\.yaml: 1 rule, 1 warning\nsha256:[0-9a-f]{64}\n$/)
    assert.match(
      checked.stderr,
      /^warning: second\.yaml:\d+:1 `default` has no provider that takes stablecoin: [^\n]+\n$/
    )
  })

  it("checks what the configuration says where no file is named: a file, or rules", async () => {
    assert.include((await run(folder(), "check")).stdout, "first.yaml: 1 rule")
    const config = (routing: string) => ({ "paymux.config.ts": `export default { sandbox: true, ${routing} }\n` })
    const everyMethod = '["sandbox_card_a", "sandbox_upi_a", "sandbox_stablecoin_a"]'
    const written = folder(config(`routing: { version: 1, default: { priority: ${everyMethod} } }`))
    assert.include((await run(written, "check")).stdout, "The configuration's routing: 0 rules, nothing wrong")
    const wrong = await run(folder(config('routing: { version: 1, default: { priority: ["acme"] } }')), "check")
    assert.deepStrictEqual([wrong.code, wrong.stdout], [1, ""])
    assert.include(wrong.stderr, 'default: provider "acme" is not configured')
    const none = await run(folder(config("")), "check")
    assert.deepStrictEqual([none.code, none.stdout], [1, ""])
    assert.include(none.stderr, "No rules found: name a file.")
  })

  it("prints every problem with its line and column, and exits with 1", async () => {
    const own = folder({
      "broken.yaml": `version: 1
rules:
  - name: cards
    when: { payment_methd: card }
    choose: { split: { sandbox_card_a: 50, sandbox_card_x: 40 } }
default: { priority: [sandbox_upi_a] }
`
    })
    const { code, stderr, stdout } = await command(own, "rules", "check", "broken.yaml")
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.deepStrictEqual(stderr.trim().split("\n"), [
      "ERROR",
      '  broken.yaml:4:13 rule "cards": `when.payment_methd` is not known; did you mean "payment_method"?',
      '  broken.yaml:5:15 rule "cards": `choose.split` must add up to 100, not 90',
      '  broken.yaml:5:44 rule "cards": provider "sandbox_card_x" is not configured; did you mean "sandbox_card_a"?'
    ])
  })

  const doubtful = `version: 1
rules:
  - name: large
    when: { payment_method: card, currency: EUR, amount: { gte: 50 } }
    choose: { best: cost, among: [sandbox_card_a, sandbox_card_b] }
default: { priority: [sandbox_card_a, sandbox_upi_a, sandbox_stablecoin_a] }
`
  const warned = [
    [4, 65, 'rule "large": `when.amount.gte` is 0.50 EUR: 50.00 EUR is 5000'],
    [
      5,
      21,
      'rule "large": `choose.best` has no cost to compare: no provider has `fees` for card, so the listed order applies'
    ]
  ] as const

  it("warns of what is valid and does nothing, with line and column, and exits with 0", async () => {
    const own = folder({ "doubtful.yaml": doubtful })
    const { code, stderr, stdout } = await run(own, "check", "doubtful.yaml")
    assert.strictEqual(code, 0)
    assert.match(stdout, /^doubtful\.yaml: 1 rule, 2 warnings\nsha256:[0-9a-f]{64}\n$/)
    assert.deepStrictEqual(
      stderr.trim().split("\n"),
      warned.map(([line, column, message]) => `warning: doubtful.yaml:${line}:${column} ${message}`)
    )
  })

  it("prints warnings and problems as JSON", async () => {
    const own = folder({ "doubtful.yaml": doubtful, "broken.yaml": "version: 1\ndefault: { priority: [acme] }\n" })
    const { code, stdout } = await run(own, "check", "doubtful.yaml", "--json")
    assert.strictEqual(code, 0)
    const { ruleset, ...printed } = JSON.parse(stdout)
    assert.match(ruleset, /^sha256:/)
    assert.deepStrictEqual(printed, {
      valid: true,
      rules: "doubtful.yaml",
      problems: [],
      warnings: warned.map(([line, column, message]) => ({ line, column, message }))
    })
    const broken = await run(own, "check", "broken.yaml", "--json")
    assert.strictEqual(broken.code, 1)
    assert.deepStrictEqual(JSON.parse(broken.stdout), {
      valid: false,
      rules: "broken.yaml",
      problems: [{ line: 2, column: 23, message: 'default: provider "acme" is not configured' }],
      warnings: []
    })
  })

  it("warns of what providers require beyond the minimal request, and exits with 0", async () => {
    const own = folder({
      "paymux.config.ts": `import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
const acme = defineProvider({
  id: "acme",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: {
      card: { currencies: ["EUR"], flows: { token: {} } },
      upi: { currencies: ["INR"], flows: { intent: { requires: ["client.ip"] } }, phoneCodes: ["+91"] },
      stablecoin: { currencies: ["USD"], flows: { transfer: {} }, assets: [{ asset: "USDC", network: "base" }] }
    },
    operations: { create: {} }
  }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})
export default { providers: [acme({})], sandbox: { like: ["razorpay"] } }
`,
      "rules.yaml": "version: 1\ndefault: { priority: [acme, sandbox_upi_a] }\n"
    })
    const { code, stderr, stdout } = await run(own, "check", "rules.yaml")
    assert.strictEqual(code, 0)
    assert.include(stdout, "nothing wrong")
    assert.deepStrictEqual(stderr.trim().split("\n"), [
      "warning: acme does not take a minimal upi payment: it requires client.ip.",
      "warning: acme takes upi payments of customers with a phone number in +91 only.",
      "warning: acme does not take a minimal card payment: it supports token only, which a request has to name."
    ])
  })

  it("needs providers to check against, and takes the simulated ones by a flag", async () => {
    const own = folder({ "paymux.config.ts": "export default {}\n" })
    const { code, stderr } = await run(own, "check", "first.yaml")
    assert.strictEqual(code, 1)
    assert.include(stderr, "No provider is configured")
    assert.strictEqual((await run(own, "check", "first.yaml", "--sandbox")).code, 0)
    assert.include(
      (await run(own, "check", "first.yaml", "--config", "none.ts")).stderr,
      "Configuration file not found: none.ts"
    )
    assert.include((await run(own, "check", "none.yaml", "--sandbox")).stderr, "none.yaml is not there")
  })
})

describe("paymux rules explain, of a made-up payment", () => {
  it("goes through the rules up to the one that decides, condition by condition", async () => {
    const own = folder({
      "rules.yaml": `version: 1
rules:
  - name: upi
    when: { payment_method: upi, amount: { gte: 500000 } }
    choose: { priority: [sandbox_upi_a] }
  - name: cards
    when: { payment_method: card, any: [{ card.country: DE }, { currency: EUR }], not: { card.network: visa } }
    choose: { priority: [sandbox_card_b, sandbox_card_a] }
default: { priority: [sandbox_upi_a] }
`
    })
    const { code, stderr, stdout } = await run(own, "explain", "--rules", "rules.yaml", "--payment", "card.json")
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.deepStrictEqual(stdout.trim().split("\n").slice(0, -1), [
      'Rule "cards" decided, because payment_method is card, currency is EUR and card.network is absent.',
      "sandbox_card_b is the first available provider in the list. If sandbox_card_b fails and failover is",
      "allowed, sandbox_card_a is next.",
      "",
      "✗ upi",
      "  ✗ payment_method upi  it has card",
      "  ✗ amount gte 500000  it has 1200",
      "✓ cards",
      "  ✓ payment_method card",
      "  ✓ any",
      "    ✗ card.country DE  it has none",
      "    ✓ currency EUR",
      "  ✓ not",
      "    ✗ card.network visa  it has none",
      "",
      "goes to, by priority",
      "  sandbox_card_b  priority",
      "  sandbox_card_a  priority",
      ""
    ])
  })

  it("prints the same as JSON", async () => {
    const { stdout } = await run(folder(), "explain", "--payment", "card.json", "--json")
    const reported = JSON.parse(stdout)
    assert.match(reported.ruleset, /^sha256:/)
    assert.strictEqual(
      reported.summary,
      'Rule "to a" decided, because payment_method is card. sandbox_card_a is the only provider to choose from. No other provider is left for failover.'
    )
    assert.deepStrictEqual(reported.rules, [
      {
        name: "to a",
        matches: true,
        conditions: [{ asked: "payment_method card", holds: true, actual: "card", of: [] }]
      }
    ])
    assert.deepStrictEqual(reported.answer.candidates, [{ provider: "sandbox_card_a", reason: "priority" }])
  })

  it("says that it goes nowhere, and why", async () => {
    const own = folder({ "upi.yaml": "version: 1\ndefault: { priority: [sandbox_upi_a, sandbox_card_a] }\n" })
    const coin = { ...card, currency: "USD", payment_method: "stablecoin" }
    writeFileSync(join(own, "coin.json"), JSON.stringify(coin))
    const nowhere = await run(own, "explain", "--rules", "upi.yaml", "--payment", "coin.json")
    assert.strictEqual(nowhere.code, 0)
    assert.match(
      nowhere.stdout,
      /^The default decided, as there are no rules\. No provider is available: sandbox_upi_a and/
    )
    assert.include(
      nowhere.stdout,
      "goes nowhere: no provider of the rule can take it\ndropped\n  sandbox_upi_a  method_not_supported\n  sandbox_card_a  method_not_supported\n"
    )
    const live = await run(own, "explain", "--payment", "card.json", "--live")
    assert.include(live.stdout, "  sandbox_card_a  mode_mismatch\n")
  })

  it("is at the time that is named", async () => {
    const own = folder({
      "night.yaml": `version: 1
rules:
  - name: night
    when: { time: { between: ["23:30", "00:30"], zone: Asia/Kolkata } }
    choose: { priority: [sandbox_card_b] }
default: { priority: [sandbox_card_a] }
`
    })
    const at = (time: string) => run(own, "explain", "--rules", "night.yaml", "--payment", "card.json", "--at", time)
    assert.include((await at("2026-01-15T18:15:00Z")).stdout, "✓ night")
    assert.include((await at("2026-01-15T23:45:00+05:30")).stdout, "✓ night")
    assert.include((await at("2026-01-15T23:45:00Z")).stdout, "✗ night")
    assert.include((await at("2026-01-15T23:45:00Z")).stdout, "it has 05:15 Asia/Kolkata")
    for (const time of ["noon", "2026-01-15", "2026-01-15T23:45:00", "2026-13-15T23:45:00Z", "2026-02-30T23:45:00Z"]) {
      const { code, stderr, stdout } = await at(time)
      assert.deepStrictEqual([code, stdout], [1, ""], time)
      assert.include(stderr, "--at must be a time with a zone", time)
    }
  })

  it("has to be a request that would be accepted", async () => {
    const own = folder({
      "text.json": "amount: 5",
      "short.json": JSON.stringify({ ...card, customer: undefined }),
      "raw.json": JSON.stringify({ ...card, description: "4111111111111111" })
    })
    const refusals: ReadonlyArray<readonly [string, string]> = [
      ["none.json", "none.json could not be read"],
      ["text.json", "text.json is not JSON"],
      ["short.json", "/customer"],
      ["raw.json", "Raw card data is not accepted (/description)"]
    ]
    for (const [file, sentence] of refusals) {
      const { code, stderr, stdout } = await run(own, "explain", "--payment", file)
      assert.deepStrictEqual([code, stdout], [1, ""], file)
      assert.include(stderr, sentence)
      assert.notInclude(stderr, "4111111111111111")
    }
  })

  const best = `version: 1
rules:
  - name: best
    when: { currency: EUR }
    choose: { best: success_rate, among: [sandbox_card_a, sandbox_card_b], min_samples: 16, window: 7d, explore: 0% }
default: { best: success_rate, among: [sandbox_card_a, sandbox_card_b] }
`

  it("uses the success rates of the given database, and says that they are unknown without one", async () => {
    const own = folder({ "best.yaml": best })
    const asked = ["explain", "--rules", "best.yaml", "--payment", "token.json"]
    const known = await run(own, ...asked, "--database", `sqlite:${join(paid, "paymux.db")}`)
    assert.deepStrictEqual([known.code, known.stderr], [0, ""])
    // Of 8 attempts 7 were paid; with what is expected where nothing is known, that is 7.9 of 9. A provider is then expected to
    // take 89%, as if that were known of 10 attempts: 3 of 4 are (3 + 10 * 0.89) / 14, and 4 of 4 are (4 + 10 * 0.89) / 14.
    const { a, b, reason } = judged(known.stdout)
    assert.match(a, /^success_rate 8[45]\.\d% of 4 cards, 4 in EUR, drawn \d+\.\d%$/)
    assert.match(b, /^success_rate 92\.\d% of 4 cards, 4 in EUR, drawn \d+\.\d%$/)
    assert.strictEqual(reason, "success_rate")
    const unknown = await run(own, ...asked)
    assertUnknown(unknown.stdout)
    assert.include(unknown.stderr, "Success rates are taken as not known")
    const later = await run(
      own,
      ...asked,
      "--database",
      `sqlite:${join(paid, "paymux.db")}`,
      "--at",
      "2020-01-01T00:00:00Z"
    )
    assertUnknown(later.stdout, "they had not been paid by then")
    const missing = await run(own, ...asked, "--database", "sqlite:none.db")
    assert.strictEqual(missing.code, 1)
    assert.include(missing.stderr, "Database not found: none.db")
  })

  it("says nothing of success rates that its decision did not ask for", async () => {
    const own = folder({
      "best.yaml": best
        .replace("currency: EUR", "currency: USD")
        .replace(/default:.*/, "default: { priority: [sandbox_card_a] }")
    })
    const { stderr, stdout } = await run(own, "explain", "--rules", "best.yaml", "--payment", "card.json")
    assert.include(stdout, "goes to, by priority")
    assert.strictEqual(stderr, "")
  })

  it("shows no control character of what a merchant wrote", async () => {
    const own = folder({
      "esc.json": JSON.stringify({ ...card, metadata: { shop: "\u001b[2Jnl" } }),
      "shop.yaml": rules("a").replace("payment_method: card", "metadata.shop: nl, payment_method: card")
    })
    const { stdout } = await run(own, "explain", "--rules", "shop.yaml", "--payment", "esc.json")
    assert.include(stdout, "it has \uFFFD[2Jnl")
    const matching = folder({
      "esc.json": JSON.stringify({ ...card, metadata: { shop: "\u001b[2Jnl" } }),
      "shop.yaml": rules("a").replace(
        "payment_method: card",
        "metadata.shop: { ends_with: nl }, not: { metadata.shop: x }"
      )
    })
    const summarized = await run(matching, "explain", "--rules", "shop.yaml", "--payment", "esc.json")
    assert.include(summarized.stdout, "metadata.shop is \uFFFD[2Jnl (not x)")
  })
})

describe("paymux rules explain, of a stored payment", () => {
  it("goes by the rules that decided it, whatever is in force or in the files now", async () => {
    const { code, stderr, stdout } = await run(paid, "explain", "--payment", first.id)
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /^Rule "to a" decided, because payment_method is card\. sandbox_card_a is the only/)
    assert.include(stdout, "✓ to a\n")
    assert.include(stdout, "  sandbox_card_a  priority\n")
    assert.include(stdout, first.routing.ruleset)
    const other = await run(paid, "explain", "--payment", second.id)
    assert.include(other.stdout, "✓ to b\n")
    assert.include(other.stdout, second.routing.ruleset)
  })

  it("goes by other rules where they are named", async () => {
    const { stdout } = await run(paid, "explain", "--payment", first.id, "--rules", "second.yaml")
    assert.include(stdout, "✓ to b\n")
    assert.include(stdout, "  sandbox_card_b  priority\n")
  })

  it("goes by the success rates of that moment: of what had ended by then, though the slot of time is longer", async () => {
    const best =
      "{ best: success_rate, among: [sandbox_card_a, sandbox_card_b], window: 7d, min_samples: 4, explore: 0% }"
    const own = folder({ "best.yaml": `version: 1\ndefault: ${best}\n` })
    const database = ["--database", `sqlite:${join(paid, "paymux.db")}`]
    const at = async (id: string) =>
      (await run(own, "explain", "--payment", id, "--rules", "best.yaml", ...database)).stdout
    assertUnknown(await at(first.id))
    const { a, b } = judged(await at(second.id))
    // Of 4 attempts of one provider 3 were paid, of the other none was made: 3.9 of 5, so 80.2% is expected of either.
    assert.match(a, /^success_rate 78\.\d% of 4 cards, 4 in EUR, drawn \d+\.\d%$/)
    assert.match(b, /^success_rate 80\.2% of 0 cards, drawn \d+\.\d%$/)
  })

  it("is explained where its provider is gone, and where its rules would be refused by now", async () => {
    const gone = folder({
      "paymux.config.ts": `export default { database: ${JSON.stringify(`sqlite:${join(paid, "paymux.db")}`)} }\n`
    })
    const asked = ["explain", "--payment", first.id]
    assert.deepStrictEqual(await run(gone, ...asked), await run(paid, ...asked))
    const refused = { failover: { deadline: "200000000d" }, default: {}, added: true }
    const kept = await historyWith({
      ...refused,
      rules: [{ name: "to a", when: { livemode: false, "metadata.shop": "nl" } }]
    })
    assert.strictEqual(kept.code, 0)
    assert.include(
      kept.stdout,
      "✗ to a\n  ✓ livemode false\n  ✗ metadata.shop nl  it has none\n\ngoes to, by priority\n  sandbox_card_a"
    )
    const foreign = await historyWith({ rules: [{ name: "to a", when: { "card.colour": "red" } }] })
    assert.deepStrictEqual([foreign.code, foreign.stdout], [1, ""])
    assert.match(
      foreign.stderr,
      /The rules sha256:[0-9a-f]{64} are not in words of this version: see `paymux rules show sha256:/
    )
  })

  /** Explains a payment of `first.yaml` where these are its rules in the history. */
  const historyWith = async (config: unknown) => {
    const own = folder()
    // Boundary: the payment of the fixture.
    const [made] = (await commands.make(own, join(import.meta.dirname, "twoRulesets.ts"))) as [Made, Made]
    inDatabase(own, (database) => {
      const write = database.prepare("UPDATE paymux_rulesets SET config = ? WHERE ruleset = ?")
      write.run(JSON.stringify(config), made.routing.ruleset)
    })
    return run(own, "explain", "--payment", made.id)
  }

  it("explains why the database cannot be read", async () => {
    const own = folder()
    await commands.make(own, join(import.meta.dirname, "twoRulesets.ts"))
    inDatabase(own, (database) => database.exec("ALTER TABLE payments RENAME TO payments_away"))
    const asked = [
      ["explain", "--payment", first.id],
      ["backtest", "--rules", "first.yaml"]
    ]
    for (const each of asked) {
      const { code, stderr, stdout } = await run(own, ...each)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.include(stderr, "The database is unavailable: no such table: payments")
    }
  })

  it("is found in the database of the configuration that is named", async () => {
    const own = folder({
      "other.config.ts": `export default { sandbox: true, database: ${JSON.stringify(`sqlite:${join(paid, "paymux.db")}`)} }\n`
    })
    const { code, stdout } = await run(own, "explain", "--payment", first.id, "--config", "other.config.ts")
    assert.strictEqual(code, 0)
    assert.include(stdout, "✓ to a\n")
  })

  it("says that it is missing in this account and mode, or that its rules are not stored", async () => {
    const live = await run(paid, "explain", "--payment", first.id, "--live")
    assert.deepStrictEqual([live.code, live.stdout], [1, ""])
    assert.include(live.stderr, `Payment ${first.id} not found in account default (live mode).`)
    const other = await run(paid, "explain", "--payment", first.id, "--account", "other")
    assert.include(other.stderr, "in account other (test mode)")
    const own = folder()
    await commands.make(own, join(import.meta.dirname, "twoRulesets.ts"))
    const { id } = inDatabase(own, (database) => {
      database.exec("DELETE FROM paymux_rulesets")
      return { id: String(database.prepare("SELECT id FROM payments LIMIT 1").get()?.["id"]) }
    })
    const forgotten = await run(own, "explain", "--payment", id)
    assert.strictEqual(forgotten.code, 1)
    assert.match(forgotten.stderr, /The rules sha256:[0-9a-f]{64} are not in the history: name a file with --rules\./)
    assert.strictEqual((await run(own, "explain", "--payment", id, "--rules", "first.yaml")).code, 0)
  })
})

describe("what is printed about a database that is unavailable", () => {
  it("is what the database said, however it is wrapped, or what was said of it", () => {
    const refused = new Error("connect ECONNREFUSED", { cause: new AggregateError([]) })
    const causes = [new Error("failed", { cause: new Error("statement timeout") }), refused, "gone"]
    assert.deepStrictEqual(
      causes.map((cause) => userError(new StoreUnavailable({ cause })).userMessage),
      ["statement timeout", "connect ECONNREFUSED", "gone"].map((said) => `The database is unavailable: ${said}`)
    )
  })
})

describe("paymux rules history and show", () => {
  it("list what was in force, newest first, and where it came from", async () => {
    const { code, stdout } = await run(paid, "history")
    assert.strictEqual(code, 0)
    const [, newest = "", oldest = "", ...more] = stdout.trimEnd().split("\n")
    assert.deepStrictEqual(more, [])
    assert.match(newest, /^ 2 +\d{4}-.*Z +sha256:[0-9a-f]{16} +second\.yaml/)
    assert.match(oldest, /first\.yaml/)
    assert.include(oldest, first.routing.ruleset.slice(0, 23))
    const json = JSON.parse((await run(paid, "history", "--json", "--limit", "1")).stdout)
    assert.lengthOf(json, 1)
    assert.deepInclude(json[0], { ruleset: second.routing.ruleset, source: "second.yaml" })
    assert.strictEqual((await run(paid, "history", "--limit", "0")).code, 1)
  })

  it("show rules by their name, or by how it begins", async () => {
    const { ruleset } = first.routing
    for (const name of [ruleset, ruleset.slice(0, 23), ruleset.slice(7, 20)]) {
      const { code, stdout } = await run(paid, "show", name)
      assert.strictEqual(code, 0, name)
      assert.deepStrictEqual(JSON.parse(stdout).default, { priority: ["sandbox_upi_a"] })
      assert.strictEqual(JSON.parse(stdout).rules[0].name, "to a")
    }
  })

  it("shown rules are rules again, of the same name", async () => {
    const { stdout } = await run(paid, "show", second.routing.ruleset)
    const own = folder({ "shown.json": stdout })
    assert.include((await run(own, "check", "shown.json")).stdout, second.routing.ruleset)
  })

  it("refuse a name that no rules have, and one that several have", async () => {
    const missing = await run(paid, "show", "sha256:ffffffffffffffff")
    assert.deepStrictEqual([missing.code, missing.stdout], [1, ""])
    assert.include(missing.stderr, "Ruleset sha256:ffffffffffffffff not found: it was never in force.")
    const own = folder()
    await commands.make(own, join(import.meta.dirname, "twoRulesets.ts"))
    const names = ["0", "1"].map((end) => `sha256:${"ab".repeat(31)}a${end}`)
    inDatabase(own, (database) => {
      const add = database.prepare("INSERT INTO paymux_rulesets VALUES (?, ?, '{}', 'options', 0, NULL)")
      for (const [index, name] of names.entries()) add.run(100 + index, name)
    })
    const several = await run(own, "show", "abababab")
    assert.deepStrictEqual([several.code, several.stdout], [1, ""])
    assert.include(several.stderr, `abababab is ambiguous. It matches:\n  ${names.join("\n  ")}`)
    assert.strictEqual((await run(own, "show", names[0] ?? "")).stdout, "{}\n")
  })

  it("show each version of a file as it was written, and what changed between two", async () => {
    assert.strictEqual((await run(paid, "show", "1")).stdout, readFileSync(join(paid, "first.yaml"), "utf8"))
    assert.match((await run(paid, "diff", "1", "2")).stdout, /^--- version 1\n\+\+\+ version 2\n@@ /m)
    assert.include((await run(paid, "diff", "1", "1")).stderr, "The texts are the same.")
    assert.include((await run(paid, "show", "3")).stderr, "Version 3 of the rules not found.")
    assert.include((await run(paid, "diff", "1", "3")).stderr, "Version 3 of the rules not found.")
    const { stderr } = await run(paid, "publish", "first.yaml", "--from", "2", "--sandbox")
    assert.include(stderr, "The rules come from the file first.yaml: edit it there.")
  })

  it("need a database that is there", async () => {
    for (const asked of [["history"], ["show", "sha256:ab"], ["show", "1"], ["diff", "1", "2"]]) {
      const { code, stderr } = await run(folder(), ...asked)
      assert.strictEqual(code, 1)
      assert.include(stderr, "Database not found: paymux.db. Name it with --database.")
    }
  })
})

describe("paymux rules --help", () => {
  it("names every command, and each has a sentence and an example where it has flags to choose", async () => {
    const { stdout } = await commands.run(paid, "rules", "--help")
    for (const name of ["check", "explain", "backtest", "history", "show", "diff", "publish", "rollback"])
      assert.match(stdout, new RegExp(`^ +${name} +[A-Z]`, "m"))
    for (const name of ["check", "explain", "backtest", "show", "diff", "publish", "rollback"]) {
      assert.include((await commands.run(paid, "rules", name, "--help")).stdout, "EXAMPLES")
    }
    assert.include((await commands.run(paid, "--help")).stdout, "  rules ")
  })
})

const inDatabase = <A>(own: string, use: (database: DatabaseSync) => A): A => {
  const database = new DatabaseSync(join(own, "paymux.db"))
  try {
    return use(database)
  } finally {
    database.close()
  }
}
