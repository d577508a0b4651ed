/**
 * Coinbase's own specification of its API, as AJV reads it. It is not a part of this repository: where it is not beside it,
 * what needs it is skipped.
 */
import type { SeenRequest } from "@paymux/testkit"
import type { ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"

const root = resolve(import.meta.dirname, "../../../..")
const file = resolve(root, "../shared/providers/specs/coinbase-cdp/cdp-payment-acceptance-2.0.0.trimmed.json")

export const isThere = existsSync(file)

/** A part of a test's name. */
export const skipped = isThere ? "" : " (skipped: ../shared/providers/specs has no specification of Coinbase)"

type Json = { readonly [key: string]: unknown }

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
  const common = pick(document(), "components", "responses", anywhere[String(status)] ?? "")
  const response = resolved(pick(operation, "responses", String(status)) ?? common)
  const hasKey = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(
    headers["x-idempotency-key"] ?? ""
  )
  return [
    ...(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(headers["authorization"] ?? "") ? [] : [`${at}: no token`]),
    // A cancel, and a void that belongs to no operation, are done once however often they are sent.
    ...(hasKey === (method === "POST" && !path.endsWith("/cancel") && body !== "{}") ? [] : [`${at}: the key`]),
    ...(method === "GET"
      ? [...(body === "" ? [] : [`${at}: a GET with a body`]), ...check(parametersOf(operation), queryOf(query), at)]
      : check(request, JSON.parse(body), `${at} request`)),
    ...(response === null
      ? [`${at}: there is no such answer`]
      : check(pick(response, "content", "application/json", "schema"), JSON.parse(answer), `${at} answer`))
  ]
}

/** What is wrong with a webhook. */
export const webhookFaults = (body: string): ReadonlyArray<string> => {
  const event = JSON.parse(body)
  const schemas = pick(document(), "components", "schemas")
  const found = Object.entries(isObject(schemas) ? schemas : {}).find(
    ([, schema]) => pick(schema, "x-event-type") === event.eventType
  )
  return check(found === undefined ? null : { $ref: `#/components/schemas/${found[0]}` }, event, "webhook")
}

/** Every `errorType`. */
export const specifiedErrors = (): ReadonlyArray<string> => {
  const types = pick(document(), "components", "schemas", "ErrorType", "enum")
  return Array.isArray(types) ? types : []
}

const queryOf = (query: string): Json =>
  Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, name === "pageSize" ? Number(value) : value])
  )

const parametersOf = (operation: Json): Json => {
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"].map(resolved) : []
  const inQuery = parameters.filter((each) => pick(each, "in") === "query")
  return {
    type: "object",
    unevaluatedProperties: false,
    properties: Object.fromEntries(inQuery.map((each) => [pick(each, "name"), pick(each, "schema")]))
  }
}

const check = (schema: unknown, value: unknown, at: string): ReadonlyArray<string> => {
  if (!isObject(schema)) return [`${at}: the specification has no schema`]
  const validate = compiled(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${at}${instancePath}: ${message} ${JSON.stringify(params)}`
  )
}

const compiled = (schema: Json): ValidateFunction => {
  const key = JSON.stringify(schema)
  const found = validators.get(key) ?? ajv().compile(relative(closed(schema)) as Json)
  validators.set(key, found)
  return found
}

const validators = new Map<string, ValidateFunction>()
let shared: Ajv2020 | null = null

const ajv = (): Ajv2020 => {
  if (shared !== null) return shared
  shared = new Ajv2020({ strict: false, allErrors: true })
  shared.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  shared.addFormat("uri", { validate: (text: string) => URL.canParse(text) })
  shared.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  const schemas = pick(document(), "components", "schemas")
  const all = Object.entries(isObject(schemas) ? schemas : {}).map(([name, schema]) => [name, closed(schema)])
  return shared.addSchema({ $id: "coinbase", components: { schemas: Object.fromEntries(all) } })
}

/** Every object closed: an unspecified field is a fault. What is made of several parts is closed as a whole. */
const closed = (schema: unknown, isPart = false): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => closed(each))
  if (!isObject(schema)) return schema
  const { allOf, example: _example, examples: _examples, ...rest } = schema
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, closed(value)]))
  const parts = Array.isArray(allOf) ? allOf : []
  const isWhole = parts.length > 1 || (isObject(schema["properties"]) && schema["additionalProperties"] === undefined)
  return {
    ...inner,
    ...(parts.length === 1 && { allOf: [closed(parts[0])] }),
    ...(parts.length > 1 && { allOf: parts.map((part) => closed(resolved(part), true)) }),
    ...(isWhole && !isPart && { unevaluatedProperties: false })
  }
}

/** References of a part are looked up in the whole. */
const relative = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(relative)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) =>
      key === "$ref" && typeof value === "string" ? [key, value.replace(/^#/, "coinbase#")] : [key, relative(value)]
    )
  )
}

const resolved = (part: unknown): unknown => {
  const reference = pick(part, "$ref")
  return typeof reference === "string" ? pick(document(), ...reference.split("/").slice(1)) : part
}

let read: Json | null = null
const document = (): Json => {
  read ??= JSON.parse(readFileSync(file, "utf8")) as Json
  return read
}

const operationAt = (method: string, path: string): Json | null => {
  const paths = pick(document(), "paths")
  for (const [pattern, methods] of isObject(paths) ? Object.entries(paths) : []) {
    const isIt = new RegExp(`^${pattern.replaceAll(/\{[^}]+\}/g, "[\\w-]+")}$`).test(path)
    const operation = isIt ? pick(methods, method.toLowerCase()) : null
    if (isObject(operation)) return operation
  }
  return null
}

const pick = (json: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : null), json)

const isObject = (json: unknown): json is Json => typeof json === "object" && json !== null && !Array.isArray(json)
