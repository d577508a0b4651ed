/** Runs test files in the order of the globs that they match. */
import { matchesGlob, relative } from "node:path"
import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"

export const inOrder = (root: string, globs: ReadonlyArray<string>): typeof BaseSequencer =>
  class extends BaseSequencer {
    override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
      const rankOf = ({ moduleId }: TestSpecification): number =>
        globs.findIndex((glob) => matchesGlob(relative(root, moduleId), glob))
      return Promise.resolve(files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1)))
    }
  }
