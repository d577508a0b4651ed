/** Stored settings of one installation, such as the secret that was generated for it in test mode. */
import { Cell, notACell, OwnsIdsWithoutCell } from "@paymux/core/store"
import type { Migration, MigrationSet, OwnIds } from "@paymux/core/store"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { rulesetsTable } from "../rules/RulesHistory.ts"
import { rulesVersionsTable } from "../rules/RulesVersions.ts"
import { keep, read } from "./settingRows.ts"

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
