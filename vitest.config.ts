import { availableParallelism } from "node:os"
import { join } from "node:path"
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
    globalSetup: ["test/support/dashboardApp.ts", "test/support/exampleFolder.ts", "test/support/postgres.ts"],
    pool: "threads",
    // A thread loads the engine and Effect once for all its files. No test keeps state in a module.
    isolate: false,
    // More than cores: a file waits for sockets, processes and databases for more than half of its time.
    maxWorkers: 2 * Math.max(2, availableParallelism()),
    // Processes and threads that the tests start load compiled code, in half the time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
    provide: { input: "part" },
    // Only what hangs ends by these: a machine that is busy with something else takes several times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
