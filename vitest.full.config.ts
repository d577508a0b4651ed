import { availableParallelism } from "node:os"
import { configDefaults, defineConfig, mergeConfig } from "vitest/config"
import { filesInPart } from "./test/support/turns.ts"
import base from "./vitest.config.ts"

const { include = [] } = base.test ?? {}

/** All input: minutes instead of seconds. `pnpm test:full` runs it file by file. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: configDefaults.exclude } },
  defineConfig({
    test: {
      include: ["test/long/**/*.test.ts", ...filesInPart(import.meta.dirname, [...include])],
      provide: { input: "all" },
      // Fewer than for the ordinary tests: some files take every core.
      maxWorkers: Math.max(2, availableParallelism()),
      testTimeout: 600_000,
      hookTimeout: 120_000
    }
  })
)
