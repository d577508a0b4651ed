/** Loaded before an example: lets it make a mistake, or run on another version of its host. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import type { Example } from "./Host.ts"

// Boundary: `start` wrote it.
const { entry, instead = {}, mistake } = JSON.parse(process.env["EXAMPLE"] ?? "{}") as Example

registerHooks({
  resolve: (specifier, context, next) => next(instead[specifier] ?? specifier, context),
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (mistake === undefined || !url.endsWith(entry.at(-1) ?? url)) return loaded
    const source = readFileSync(fileURLToPath(url), "utf8")
    if (!source.includes(mistake.from)) throw new Error(`${url} does not say: ${mistake.from}`)
    return { ...loaded, source: source.replace(mistake.from, () => mistake.to) }
  }
})
