import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "packages/paymux/templates/*/test/**/*.test.ts",
      "packages/adapters/*/test/**/*.test.ts",
      "docs/examples/*/test/**/*.test.ts",
      "test/**/*.test.ts"
    ],
    exclude: [...configDefaults.exclude, "test/long/**"],
    globalSetup: "test/support/postgres.ts",
    pool: "threads",
    // By itself a machine of two cores gets one: much here waits for a chain, a disk or a process.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000
  }
})
