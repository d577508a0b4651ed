/** Runs the tests that `mutatedPackages` lists for the package of a mutant. Stryker stops at the first failure. */
import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import type { Plugin } from "vitest/config"
import { inOrder } from "./inOrder.ts"
import { mutatedPackage } from "./packages.ts"

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")
const { needsPostgres = false, tests } = mutatedPackage(process.env["PAYMUX_MUTATED_PACKAGE"])

/** Stryker runs a copy of the repository, in which `node_modules` still leads to the original packages. */
const original = dirname(realpathSync(join(root, "node_modules")))

const packagesOfCopy: Plugin = {
  name: "packages-of-copy",
  enforce: "pre",
  async resolveId(source, importer, options) {
    if (!/^(@paymux\/|paymux$)/.test(source)) return null
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (resolved === null || !resolved.id.startsWith(`${original}/`)) return resolved
    const id = root + resolved.id.slice(original.length)
    return existsSync(id) ? { ...resolved, id } : resolved
  }
}

export default defineConfig({
  root,
  plugins: [packagesOfCopy],
  test: {
    include: [...tests],
    globalSetup: needsPostgres ? ["test/support/postgres.ts"] : [],
    pool: "threads",
    // The engine and Effect are loaded once for all files. No test of these keeps state in a module.
    isolate: false,
    sequence: { sequencer: inOrder(root, tests) },
    provide: { input: "part" },
    // Only what hangs in the first run ends by these. Stryker has its own limit for a mutant.
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
