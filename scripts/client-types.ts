/** The types of `@paymux/client`, from the OpenAPI document that a server serves. `pnpm generate` writes them. */
import { format } from "oxfmt"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { servedDocument, typesOf } from "../packages/client/test/document.ts"

const root = resolve(import.meta.dirname, "..")

/** The file's whole text. */
export const clientTypes = async (): Promise<string> => {
  const options = JSON.parse(readFileSync(resolve(root, ".oxfmtrc.json"), "utf8"))
  const { code, errors } = await format("Api.ts", HEAD + (await typesOf(await servedDocument())), options)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"))
  return code
}

const HEAD = `/**
 * Written by openapi-typescript from the OpenAPI document that a server serves: \`pnpm generate\`. Not to be edited.
 */
/* oxlint-disable max-lines */
`
