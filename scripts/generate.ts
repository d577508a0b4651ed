/** Writes every generated file of the repository: `pnpm generate`. With `--check` it writes nothing, and fails where one is out of date. */
import { readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { withTables } from "./books-reference.ts"
import { clientTypes } from "./client-types.ts"
import { controlTypes } from "./control-types.ts"
import { errorsReference } from "./errors-reference.ts"
import { checksPage } from "./conformance.ts"
import { withMetrics } from "./metrics-reference.ts"
import { providerReference } from "./provider-reference.ts"
import { routingSchema } from "./routing-schema.ts"
import { vendorModels } from "./vendor-models.ts"

/** The new text of each file, from its text so far. */
const generated: { readonly [file: string]: (text: string) => string | Promise<string> } = {
  "docs/guide/observability.md": withMetrics,
  "docs/reference/books.md": withTables,
  "docs/reference/errors.md": errorsReference,
  "docs/reference/provider.md": providerReference,
  "docs/reference/routing.schema.json": routingSchema,
  "packages/client/src/generated/Api.ts": clientTypes,
  "packages/dashboard/app/src/api/generated/ControlApi.ts": controlTypes,
  "packages/sandbox/src/generated/vendorModels.ts": vendorModels,
  "packages/testkit/CONFORMANCE.md": checksPage
}

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values

for (const [name, text] of Object.entries(generated)) {
  const file = resolve(import.meta.dirname, "..", name)
  const before = readFileSync(file, "utf8")
  const after = await text(before)
  const changed = after !== before
  if (changed && check) process.exitCode = 1
  if (changed && !check) writeFileSync(file, after)
  console.log(`${name}: ${changed ? (check ? "out of date, run `npx -y pnpm@12 generate`" : "written") : "unchanged"}`)
}
