/** The descriptions that fields have in their schemas reach the OpenAPI document. */
import { assert, describe, it } from "@effect/vitest"
import { openApiDocument } from "../../src/index.ts"

/** The keywords that hold further schemas. */
interface JsonSchema {
  readonly description?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: { readonly [name: string]: JsonSchema }
}

/** Each field of a schema with its place and its description. */
const fieldsOf = (schema: JsonSchema, place = ""): ReadonlyArray<readonly [place: string, description: string]> => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = place === "" ? name : `${place}.${name}`
    return [[at, field.description ?? ""] as const, ...fieldsOf(field, at)]
  }),
  ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((variant) => fieldsOf(variant, place)),
  ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${place}[]`))
]

describe("the fields of the API", () => {
  // Boundary of a test: a document of ours.
  const { components } = openApiDocument() as { readonly components: { readonly schemas: Record<string, JsonSchema> } }

  it.each(Object.entries(components.schemas))("%s: each has a description, which is a sentence", (_name, schema) => {
    const fields = fieldsOf(schema)
    assert.isNotEmpty(fields)
    assert.deepStrictEqual(
      fields.filter(([, description]) => !/^[A-Z`].{4,}[.]$/.test(description)),
      []
    )
  })

  it("a description stands beside a reference, in no part of its own", () => {
    const event = fieldsOf(components.schemas["Event"] ?? {}).map(([place]) => place)
    assert.includeMembers([...event], ["data.payment", "data.refund", "data.review.resolution"])
    assert.notInclude(JSON.stringify(components.schemas), "allOf")
  })
})
