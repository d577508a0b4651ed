/**
 * Every ruleset that was put in force, so that the name in a payment's decision leads to the rules that made it. To keep
 * it never stands in the way of a payment: where that fails, it is logged.
 */
import type { Migration } from "@paymux/core/store"
import type { RulesVersion, RulesVersionText } from "@paymux/dashboard"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { VersionsQuery } from "./RulesVersions.ts"

/** Its number stands among those of its owner, in `Settings.ts`. */
export const rulesetsTable: Omit<Migration, "id"> = {
  name: "rulesets",
  sqlite: [
    `CREATE TABLE paymux_rulesets (
      seq INTEGER PRIMARY KEY,
      ruleset TEXT NOT NULL,
      config TEXT NOT NULL,
      source TEXT NOT NULL,
      in_force_at INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX paymux_rulesets_ruleset ON paymux_rulesets (ruleset, seq)"
  ],
  pg: [
    `CREATE TABLE paymux_rulesets (
      seq bigint PRIMARY KEY,
      ruleset text NOT NULL,
      config text NOT NULL,
      source text NOT NULL,
      in_force_at bigint NOT NULL
    )`,
    "CREATE INDEX paymux_rulesets_ruleset ON paymux_rulesets (ruleset, seq)"
  ],
  compatibleWith: 1
}

export interface NewRuleset {
  /** `sha256:` and 64 hex digits. */
  readonly ruleset: string
  /** The file as it was named, `database`, `options`, or `default`. */
  readonly source: string
  /** The rules as they were written: a JSON value, in JSON. */
  readonly json: string
  /** As they were written, with comments; `null`: not as text, or kept elsewhere. */
  readonly text: string | null
}

/** Since when it was in force is `at`. */
export interface KeptRuleset extends RulesVersionText {
  /** A JSON value, in JSON. */
  readonly config: string
}

export type FoundRuleset =
  | { readonly _tag: "Found"; readonly kept: KeptRuleset }
  | { readonly _tag: "NotFound" }
  /** So many have names that begin like this: at least two. */
  | { readonly _tag: "Ambiguous"; readonly rulesets: ReadonlyArray<string> }

/** Adds nothing where the newest is the same: instances that start together, or again, do not fill it. */
export const keep = (kept: NewRuleset): Effect.Effect<void, never, SqlClient.SqlClient> =>
  add(kept).pipe(
    Effect.catch((error) => notKept(kept.ruleset, error)),
    Effect.catchDefect((defect) => notKept(kept.ruleset, defect))
  )

const notKept = (ruleset: string, why: unknown) =>
  Effect.logError(`Routing rules ${ruleset} are in force, but could not be kept in the history`, why)

const add = Effect.fnUntraced(function* (kept: NewRuleset) {
  const sql = yield* SqlClient.SqlClient
  // Another may be quicker, and may have added the same.
  while (!(yield* sql.withTransaction(addNext(kept)))) yield* Effect.yieldNow
})

/** Whether the newest is this one now. */
const addNext = Effect.fnUntraced(function* ({ json, ruleset, source, text }: NewRuleset) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const [newest] = yield* sql<Pick<Row, "seq" | "ruleset">>`SELECT seq, ruleset FROM paymux_rulesets
      ORDER BY seq DESC LIMIT 1`
  if (newest?.ruleset === ruleset) return true
  const seq = Number(newest?.seq ?? 0) + 1
  const added = yield* sql`INSERT INTO paymux_rulesets (seq, ruleset, config, content, source, in_force_at)
      VALUES (${seq}, ${ruleset}, ${json}, ${text}, ${source}, ${now})
      ON CONFLICT DO NOTHING RETURNING seq`
  // SQLite runs in this thread. It takes 10 ms each for 4 MB to be inserted and to be committed: other work runs between.
  yield* Effect.yieldNow
  return added.length > 0
})

/** Newest first. */
export const list = Effect.fnUntraced(function* ({
  before,
  limit,
  ruleset
}: VersionsQuery): Effect.fn.Return<ReadonlyArray<RulesVersion>, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const conditions = [
    ...(ruleset === null ? [] : [sql`ruleset = ${ruleset}`]),
    ...(before === null ? [] : [sql`seq < ${before}`])
  ]
  const rows = yield* sql<Row>`SELECT seq, ruleset, source, in_force_at FROM paymux_rulesets
    ${conditions.length === 0 ? sql`` : sql`WHERE ${sql.and(conditions)}`} ORDER BY seq DESC LIMIT ${limit}`
  return rows.map(inForce)
})

/** By its place among all. */
export const get = Effect.fnUntraced(function* (
  version: number
): Effect.fn.Return<KeptRuleset | null, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<ContentRow>`SELECT * FROM paymux_rulesets WHERE seq = ${version}`
  return row === undefined ? null : kept(row)
})

/** By its name, or by how that begins (`sha256:` may be left out); where it was in force more than once, the latest. */
export const find = Effect.fnUntraced(function* (
  name: string
): Effect.fn.Return<FoundRuleset, SqlError, SqlClient.SqlClient> {
  const digits = /^(?:sha256:)?([0-9a-f]{1,64})$/.exec(name.toLowerCase())?.[1]
  if (digits === undefined) return { _tag: "NotFound" }
  const sql = yield* SqlClient.SqlClient
  const named = yield* sql<Pick<Row, "ruleset">>`SELECT DISTINCT ruleset FROM paymux_rulesets
    WHERE ruleset LIKE ${`sha256:${digits}%`} ORDER BY ruleset LIMIT 10`
  const [only] = named
  if (only === undefined) return { _tag: "NotFound" }
  if (named.length > 1) return { _tag: "Ambiguous", rulesets: named.map(({ ruleset }) => ruleset) }
  const [row] = yield* sql<ContentRow>`SELECT * FROM paymux_rulesets WHERE ruleset = ${only.ruleset}
    ORDER BY seq DESC LIMIT 1`
  return row === undefined ? { _tag: "NotFound" } : { _tag: "Found", kept: kept(row) }
})

interface Row {
  readonly seq: number | bigint
  readonly ruleset: string
  readonly source: string
  readonly in_force_at: number | bigint
}

interface ContentRow extends Row {
  readonly config: string
  readonly content: string | null
}

const kept = (row: ContentRow): KeptRuleset => ({
  ...inForce(row),
  config: row.config,
  text: row.content ?? indented(row.config)
})

/** Lines, for a person and to compare. What takes longer than a few ms to indent is left as it is. */
const indented = (json: string): string =>
  json.length > 512 * 1024 ? json : `${JSON.stringify(JSON.parse(json), null, 2)}\n`

const inForce = ({ in_force_at, ruleset, seq, source }: Row): RulesVersion => ({
  version: Number(seq),
  ruleset,
  source,
  at: Number(in_force_at),
  author: null,
  note: null,
  restores: null
})
