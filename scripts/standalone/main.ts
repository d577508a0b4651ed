/** Builds the standalone command into the package. */
import { resolve } from "node:path"
import { buildStandalone } from "./build.ts"

await buildStandalone(resolve(import.meta.dirname, "../../packages/paymux/dist/standalone"))
