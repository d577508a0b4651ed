/** Classifies the failure of a statement by whether its writes may have been committed. */
import type { SqlError } from "effect/sql/SqlError"

/** Whether the statement lost to concurrent writes, and wrote nothing: if it is run again, it may well succeed. */
export const isLostRace = ({ reason }: SqlError): boolean =>
  reason._tag === "DeadlockError" || reason._tag === "SerializationError"

export const mostRetries = 5

/**
 * Whether PostgreSQL itself reported that it undid the statement, with time left to run it again. False if the
 * connection was lost, if the session was ended, or if the statement has used all of its time.
 */
export const isUndone = ({ reason }: SqlError): boolean => {
  switch (reason._tag) {
    case "UniqueViolation":
    case "ConstraintError":
    case "DeadlockError":
    case "SerializationError":
    case "LockTimeoutError":
    case "SqlSyntaxError":
    case "AuthorizationError":
      return true
    case "ConnectionError":
    case "AuthenticationError":
    case "StatementTimeoutError":
      return false
    case "UnknownError":
      return undoneState.test(stateOf(reason.cause))
  }
}

/** The SQLSTATE classes of rejected statements: bad values (22), limits of the machine (53) and of the program (54). */
const undoneState = /^(?:22|53|54)/

const stateOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
