import { createRequire } from "node:module"

/** Of this package: printed by `--version`, told to webhook receivers. */
export const version: string = createRequire(import.meta.url)("../package.json").version
