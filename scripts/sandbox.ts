/** Runs an adapter against the vendor's own test environment, with keys from the environment: `pnpm sandbox <vendor>`. */
import { readdirSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "sandbox")
const vendors = readdirSync(folder).map((file) => file.replace(/\.ts$/, ""))
const [, , vendor = ""] = process.argv

if (vendors.includes(vendor)) await import(join(folder, `${vendor}.ts`))
else {
  console.error(`Usage: pnpm sandbox <vendor>, where <vendor> is one of: ${vendors.join(", ")}.`)
  process.exitCode = 1
}
