/** Values that a JSON schema of the served document describes, as far as it says so: patterns may still refuse them. */
import * as fc from "fast-check"

/** The keywords that the document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxProperties?: number
  readonly pattern?: string
  readonly format?: string
}

export type Schemas = { readonly [name: string]: JsonSchema }

const anything: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 })

export const fromSchema = (schema: JsonSchema, schemas: Schemas): fc.Arbitrary<unknown> => {
  const inner = (each: JsonSchema) => fromSchema(each, schemas)
  if (schema.$ref !== undefined) return inner(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {})
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined && choices.length > 0) return fc.oneof(...choices.map(inner))
  switch (schema.type) {
    case "null":
      return fc.constant(null)
    case "boolean":
      return fc.boolean()
    case "integer":
      return fc.integer({ min: schema.minimum ?? -100, max: Math.min(schema.maximum ?? 100_000, 100_000) })
    case "number":
      return fc.double({ noNaN: true })
    case "string":
      return schema.pattern === undefined
        ? fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 40, 40) })
        : fc.stringMatching(new RegExp(schema.pattern), { maxLength: 40 })
    case "array":
      return fc.array(inner(schema.items ?? {}), { maxLength: 3 })
    case "object":
      return objects(schema, inner)
    default:
      return anything
  }
}

const objects = (schema: JsonSchema, inner: (schema: JsonSchema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) {
    const { additionalProperties: others } = schema
    const value = typeof others === "object" ? inner(others) : anything
    return fc.dictionary(fc.string({ maxLength: 12 }), value, { maxKeys: 3 })
  }
  return fc.record(Object.fromEntries(properties.map(([name, each]) => [name, inner(each)])), {
    requiredKeys: [...(schema.required ?? [])]
  })
}
