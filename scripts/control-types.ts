/** The types of the control API for the pages of the dashboard, from its OpenAPI document. `pnpm generate` writes them. */
import { format } from "oxfmt"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { controlApiDocument } from "@paymux/dashboard"
import { allTypesOf } from "../packages/client/test/document.ts"

const root = resolve(import.meta.dirname, "..")

/** The file's whole text. */
export const controlTypes = async (): Promise<string> => {
  const options = JSON.parse(readFileSync(resolve(root, ".oxfmtrc.json"), "utf8"))
  const types = await allTypesOf(JSON.parse(JSON.stringify(controlApiDocument("")), simpler))
  const { code, errors } = await format("ControlApi.ts", HEAD + types, options)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"))
  return code
}

/**
 * Every response above 399 is a `Problem`: to say so for each would double the file. An array with at least one element
 * would become a tuple of exactly one, since `prefixItems` alone counts.
 */
const simpler = (key: string, value: unknown): unknown => {
  if (/^[45]\d\d$/.test(key)) return undefined
  if (typeof value !== "object" || value === null || !("prefixItems" in value) || !("items" in value)) return value
  const { prefixItems: _, ...array } = value
  return array
}

const HEAD = `/**
 * Written by openapi-typescript from the OpenAPI document of the control API: \`pnpm generate\`. Not to be edited.
 */
/* oxlint-disable max-lines */
`
