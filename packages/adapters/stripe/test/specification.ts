import type { SeenRequest } from "@paymux/testkit"
/**
 * Stripe's own specification of its API, of 2023-08-16, as AJV reads it. It is not a part of this repository: where it is
 * not beside it, what needs it is skipped. What the pinned version has since is listed, and put to the SDK's types by
 * `sdk.test.ts`.
 */
import { Ajv, type ValidateFunction } from "ajv"
import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import qs from "qs"

const root = resolve(import.meta.dirname, "../../../..")
const file = resolve(root, "../shared/providers/specs/stripe/stripe-openapi-2023-08-16.trimmed.json")

export const isThere = existsSync(file)

/** A part of a test's name. */
export const skipped = isThere ? "" : " (skipped: ../shared/providers/specs has no specification of Stripe)"

type Json = { readonly [key: string]: unknown }

const string = { type: "string" }

/** What is sent and is younger than the specification at hand. */
export const laterFields: ReadonlyArray<{ readonly at: string; readonly field: string; readonly schema: Json }> = [
  {
    at: "POST /v1/payment_intents",
    field: "allowed_payment_method_types",
    schema: { type: "array", items: { enum: ["card"] } }
  },
  { at: "POST /v1/payment_intents", field: "confirmation_token", schema: string }
]

/** What is asked for and is not in the specification at hand at all. */
export const laterEndpoints = ["POST /v1/checkout/sessions", "GET /v1/checkout/sessions"]

export const isLater = ({ method, path }: SeenRequest): boolean =>
  laterEndpoints.some((endpoint) => `${method} ${path}`.startsWith(endpoint))

/** What is wrong with one exchange; nothing: it is as specified. */
export const faultsOf = (exchange: SeenRequest): ReadonlyArray<string> => {
  const { answer, body, headers, method, status } = exchange
  const [path = "", query = ""] = exchange.path.split("?")
  const at = `${method} ${path} ${status}`
  const operation = operationAt(method, path)
  if (operation === null) return [`${at}: there is no such endpoint`]
  const response = pick(operation, "responses", String(status)) ?? pick(operation, "responses", "default")
  return [
    ...(headers["stripe-version"] === "2026-10-28.endive" ? [] : [`${at}: no Stripe-Version`]),
    ...(method === "POST" && hasNoKey(headers) && body !== closing ? [`${at}: no key`] : []),
    ...(method === "GET"
      ? [...(body === "" ? [] : [`${at}: a GET with a body`]), ...check(parametersOf(operation), qs.parse(query), at)]
      : check(formOf(operation, `${method} ${path}`), qs.parse(body, { depth: 10 }), `${at} request`)),
    ...check(pick(response, "content", "application/json", "schema"), JSON.parse(answer), `${at} answer`)
  ]
}

const hasNoKey = (headers: SeenRequest["headers"]) => !/^[0-9a-f-]{36}$/.test(headers["idempotency-key"] ?? "")

/** What belongs to no operation, and twice is once. */
const closing = "cancellation_reason=abandoned"

/** Of what Stripe posts: the envelope, and the object in it by its name. */
export const webhookFaults = (body: string): ReadonlyArray<string> => {
  const event = JSON.parse(body)
  const name = event.data.object.object
  return [
    ...check({ $ref: "#/components/schemas/event" }, event, "event"),
    ...(name === "checkout.session"
      ? []
      : check({ $ref: `#/components/schemas/${name}` }, event.data.object, String(event.type)))
  ]
}

/** A form is text: AJV reads numbers and booleans in it, and nothing that the specification does not name. */
const formOf = (operation: Json, at: string): unknown => {
  const schema = pick(operation, "requestBody", "content", "application/x-www-form-urlencoded", "schema")
  const properties = pick(schema, "properties")
  const added = laterFields.filter((later) => later.at === at).map(({ field, schema }) => [field, schema])
  return isObject(schema) && isObject(properties)
    ? { ...schema, additionalProperties: false, properties: { ...properties, ...Object.fromEntries(added) } }
    : null
}

const parametersOf = (operation: Json): Json => {
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : []
  const inQuery = parameters.filter((each) => pick(each, "in") === "query")
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(inQuery.map((each) => [pick(each, "name"), pick(each, "schema")]))
  }
}

const check = (schema: unknown, value: unknown, at: string): ReadonlyArray<string> => {
  if (!isObject(schema)) return [`${at}: the specification has no schema`]
  const validate = compiled(schema, at.endsWith("answer") || at === "event" ? "exact" : "text")
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${at}${instancePath}: ${message} ${JSON.stringify(params)}`
  )
}

const compiled = (schema: Json, reads: "text" | "exact"): ValidateFunction => {
  const key = `${reads} ${JSON.stringify(schema)}`
  const found = validators.get(key) ?? ajvFor(reads).compile(relative(schema) as Json)
  validators.set(key, found)
  return found
}

const validators = new Map<string, ValidateFunction>()
const ajvs = new Map<string, Ajv>()

const ajvFor = (reads: "text" | "exact"): Ajv => {
  const made = ajvs.get(reads)
  if (made !== undefined) return made
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: reads === "text", validateFormats: false })
  ajv.addSchema({ $id: "stripe", components: nulled(pick(document(), "components")) })
  ajvs.set(reads, ajv)
  return ajv
}

/** OpenAPI 3.0 writes `nullable` for what JSON Schema calls a type. */
const nulled = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(nulled)
  if (!isObject(part)) return part
  const { nullable, ...rest } = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, nulled(value)]))
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : rest
}

/** References of a part are looked up in the whole. */
const relative = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(relative)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) =>
      key === "$ref" && typeof value === "string" ? [key, value.replace(/^#/, "stripe#")] : [key, relative(value)]
    )
  )
}

let read: Json | null = null
const document = (): Json => {
  read ??= JSON.parse(readFileSync(file, "utf8")) as Json
  return read
}

const operationAt = (method: string, path: string): Json | null => {
  const paths = pick(document(), "paths")
  for (const [pattern, methods] of isObject(paths) ? Object.entries(paths) : []) {
    const isIt = new RegExp(`^${pattern.replaceAll(/\{[^}]+\}/g, "\\w+")}$`).test(path)
    const operation = isIt ? pick(methods, method.toLowerCase()) : null
    if (isObject(operation)) return operation
  }
  return null
}

const pick = (json: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : null), json)

const isObject = (json: unknown): json is Json => typeof json === "object" && json !== null && !Array.isArray(json)
