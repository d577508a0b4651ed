/** A table of ids, for what is written many times. */
import type { Commit } from "../../../src/sqlite/steps.ts"

export const createItems = "CREATE TABLE items (id INTEGER PRIMARY KEY) STRICT"

export const insert = (id: number): Commit<number> => ({
  steps: [{ sql: "INSERT INTO items (id) VALUES (?)", values: [id], need: null }],
  done: id
})

export const range = (from: number, to: number): Array<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

export const together = { concurrency: "unbounded" } as const
