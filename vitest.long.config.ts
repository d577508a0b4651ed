import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { configDefaults, defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

const { include = [] } = base.test ?? {}

/** Files of which the ordinary tests try a part. */
const triedInPart = globSync([...include], { cwd: import.meta.dirname, exclude: ["**/node_modules/**"] }).filter(
  (file) => readFileSync(file, "utf8").includes("/support/amount.ts")
)

/** Minutes instead of seconds. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: configDefaults.exclude } },
  defineConfig({
    test: {
      include: ["test/long/**/*.test.ts", ...triedInPart],
      provide: { input: "all" },
      // Fewer than for the ordinary tests: some files take every core.
      maxWorkers: Math.max(2, availableParallelism()),
      testTimeout: 600_000,
      hookTimeout: 120_000
    }
  })
)
