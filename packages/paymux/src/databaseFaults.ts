/** Why a database cannot be used. */
import { Data } from "effect"

/** Many processes may use the database: none of them changes its schema under the others. */
export class NotMigrated extends Data.TaggedError("NotMigrated")<{ readonly missing: number }> {
  override get message(): string {
    const steps = this.missing === 1 ? "a migration" : `${this.missing} migrations`
    return `The database lacks ${steps} of this version: run "paymux migrate --database <url>" first.`
  }
}

/** The database is not there, or does not let us in. Neither password nor user name is in it. */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{
  readonly database: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `The database ${this.database} cannot be opened: ${rootMessage(this.cause)}`
  }
}

/** A driver wraps what the system or the server said in sentences of its own. */
const rootMessage = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : rootMessage(error.cause)
}
