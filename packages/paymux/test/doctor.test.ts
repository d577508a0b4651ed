import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"

const core = join(import.meta.dirname, "../../core/src/index.ts")
const adapters = join(import.meta.dirname, "../../adapters")
let folder = ""
let commands: Commands

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-doctor-"))
  commands = startCommands()
})

afterAll(() => {
  commands.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** `options` is code, in which `fake` is a fake of Stripe. */
const examined = (name: string, options: string) => {
  const file = join(folder, `${name}.config.ts`)
  writeFileSync(
    file,
    `import { stripe } from "${adapters}/stripe/src/index.ts"
import { fakeStripe } from "${adapters}/stripe/src/testing/index.ts"
const fake = await fakeStripe()
export default ${options}\n`
  )
  return commands.run(folder, "doctor", "--config", file)
}

describe("paymux doctor", () => {
  it("finds no problem where the credentials are accepted, and creates no database", async () => {
    const { code, stdout } = await examined(
      "good",
      `{ providers: [stripe(fake.options)], routing: { version: 1, default: { priority: ["stripe"] } } }`
    )
    assert.strictEqual(code, 0, stdout)
    assert.match(stdout, /^✓ stripe +test mode, reached, credentials accepted$/m)
    assert.match(stdout, /^✓ database +paymux\.db does not exist yet: the first start creates it$/m)
    assert.match(stdout, /^✓ stripe +send its webhooks to http:\/\/localhost:4310\/webhooks\/stripe$/m)
    assert.match(stdout, /No problems found\.\n$/)
  })

  it("names refused credentials and a provider that cannot be reached, and exits with 1", async () => {
    const { code, stderr, stdout } = await examined(
      "bad",
      `{ providers: [
        stripe({ ...fake.options, id: "wrong", secretKey: "sk_test_of_another_account" }),
        stripe({ ...fake.options, id: "gone", baseUrl: "http://127.0.0.1:1" })
      ] }`
    )
    assert.strictEqual(code, 1)
    assert.match(stdout, /^✗ wrong +refused the credentials: check the keys of this instance$/m)
    assert.match(stdout, /^✗ gone +(?:has no usable response|cannot be reached)/m)
    assert.match(stderr, /2 problems found\./)
    assert.notInclude(stdout + stderr, "sk_test_of_another_account")
  })

  it("warns of an account that is not enabled, with the code and what helps", async () => {
    const { code, stdout } = await examined(
      "account",
      `await (async () => {
        const { Effect } = await import("${import.meta.resolve("effect")}")
        const { accountNotEnabled } = await import("${core}")
        const refuse = () => Effect.fail(accountNotEnabled("s2s_off", "kind"))
        const { capabilities, ...provider } = stripe({ ...fake.options, id: "closed" })
        const accountHelp = { s2s_off: "Enable S2S." }
        const make = () => Effect.succeed({ create: refuse, inquire: refuse })
        return { providers: [{ ...provider, capabilities: { ...capabilities, accountHelp }, make }] }
      })()`
    )
    assert.strictEqual(code, 0, stdout)
    assert.match(stdout, /^! closed +reached, credentials accepted, but not enabled: s2s_off\. Enable S2S\.$/m)
  })

  it("names every invalid option", async () => {
    const { code, stdout } = await examined(
      "options",
      `{ providers: [stripe(fake.options)], lateSuccess: "x", port: 1 }`
    )
    assert.strictEqual(code, 1)
    assert.match(stdout, /^✗ options +lateSuccess must be succeed or reverse\.$/m)
    assert.strictEqual(stdout.match(/^✗ options/gm)?.length, 2)
  })

  it("reads a database that a server uses", async () => {
    await commands.run(folder, "keys", "create", "--database", "sqlite:used.db")
    const { code, stdout } = await examined("used", `{ providers: [stripe(fake.options)], database: "sqlite:used.db" }`)
    assert.strictEqual(code, 0, stdout)
    assert.match(stdout, /^✓ database +used\.db, reached$/m)
    assert.match(stdout, /^✓ endpoints +0 webhook endpoints, none disabled$/m)
  })

  it("checks the newest rules in the database against the providers of the configuration", async () => {
    await commands.run(folder, "keys", "create", "--database", "sqlite:rules.db")
    const routed = (name: string) =>
      examined(
        name,
        `{ providers: [stripe(fake.options)], database: "sqlite:rules.db", routing: { source: "database" } }`
      )
    assert.match((await routed("none")).stdout, /^✓ rules +in the database, which has none yet/m)
    const database = new DatabaseSync(join(folder, "rules.db"))
    const publish = (version: number, provider: string) =>
      database
        .prepare(`INSERT INTO paymux_rules_versions VALUES (?, ?, ?, 0, 'program', 'program', NULL, NULL, NULL)`)
        .run(version, `sha256:${version}`, `version: 1\ndefault: { priority: [${provider}] }\n`)
    publish(1, "stripe")
    assert.match((await routed("fits")).stdout, /^✓ rules +in the database: version 1$/m)
    publish(2, "stripe_eu")
    database.close()
    const { code, stdout } = await routed("unfit")
    assert.strictEqual(code, 1)
    assert.match(stdout, /^✗ rules +version 2, the newest, cannot be used by this server\..*"stripe_eu"/ms)
  })

  it("finds that the newest payment was created in the future", async () => {
    const options = `{ providers: [stripe(fake.options)], database: "sqlite:ahead.db" }`
    const file = join(folder, "ahead.config.ts")
    await examined("ahead", options)
    assert.strictEqual((await commands.run(folder, "migrate", "--config", file)).code, 0)
    const database = new DatabaseSync(join(folder, "ahead.db"))
    const columns = database
      .prepare("SELECT name, type, \"notnull\" AS needed FROM pragma_table_info('payments')")
      .all()
    const names = columns.flatMap(({ name, needed }) => (needed === 1 ? [String(name)] : []))
    const values = names.map((name) => (name === "created_at" ? Date.now() + 7_200_000 : name === "livemode" ? 0 : "1"))
    database
      .prepare(`INSERT INTO payments (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .run(...values)
    database.close()
    const { code, stdout } = await examined("ahead", options)
    assert.strictEqual(code, 1, stdout)
    assert.match(stdout, /^✗ clock +the newest payment was created 7\d\d\d s in the future/m)
  })

  it("warns while the database is marked as restored, and names the instances that it concerns", async () => {
    const database = "sqlite:restored.db"
    await commands.run(folder, "keys", "create", "--database", database)
    const restored = (...flags: ReadonlyArray<string>) =>
      commands.run(folder, "database", "restored", "--database", database, ...flags)
    const found = async (name: string) => {
      const options = `{ providers: [stripe({ ...fake.options, id: "keyed" })], database: "${database}" }`
      const { code, stdout } = await examined(name, options)
      assert.strictEqual(code, 0, stdout)
      return stdout.split("\n").filter((line) => line.startsWith("!") && !line.startsWith("! public URL"))
    }
    assert.deepStrictEqual(await found("unmarked"), [])
    const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    // Its keys are honored for 24 hours, so nothing that was lost can be charged again.
    const recent = at(1)
    await restored("--at", recent)
    const [mark = "", ...others] = await found("recent")
    assert.match(mark, /^! restored +Marked at \d{4}-\S+Z\. The database is marked as restored to /)
    assert.include(mark, `restored to ${recent}. Until `)
    assert.deepStrictEqual(others, [])
    const long = at(25)
    await restored("--at", long)
    const excluded = (await found("long"))[1] ?? ""
    assert.match(excluded, /^! keyed +gets no payments with an unknown idempotency key until \d{4}-\S+Z: /)
    assert.include(excluded, `paymux database restored --at ${long} --accept-doubles keyed`)
    await restored("--at", long, "--accept-doubles", "other,keyed")
    const accepted = (await found("accepted"))[1] ?? ""
    assert.match(accepted, /^! keyed +takes payments that may be charged twice until \S+: an operator accepted it$/)
    await restored("--at", long, "--for", "0s")
    assert.deepStrictEqual(await found("ended"), [])
  })

  it("finds a database that cannot be reached", async () => {
    const { code, stdout } = await examined(
      "away",
      `{ providers: [stripe(fake.options)], database: "postgres://u:word@127.0.0.1:1/shop" }`
    )
    assert.strictEqual(code, 1)
    assert.match(stdout, /^✗ database +postgres:\/\/127\.0\.0\.1:1\/shop cannot be read/m)
    assert.notInclude(stdout, "word")
  })
})
