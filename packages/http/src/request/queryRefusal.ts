/** How a query is refused: with all of its faults, each by the name of its parameter. */
import type { InputIssue } from "@paymux/core/wire"
import { ApiProblem } from "../problems/ApiProblem.ts"

export const queryRefusal = (errors: ReadonlyArray<InputIssue>): ApiProblem =>
  new ApiProblem({ code: "invalid_request", detail: "A query parameter is not valid.", errors })

/** `fields`: of the query. A parameter is named as it is written. */
export const parameterIssue =
  (fields: object) =>
  ({ message, pointer }: InputIssue): InputIssue => {
    const name = pointer.split("/")[1] ?? ""
    return Object.hasOwn(fields, name) ? { pointer: name, message } : unknownParameter(name)
  }

/**
 * The client sees what it misspelled. What stands there may also be a value that lost its name, such as a key or a password,
 * so only a short word without digits is repeated: stricter than for the keys of a body, since addresses are logged.
 */
export const unknownParameter = (name: string): InputIssue =>
  word.test(name)
    ? { pointer: name, message: "is not a known parameter" }
    : { pointer: "", message: "a parameter is not known" }

const word = /^(?=.{1,32}$)[A-Za-z]+(?:[_-][A-Za-z]+)*$/
