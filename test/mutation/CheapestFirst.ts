/** The order of the judges: tests of pure functions, tests of the engine, the books, the simulation, and tests of many virtual days. */
import { BaseSequencer } from "vitest/node"
import type { TestSpecification } from "vitest/node"

const ranks: ReadonlyArray<RegExp> = [
  /core\/test\/domain\/(?!histories|RawCardData)/,
  /core\/test\/execution\//,
  /core\/test\/engine\/(?!expiry|races|retention|reviews|recovery|erasure|adversity)/,
  /core\/test\/engine\/(adversity|erasure)/,
  /books\/books/,
  /mutation\/simulation/
]

export class CheapestFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return Promise.resolve(files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1)))
  }
}

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = ranks.findIndex((pattern) => pattern.test(moduleId.replaceAll("\\", "/")))
  return rank === -1 ? ranks.length : rank
}
