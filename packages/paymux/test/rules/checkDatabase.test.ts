/** `paymux rules check --database`: rules against the payments of the last 30 days, on both databases. */
// cspell:ignore shpo
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { createPaymux } from "../../src/index.ts"
import { startCommands } from "../Commands.ts"
import { emptyDatabases } from "../emptyDatabases.ts"
import { command } from "../ServerProcess.ts"

const { folder, postgres, sqlite } = await emptyDatabases()
const commands = startCommands()

const customer = { email: "asha@example.com", phone: "+4915112345678" }
const card = (shop: string) =>
  ({
    amount: 1_200,
    currency: "EUR",
    payment_method: "card",
    customer,
    payment_method_details: { card: { token: "tok_success" } },
    metadata: { shop }
  }) as const

const everyMethod = "[sandbox_card_a, sandbox_upi_a, sandbox_stablecoin_a]"
/** The names of rules are not those that routed the payments. */
const rules = `version: 1
rules:
  - name: two shops
    when: { metadata.shop: [nl, be] }
    choose: { priority: [sandbox_card_a] }
  - name: german shop
    when: { payment_method: card, any: [{ metadata.shpo: de }] }
    choose: { split: { sandbox_card_a: 50, sandbox_card_b: 50 }, sticky_by: metadata.cart }
  - name: euros
    when: { currency: EUR, customer.email: asha@example.com }
    choose: { priority: [sandbox_card_b] }
  - name: next december
    when: { time: { dates: [2999-12-24] }, metadata.gift: "yes" }
    choose: { priority: ${everyMethod} }
  - name: cards of eu
    when: { payment_method: card, account: eu, metadata.team: a }
    choose: { priority: [sandbox_card_a] }
default: { priority: ${everyMethod} }
`
const DAY = String.raw`20\d\d-\d\d-\d\d`
/** Line, column and message. */
const warned = (payments: number) =>
  [
    [7, 5, `rule "german shop": it matched none of the ${payments} payments since DAY`],
    [
      7,
      43,
      `rule "german shop": \`when.any[0].metadata.shpo\` names a metadata key that none of the ${payments} payments since DAY has; did you mean "shop"?`
    ],
    [
      8,
      77,
      `rule "german shop": \`choose.sticky_by\` names a metadata key that none of the ${payments} payments since DAY has`
    ],
    [
      10,
      5,
      `rule "euros": it took none of the ${payments} payments since DAY: earlier rules matched all of its payments, "two shops" 5`
    ]
  ] as const

/** Days differ by when the test runs. */
const dayless = (text: string): string => text.replaceAll(new RegExp(DAY, "g"), "DAY")

const check = (...args: ReadonlyArray<string>) => commands.run(folder, "rules", "check", ...args)
const onDatabase = (url: string, ...args: ReadonlyArray<string>) =>
  check("rules.yaml", "--sandbox", "--database", url, ...args)

