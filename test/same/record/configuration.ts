/** The configuration file of a group: it imports packages of the side's checkout, and nothing else. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Group, VendorName } from "../corpus/Entry.ts"

/** Fixed, so that digests with it are the same on both sides. */
export const everywhere = {
  secret: "same-behaviour-same-behaviour-same",
  publicUrl: "http://localhost:4310",
  metricsToken: "metrics-of-the-replay",
  logs: "json"
} as const

export const configuration = (
  { options, vendors = [] }: Group,
  checkout: string,
  database: string,
  vendorOptions: ReadonlyMap<string, { readonly [option: string]: unknown }>
): string => {
  const imports = vendors.map((name) => `import { ${name} } from "${entryOf(checkout, name)}"`)
  const providers = vendors.map((name) => `${name}(${JSON.stringify(vendorOptions.get(name))})`)
  const all = JSON.stringify({ ...everywhere, database, ...options }, null, 2)
  const configured = providers.length === 0 ? "" : `, providers: [${providers.join(", ")}]`
  return `${imports.join("\n")}\nexport default { ...${all}${configured} }\n`
}

const entryOf = (checkout: string, name: VendorName): string =>
  pathToFileURL(join(checkout, "packages/adapters", name, "src/index.ts")).href
