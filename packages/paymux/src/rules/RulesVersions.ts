/** The versions of rules that are kept in the database: 1, 2, 3 …, each with its text as it was written. Rows are only added. */
import type { Migration } from "@paymux/core/store"
import { CurrentActor } from "@paymux/dashboard"
import type { RulesAuthor, RulesVersion, RulesVersionText } from "@paymux/dashboard"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** For messages. */
export const versionName = (version: number): string => `version ${version} of the rules`

const columns = (integer: string) => `
  version ${integer} PRIMARY KEY,
  ruleset text NOT NULL,
  content text NOT NULL,
  published_at ${integer} NOT NULL,
  author_kind text NOT NULL,
  author_id text NOT NULL,
  author_name text,
  note text,
  restores ${integer}`

const byRuleset = "CREATE INDEX paymux_rules_versions_ruleset ON paymux_rules_versions (ruleset, version)"

/** Its number stands among those of its owner, in `Settings.ts`. */
export const rulesVersionsTable: Omit<Migration, "id"> = {
  name: "versions of the routing rules",
  sqlite: [
    `CREATE TABLE paymux_rules_versions (${columns("INTEGER")}) STRICT`,
    byRuleset,
    "ALTER TABLE paymux_rulesets ADD COLUMN content TEXT"
  ],
  pg: [
    `CREATE TABLE paymux_rules_versions (${columns("bigint")})`,
    byRuleset,
    "ALTER TABLE paymux_rulesets ADD COLUMN content text"
  ],
  compatibleWith: 1
}

export interface NewVersion {
  /** The version that must be the newest; 0: the database has no version. */
  readonly from: number
  readonly ruleset: string
  readonly text: string
  readonly note: string | null
  readonly restores: number | null
}

/** In the name of `CurrentActor`. `null`: another version is the newest, and nothing was added. */
export const add = Effect.fnUntraced(function* ({
  from,
  note,
  restores,
  ruleset,
  text
}: NewVersion): Effect.fn.Return<RulesVersion | null, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const { id, kind, name } = yield* CurrentActor
  // Two that add the same number: the second waits for the first to commit, and adds nothing.
  const rows = yield* sql<Row>`INSERT INTO paymux_rules_versions
      (version, ruleset, content, published_at, author_kind, author_id, author_name, note, restores)
    SELECT ${from + 1}, ${ruleset}, ${text}, ${now}, ${kind}, ${id}, ${name}, ${note}, ${restores}
    WHERE (SELECT COALESCE(MAX(version), 0) FROM paymux_rules_versions) = ${from}
    ON CONFLICT DO NOTHING
    RETURNING version, ruleset, published_at, author_kind, author_id, author_name, note, restores`
  return rows[0] === undefined ? null : versionOf(rows[0])
})

/** The newest version; `null`: the database has no version. */
export const newestVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Pick<Row, "version">>`SELECT version FROM paymux_rules_versions
    ORDER BY version DESC LIMIT 1`
  return row === undefined ? null : Number(row.version)
})

export const get = Effect.fnUntraced(function* (
  version: number
): Effect.fn.Return<RulesVersionText | null, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Row & { readonly content: string }>`SELECT * FROM paymux_rules_versions
    WHERE version = ${version}`
  return row === undefined ? null : { ...versionOf(row), text: row.content }
})

export interface VersionsQuery {
  /** Only versions with this ruleset. */
  readonly ruleset: string | null
  /** Only versions before this one. */
  readonly before: number | null
  readonly limit: number
}

/** Newest first. */
export const list = Effect.fnUntraced(function* ({
  before,
  limit,
  ruleset
}: VersionsQuery): Effect.fn.Return<ReadonlyArray<RulesVersion>, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const conditions = [
    ...(ruleset === null ? [] : [sql`ruleset = ${ruleset}`]),
    ...(before === null ? [] : [sql`version < ${before}`])
  ]
  const rows =
    yield* sql<Row>`SELECT version, ruleset, published_at, author_kind, author_id, author_name, note, restores
    FROM paymux_rules_versions ${conditions.length === 0 ? sql`` : sql`WHERE ${sql.and(conditions)}`}
    ORDER BY version DESC LIMIT ${limit}`
  return rows.map(versionOf)
})

/** PostgreSQL returns a bigint as text. */
type Integer = number | bigint | string

interface Row {
  readonly version: Integer
  readonly ruleset: string
  readonly published_at: Integer
  readonly author_kind: RulesAuthor["kind"]
  readonly author_id: string
  readonly author_name: string | null
  readonly note: string | null
  readonly restores: Integer | null
}

const versionOf = (row: Row): RulesVersion => ({
  version: Number(row.version),
  ruleset: row.ruleset,
  source: "database",
  at: Number(row.published_at),
  author: { kind: row.author_kind, id: row.author_id, name: row.author_name },
  note: row.note,
  restores: row.restores === null ? null : Number(row.restores)
})
