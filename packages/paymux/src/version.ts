import { createRequire } from "node:module"

/** Version of this package: printed by `--version`, and sent to webhook receivers. */
export const version: string = createRequire(import.meta.url)("../package.json").version
