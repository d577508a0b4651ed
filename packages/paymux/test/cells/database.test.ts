/** The cell of a database: given at a start, kept for good. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createPaymux } from "../../src/index.ts"
import type { Paymux } from "../../src/index.ts"
import { card } from "../card.ts"
import { startCommands } from "../Commands.ts"
import type { Commands } from "../Commands.ts"
import { emptyDatabases } from "../emptyDatabases.ts"
import { serve } from "../ServerProcess.ts"

let databases: Awaited<ReturnType<typeof emptyDatabases>>
let commands: Commands

beforeAll(async () => {
  databases = await emptyDatabases()
  commands = startCommands()
})

afterAll(() => commands.stop())

const open = (database: string, cell?: string) =>
  createPaymux({
    sandbox: true,
    logs: false,
    database,
    publicUrl: "http://shop.test",
    ...(cell !== undefined && { cell })
  })

const refusal = async (database: string, cell?: string): Promise<string> => {
  try {
    await using _ = await open(database, cell)
    return "was not refused"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const statusOf = async (paymux: Paymux, url: string, headers: { readonly [name: string]: string } = {}) =>
  (await paymux.fetch(new Request(new URL(url, "http://shop.test"), { headers: { ...headers } }))).status

describe.each(["sqlite", "postgres"] as const)("a database on %s", (kind) => {
  it("becomes that of a cell: what it had stays readable under its old ids, keys and addresses", async () => {
    const database = databases[kind]
    const before = await open(database)
    const old = await before.payments.create({ ...card, metadata: { sandbox_scenario: "undecided" } })
    assert.match(old.id, /^pay_[0-9a-z]{26}$/)
    const key = before.testKey ?? ""
    await before.close()

    await using paymux = await open(database, "eu1")
    const made = await paymux.payments.create(card)
    assert.match(made.id, /^pay_[0-9a-z]{26}_eu1$/)
    assert.deepStrictEqual(
      (await paymux.payments.list()).data.map(({ id }) => id),
      [made.id, old.id]
    )
    const path = new URL(old.hosted_url ?? "").pathname
    const { hosted_url: hostedUrl } = await paymux.payments.get(old.id)
    assert.strictEqual(hostedUrl, `http://shop.test/cells/eu1${path}`)
    assert.strictEqual(await statusOf(paymux, path), 200)
    assert.strictEqual(await statusOf(paymux, hostedUrl ?? ""), 200)
    assert.strictEqual(paymux.testKey, key)
    assert.notMatch(key, /eu1/)
    const headers = { authorization: `Bearer ${key}` }
    for (const id of [old.id, made.id]) assert.strictEqual(await statusOf(paymux, `/v1/payments/${id}`, headers), 200)
    assert.isTrue(paymux.owns("/cells/eu1/pay/x/y"))
  })

  it("is refused by name under another cell and without one, and is opened under its own again", async () => {
    const database = databases[kind]
    const advice = "use the database of that cell, or set cell eu1 (PAYMUX_CELL, --cell, or the option cell)."
    assert.strictEqual(
      await refusal(database, "us1"),
      `This database is of cell eu1, and cell us1 is configured: ${advice}`
    )
    assert.strictEqual(await refusal(database), `This database is of cell eu1, and no cell is configured: ${advice}`)
    await using paymux = await open(database, "eu1")
    assert.lengthOf((await paymux.payments.list()).data, 2)
  })

  it("gives its cell to the keys that commands make", async () => {
    const { code, stdout } = await commands.run(databases.folder, "keys", "create", "--database", databases[kind])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^pmx_test_eu1_[0-9A-Za-z]{38}\n$/)
    await using paymux = await open(databases[kind], "eu1")
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    assert.strictEqual(await statusOf(paymux, "/v1/payments", headers), 200)
  })

  it("is named by a command that does not find a payment of another cell", async () => {
    const id = `pay_${"0".repeat(26)}`
    const messageOf = async (text: string) =>
      (await commands.run(databases.folder, "payments", "get", text, "--database", databases[kind])).stderr
    const missing = (text: string) => `Payment ${text} not found in account default (test mode).`
    assert.include(
      await messageOf(`${id}_us1`),
      `${missing(`${id}_us1`)} It is a payment of cell us1: use the database of that cell.`
    )
    for (const text of [id, `${id}_eu1`]) assert.match((await messageOf(text)).trim(), /\(test mode\)\.$/)
  })

  it("is checked by paymux doctor", async () => {
    let files = 0
    const findings = async (cell: string) => {
      const file = join(databases.folder, `${kind}-${files++}.config.ts`)
      writeFileSync(file, `export default { sandbox: true, database: ${JSON.stringify(databases[kind])}${cell} }\n`)
      return (await commands.run(databases.folder, "doctor", "--config", file)).stdout
    }
    assert.match(await findings(`, cell: "eu1"`), /^✓ cell +eu1$/m)
    assert.match(
      await findings(`, cell: "us1"`),
      /^✗ cell +This database is of cell eu1, and cell us1 is configured: /m
    )
    assert.match(await findings(""), /^✗ cell +This database is of cell eu1, and no cell is configured: /m)
    assert.match(await findings(`, cell: "EU"`), /^✗ options +cell must have 1 to 8 lower-case letters or digits/m)
  })
})

describe("commands beside a server that has its cell by a flag", () => {
  const write = (name: string, url: string) => {
    const stripe = join(import.meta.dirname, "../../../adapters/stripe/src")
    const file = join(databases.folder, name)
    writeFileSync(
      file,
      `import { stripe } from "${stripe}/index.ts"
import { fakeStripe } from "${stripe}/testing/index.ts"
const providers = [stripe((await fakeStripe()).options)]
export default { providers, publicUrl: "https://pay.test", database: ${JSON.stringify(url)} }\n`
    )
    return file
  }

  it.each(["sqlite", "postgres"] as const)("show the addresses of the cell that the %s database has", async (kind) => {
    const file = write(`${kind}-flag.config.ts`, databases[kind])
    const args = ["--config", file]
    const { stderr, stdout } = await commands.run(databases.folder, "providers", "list", ...args)
    assert.include(stdout, "https://pay.test/cells/eu1/webhooks/stripe", stderr)
    const doctor = (await commands.run(databases.folder, "doctor", ...args, "--cell", "eu1")).stdout
    assert.match(doctor, /^✓ cell +eu1$/m)
    assert.include(doctor, "https://pay.test/cells/eu1/webhooks/stripe")
    const other = (await commands.run(databases.folder, "doctor", ...args, "--cell", "us1")).stdout
    assert.match(other, /^✗ cell +This database is of cell eu1, and cell us1 is configured: /m)
  })

  it("show the addresses of --cell, and say if the database cannot be read", async () => {
    const list = (...args: ReadonlyArray<string>) => commands.run(databases.folder, "providers", "list", ...args)
    const broken = join(databases.folder, "broken.db")
    writeFileSync(broken, "not a database, and longer than the header of one is".repeat(10))
    const config = ["--config", write("broken.config.ts", "sqlite:missing.db")]
    const missing = await list(...config)
    assert.include(missing.stdout, "https://pay.test/webhooks/stripe", missing.stderr)
    assert.strictEqual(missing.stderr, "")
    const named = await list(...config, "--cell", "us1", "--database", `sqlite:${broken}`)
    assert.include(named.stdout, "https://pay.test/cells/us1/webhooks/stripe", named.stderr)
    assert.strictEqual(named.stderr, "")
    const unread = await list(...config, "--database", `sqlite:${broken}`)
    assert.include(unread.stdout, "https://pay.test/webhooks/stripe")
    assert.match(
      unread.stderr,
      /^The cell cannot be read from .*broken\.db\. If the server is a cell, name it with --cell\.$/m
    )
    const invalid = await list(...config, "--cell", "EU")
    assert.strictEqual(invalid.code, 1)
    assert.include(invalid.stderr, "cell must have 1 to 8 lower-case letters or digits")
  })
})

describe("paymux serve", () => {
  it("takes the cell from --cell or PAYMUX_CELL, and shows it and the addresses that have it", async () => {
    const server = await serve(databases.folder, ["--cell", "us1", "--database", "sqlite:served.db"])
    assert.match(server.testKey, /^pmx_test_us1_/)
    assert.match(server.stderr(), /Cell us1/)
    assert.strictEqual(await server.kill("SIGTERM"), 0)
    const inEnvironment = startCommands({ PAYMUX_CELL: "eu1" })
    const refused = await inEnvironment.run(
      databases.folder,
      "serve",
      "--sandbox",
      "--port",
      "0",
      "--database",
      "sqlite:served.db"
    )
    inEnvironment.stop()
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "This database is of cell us1, and cell eu1 is configured")
  })
})

describe("the option cell", () => {
  it.each(["", "EU1", "1eu", "eu-1", "europe001", 7, null])("is refused if it is %j", async (cell) => {
    // Boundary: options may come without types.
    const options = { sandbox: true, database: ":memory:", cell } as { readonly sandbox: true; readonly cell: string }
    const error = await createPaymux(options).then(
      () => null,
      (refused: unknown) => refused
    )
    assert.include(String(error), "cell must have 1 to 8 lower-case letters or digits, and begin with a letter")
  })
})