beforeAll(async () => {
  writeFileSync(join(folder, "rules.yaml"), rules)
  for (const database of [sqlite, postgres]) {
    await using paymux = await createPaymux({ sandbox: true, database, logs: false })
    for (const shop of ["nl", "nl", "nl", "be", "nl"]) await paymux.payments.create(card(shop))
  }
})
afterAll(() => commands.stop())

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("paymux rules check --database, on %s", (_, url) => {
  it("warns of rules and metadata keys without payments, with line and column, and exits with 0", async () => {
    const { code, stderr, stdout } = await onDatabase(url)
    assert.strictEqual(code, 0)
    assert.match(
      stdout,
      new RegExp(
        `^rules\\.yaml: 5 rules, 4 warnings\nsha256:[0-9a-f]{64}\ncompared with 5 test payments of account default since ${DAY}\n$`
      )
    )
    assert.deepStrictEqual(
      dayless(stderr).trimEnd().split("\n"),
      warned(5).map(([line, column, message]) => `warning: rules.yaml:${line}:${column} ${message}`)
    )
  })

  it("prints the same as JSON, with what was compared", async () => {
    const { code, stdout } = await onDatabase(url, "--json")
    assert.strictEqual(code, 0)
    const { compared, valid, warnings } = JSON.parse(stdout)
    assert.isTrue(valid)
    assert.deepStrictEqual(
      JSON.parse(dayless(JSON.stringify(warnings))),
      warned(5).map(([line, column, message]) => ({ line, column, message }))
    )
    const { since, until, ...rest } = compared
    assert.deepStrictEqual(rest, { account: "default", livemode: false, payments: 5 })
    assert.strictEqual(Date.parse(until) - Date.parse(since), 30 * 86_400_000)
  })

  it("says that nothing could be compared if the account or the mode has no payments", async () => {
    for (const [flags, sentence] of [
      [
        ["--account", "eu"],
        /^nothing to compare with: account eu has no test payments since .*\(--live compares live/m
      ],
      [["--live"], /^nothing to compare with: account default has no live payments since .*\(without --live, test/m]
    ] as const) {
      const { code, stderr, stdout } = await onDatabase(url, ...flags)
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.match(stdout, /^rules\.yaml: 5 rules, nothing wrong$/m)
      assert.match(stdout, sentence)
    }
    const { compared, warnings } = JSON.parse((await onDatabase(url, "--live", "--json")).stdout)
    assert.deepStrictEqual([compared.payments, warnings], [0, []])
  })
})

describe("paymux rules check --database", () => {
  it("reads nothing without the flag: the configuration's database is not compared", async () => {
    const options = { sandbox: true, database: sqlite, routing: "rules.yaml" }
    writeFileSync(join(folder, "own.config.mjs"), `export default ${JSON.stringify(options)}\n`)
    const without = await check("--config", "own.config.mjs")
    assert.deepStrictEqual([without.code, without.stderr], [0, ""])
    assert.notInclude(without.stdout, "compare")
    assert.notProperty(JSON.parse((await check("--config", "own.config.mjs", "--json")).stdout), "compared")
  })

  it("leaves the database as it is, and shows no progress outside of a terminal", async () => {
    const own = join(folder, "untouched")
    mkdirSync(own)
    writeFileSync(join(own, "rules.yaml"), rules)
    inDatabase((database) => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"))
    const file = join(folder, "paymux.db")
    const before = readFileSync(file)
    const { code, stderr } = await command(own, "rules", "check", "rules.yaml", "--sandbox", "--database", sqlite)
    assert.strictEqual(code, 0)
    assert.lengthOf(stderr.trim().split("\n"), 4)
    assert.isTrue(before.equals(readFileSync(file)))
  })

  it("counts the payments of the last 30 days only", async () => {
    const madeAgo = (days: number) =>
      inDatabase((database) => {
        const set = "UPDATE payments SET created_at = ? WHERE id = (SELECT max(id) FROM payments)"
        database.prepare(set).run(Date.now() - days * 86_400_000)
      })
    try {
      madeAgo(31)
      assert.include((await onDatabase(sqlite)).stdout, "compared with 4 test payments")
    } finally {
      madeAgo(0)
    }
  })

  it("exits with 1 for broken rules, before it reads the database", async () => {
    writeFileSync(join(folder, "broken.yaml"), "version: 1\ndefault: { priority: [acme] }\n")
    const { code, stderr } = await check("broken.yaml", "--sandbox", "--database", "sqlite:gone.db")
    assert.strictEqual(code, 1)
    assert.include(stderr, 'broken.yaml:2:23 default: provider "acme" is not configured')
    assert.notInclude(stderr, "gone.db")
  })

  const refusals: ReadonlyArray<readonly [string, ReadonlyArray<string>, RegExp]> = [
    ["a database that is missing", ["--database", "sqlite:gone.db"], /Database not found: gone\.db/],
    ["a database of another kind", ["--database", "mysql://shop"], /sqlite:.*postgres:/],
    [
      "a server that is not there",
      ["--database", "postgres://u:a-password@127.0.0.1:1/shop"],
      /The database postgres:\/\/127\.0\.0\.1:1\/shop cannot be opened/
    ],
    ["an account that cannot be", ["--database", sqlite, "--account", "a b"], /an account .*, not "a b"/],
    ["an account without a database", ["--account", "eu"], /--account and --live .*: pass --database, too/],
    ["live payments without a database", ["--live"], /--account and --live .*: pass --database, too/],
    ["a flag that does not exist", ["--databse", sqlite], /--databse/]
  ]
  for (const [what, args, sentence] of refusals) {
    it(`refuses ${what} in a sentence`, async () => {
      const { code, stderr, stdout } = await check("rules.yaml", "--sandbox", ...args)
      assert.strictEqual(code, 1)
      assert.match(stderr, sentence)
      assert.notInclude(stdout, "nothing wrong")
      assert.notMatch(stderr, /a-password| at .*\.ts:\d+/)
      assert.isFalse(existsSync(join(folder, "gone.db")))
    })
  }

  it("explains why the database cannot be read", async () => {
    inDatabase((database) => database.exec("ALTER TABLE payments RENAME TO payments_away"))
    try {
      const { code, stderr, stdout } = await onDatabase(sqlite)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.include(stderr, "The database is unavailable: no such table: payments")
    } finally {
      inDatabase((database) => database.exec("ALTER TABLE payments_away RENAME TO payments"))
    }
  })
})

const inDatabase = (use: (database: DatabaseSync) => void): void => {
  const database = new DatabaseSync(join(folder, "paymux.db"))
  try {
    use(database)
  } finally {
    database.close()
  }
}
