import { globSync, readFileSync } from "node:fs"
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
      // One file at a time: some take every core.
      fileParallelism: false,
      testTimeout: 600_000,
      hookTimeout: 60_000
    }
  })
)
