import type { SeenRequest } from "@paymux/testkit"
/**
 * Adyen's own specifications, Checkout API v72 and Webhooks v1, as AJV reads them. They are not a part of this repository:
 * where they are not beside it, what needs them is skipped.
 */
import { Ajv, type ValidateFunction } from "ajv"
import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"

const folder = resolve(import.meta.dirname, "../../../../../shared/providers/specs/adyen")
const files = {
  checkout: resolve(folder, "adyen-checkout-v72.trimmed.json"),
  webhooks: resolve(folder, "adyen-webhooks-v1.trimmed.json")
}
type Name = keyof typeof files

export const isThere = Object.values(files).every((file) => existsSync(file))

/** A part of a test's name. */
export const skipped = isThere ? "" : " (skipped: ../shared/providers/specs has no specification of Adyen)"

type Json = { readonly [key: string]: unknown }

/** What is wrong with one exchange; nothing: it is as specified. */
export const faultsOf = ({ answer, body, headers, method, path, status }: SeenRequest): ReadonlyArray<string> => {
  const at = `${method} ${path} ${status}`
  const operation = operationAt(method, path)
  if (operation === null) return [`${at}: there is no such endpoint`]
  const request = pick(operation, "requestBody", "content", "application/json", "schema")
  const response = pick(operation, "responses", String(status), "content", "application/json", "schema")
  const key = headers["idempotency-key"]
  return [
    ...(headers["x-api-key"] === undefined ? [`${at}: no x-api-key`] : []),
    ...((key !== undefined) === (method === "POST") ? [] : [`${at}: a key is for POST, and for POST only`]),
    ...(key === undefined || /^[\w-]{1,64}$/.test(key) ? [] : [`${at}: the key is too long`]),
    ...(method === "GET" ? (body === "" ? [] : [`${at}: a GET with a body`]) : check("checkout", request, body, at)),
    ...check("checkout", response, answer, `${at} answer`)
  ]
}

/** What is wrong with a webhook; `null`: its event code is not specified. */
export const webhookFaults = (body: string, eventCode: string): ReadonlyArray<string> | null => {
  const event = pick(document("webhooks"), "webhooks", `/${eventCode}`)
  return event === null
    ? null
    : check(
        "webhooks",
        pick(event, "post", "requestBody", "content", "application/json", "schema"),
        body,
        `webhook ${eventCode}`
      )
}

const check = (name: Name, schema: unknown, text: string, at: string): ReadonlyArray<string> => {
  if (!isObject(schema)) return [`${at}: the specification has no schema`]
  const validate = compiled(name, schema)
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${at}${instancePath}: ${message}`)
}

const compiled = (name: Name, schema: Json): ValidateFunction => {
  const key = `${name} ${JSON.stringify(schema)}`
  const found = validators.get(key) ?? validator(name).compile(relative(name, schema) as Json)
  validators.set(key, found)
  return found
}

const validators = new Map<string, ValidateFunction>()

const validator = (name: Name): Ajv => {
  const found = shared.get(name) ?? new Ajv({ strict: false, discriminator: true })
  if (shared.has(name)) return found
  shared.set(name, found)
  for (const format of ["byte", "double", "int32", "int64"]) found.addFormat(format, true)
  found.addFormat("date", /^\d{4}-\d\d-\d\d$/)
  found.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
  return found.addSchema({ $id: name, components: pick(document(name), "components") })
}

const shared = new Map<Name, Ajv>()

/** References of a part are looked up in the whole. */
const relative = (name: Name, part: unknown): unknown => {
  if (Array.isArray(part)) return part.map((each) => relative(name, each))
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) =>
      key === "$ref" && typeof value === "string"
        ? [key, value.replace(/^#/, `${name}#`)]
        : [key, relative(name, value)]
    )
  )
}

const documents = new Map<Name, Json>()

/** Every object is closed: an unspecified field is a fault. */
const document = (name: Name): Json => {
  const found = documents.get(name) ?? (closed(JSON.parse(readFileSync(files[name], "utf8"))) as Json)
  documents.set(name, found)
  return found
}

const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === "discriminator" ? value : closed(value)])
  )
  return isObject(schema["properties"]) && schema["additionalProperties"] === undefined
    ? { ...inner, additionalProperties: false }
    : inner
}

const operationAt = (method: string, path: string): Json | null => {
  const paths = pick(document("checkout"), "paths")
  if (!isObject(paths)) return null
  for (const [pattern, operations] of Object.entries(paths)) {
    const isIt = new RegExp(`^${pattern.replaceAll(/\{[^}]+\}/g, "[\\w-]+")}$`).test(path)
    const operation = isIt ? pick(operations, method.toLowerCase()) : null
    if (isObject(operation)) return operation
  }
  return null
}

const pick = (json: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : null), json)

const isObject = (json: unknown): json is Json => typeof json === "object" && json !== null && !Array.isArray(json)
