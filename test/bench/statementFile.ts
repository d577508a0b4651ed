/**
 * Time and memory of a run over a large report in CSV, whose last line cannot be read: its number is named, and what stands
 * before it is entered, once.
 *
 * `pnpm bench statement-file`
 * - `--gb <n>`: size of the file, default 5. Its lines have 60 columns, as those of settlement reports have.
 */
import { Ids } from "@paymux/core"
import { Statements } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createWriteStream, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { parseArgs } from "node:util"
import { databaseLayer } from "../../packages/paymux/src/Database.ts"
import { readStatementFile } from "../../packages/paymux/src/reconcile/readStatementFile.ts"
import type { CsvStatement } from "../../packages/paymux/src/reconcile/csv/CsvStatement.ts"
import { instantProvider } from "./InstantProvider.ts"

const { values } = parseArgs({ options: { gb: { type: "string", default: "5" } } })
const size = Number(values.gb) * 1e9
const others = 55

const mapping: CsvStatement = {
  columns: { id: "Id", type: "Type", amount: "Amount", currency: { fixed: "EUR" }, bookedAt: "Date" },
  types: { Settled: "payment" },
  dates: { format: "YYYY-MM-DD HH:mm:ss", zone: "Europe/Amsterdam" },
  amounts: { unit: "major", decimal: ".", thousands: "," }
}

const names = ["Id", "Type", "Amount", "Date", ...Array.from({ length: others }, (_, n) => `Column ${n}`)]
const filler = Array.from({ length: others }, (_, n) => `"value, of ${n}"`).join(",")

/** Lines after the first one that were written. */
let lines = 0

function* content() {
  yield `${names.join(",")}\n`
  for (let written = 0; written < size;) {
    let part = ""
    for (let n = 0; n < 1_000; n++)
      part += `PSP${lines++},Settled,"1,234.${10 + (n % 90)}",2026-10-01 12:00:00,${filler}\n`
    written += part.length
    yield part
  }
  yield `PSP${lines++},Unheard,1.00,2026-10-01 12:00:00,${filler}\n`
}

const directory = mkdtempSync(join(tmpdir(), "paymux-bench-file-"))
try {
  const file = join(directory, "report.csv")
  await pipeline(Readable.from(content()), createWriteStream(file))
  const started = performance.now()
  let most = 0
  const show = () => Effect.sync(() => void (most = Math.max(most, process.memoryUsage().rss)))
  const reading = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const refused = yield* Effect.flip(
      readStatementFile(instantProvider, { file, mapping, window: null }, "bench", show)
    )
    const [row] = yield* sql<{ readonly count: number }>`SELECT count(*) AS count FROM statement_movements`
    const seconds = (performance.now() - started) / 1000
    console.log(
      `${values.gb} GB, ${lines} lines: ${row?.count} entered, ${seconds.toFixed(0)} s, ` +
        `${(size / 1e6 / seconds).toFixed(0)} MB/s, ${(most / 2 ** 20).toFixed(0)} MB at most; ${String(refused)}`
    )
    if (row?.count !== lines - 1) throw new Error(`${lines - 1} lines can be read`)
  })
  const database = databaseLayer({ _tag: "Sqlite", filename: join(directory, "paymux.db") })
  await Effect.runPromise(
    Effect.provide(reading, Layer.mergeAll(Ids.layer, Layer.provideMerge(Statements.layer, database)))
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
