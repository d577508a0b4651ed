import type { SeenRequest } from "@paymux/testkit"
/**
 * Cashfree's own specification of its API (2025-01-01), as AJV reads it. It is not a part of this repository: where it is
 * not beside it, what needs it is skipped.
 */
import { Ajv, type ValidateFunction } from "ajv"
import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"

const root = resolve(import.meta.dirname, "../../../..")
const file = resolve(root, "../shared/providers/specs/cashfree/cashfree-pg-2025-01-01.trimmed.json")

export const isThere = existsSync(file)

/** A part of a test's name. */
export const skipped = isThere ? "" : " (skipped: ../shared/providers/specs has no specification of Cashfree)"

type Json = { readonly [key: string]: unknown }

/** Where the specification says less or other than its own examples and documentation. */
export const exceptions = [
  {
    at: "PaymentMethodUPIInPaymentsEntity",
    why: "it requires `channel` beside `upi`, and its own example has it within",
    howToFix: ({ required: _required, ...schema }: Json): Json => schema
  }
] as const

/** What is wrong with one exchange; nothing: it is as specified. */
export const faultsOf = (exchange: SeenRequest): ReadonlyArray<string> => {
  const { answer, body, headers, method, path, status } = exchange
  const found = operationAt(method, path)
  const at = `${method} ${path} ${status}`
  if (found === null) return [`${at}: there is no such endpoint`]
  const { operation, pattern } = found
  const request = pick(operation, "requestBody", "content", "application/json", "schema") ?? bodyOf(operation)
  const response = pick(operation, "responses", String(status))
  const needsCredentials = Array.isArray(operation["security"]) && operation["security"].length > 0
  const has = (name: string) => headers[name] !== undefined
  return [
    ...(headers["x-api-version"] === "2025-01-01" ? [] : [`${at}: no x-api-version`]),
    ...(has("x-client-id") === needsCredentials && has("x-client-secret") === needsCredentials
      ? []
      : [`${at}: credentials ${needsCredentials ? "are" : "are not"} to be sent`]),
    ...(headers["x-idempotency-key"] === undefined || isUuid(headers["x-idempotency-key"])
      ? []
      : [`${at}: the idempotency key is no UUID`]),
    ...(method === "GET" ? (body === "" ? [] : [`${at}: a GET with a body`]) : check(request, body, `${at} request`)),
    ...(response === null
      ? [`${at}: ${pattern} has no such answer`]
      : check(pick(response, "content", "application/json", "schema") ?? contentOf(response), answer, `${at} answer`))
  ]
}

/** What is wrong with a payment's webhook. */
export const webhookFaults = (body: string): ReadonlyArray<string> =>
  check(pick(document(), ...callback), body, "webhook")

const callback = [
  "components",
  "callbacks",
  "PaymentWebhook",
  "object Object",
  "post",
  "requestBody",
  "content",
  "application/json",
  "schema"
]

const check = (schema: unknown, text: string, at: string): ReadonlyArray<string> => {
  if (schema === null || schema === undefined) return [`${at}: the specification has no schema`]
  const validate = compiled(schema)
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${at}${instancePath}: ${message}`)
}

const compiled = (schema: unknown): ValidateFunction => {
  const key = JSON.stringify(schema)
  const found = validators.get(key) ?? validator().compile(relative(schema) as Json)
  validators.set(key, found)
  return found
}

const validators = new Map<string, ValidateFunction>()

const validator = (): Ajv => {
  if (shared !== null) return shared
  shared = new Ajv({ strict: false, allErrors: true })
  for (const format of ["double", "float64", "int32", "int64", "BANKR", "YYYY-MM-DD", "boolean"]) {
    shared.addFormat(format, true)
  }
  shared.addFormat("ISO8601", isTime)
  shared.addFormat("date-time", isTime)
  shared.addFormat("UUID", isUuid)
  return shared.addSchema({ $id: "cashfree", components: pick(document(), "components") })
}

let shared: Ajv | null = null

/** References of a part are looked up in the whole. */
const relative = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(relative)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) =>
      key === "$ref" && typeof value === "string" ? [key, value.replace(/^#/, "cashfree#")] : [key, relative(value)]
    )
  )
}

let read: Json | null = null
const document = (): Json => {
  read ??= corrected(JSON.parse(readFileSync(file, "utf8")))
  return read
}

/** With the exceptions, and with every object closed: an unspecified field is a fault. */
const corrected = (json: unknown): Json => {
  const whole = isObject(json) ? json : {}
  const components = isObject(whole["components"]) ? whole["components"] : {}
  const schemas = isObject(components["schemas"]) ? components["schemas"] : {}
  const changed = Object.entries(schemas).map(([name, schema]) => {
    const exception = exceptions.find(({ at }) => at === name)
    return [name, closed(exception !== undefined && isObject(schema) ? exception.howToFix(schema) : schema)]
  })
  return { ...whole, components: { ...components, schemas: Object.fromEntries(changed) } }
}

const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  const { example: _example, examples: _examples, ...rest } = schema
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, closed(value)]))
  return isObject(schema["properties"]) && schema["additionalProperties"] === undefined
    ? { ...inner, additionalProperties: false }
    : inner
}

const operationAt = (method: string, path: string): { readonly operation: Json; readonly pattern: string } | null => {
  const paths = pick(document(), "paths")
  if (!isObject(paths)) return null
  // Patterns without parameters first: `/orders/sessions` is no order.
  const patterns = Object.keys(paths).toSorted((one, other) => one.split("{").length - other.split("{").length)
  for (const pattern of patterns) {
    const isIt = new RegExp(`^${pattern.replaceAll(/\{[^}]+\}/g, "[\\w-]+")}$`).test(path)
    const operation = isIt ? pick(paths, pattern, method.toLowerCase()) : null
    if (isObject(operation)) return { operation, pattern }
  }
  return null
}

const bodyOf = (operation: Json): unknown => contentOf(operation["requestBody"])

const contentOf = (part: unknown): unknown => {
  const name = isObject(part) && typeof part["$ref"] === "string" ? part["$ref"].split("/").slice(1) : []
  return name.length === 0 ? null : pick(document(), ...name, "content", "application/json", "schema")
}

const pick = (json: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : null), json)

const isObject = (json: unknown): json is Json => typeof json === "object" && json !== null && !Array.isArray(json)
const isUuid = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
