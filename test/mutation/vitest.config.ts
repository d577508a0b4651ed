/** What judges a mutant: the tests nearest to the mutated code, the histories of the books, then a short simulation. Stryker stops at the first failure. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { CheapestFirst } from "./CheapestFirst.ts"

// Stryker runs a copy of the repository, in which `node_modules` still leads to the original packages.
const packages = fileURLToPath(new URL("../../packages/", import.meta.url))
const suites = fileURLToPath(new URL("../suites/", import.meta.url))

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve: {
    alias: [
      { find: /^@paymux\/core$/, replacement: `${packages}core/src/index.ts` },
      { find: /^@paymux\/core\/(\w+)$/, replacement: `${packages}core/src/$1/index.ts` },
      { find: /^@paymux\/testkit$/, replacement: `${packages}testkit/src/index.ts` },
      { find: /^@paymux\/test-suites$/, replacement: `${suites}src/index.ts` },
      { find: /^@paymux\/test-suites\/simulation$/, replacement: `${suites}src/simulation/index.ts` }
    ]
  },
  test: {
    include: [
      "packages/core/test/{domain,execution,engine}/**/*.test.ts",
      "test/books/books.test.ts",
      "test/mutation/simulation.ts"
    ],
    pool: "threads",
    // The engine and Effect are loaded once for all files. No test of these keeps state in a module.
    isolate: false,
    sequence: { sequencer: CheapestFirst },
    testTimeout: 30_000
  }
})
