/** How `node:sqlite` reports failures. */

const SQLITE_BUSY = 5

/** SQLite's own (extended) code, where it is SQLite that refused. */
export const sqliteCode = (cause: unknown): number | undefined =>
  hasProperty(cause, "errcode") && typeof cause.errcode === "number" ? cause.errcode : undefined

/** Whether SQLite or its binding refused, as opposed to a fault of the code that called it. */
export const isSqliteFailure = (cause: unknown): boolean => sqliteCode(cause) !== undefined || isClosed(cause)

/** Whether another connection was in the way. */
export const isBusy = (cause: unknown): boolean => ((sqliteCode(cause) ?? 0) & 0xff) === SQLITE_BUSY

export const isClosed = (cause: unknown): boolean => hasProperty(cause, "code") && cause.code === "ERR_INVALID_STATE"

const hasProperty = <Name extends string>(value: unknown, name: Name): value is { readonly [name in Name]: unknown } =>
  typeof value === "object" && value !== null && name in value
