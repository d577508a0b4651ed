/** `paymux reconcile` and `paymux statements` beside a running server, on its database. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { card } from "../card.ts"
import { paymuxOnDisk } from "../PaymuxOnDisk.ts"
import { csvConfig } from "./csvConfig.ts"

const { commands, database, folder, paymux } = await paymuxOnDisk()
const run = (...args: ReadonlyArray<string>) => commands.run(folder, ...args, "--database", database)

writeFileSync(join(folder, "package.json"), '{"type":"module"}')
writeFileSync(join(folder, "paymux.config.ts"), `export default ${JSON.stringify(csvConfig)}`)

describe("paymux reconcile", () => {
  it("reads every provider with a statement, and again only what is new; a report adds what it has", async () => {
    for (let n = 0; n < 3; n++) await paymux.payments.create(card)
    await setTimeout(5)
    const first = await run("reconcile")
    assert.strictEqual(first.code, 0, first.stderr)
    assert.match(first.stdout, /sandbox_card_a +\S+ +\S+ +3 +0 +0 +0 +0/)
    const again = JSON.parse(
      (await run("reconcile", "--provider", "sandbox_card_a", "--json")).stdout
    ) as ReadonlyArray<{
      readonly counts: object
    }>
    assert.deepInclude(again[0]?.counts, { matched: 0, repeated: 3 })
    const file = join(folder, "report.csv")
    const rows = [
      "id,type,amount,currency,date,op",
      "x1,sale,500,EUR,2026-01-01T00:00:00Z,",
      "x2,sale,500,EUR,2026-01-01T00:00:00Z,op_01jd8w6x2vh6k9v0q3f7m5t1ac",
      "x3,sail,500,EUR,2026-01-01T00:00:00Z,"
    ]
    writeFileSync(file, rows.join("\n"))
    const faulty = await run("reconcile", "--provider", "sandbox_card_a", "--file", file)
    assert.notStrictEqual(faulty.code, 0)
    assert.include(faulty.stderr, 'Line 4 has the unknown type "sail"')
    writeFileSync(file, rows.slice(0, 3).join("\n"))
    const repeated = await run("reconcile", "--provider", "sandbox_card_a", "--file", file)
    assert.strictEqual(repeated.code, 0, "what stood before the fault was entered, and is repeated now")
    const resolved = await run("statements", "differences", "--state", "resolved")
    assert.strictEqual(resolved.stdout.trim() + resolved.stderr.trim(), "No differences.")
    const differences = await run("statements", "differences", "--state", "open", "--json")
    assert.deepStrictEqual(
      (JSON.parse(differences.stdout) as ReadonlyArray<{ readonly kind: string; readonly movement: string }>).map(
        ({ kind, movement }) => [kind, movement]
      ),
      [["missing_here", "x2"]]
    )
    const foreign = await run("statements", "foreign", "--provider", "sandbox_card_a")
    assert.match(foreign.stdout, /x1 +payment +5\.00|x1 +payment +EUR 5\.00/)
    const runs = await run("statements", "runs", "--provider", "sandbox_card_a")
    assert.match(runs.stdout, /report\.csv +failed/)
    assert.match(runs.stdout, /report\.csv +complete/)
  })

  it("reads the database of the configuration that --config names, and not that of the folder", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "paymux-reconcile-"))
    try {
      writeFileSync(join(elsewhere, "package.json"), '{"type":"module"}')
      writeFileSync(join(elsewhere, "paymux.config.ts"), 'export default { database: "sqlite:other.db" }')
      writeFileSync(join(elsewhere, "named.ts"), `export default ${JSON.stringify({ ...csvConfig, database })}`)
      writeFileSync(join(elsewhere, "unnamed.ts"), `export default ${JSON.stringify(csvConfig)}`)
      assert.strictEqual((await commands.run(elsewhere, "keys", "create")).code, 0)
      const named = await commands.run(elsewhere, "reconcile", "--config", "named.ts", "--since", "30d", "--json")
      assert.strictEqual(named.code, 0, named.stderr)
      const runs = JSON.parse(named.stdout) as ReadonlyArray<{ readonly counts: { readonly repeated: number } }>
      assert.isTrue(
        runs.some(({ counts }) => counts.repeated > 0),
        named.stdout
      )
      const unnamed = await commands.run(elsewhere, "reconcile", "--config", "unnamed.ts")
      assert.include(unnamed.stderr, "Database not found: paymux.db")
      const shown = await commands.run(elsewhere, "rules", "show", "sha256:00", "--config", "named.ts")
      assert.include(shown.stderr, "Ruleset sha256:00 not found")
    } finally {
      rmSync(elsewhere, { recursive: true, force: true })
    }
  })

  it("fails with differences", async () => {
    const file = join(folder, "other.csv")
    writeFileSync(
      file,
      "id,type,amount,currency,date,op\ny1,sale,5,EUR,2026-01-01T00:00:00Z,op_01jd8w6x2vh6k9v0q3f7m5t1ad\n"
    )
    const { code, stderr, stdout } = await run("reconcile", "--provider", "sandbox_card_a", "--file", file)
    assert.strictEqual(code, 1)
    assert.match(stdout, /missing_here +1/)
    assert.include(stderr, '1 difference found: see "paymux statements differences"')
  })

  it("reads a report of a time that has not ended up to now", async () => {
    const file = join(folder, "future.csv")
    writeFileSync(file, "id,type,amount,currency,date,op\nz1,sale,5,EUR,2026-01-01T00:00:00Z,\n")
    const time = ["--since", "1h", "--until", new Date(Date.now() + 86_400_000).toISOString()]
    await run("reconcile", "--provider", "sandbox_card_a", "--file", file, ...time)
    const runs = await run("statements", "runs", "--provider", "sandbox_card_a", "--json")
    const [latest] = JSON.parse(runs.stdout) as ReadonlyArray<{ readonly source: string; readonly until: number }>
    assert.strictEqual(latest?.source, "file:future.csv")
    assert.isAtMost(latest?.until ?? Infinity, Date.now())
  })

  it("names what is wrong with its flags", async () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["--provider", "none"], "The configuration has no provider none."],
      [["--file", "x.csv"], "--file needs --provider"],
      [["--provider", "sandbox_card_a", "--file", "none.csv"], "File not found: none.csv."],
      [["--provider", "sandbox_upi_a", "--file", "x.csv"], "add statements.sandbox_upi_a"],
      [
        ["--provider", "sandbox_card_a", "--file", join(folder, "other.csv"), "--since", "2d"],
        "--since and --until together"
      ],
      [["--since", "yesterday"], "--since cannot be"],
      [["--since", "2026-01-02", "--until", "2026-01-01"], "the time to read is empty"]
    ]
    for (const [flags, message] of cases) {
      const { code, stderr } = await run("reconcile", ...flags)
      assert.strictEqual(code, 1, flags.join(" "))
      assert.include(stderr, message)
    }
    const canceled = await run("statements", "cancel", "999")
    assert.include(canceled.stderr, "Run 999 has ended already, or was not found.")
  })
})
