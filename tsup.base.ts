import { defineConfig } from "tsup"
import type { Options } from "tsup"

/** The build of one package: its entries bundled to ESM in `dist`. What is not a relative import stays an import. */
export const library = (entry: string | { readonly [name: string]: string }, more: Options = {}) =>
  defineConfig({
    entry: typeof entry === "string" ? [entry] : { ...entry },
    format: "esm",
    target: "node22",
    platform: "node",
    splitting: true,
    sourcemap: true,
    clean: true,
    silent: true,
    dts: false, // tsup's declarations need an older TypeScript: `tsc -b` writes them
    skipNodeModulesBundle: true,
    removeNodeProtocol: false, // `node:sqlite` has no name without the prefix
    ...more
  })
