/** A JSON Schema as people read it: the type in a few words, and one row for each field, however deep it lies. */
import { prose } from "./docsPage.ts"
import { escape } from "./htmlPage.ts"

/** The keywords that our documents use. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonSchema | boolean
}

/** The head of the table that `fieldRows` are rows of. */
export const fieldHead = ["field", "type", "required", "description"] as const

/** Fields of fields are written with a dot, those of the items of a list with `[]`, those under any key with `.*`. */
export const fieldRows = (schema: JsonSchema, path = ""): ReadonlyArray<ReadonlyArray<string>> => {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path === "" ? name : `${path}.${name}`
    const presence = schema.required?.includes(name) === true ? "yes" : "no"
    return [
      [`<code>${escape(at)}</code>`, typeText(field), presence, prose(field.description ?? "")],
      ...under(field, at)
    ]
  })
  return [...fields, ...under({ ...schema, properties: {} }, path)]
}

const under = (schema: JsonSchema, path: string): ReadonlyArray<ReadonlyArray<string>> => [
  ...(schema.properties === undefined || Object.keys(schema.properties).length === 0 ? [] : fieldRows(schema, path)),
  ...(schema.anyOf ?? []).flatMap((variant) => under(variant, path)),
  ...(schema.items === undefined ? [] : under(schema.items, `${path}[]`)),
  ...(typeof schema.additionalProperties === "object" ? under(schema.additionalProperties, `${path}.*`) : [])
]

/** As HTML. What has a page section of its own is linked to. */
export const typeText = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return link(schema.$ref)
  if (schema.anyOf !== undefined) return unique(schema.anyOf.map(typeText)).join(" or ")
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(" | ")
  if (schema.type === "array")
    return `list of ${schema.items === undefined ? "anything" : typeText(schema.items)}${limits(schema)}`
  if (typeof schema.additionalProperties === "object") {
    return `map of ${typeText(schema.additionalProperties)}${limits(schema)}`
  }
  return `${escape(schema.format ?? schema.type ?? "anything")}${limits(schema)}`
}

/** The id of a component's section. */
export const sectionOf = (component: string): string => `schema-${component}`

const link = (ref: string): string => {
  const name = ref.slice(ref.lastIndexOf("/") + 1)
  return `<a href="#${escape(sectionOf(name))}">${escape(name)}</a>`
}

const literal = (value: unknown): string => `<code>${escape(JSON.stringify(value))}</code>`

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

const limits = (schema: JsonSchema): string => {
  const known = [
    between(schema.minimum, schema.maximum),
    between(schema.minLength, schema.maxLength, " characters"),
    between(undefined, schema.maxItems, " of them"),
    between(undefined, schema.maxProperties, " keys"),
    schema.default === undefined ? "" : `default ${literal(schema.default)}`
  ].filter((limit) => limit !== "")
  return known.length === 0 ? "" : ` (${known.join(", ")})`
}

/** The bounds of what a number can hold say nothing about a field. */
const between = (minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER, unit = ""): string => {
  const [hasLeast, hasMost] = [minimum > Number.MIN_SAFE_INTEGER, maximum < Number.MAX_SAFE_INTEGER]
  if (hasLeast && hasMost) return `${minimum} to ${maximum}${unit}`
  if (hasLeast) return `at least ${minimum}${unit}`
  return hasMost ? `at most ${maximum}${unit}` : ""
}
