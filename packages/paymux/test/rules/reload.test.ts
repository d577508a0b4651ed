/** Rules in a file decide the payments of a running server, from one payment to the next. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll } from "vitest"
import { createPaymux } from "../../src/index.ts"
import type { Paymux, PaymuxOptions } from "../../src/index.ts"
import { command, serve } from "../ServerProcess.ts"
import type { ServerProcess } from "../ServerProcess.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-reload-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+4915112345678" },
  payment_method_details: { card: { token: "tok_success" } }
} as const

/** Card payments go to the provider with this letter. */
const rules = (letter: "a" | "b") => `version: 1
rules:
  - name: to ${letter}
    when: { payment_method: card }
    choose: { priority: [sandbox_card_${letter}] }
default: { priority: [sandbox_card_a, sandbox_upi_a] }
`

const fresh = (name: string, content: string): string => {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const providerOf = async (paymux: Paymux): Promise<string | undefined> => {
  const { attempts } = await paymux.payments.create(card)
  return attempts[0]?.provider
}

/** Asks again until it is so. Fails after 20 s: the limit of a test is minutes. */
const eventually = async <A>(ask: () => Promise<A>, so: (answer: A) => boolean): Promise<A> => {
  for (const end = performance.now() + 20_000; performance.now() < end; await setTimeout(50)) {
    const answer = await ask()
    if (so(answer)) return answer
  }
  return assert.fail("It was not so within 20 s")
}

const refusal = async (options: PaymuxOptions): Promise<Error> => {
  try {
    await using _paymux = await createPaymux({ sandbox: true, database: ":memory:", ...options })
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("it started")
}

describe("rules in a file", () => {
  it("decide from the start, and from when they change", async () => {
    const routing = fresh("reloaded.yaml", rules("a"))
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:", routing })
    assert.strictEqual(await providerOf(paymux), "sandbox_card_a")
    writeFileSync(routing, rules("b"))
    await eventually(
      () => providerOf(paymux),
      (provider) => provider === "sandbox_card_b"
    )
  })

  it("may be JSON", async () => {
    const config = { version: 1, default: { priority: ["sandbox_card_b"] } }
    const routing = fresh("routing.json", JSON.stringify(config, null, "\t"))
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:", routing })
    assert.strictEqual(await providerOf(paymux), "sandbox_card_b")
  })

  it("that are broken are refused at the start, each problem with its place", async () => {
    const routing = fresh(
      "broken.yaml",
      `version: 1
rulez: []
rules:
  - name: eu
    when: { currency: [EUR, EURO], amount: { gtee: 5 } }
    choose: { split: { sandbox_card_a: 60, sandbox_card_b: 30 } }
  - name: eu
    choose: { priority: [sandbox_crad_a] }
`
    )
    const error = await refusal({ routing })
    assert.strictEqual("_tag" in error && error._tag, "RulesFileInvalid")
    const lines = error.message.split("\n")
    for (const line of lines) assert.match(line, new RegExp(`^${routing}:[1-9]\\d*:[1-9]\\d* \\S`))
    const reported = lines.map((line) => line.slice(routing.length + 1))
    for (const expected of [
      "1:1 `default` is missing",
      '2:1 `rulez` is not known; did you mean "rules"?',
      '5:29 rule "eu": `when.currency[1]` must be an ISO 4217 currency in capitals, such as EUR',
      '5:46 rule "eu": `when.amount.gtee` is not known; did you mean "gte"?',
      '6:15 rule "eu": `choose.split` must add up to 100, not 90',
      '7:5 rule "eu": `when` is missing',
      '8:26 rule "eu": provider "sandbox_crad_a" is not configured; did you mean "sandbox_card_a"?'
    ]) {
      assert.include(reported, expected)
    }
    assert.deepStrictEqual(
      reported,
      reported.toSorted((x, y) => place(x) - place(y))
    )
  })

  it("that are missing are reported before a database is created", async () => {
    const routing = join(folder, "nowhere.yaml")
    const database = `sqlite:${join(folder, "untouched.db")}`
    assert.strictEqual((await refusal({ routing, database })).message, `${routing} is not there`)
    assert.throws(() => new DatabaseSync(join(folder, "untouched.db"), { readOnly: true }))
  })

  it("leave no prototype behind, and no key unseen", async () => {
    const text = `version: 1
__proto__: { polluted: true }
default:
  split: { sandbox_card_a: 100, __proto__: 0 }
`
    const { message } = await refusal({ routing: fresh("proto.yaml", text) })
    assert.match(message, /proto\.yaml:2:1 `…` is not known/)
    assert.match(message, /proto\.yaml:4:\d+ default: this provider is not configured/)
    assert.isUndefined(Reflect.get({}, "polluted"))
  })
})

const place = (line: string): number => {
  const [row = 0, column = 0] = line.split(/[: ]/).map(Number)
  return row * 1_000 + column
}

/** The provider that a payment over HTTP was tried with. */
const overHttp = async (server: ServerProcess): Promise<string> => {
  const response = await fetch(`${server.base}/payments`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.testKey}`, "content-type": "application/json" },
    body: JSON.stringify(card)
  })
  assert.strictEqual(response.status, 201)
  const payment: { readonly attempts: ReadonlyArray<{ readonly provider: string }> } = JSON.parse(await response.text())
  return payment.attempts[0]?.provider ?? "none"
}

const logged = (server: ServerProcess, level: string): ReadonlyArray<string> =>
  server
    .stderr()
    .split("\n")
    .filter((line) => line.includes(`"level":"${level.toLowerCase()}"`) && line.includes("Routing rules"))

describe("paymux serve --rules", () => {
  it("keeps the last good rules, reports a fault once, and remembers what was in force", async () => {
    fresh("served.yaml", rules("a"))
    fresh("other.yaml", rules("b"))
    // The flag wins over the configuration.
    fresh("served.config.mjs", 'export default { sandbox: true, routing: "other.yaml" }')
    const flags = ["--database", "sqlite:served.db", "--config", "served.config.mjs", "--rules", "served.yaml"]
    const server = await serve(folder, flags)
    const grows = (level: string, count: number) =>
      eventually(
        async () => logged(server, level),
        (lines) => lines.length === count
      )
    assert.strictEqual(await overHttp(server), "sandbox_card_a")

    fresh("served.yaml", `${rules("b")}rulez: 1\n`)
    const [problem = ""] = await grows("ERROR", 1)
    assert.match(
      problem,
      /"message":"Routing rules sha256:[0-9a-f]{64} stay in force:\\nserved\.yaml:7:1 `rulez` is not known/
    )
    assert.strictEqual(await overHttp(server), "sandbox_card_a")

    fresh("served.yaml", rules("b"))
    const [first = "", second = ""] = await grows("INFO", 2)
    for (const line of [first, second]) {
      assert.match(line, /"message":"Routing rules sha256:[0-9a-f]{64} in force, from served\.yaml"/)
    }
    assert.strictEqual(await overHttp(server), "sandbox_card_b")
    assert.strictEqual(logged(server, "ERROR").length, 1)
    assert.strictEqual(await server.kill("SIGTERM"), 0)

    const database = new DatabaseSync(join(folder, "served.db"), { readOnly: true })
    const kept = database.prepare("SELECT ruleset, source FROM paymux_rulesets ORDER BY seq").all()
    database.close()
    const names = [first, second].map((line) => /sha256:[0-9a-f]{64}/.exec(line)?.[0])
    assert.deepStrictEqual(
      kept.map(({ ruleset, source }) => ({ ruleset, source })),
      names.map((ruleset) => ({ ruleset, source: "served.yaml" }))
    )
  })

  it("refuses to start with every problem of the file, and explains the flag", async () => {
    fresh("refused.yaml", "version: 1\nversion: 1\nrules: .nan\n")
    const refused = await command(folder, "serve", "--sandbox", "--port", "0", "--rules", "refused.yaml")
    assert.strictEqual(refused.code, 1)
    assert.strictEqual(refused.stdout, "")
    assert.include(refused.stderr, "refused.yaml:2:1 this key is in the mapping twice")
    assert.include(refused.stderr, "refused.yaml:3:8 must be a finite number")
    const help = await command(folder, "serve", "--help")
    assert.match(help.stdout + help.stderr, /--rules[^]*A file of routing rules/)
  })

  it("keeps the rules of the options, and those that hold without any, under their own words", async () => {
    const sources = async (name: string, options: PaymuxOptions) => {
      const filename = join(folder, name)
      const paymux = await createPaymux({ sandbox: true, database: `sqlite:${filename}`, ...options })
      await paymux.close()
      const database = new DatabaseSync(filename, { readOnly: true })
      const rows = database.prepare("SELECT source, config FROM paymux_rulesets ORDER BY seq").all()
      database.close()
      return rows.map(({ config, source }) => [source, JSON.parse(String(config)).version])
    }
    const routing = { version: 1, default: { priority: ["sandbox_card_a"] } } as const
    assert.deepStrictEqual(await sources("options.db", { routing }), [["options", 1]])
    assert.deepStrictEqual(await sources("default.db", {}), [["default", 1]])
    assert.deepStrictEqual(await sources("default.db", {}), [["default", 1]])
  })
})
