/** Schemas with the words of their fields: pure, over JSON Schema as our documents have it. */
import type { JsonSchema } from "./docsSchema.ts"
import type { FieldDocs } from "./docsFields.ts"

/** A field that has a description keeps it where `docs` has no word for it. */
export const described = (schema: JsonSchema, docs: FieldDocs, place = ""): JsonSchema => ({
  ...schema,
  ...(schema.properties !== undefined && { properties: describedFields(schema.properties, docs, place) }),
  ...(schema.anyOf !== undefined && { anyOf: schema.anyOf.map((variant) => described(variant, docs, place)) }),
  ...(schema.items !== undefined && { items: described(schema.items, docs, `${place}[]`) })
})

const describedFields = (properties: NonNullable<JsonSchema["properties"]>, docs: FieldDocs, place: string) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const at = place === "" ? name : `${place}.${name}`
      const description = docs[at]
      return [name, { ...described(field, docs, at), ...(description !== undefined && { description }) }]
    })
  )
