import { availableParallelism } from "node:os"
import { join } from "node:path"
import { configDefaults, defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/LongestFirst.ts"
import { readTurn, sliceOf } from "./test/support/turns.ts"

const include = [
  "packages/*/test/**/*.test.ts",
  "packages/paymux/templates/*/test/**/*.test.ts",
  "packages/adapters/*/test/**/*.test.ts",
  "docs/examples/*/test/**/*.test.ts",
  "test/**/*.test.ts"
]

/** CI: the ordinary tests, and a slice of those that take minutes. */
const turn = readTurn(process.env["PAYMUX_SLICE"])
const slice = turn === null ? null : sliceOf(import.meta.dirname, include, turn)

export default defineConfig({
  test: {
    include,
    exclude: [...configDefaults.exclude, ...(slice === null ? ["test/long/**"] : slice.waiting)],
    globalSetup: [
      "test/support/machineSpeed.ts",
      "test/support/temporaryFolder.ts",
      "test/support/dashboardApp.ts",
      "test/support/exampleFolder.ts",
      "test/support/postgres.ts"
    ],
    pool: "threads",
    // A thread loads the engine and Effect once for all its files. No test keeps state in a module.
    isolate: false,
    // Node loads the sources as it does where the product runs from them, in less time than Vite's own loader. No test mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More than cores: a file waits for sockets, processes and databases for more than half of its time.
    maxWorkers: 2 * Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Processes and threads that the tests start load compiled code, in half the time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
    provide: { input: slice ?? "part" },
    // Only what hangs ends by these: a machine that is busy with something else takes several times as long.
    testTimeout: slice === null ? 120_000 : 600_000,
    hookTimeout: 120_000
  }
})
