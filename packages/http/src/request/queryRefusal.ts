/** How a query is refused: with all of its faults, each by the name of its parameter. */
import type { InputIssue } from "@paymux/core/wire"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { unknownParameter } from "./UnknownParameter.ts"

export const queryRefusal = (errors: ReadonlyArray<InputIssue>): ApiProblem =>
  new ApiProblem({ code: "invalid_request", detail: "A query parameter is not valid.", errors })

/** `fields`: of the query. A parameter is named as it is written. */
export const parameterIssue =
  (fields: object) =>
  ({ message, pointer }: InputIssue): InputIssue => {
    const name = pointer.split("/")[1] ?? ""
    return Object.hasOwn(fields, name) ? { pointer: name, message } : unknownParameter(name)
  }
