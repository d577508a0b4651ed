/** Loaded before an example: changes its files, or lets it run on another version of its host. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import type { Example } from "./Host.ts"

// Boundary: `start` wrote it.
const { changes = [], entry, instead = {} } = JSON.parse(process.env["EXAMPLE"] ?? "{}") as Example

registerHooks({
  resolve: (specifier, context, next) => next(instead[specifier] ?? specifier, context),
  load: (url, context, next) => {
    const loaded = next(url, context)
    const here = changes.filter(({ file = entry.at(-1) ?? "" }) => url.endsWith(file))
    if (here.length === 0) return loaded
    const source = here.reduce(
      (text, { from, to }) => {
        if (!text.includes(from)) throw new Error(`${url} does not say: ${from}`)
        return text.replace(from, () => to)
      },
      readFileSync(fileURLToPath(url), "utf8")
    )
    return { ...loaded, source }
  }
})
