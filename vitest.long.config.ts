import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { configDefaults, defineConfig, mergeConfig } from "vitest/config"
import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"
import base from "./vitest.config.ts"

const { include = [] } = base.test ?? {}

/** Files of which the ordinary tests try a part. */
const triedInPart = globSync([...include], { cwd: import.meta.dirname, exclude: ["**/node_modules/**"] }).filter(
  (file) => readFileSync(file, "utf8").includes("/support/amount.ts")
)

/** The files that take the longest, which would else come last: where nothing is known, Vitest begins with large files. */
const longest = ["refusals", "crash", "faults", "retryBudget", "inability"]

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Minutes instead of seconds. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: configDefaults.exclude } },
  defineConfig({
    test: {
      include: ["test/long/**/*.test.ts", ...triedInPart],
      sequence: { sequencer: LongestFirst },
      provide: { input: "all" },
      // Fewer than for the ordinary tests: some files take every core.
      maxWorkers: Math.max(2, availableParallelism()),
      testTimeout: 600_000,
      hookTimeout: 120_000
    }
  })
)
