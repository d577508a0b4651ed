/** Strict decoding of queries: an error names every invalid parameter. */
import { describeIssues } from "@paymux/core/wire"
import type { InputIssue } from "@paymux/core/wire"
import { Effect, Schema } from "effect"
import { ApiProblem } from "../problems/ApiProblem.ts"

/** The query parameters as pairs of name and value, in the order of the URL. */
export type QueryValues = ReadonlyArray<readonly [name: string, value: string]>

/** Parses the query parameters of a URL. */
export const queryOf = (url: string): QueryValues => [
  ...new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")
]

/** A decoder of `fields`. Parameters in `lists` may be repeated. */
export const queryDecoder = <S extends Schema.ConstraintDecoder<unknown> & { readonly fields: object }>(
  schema: S,
  lists: ReadonlyArray<string>
) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  const named = ({ message, pointer }: InputIssue): InputIssue => {
    const name = pointer.split("/")[1] ?? ""
    return Object.hasOwn(schema.fields, name) ? { pointer: name, message } : unknownParameter(name)
  }
  return (values: QueryValues) => {
    const given = [...Map.groupBy(values, ([name]) => name)].map(([name, parameters]) => {
      const [first, ...others] = parameters.map(([, value]) => value)
      // A parameter that was sent several times becomes a list of values. If it may not be repeated, its schema rejects
      // the list.
      return [name, lists.includes(name) || others.length > 0 ? [first, ...others] : first]
    })
    return Effect.mapError(decode(Object.fromEntries(given)), ({ issue }) =>
      queryRefusal(describeIssues(issue).map(named))
    )
  }
}

export const queryRefusal = (errors: ReadonlyArray<InputIssue>) =>
  new ApiProblem({ code: "invalid_request", detail: "A query parameter is not valid.", errors })

/**
 * The error for an unknown query parameter. It contains the parameter's name only if the name is a short word without
 * digits, because the name may be a misplaced secret, such as an API key or a password. This check is stricter than for
 * keys of a body, because URLs are often logged.
 */
export const unknownParameter = (name: string): InputIssue =>
  safeName.test(name)
    ? { pointer: name, message: "is not a known parameter" }
    : { pointer: "", message: "a parameter is not known" }

const safeName = /^(?=.{1,32}$)[A-Za-z]+(?:[_-][A-Za-z]+)*$/
