/**
 * Migrations as data.
 *
 * A package that owns tables exports one `MigrationSet`; the application collects the sets and a driver applies them. The
 * types are here so that a package can describe its tables without importing a driver.
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

/** A package that owns tables. Each numbers its own migrations. */
export type MigrationOwner = "core" | "http" | "webhooks" | "sandbox" | "dashboard" | "paymux"

/** One step of one owner's schema. Never edited once released: a change is a new step. */
export interface Migration {
  /** 1, 2, 3 … within the owner. */
  readonly id: number
  /** A short name, stored with the id: the same id with another name is rejected. */
  readonly name: string
  /** One SQL statement each, in order. */
  readonly sqlite: ReadonlyArray<string>
  /** The same step for PostgreSQL. If absent, the statements of `sqlite` are used for both. */
  readonly pg?: ReadonlyArray<string>
  /**
   * Statements for PostgreSQL that would block writers for too long. They run after the commit, each outside of a transaction,
   * and again in every later run. So each one must have no effect if it has run before, and the name of an index that it drops
   * must never be used again. The step works without them.
   */
  readonly pgAfter?: ReadonlyArray<string>
  /**
   * The oldest migration id of this owner whose code still works on the schema after this step. A running server that has
   * at least this migration accepts the newer schema. If absent, only code with this step does.
   */
  readonly compatibleWith?: number
}

/** All migrations of one owner, in ascending order of id. */
export interface MigrationSet {
  readonly owner: MigrationOwner
  readonly migrations: ReadonlyArray<Migration>
}
