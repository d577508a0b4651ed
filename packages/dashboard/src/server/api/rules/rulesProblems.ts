/** Refusals about routing rules, as problems. */
import { ApiProblem } from "@paymux/http"
import { Effect } from "effect"
import type {
  BacktestsBusy,
  RulesConflict,
  RulesInvalid,
  RulesNotInDatabase,
  RulesPaymentNotFound,
  RulesRequestInvalid,
  RulesUnchanged,
  RulesVersionNotFound,
  RulesWorkFailed
} from "../../rules/RulesErrors.ts"
import { control, invalid, missing } from "../controlHandler.ts"
import type { ControlError } from "../controlHandler.ts"

type Refusal =
  | BacktestsBusy
  | RulesConflict
  | RulesInvalid
  | RulesNotInDatabase
  | RulesPaymentNotFound
  | RulesRequestInvalid
  | RulesUnchanged
  | RulesVersionNotFound
  | RulesWorkFailed

/** Runs a handler, as `control` does. */
export const ruled = <A, R>(handler: Effect.Effect<A, ControlError | Refusal, R>) =>
  control(Effect.mapError(handler, problemOf))

const problemOf = (error: ControlError | Refusal): ControlError => {
  switch (error._tag) {
    case "RulesInvalid":
      return rulesInvalid(error)
    case "RulesRequestInvalid":
      return invalid(...error.errors)
    case "RulesConflict": {
      const { diff, message, version } = error
      return new ApiProblem({ code: "version_conflict", detail: message, current: { version, diff } })
    }
    case "BacktestsBusy":
    case "RulesNotInDatabase":
    case "RulesUnchanged":
      return new ApiProblem({ code: "conflict", detail: error.message })
    case "RulesPaymentNotFound":
      return missing("payment")
    case "RulesVersionNotFound":
      return new ApiProblem({ code: "not_found", detail: error.message })
    case "RulesWorkFailed":
      return new ApiProblem({ code: "service_unavailable", detail: error.message })
    default:
      return error
  }
}

const rulesInvalid = ({ problems }: RulesInvalid) =>
  new ApiProblem({
    code: "invalid_request",
    detail: "The rules are not valid.",
    errors: problems.map(({ column, line, message }) => ({
      pointer: "/text",
      message,
      ...(line !== null && { line }),
      ...(column !== null && { column })
    }))
  })
