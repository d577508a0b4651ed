/** A new cell beside an installation that had payments before it became one, at one account of a provider. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { migrations } from "../../src/Database.ts"
import { createPaymux } from "../../src/index.ts"
import { card } from "../card.ts"
import { startCommands } from "../Commands.ts"
import type { Commands } from "../Commands.ts"
import { acme, cellNames, paid, twoCells } from "./TwoCells.ts"
import type { CellName, Sends, TwoCells } from "./TwoCells.ts"
import { csvConfig } from "../statements/csvConfig.ts"

const scope = Scope.makeUnsafe()
const folder = mkdtempSync(join(tmpdir(), "paymux-former-"))
let commands: Commands

beforeAll(() => {
  commands = startCommands()
})

afterAll(async () => {
  commands.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

const onPostgres = () => Effect.runPromise(Scope.provide(temporaryDatabase(migrations), scope))

const databases = {
  SQLite: async () => ({ eu1: `sqlite:${join(folder, "eu1.db")}`, us1: `sqlite:${join(folder, "us1.db")}` }),
  PostgreSQL: async () => ({ eu1: await onPostgres(), us1: await onPostgres() })
}

const hosted = { ...card, payment_method_details: { card: {} } }

/** A payment of the time before cells, which its provider can still report. */
const formerOperation = async (database: string): Promise<string> => {
  const sends: Sends = { all: [] }
  await using paymux = await createPaymux({ providers: [acme(sends)], sandbox: true, logs: false, database })
  await paymux.payments.create(hosted)
  return sends.all[0]?.id ?? assert.fail("Nothing was sent.")
}

const report = async ({ cells, url }: TwoCells, cell: CellName, operation: string, event: string) => {
  const address = `${url}/cells/${cell}/webhooks/acme`
  const response = await fetch(address, { method: "POST", body: paid(operation, event) })
  const { received } = JSON.parse(await response.text())
  const { data: reports } = await cells[cell].reports.list()
  return [received, reports[0]?.status ?? null]
}

describe.each(["SQLite", "PostgreSQL"] as const)("ids without a cell on %s", (kind) => {
  const lost = `op_${"0".repeat(26)}`

  it("are of the former installation, and foreign to a new cell, in webhooks and in statements", async () => {
    const urls = await databases[kind]()
    const operation = await formerOperation(urls.eu1)
    assert.match(operation, /^op_[0-9a-z]{26}$/)
    for (const start of ["first", "second"]) {
      await using both = await twoCells(urls)
      const foreign = ["applied", "foreign"]
      const kept = ["kept", "parked"]
      assert.deepStrictEqual(await report(both, "us1", operation, `${start} known`), foreign)
      assert.deepStrictEqual(await report(both, "us1", lost, `${start} lost`), foreign)
      assert.strictEqual((await report(both, "eu1", operation, `${start} known`))[0], "applied")
      assert.deepStrictEqual(await report(both, "eu1", lost, `${start} lost`), kept)
      assert.deepStrictEqual(await report(both, "us1", `${lost}_us1`, `${start} own`), kept)
      // A payment that is made later does not change what was before.
      assert.match((await both.cells.us1.payments.create(hosted)).id, /_us1$/)
    }
    const file = join(folder, "report.csv")
    writeFileSync(file, ["id,type,amount,currency,date,op", `x1,sale,500,EUR,2026-01-01T00:00:00Z,${lost}`].join("\n"))
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    writeFileSync(join(folder, "paymux.config.ts"), `export default ${JSON.stringify(csvConfig)}`)
    const args = ["--provider", "sandbox_card_a", "--file", file, "--json"]
    const counts = await Promise.all(
      cellNames.map(async (cell) => {
        const { stdout } = await commands.run(folder, "reconcile", ...args, "--database", urls[cell])
        // Boundary: what the command prints.
        const [run] = JSON.parse(stdout) as ReadonlyArray<{ readonly counts: object }>
        return run?.counts
      })
    )
    const [eu1, us1] = counts
    assert.deepInclude(eu1, { foreign: 0, differences: { missing_here: 1 } })
    assert.deepInclude(us1, { foreign: 1, differences: {} })
  })
})
