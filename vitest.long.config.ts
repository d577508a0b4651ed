import { configDefaults, defineConfig, mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** Minutes instead of seconds: one file at a time, since each takes the whole machine. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: configDefaults.exclude } },
  defineConfig({
    test: { include: ["test/long/**/*.test.ts"], fileParallelism: false, testTimeout: 600_000, hookTimeout: 60_000 }
  })
)
