/** The options of `createPaymux` from a module: `paymux.config.ts`, or what `--config` names. */
import { Effect } from "effect"
import type { CliError } from "effect/cli"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { defaultConfiguration } from "../configurationFile.ts"
import type { PaymuxOptions } from "../options/PaymuxOptions.ts"
import { userError } from "./userError.ts"

export const configuration = Effect.fnUntraced(function* (
  named: string | null
): Effect.fn.Return<PaymuxOptions, CliError.UserError> {
  const file = named ?? defaultConfiguration()
  if (file === null) return {}
  if (!existsSync(file)) return yield* userError(new Error(`Configuration file not found: ${file}.`))
  const module: { readonly default?: unknown } = yield* Effect.tryPromise({
    try: () => import(pathToFileURL(resolve(file)).href),
    catch: (error) =>
      userError(new Error(`The configuration ${file} could not be loaded: ${String(error)}${remedy(error)}`))
  })
  const options = module.default
  if (typeof options !== "object" || options === null) {
    return yield* userError(
      new Error(`The configuration ${file} has no default export with the options of createPaymux.`)
    )
  }
  // Boundary: the options are checked, name by name, when Paymux starts.
  return options
})

/** `npm init` makes a package of CommonJS. */
const remedy = (error: unknown): string =>
  /import statement outside a module|Unexpected token 'export'/.test(String(error))
    ? '. Let package.json say "type": "module", or name the file paymux.config.mts.'
    : ""
