/**
 * A vendor's own OpenAPI document, as AJV reads it, for tests that put every request of an adapter and every answer of its
 * fake to it. The documents are not a part of this repository: where they are not beside it, what needs them is skipped.
 */
import type { Ajv, ValidateFunction } from "ajv"
import type { Ajv2020 } from "ajv/dist/2020.js"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export type Json = { readonly [key: string]: unknown }

export interface Specification {
  readonly isThere: boolean
  /** A part of a test's name: why it is skipped, or nothing. */
  readonly skipped: string
  /** What stands at this path of the document; `null`: nothing does. */
  readonly at: (...path: ReadonlyArray<string>) => unknown
  /** The operation of an endpoint; `null`: the document has no such endpoint. */
  readonly operationAt: (method: string, path: string) => Json | null
  /** What a reference refers to; anything else is returned as it is. */
  readonly resolved: (part: unknown) => unknown
  /** The schema of an operation's query, as one object that has no other fields. */
  readonly queryOf: (operation: Json) => Json
  /** What is wrong with a value; nothing: it is as specified. `at` names it. */
  readonly check: (schema: unknown, value: unknown, at: string) => ReadonlyArray<string>
}

const folder = resolve(import.meta.dirname, "../../../../shared/providers/specs")

export const specification = (options: {
  readonly vendor: string
  /** Below the folder of the specifications. */
  readonly file: string
  /** With the formats that the document uses. */
  readonly ajv: () => Ajv | Ajv2020
  /** The document as it is to be read: closed, corrected. As it is unless given. */
  readonly prepare?: (document: Json) => unknown
}): Specification => {
  const file = join(folder, options.file)
  const isThere = existsSync(file)
  const name = options.vendor

  const document = once(() => {
    const json: unknown = JSON.parse(readFileSync(file, "utf8"))
    return isObject(json) ? (options.prepare?.(json) ?? json) : json
  })
  const ajv = once(() => options.ajv().addSchema({ $id: name, components: pick(document(), "components") }))

  /** References of a part are looked up in the whole. */
  const relative = (part: unknown): unknown =>
    mapped(part, (key, value) =>
      key === "$ref" && typeof value === "string" ? value.replace(/^#/, `${name}#`) : relative(value)
    )

  const validators = new Map<string, ValidateFunction>()
  const compiled = (schema: Json): ValidateFunction => {
    const key = JSON.stringify(schema)
    const found = validators.get(key) ?? ajv().compile(relative(schema) as Json)
    validators.set(key, found)
    return found
  }

  const at = (...path: ReadonlyArray<string>) => pick(document(), ...path)
  const resolved = (part: unknown): unknown => {
    const reference = pick(part, "$ref")
    return typeof reference === "string" ? at(...reference.split("/").slice(1)) : part
  }
  return {
    isThere,
    skipped: isThere ? "" : ` (skipped: ../shared/providers/specs has no specification of ${name})`,
    at,
    resolved,
    operationAt: (method, path) => operationIn(at("paths"), method, path),
    queryOf: (operation) => {
      const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"].map(resolved) : []
      const inQuery = parameters.filter((each) => pick(each, "in") === "query")
      return {
        type: "object",
        additionalProperties: false,
        properties: Object.fromEntries(inQuery.map((each) => [pick(each, "name"), pick(each, "schema")]))
      }
    },
    check: (schema, value, where) => {
      if (!isObject(schema)) return [`${where}: the specification has no schema`]
      const validate = compiled(schema)
      if (validate(value)) return []
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${where}${instancePath}: ${message} ${JSON.stringify(params)}`
      )
    }
  }
}

const operationIn = (paths: unknown, method: string, path: string): Json | null => {
  // Patterns with fewer parameters first: `/orders/sessions` is no order.
  const patterns = Object.keys(isObject(paths) ? paths : {}).toSorted(
    (one, other) => one.split("{").length - other.split("{").length
  )
  for (const pattern of patterns) {
    const isIt = new RegExp(`^${pattern.replaceAll(/\{[^}]+\}/g, "[\\w-]+")}$`).test(path)
    const operation = isIt ? pick(paths, pattern, method.toLowerCase()) : null
    if (isObject(operation)) return operation
  }
  return null
}

/** Every object closed: a field that is not specified is a fault. Examples are left out. */
export const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  const { example: _example, examples: _examples, ...rest } = schema
  const inner = mapped(rest, (key, value) => (key === "discriminator" ? value : closed(value)))
  return isObject(inner) && isObject(schema["properties"]) && schema["additionalProperties"] === undefined
    ? { ...inner, additionalProperties: false }
    : inner
}

/** Objects with each value changed, in lists, too. */
export const mapped = (json: unknown, change: (key: string, value: unknown) => unknown): unknown => {
  if (Array.isArray(json)) return json.map((each) => mapped(each, change))
  if (!isObject(json)) return json
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, change(key, value)]))
}

export const pick = (json: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : null), json)

export const isObject = (json: unknown): json is Json =>
  typeof json === "object" && json !== null && !Array.isArray(json)

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}
