import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { resultOf, runSteps } from "../../src/sqlite/steps.ts"
import type { Commit, Step } from "../../src/sqlite/steps.ts"

const open = () => {
  const db = new DatabaseSync(":memory:")
  db.exec("CREATE TABLE items (id INTEGER PRIMARY KEY, body TEXT) STRICT")
  const run = <A>(commit: Commit<A>): A =>
    resultOf(
      commit,
      runSteps((sql) => db.prepare(sql), commit.steps)
    )
  return {
    run,
    ids: () =>
      db
        .prepare("SELECT id FROM items ORDER BY id")
        .all()
        .map(({ id }) => id)
  }
}

const insert = (id: number): Step<never> => ({ sql: "INSERT INTO items VALUES (?, 'a')", values: [id], need: null })
const change = (id: number, read: boolean): Step<string> => ({
  sql: "UPDATE items SET body = 'b' WHERE id = ?",
  values: [id],
  need: {
    of: "change",
    otherwise: read ? { sql: "SELECT count(*) AS count FROM items", values: [] } : null,
    result: (row) => `nothing changed, ${JSON.stringify(row)}`
  }
})
const free = (id: number): Step<string> => ({
  sql: "SELECT body FROM items WHERE id = ?",
  values: [id],
  need: { of: "no_row", otherwise: null, result: (row) => `taken, ${JSON.stringify(row)}` }
})

describe("a commit as data", () => {
  it("runs every step where each need is met", () => {
    const { ids, run } = open()
    assert.strictEqual(run({ steps: [free(1), insert(1), change(1, true), insert(2)], done: "done" }), "done")
    assert.deepStrictEqual(ids(), [1, 2])
  })

  it("ends where a row is found that must not be there, with that row", () => {
    const { ids, run } = open()
    run({ steps: [insert(1)], done: null })
    assert.strictEqual(run({ steps: [free(1), insert(2)], done: "done" }), 'taken, {"body":"a"}')
    assert.deepStrictEqual(ids(), [1])
  })

  it("ends where nothing was changed that must be, with what is read then", () => {
    const { ids, run } = open()
    assert.strictEqual(run({ steps: [change(1, true), insert(2)], done: "done" }), 'nothing changed, {"count":0}')
    assert.strictEqual(run({ steps: [change(1, false), insert(2)], done: "done" }), "nothing changed, null")
    assert.deepStrictEqual(ids(), [])
  })

  it("without a step is done", () => {
    assert.strictEqual(open().run({ steps: [], done: "done" }), "done")
  })
})
