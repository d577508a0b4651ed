/**
 * Schema migrations as data.
 *
 * A package that owns tables exports one `MigrationSet`; the application collects the sets and a driver applies them.
 * The types are here so that a package can describe its tables without importing a driver.
 *
 * @example
 * ```ts
 * import type { MigrationSet } from "@paymux/core/store"
 *
 * export const migrations: MigrationSet = {
 *   owner: "http",
 *   migrations: [
 *     {
 *       id: 1,
 *       name: "api keys",
 *       sqlite: ["CREATE TABLE paymux_api_keys (id TEXT PRIMARY KEY, hash BLOB NOT NULL) STRICT"],
 *       pg: ["CREATE TABLE paymux_api_keys (id text PRIMARY KEY, hash bytea NOT NULL)"]
 *     }
 *   ]
 * }
 * ```
 */

/** A package that owns tables. Each owner numbers its own migrations. */
export type MigrationOwner = "core" | "http" | "webhooks" | "sandbox" | "dashboard" | "paymux"

/** One step of one owner's schema. A released migration is never edited: a change of the schema is a new migration. */
export interface Migration {
  /** The number of the migration within the owner: 1, 2, 3 … */
  readonly id: number
  /** A short name, which is stored with the id: a migration with the same id and another name is rejected. */
  readonly name: string
  /** The step for SQLite: one SQL statement per element, in order. */
  readonly sqlite: ReadonlyArray<string>
  /** The same step for PostgreSQL. If absent, the statements in `sqlite` are used for both databases. */
  readonly pg?: ReadonlyArray<string>
  /**
   * Statements for PostgreSQL that would block writers for too long in a transaction. They run after the commit, each
   * outside of a transaction, and again in every later run of the migrations. So each statement must have no effect if
   * it has run before, and the name of an index that it drops must never be used again. The migration must work without
   * these statements.
   */
  readonly pgAfter?: ReadonlyArray<string>
  /**
   * Indexes of new columns for PostgreSQL; `definition` is the text after `CREATE INDEX`. They are built after the commit,
   * while other sessions write. If a build fails, a later run of the migrations repeats it. The migration must work
   * without them.
   */
  readonly pgIndexesAfter?: ReadonlyArray<{ readonly name: string; readonly definition: string }>
  /**
   * The oldest migration id of this owner whose code still works on the schema after this migration. A running server
   * that has at least that migration accepts the newer schema. If absent, only code with this migration works on the
   * newer schema. `{ pg }`: the id for PostgreSQL only; on SQLite, as if absent.
   */
  readonly compatibleWith?: number | { readonly pg: number }
}

/** All migrations of one owner, in ascending order of id. */
export interface MigrationSet {
  readonly owner: MigrationOwner
  readonly migrations: ReadonlyArray<Migration>
}
