/** Stored settings of one installation, such as the secret that was generated for it in test mode. */
import { Cell, notACell, OwnsIdsWithoutCell } from "@paymux/core/store"
import type { Migration, MigrationSet, OwnIds } from "@paymux/core/store"
import { Clock, Context, Data, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHash, hkdfSync, randomBytes } from "node:crypto"
import { rulesetsTable } from "../rules/RulesHistory.ts"
import { rulesVersionsTable } from "../rules/RulesVersions.ts"

const settingsTable: Omit<Migration, "id"> = {
  name: "settings",
  sqlite: [
    "CREATE TABLE paymux_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID"
  ],
  pg: ["CREATE TABLE paymux_settings (name text PRIMARY KEY, value text NOT NULL, created_at bigint NOT NULL)"]
}

/** All tables of this package: its steps are numbered here and nowhere else. */
export const settingsMigrations: MigrationSet = {
  owner: "paymux",
  migrations: [
    { id: 1, ...settingsTable },
    { id: 2, ...rulesetsTable },
    { id: 3, ...rulesVersionsTable }
  ]
}

/**
 * What was encrypted or signed under one secret cannot be read under another: nothing is done with the wrong one.
 *
 * @public The declarations of other files name it.
 */
export class SecretMismatch extends Data.TaggedError("SecretMismatch")<{ readonly given: boolean }> {
  override get message(): string {
    return this.given
      ? "This database was made with another secret: give that one (PAYMUX_SECRET, or the option secret)."
      : "This database was made with a secret of your own: give it (PAYMUX_SECRET, or the option secret)."
  }
}

/**
 * The secret that was given, or the one that this database keeps: made at the first start without one. A database
 * belongs to one secret, known again by its digest.
 */
export const installationSecret = Effect.fnUntraced(function* (given: Redacted.Redacted | null) {
  const own = given === null ? yield* ownSecret : null
  const secret = given ?? own
  if (secret === null) return yield* new SecretMismatch({ given: false })
  const digest = digestOf(secret)
  const kept = yield* keep("secret_digest", digest)
  if (kept === digest) return secret
  if (kept !== formerDigestOf(secret)) return yield* new SecretMismatch({ given: given !== null })
  yield* replace("secret_digest", kept, digest)
  return secret
})

/** The ids, keys and addresses of a database have the name of one cell, so no other may continue with it. */
export class CellMismatch extends Data.TaggedError("CellMismatch")<{
  readonly stored: string
  readonly given: string | null
}> {
  override get message(): string {
    const given = this.given === null ? "no cell is configured" : `cell ${this.given} is configured`
    return `This database is of cell ${this.stored}, and ${given}: use the database of that cell, or set cell ${this.stored} (PAYMUX_CELL, --cell, or the option cell).`
  }
}

/**
 * The cell that was given. The database keeps the first one for good; until then it is not of a cell.
 *
 * @internal Exported for its own test.
 */
export const installationCell = Effect.fnUntraced(function* (given: string | null) {
  const stored = given === null ? yield* storedCell : yield* keep("cell", given)
  return stored === null || stored === given ? given : yield* new CellMismatch({ stored, given })
})

/** `null`: the database is not of a cell. */
export const storedCell = Effect.suspend(() => read("cell"))

/**
 * The first start of a cell keeps whether the database had payments by then: their ids have no cell. It must come before the
 * first payment of this server.
 */
export const installationOwnIds = Effect.fnUntraced(function* (given: string | null) {
  const cell = yield* installationCell(given)
  if (cell === null) return notACell
  return { cell, withoutCell: isSome(yield* keep(paymentsBefore, yield* paymentsNow)) }
})

/** For commands, which give the database no cell. */
export const storedOwnIds = Effect.gen(function* () {
  const cell = yield* storedCell
  return cell === null ? notACell : { cell, withoutCell: isSome(yield* read(paymentsBefore)) }
})

/** Provides `Cell` and `OwnsIdsWithoutCell`. */
export const ownIdsLayer = <E, R>(ids: Effect.Effect<OwnIds, E, R>): Layer.Layer<never, E, R> =>
  Layer.effectContext(
    Effect.map(ids, ({ cell, withoutCell }) =>
      Context.make(Cell, cell).pipe(Context.add(OwnsIdsWithoutCell, withoutCell))
    )
  )

const paymentsBefore = "payments_before_cell"

/** A database that does not say it may have had some. */
const isSome = (kept: string | null): boolean => kept !== "none"

const paymentsNow = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT 1 FROM payments LIMIT 1`
  return rows.length === 0 ? "none" : "some"
})

/** Made at the first start, and never changed: it is in every name that providers see. */
export const installationId = Effect.suspend(() => keep("installation_id", randomBytes(16).toString("base64url")))

/**
 * HKDF with a context of its own, so that the digest is of no use where the secret is the key of something else. No slow
 * function: a secret has 32 characters or more, and every command computes it.
 */
const digestOf = (secret: Redacted.Redacted): string =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "paymux secret digest", 32)).toString("hex")

/** As databases keep it that were made before. */
const formerDigestOf = (secret: Redacted.Redacted): string =>
  createHash("sha256")
    .update(`paymux ${Redacted.value(secret)}`)
    .digest("hex")

/** Made for a database that has none yet; `null` where it was first used with a secret from outside. */
const ownSecret = Effect.gen(function* () {
  const belongsTo = yield* read("secret_digest")
  const own = belongsTo === null ? yield* keep("secret", randomBytes(32).toString("base64url")) : yield* read("secret")
  return own === null ? null : Redacted.make(own)
})

/** The value that is kept under a name: this one, unless there was one before. */
const keep = Effect.fnUntraced(function* (name: string, value: string) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  yield* sql`INSERT INTO paymux_settings (name, value, created_at) VALUES (${name}, ${value}, ${now}) ON CONFLICT DO NOTHING`
  return (yield* read(name)) ?? value
})

const replace = Effect.fnUntraced(function* (name: string, former: string, value: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE paymux_settings SET value = ${value} WHERE name = ${name} AND value = ${former}`
})

const read = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly value: string }>`SELECT value FROM paymux_settings WHERE name = ${name}`
  return rows[0]?.value ?? null
})
