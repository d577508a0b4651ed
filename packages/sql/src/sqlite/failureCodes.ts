/** The failure codes of `node:sqlite`. */

const SQLITE_BUSY = 5

/** SQLite's own (extended) code, if SQLite refused the call. */
export const sqliteCode = (cause: unknown): number | undefined =>
  hasProperty(cause, "errcode") && typeof cause.errcode === "number" ? cause.errcode : undefined

/** Whether SQLite or its binding refused the call, as opposed to a defect in the calling code. */
export const isSqliteFailure = (cause: unknown): boolean => sqliteCode(cause) !== undefined || isClosed(cause)

/** Whether the call failed because another connection held a lock. */
export const isBusy = (cause: unknown): boolean => ((sqliteCode(cause) ?? 0) & 0xff) === SQLITE_BUSY

export const isClosed = (cause: unknown): boolean => hasProperty(cause, "code") && cause.code === "ERR_INVALID_STATE"

const hasProperty = <Name extends string>(value: unknown, name: Name): value is { readonly [name in Name]: unknown } =>
  typeof value === "object" && value !== null && name in value
