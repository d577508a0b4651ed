/** The scripts written by hand do the same work as the engine: else the benches that compare them end with what differs. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { engineBench } from "./bench/EngineBench.ts"
import { bodyNames, httpBench } from "./bench/HttpBench.ts"
import { postgresBench } from "./bench/PostgresBench.ts"
import { inTurn } from "./support/amount.ts"

const directory = mkdtempSync(join(tmpdir(), "paymux-bench-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const once = { rounds: 1, warmUps: 0, paymentsPerSlice: 64, sliceMs: 200, progress: () => undefined }

describe("the benches", () => {
  it("write the same rows on SQLite", { timeout: 60_000 }, async () => {
    const { measured, storage } = await engineBench({ directory, ...once })
    assert.lengthOf(measured, 5)
    for (const { fileBytes, indexEntries, logBytes } of storage) {
      assert.isAbove(logBytes, fileBytes)
      assert.isAbove(indexEntries, 1)
    }
  })

  it("write the same rows over HTTP", { timeout: 60_000 }, async () => {
    assert.lengthOf(await httpBench({ directory, ...once, samples: inTurn(bodyNames) }), 5)
  })

  it("write the same rows on PostgreSQL", { timeout: 60_000 }, async () => {
    const { measured, storage } = await postgresBench(once)
    assert.lengthOf(measured, 3)
    for (const { heapOnly, logBytes } of storage) {
      assert.isAbove(logBytes, 1_000)
      assert.isAtLeast(heapOnly ?? -1, 0)
    }
  })
})
