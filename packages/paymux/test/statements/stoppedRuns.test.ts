/** `paymux reconcile` that another process cancels, or that is killed, in the middle of a statement. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import type { StatementMovement } from "@paymux/core/statement"
import type { StatementRun } from "@paymux/sql"
import { rmSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { instantId } from "../../../../test/bench/InstantProvider.ts"
import { startCommands } from "../Commands.ts"
import { paymuxOnDisk } from "../PaymuxOnDisk.ts"
import { stalledStatement, statementFiles } from "./stalledStatement.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const providerFolder = temporaryFolder()
const files = statementFiles(providerFolder)
const { commands, database, folder, paymux } = await paymuxOnDisk({
  providers: [stalledStatement(providerFolder)],
  logs: false
})

writeFileSync(`${folder}/package.json`, '{"type":"module"}')
writeFileSync(
  `${folder}/paymux.config.ts`,
  `import { stalledStatement } from ${JSON.stringify(fileURLToPath(new URL("stalledStatement.ts", import.meta.url)))}
export default { providers: [stalledStatement(${JSON.stringify(providerFolder)})] }`
)

const here = (...args: ReadonlyArray<string>) => commands.run(folder, ...args, "--database", database)

const upi = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
} as const

/** The provider has booked four more payments. */
const booked = async () => {
  const created = await Promise.all(Array.from({ length: 4 }, () => paymux.payments.create(upi)))
  const sqlite = new DatabaseSync(database.slice("sqlite:".length), { readOnly: true })
  const rows = sqlite.prepare("SELECT id, payment_id, reference, ended_at FROM operations").all()
  sqlite.close()
  const movements = rows.map(({ ended_at, id, reference }): StatementMovement => ({
    id: `booked ${String(id)}`,
    type: "payment",
    operation: String(id),
    reference: String(reference),
    original: null,
    amount: { minorUnits: upi.amount, currency: "INR" as StatementMovement["amount"]["currency"] },
    direction: "in",
    fee: null,
    net: null,
    payout: "po_1",
    bookedAt: Number(ended_at)
  }))
  assert.isTrue(created.every(({ status }) => status === "succeeded"))
  files.write(movements)
  await setTimeout(20)
  return movements.length
}

/** A process that reads the statement up to the third page, and waits for it. */
const reading = async () => {
  const before = files.asked().length
  files.stallAt("2")
  const process = startCommands()
  const ran = process.run(folder, "reconcile", "--since", "1d", "--database", database).catch(() => null)
  while (files.asked().length < before + 3) await setTimeout(20)
  const [run] = (await paymux.statements.runs()).entries
  assert.deepInclude(run, { state: "reading", pages: 2, cursor: "2" })
  return { process, ran, run: run?.id ?? assert.fail("no run") }
}

const release = () => rmSync(files.stall, { force: true })

const runsOf = (stdout: string) => JSON.parse(stdout) as ReadonlyArray<StatementRun>
const entered = async () =>
  (await paymux.statements.movements({ provider: instantId, of: "payout", payout: "po_1" })).entries.length

describe("a statement that is read by another process", () => {
  afterEach(release)

  it("stops before its next page if its run is canceled, and is read again from its start", async () => {
    const total = await booked()
    const { process, ran, run } = await reading()
    const canceled = await here("statements", "cancel", String(run))
    assert.deepInclude(canceled, { code: 0, stderr: "Canceled. What it has read is kept.\n" })
    assert.include((await here("statements", "cancel", String(run))).stderr, `Run ${run} has ended already`)
    release()
    const ended = await ran
    process.stop()
    assert.strictEqual(ended?.code, 1)
    assert.include(ended?.stderr, `Run ${run} is continued by another process, or was canceled.`)
    const [stopped] = (await paymux.statements.runs()).entries
    assert.deepInclude(stopped, { id: run, state: "canceled", pages: 2, problem: null })
    assert.deepInclude(stopped?.counts, { matched: 2, differences: {} })
    assert.strictEqual(await entered(), 2)
    const again = await here("reconcile", "--since", "1d", "--json")
    assert.strictEqual(again.code, 0, again.stderr)
    const [next] = runsOf(again.stdout)
    assert.notStrictEqual(next?.id, run)
    assert.deepInclude(next, { state: "complete" })
    assert.deepInclude(next?.counts, { matched: total - 2, repeated: 2, differences: {} })
    assert.strictEqual(await entered(), total)
  })

  it("is not read by a second process; after a kill it is continued at the next page, once the lease has ended", async () => {
    const entries = await entered()
    const total = await booked()
    const { process, ran, run } = await reading()
    const second = await here("reconcile")
    assert.strictEqual(second.code, 1)
    assert.include(second.stderr, "another process reads it")
    process.kill()
    assert.isNull(await ran)
    release()
    assert.include((await here("reconcile")).stderr, "another process reads it", "nothing released the lease")
    const sqlite = new DatabaseSync(database.slice("sqlite:".length))
    const [lease] = sqlite.prepare("SELECT held_until FROM provider_leases WHERE name LIKE 'statement:%'").all()
    assert.isAtMost(Number(lease?.held_until), Date.now() + 10 * 60_000)
    sqlite.exec("UPDATE provider_leases SET held_until = 0 WHERE name LIKE 'statement:%'")
    sqlite.close()
    const before = files.asked()
    const continued = await here("reconcile", "--json")
    assert.strictEqual(continued.code, 0, continued.stderr)
    assert.strictEqual(files.asked()[before.length], "2")
    const [next] = runsOf(continued.stdout)
    assert.deepInclude(next, { id: run, state: "complete" })
    assert.deepInclude(next?.counts, { matched: total - entries, repeated: entries, differences: {} })
    assert.strictEqual(await entered(), total)
  })
})
