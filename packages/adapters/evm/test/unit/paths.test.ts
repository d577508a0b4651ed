import { assert, describe, it } from "@effect/vitest"
import { makeIds } from "@paymux/core/engine"
import { memoryContext } from "@paymux/test-suites"
import { Effect } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { makePaths } from "../../src/deposits/paths.ts"

const ids = makeIds(randomBytes, Date.now, (text) => createHmac("sha256", "one").update(text).digest())
const derived = (key: string) => ids.operation(["payments", key]).id
const random = () => ids.operation(null).id
const state = () => memoryContext("evm").state

describe("paths of addresses", () => {
  it.effect("a derived id has one, in every process and database; another id has another", () =>
    Effect.gen(function* () {
      const [one, other] = [makePaths(state()), makePaths(state())]
      const paths = new Set<string>()
      for (let n = 0; n < 1_000; n++) {
        const path = yield* one(derived(`order ${n}`), null)
        assert.strictEqual(yield* other(derived(`order ${n}`), null), path)
        const [branch = 0, place = 0] = path.split("/").map(Number)
        assert.isTrue(branch >= 2 ** 30 && branch < 2 ** 31 && place >= 0 && place < 2 ** 31, path)
        paths.add(path)
      }
      assert.strictEqual(paths.size, 1_000)
    })
  )

  it.effect("a path that another operation has is followed by one that is the same each time", () =>
    Effect.gen(function* () {
      const id = derived("order 1")
      const first = yield* makePaths(state())(id, null)
      const second = yield* makePaths(state())(id, first)
      assert.notStrictEqual(second, first)
      assert.strictEqual(yield* makePaths(state())(id, first), second)
      assert.notStrictEqual(yield* makePaths(state())(id, second), second)
    })
  )

  it.effect("random ids are counted from 0 in a branch of their process, which is kept", () =>
    Effect.gen(function* () {
      const kept = state()
      const branches = new Set<string>()
      for (let process = 0; process < 50; process++) {
        const next = makePaths(kept)
        const paths = yield* Effect.forEach([random(), random(), random()], (id) => next(id, null), { concurrency: 3 })
        const [branch = ""] = paths[0]?.split("/") ?? []
        assert.deepStrictEqual(paths, [`${Number(branch)}/0`, `${Number(branch)}/1`, `${Number(branch)}/2`])
        assert.isTrue(Number(branch) >= 2 && Number(branch) < 2 ** 30, branch)
        assert.isNotNull(yield* kept.get(`branch/${branch}`))
        branches.add(branch)
      }
      assert.strictEqual(branches.size, 50)
    })
  )
})
