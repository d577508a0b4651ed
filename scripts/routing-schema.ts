/**
 * `docs/reference/routing.schema.json`, from the Schema that checks routing rules. `pnpm generate` writes it. The build
 * copies it into the package `paymux`.
 */
import { RoutingConfig } from "@paymux/routing"
import { Schema } from "effect"

/** The file's whole text. */
export const routingSchema = (): string => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(RoutingConfig, { onExcessProperty: "error" })
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://unpkg.com/paymux/routing.schema.json",
    title: "Routing rules of Paymux",
    description: "Which payment providers are tried for which payments, and in which order.",
    ...schema,
    $defs: definitions
  }
  return `${JSON.stringify(merged(document), null, 2)}\n`
}

/** `{ a, allOf: [{ b }] }` is `{ a, b }`: editors show the description and the words of a plain schema better. */
const merged = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(merged)
  if (typeof json !== "object" || json === null) return json
  const { allOf, ...rest } = Object.fromEntries(Object.entries(json).map(([key, value]) => [key, merged(value)]))
  if (!Array.isArray(allOf)) return rest
  const all = Object.assign({}, ...allOf, rest)
  const keys = [rest, ...allOf].flatMap((each: object) => Object.keys(each))
  return new Set(keys).size === keys.length ? all : { ...rest, allOf }
}
