/** The storage cost of a payment: bytes of the log and of the files, index entries, and the share of heap-only updates. */
import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { query } from "./PostgresDatabases.ts"

/** Each of one payment. */
export interface Storage {
  readonly name: string
  /** Appended to the write-ahead log. On PostgreSQL a checkpoint within the measurement adds whole pages. */
  readonly logBytes: number
  /** Of tables and indexes. */
  readonly fileBytes: number
  /** That the indexes hold in the end. */
  readonly indexEntries: number
  /** Share of updates of payments, attempts and operations that changed no index, from 0 to 1. `null`: SQLite. */
  readonly heapOnly: number | null
}

/** Of a file that holds `before` payments, while `run` adds `payments` more. */
export const storageOfSqlite = async (
  name: string,
  filename: string,
  payments: number,
  run: () => Promise<unknown>
): Promise<Storage> => {
  const database = new DatabaseSync(filename)
  try {
    // An empty log that no checkpoint may empty again, since a reader needs it: its length is then all that was written.
    if (numberOf(database, "PRAGMA wal_checkpoint(TRUNCATE)", "busy") !== 0) throw new Error(`${name} is still writing`)
    database.exec("BEGIN")
    database.prepare("SELECT count(*) FROM payments").get()
    await run()
    const logBytes = statSync(`${filename}-wal`).size / payments
    database.exec("ROLLBACK")
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    const all = numberOf(database, "SELECT count(*) AS value FROM payments")
    const indexes = "SELECT name FROM sqlite_master WHERE type = 'index'"
    const entries = `SELECT sum(ncell) AS value FROM dbstat WHERE pagetype <> 'overflow' AND name IN (${indexes})`
    return {
      name,
      logBytes,
      fileBytes: numberOf(database, "SELECT sum(pgsize) AS value FROM dbstat") / all,
      indexEntries: numberOf(database, entries) / all,
      heapOnly: null
    }
  } finally {
    database.close()
  }
}

const numberOf = (database: DatabaseSync, sql: string, column = "value"): number =>
  Number(database.prepare(sql).get()?.[column])

/** Of a database on a server of PostgreSQL, on which nothing else writes. `run` ends its sessions: only then are all updates counted. */
export const storageOfPostgres = async (
  name: string,
  url: string,
  payments: number,
  run: () => Promise<unknown>
): Promise<Storage> => {
  const [before, positionBefore] = [await updatesOf(url), await positionOf(url)]
  await run()
  const logBytes =
    (await numberAt(url, `SELECT pg_wal_lsn_diff('${await positionOf(url)}', '${positionBefore}') AS value`)) / payments
  const after = await updatesOf(url)
  if (after.all - before.all < 3 * payments) throw new Error("The server has not counted every update")
  // Counts the entries of each index.
  await query(url, "VACUUM ANALYZE")
  const all = await numberAt(url, "SELECT count(*) AS value FROM payments")
  const kinds = (kind: string, column: string) =>
    `SELECT sum(${column}) AS value FROM pg_class WHERE relkind = '${kind}' AND relnamespace = 'public'::regnamespace`
  return {
    name,
    logBytes,
    fileBytes: (await numberAt(url, kinds("r", "pg_total_relation_size(oid)"))) / all,
    indexEntries: (await numberAt(url, kinds("i", "reltuples"))) / all,
    heapOnly: (after.heapOnly - before.heapOnly) / (after.all - before.all)
  }
}

const positionOf = async (url: string): Promise<string> =>
  String((await query(url, "SELECT pg_current_wal_lsn()::text AS position"))[0]?.["position"])

const numberAt = async (url: string, sql: string): Promise<number> => Number((await query(url, sql))[0]?.["value"])

/** A session reports its counts when it ends at the latest. */
const updatesOf = async (url: string) => {
  await new Promise((resolve) => setTimeout(resolve, 500))
  const [row] = await query(
    url,
    `SELECT sum(n_tup_upd) AS "all", sum(n_tup_hot_upd) AS hot FROM pg_stat_user_tables
      WHERE relname IN ('payments', 'attempts', 'operations')`
  )
  return { all: Number(row?.["all"]), heapOnly: Number(row?.["hot"]) }
}
