/** Coinbase's own specification of its API: see `specification`. */
import { isObject, type Json, pick, specification } from "@paymux/test-suites"
import type { SeenRequest } from "@paymux/testkit"
import { Ajv2020 } from "ajv/dist/2020.js"

const ajv = () => {
  const made = new Ajv2020({ strict: false, allErrors: true })
  made.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  made.addFormat("uri", { validate: (text: string) => URL.canParse(text) })
  return made.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
}

/** Every object closed: an unspecified field is a fault. What is made of several parts is closed as a whole. */
const closed = (whole: Json, schema: unknown, isPart = false): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => closed(whole, each))
  if (!isObject(schema)) return schema
  const { allOf, example: _example, examples: _examples, ...rest } = schema
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, closed(whole, value)]))
  const parts = Array.isArray(allOf) ? allOf : []
  const isWhole = parts.length > 1 || (isObject(schema["properties"]) && schema["additionalProperties"] === undefined)
  return {
    ...inner,
    ...(parts.length === 1 && { allOf: [closed(whole, parts[0])] }),
    ...(parts.length > 1 && { allOf: parts.map((part) => closed(whole, referred(whole, part), true)) }),
    ...(isWhole && !isPart && { unevaluatedProperties: false })
  }
}

const referred = (whole: Json, part: unknown): unknown => {
  const reference = pick(part, "$ref")
  return typeof reference === "string" ? pick(whole, ...reference.split("/").slice(1)) : part
}

const {
  at: partOf,
  check,
  isThere,
  operationAt,
  queryOf: queryParameters,
  resolved,
  skipped
} = specification({
  vendor: "Coinbase",
  file: "coinbase-cdp/cdp-payment-acceptance-2.0.0.trimmed.json",
  ajv,
  prepare: (document) => closed(document, document)
})
export { isThere, skipped }

/** Answers of every endpoint that the specification names only once, apart from them. */
const anywhere: { readonly [status: string]: string } = { "401": "UnauthorizedError" }

/** What is wrong with one exchange; nothing: it is as specified. */
export const faultsOf = (exchange: SeenRequest): ReadonlyArray<string> => {
  const { answer, body, headers, method, status } = exchange
  const [path = "", query = ""] = exchange.path.replace(/^\/platform/, "").split("?")
  const at = `${method} ${path} ${status}`
  const operation = operationAt(method, path)
  if (operation === null) return [`${at}: there is no such endpoint`]
  const request = pick(operation, "requestBody", "content", "application/json", "schema")
  const common = partOf("components", "responses", anywhere[String(status)] ?? "")
  const response = resolved(pick(operation, "responses", String(status)) ?? common)
  const hasKey = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(
    headers["x-idempotency-key"] ?? ""
  )
  return [
    ...(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(headers["authorization"] ?? "") ? [] : [`${at}: no token`]),
    // A cancel, and a void that belongs to no operation, are done once however often they are sent.
    ...(hasKey === (method === "POST" && !path.endsWith("/cancel") && body !== "{}") ? [] : [`${at}: the key`]),
    ...(method === "GET"
      ? [...(body === "" ? [] : [`${at}: a GET with a body`]), ...check(queryParameters(operation), queryOf(query), at)]
      : check(request, JSON.parse(body), `${at} request`)),
    ...(response === null
      ? [`${at}: there is no such answer`]
      : check(pick(response, "content", "application/json", "schema"), JSON.parse(answer), `${at} answer`))
  ]
}

/** What is wrong with a webhook. */
export const webhookFaults = (body: string): ReadonlyArray<string> => {
  const event = JSON.parse(body)
  const schemas = partOf("components", "schemas")
  const found = Object.entries(isObject(schemas) ? schemas : {}).find(
    ([, schema]) => pick(schema, "x-event-type") === event.eventType
  )
  return check(found === undefined ? null : { $ref: `#/components/schemas/${found[0]}` }, event, "webhook")
}

/** Every `errorType`. */
export const specifiedErrors = (): ReadonlyArray<string> => {
  const types = partOf("components", "schemas", "ErrorType", "enum")
  return Array.isArray(types) ? types : []
}

const queryOf = (query: string): Json =>
  Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, name === "pageSize" ? Number(value) : value])
  )
