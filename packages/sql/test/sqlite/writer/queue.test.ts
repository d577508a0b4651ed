/** Which of the two writes what, and when: with a writer that answers when the test lets it. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import * as GroupCommit from "../../../src/sqlite/GroupCommit.ts"
import { layer, SqliteDatabase } from "../../../src/sqlite/SqliteClient.ts"
import { runSteps } from "../../../src/sqlite/steps.ts"
import type { WrittenCommit, Writer } from "../../../src/sqlite/writer/Writer.ts"
import { createItems, insert, range, together } from "./items.ts"

const turns = (count: number) =>
  Effect.promise(async () => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
  })

const setUp = Effect.fnUntraced(function* (fewestSent: number) {
  const database = yield* SqliteDatabase
  const { db, prepare } = database
  db.exec(createItems)
  const open: Array<{ readonly commits: ReadonlyArray<WrittenCommit>; readonly settled: () => void }> = []
  const sizes: Array<number> = []
  const writer: Writer = {
    isReady: () => true,
    send: (commits, settled) => {
      sizes.push(commits.length)
      open.push({ commits, settled })
    },
    close: Effect.void
  }
  /** Writes the oldest batch. */
  const answer = () => {
    const batch = open.shift()
    for (const { done, steps } of batch?.commits ?? []) done(runSteps(prepare, steps))
    batch?.settled()
    return batch !== undefined
  }
  /** Until nothing is left to be written. */
  const answerAll = Effect.gen(function* () {
    for (let quiet = 0; quiet < 10;) {
      quiet = answer() ? 0 : quiet + 1
      yield* turns(1)
    }
  })
  return { database, group: GroupCommit.make({ database, writer, fewestSent }), open, sizes, answer, answerAll }
})

const inMemory = <A, E>(test: Effect.Effect<A, E, SqliteDatabase | SqlClient.SqlClient>) =>
  Effect.provide(test, layer({ filename: ":memory:" }))

const count = ({ prepare }: SqliteDatabase["Service"]) => prepare("SELECT * FROM items").all().length

describe("what waits for the thread that writes", () => {
  it.live("is given to it from so many on, and written here below", () =>
    inMemory(
      Effect.gen(function* () {
        const { answerAll, database, group, sizes } = yield* setUp(5)
        yield* Effect.forEach(range(1, 4), (id) => group.submit(insert(id)), together)
        assert.deepStrictEqual(sizes, [])
        const more = yield* Effect.forkChild(
          Effect.forEach(range(5, 9), (id) => group.submit(insert(id)), together),
          { startImmediately: true }
        )
        yield* answerAll
        assert.deepStrictEqual(yield* Fiber.join(more), range(5, 9))
        assert.deepStrictEqual(sizes, [5])
        assert.strictEqual(count(database), 9)
      })
    )
  )

  it.live("is given to it in halves, at most two at a time", () =>
    inMemory(
      Effect.gen(function* () {
        const { answer, answerAll, group, open, sizes } = yield* setUp(4)
        const payment = (id: number) =>
          Effect.andThen(
            group.submit(insert(id)),
            Effect.andThen(group.submit(insert(1000 + id)), group.submit(insert(2000 + id)))
          )
        const all = yield* Effect.forkChild(Effect.forEach(range(1, 64), payment, together), { startImmediately: true })
        yield* turns(6)
        assert.deepStrictEqual(sizes, [64])
        answer()
        // What comes next is sent as soon as it is a half, and not at the end of the turn.
        assert.strictEqual(open.length, 2)
        const more = yield* Effect.forkChild(Effect.forEach(range(101, 164), payment, together), {
          startImmediately: true
        })
        yield* turns(6)
        assert.strictEqual(open.length, 2)
        yield* answerAll
        assert.deepStrictEqual((yield* Fiber.join(all)).length, 64)
        yield* Fiber.join(more)
        assert.isAtLeast(sizes.length, 5)
      })
    )
  )

  it.live("is overtaken by nothing: a function waits for the thread, and so does what comes after it", () =>
    inMemory(
      Effect.gen(function* () {
        const { answerAll, group, open } = yield* setUp(1)
        const seen: Array<number> = []
        const look = group.submit((database) => void seen.push(count(database)))
        const submit = (units: ReadonlyArray<Effect.Effect<unknown, unknown>>) =>
          Effect.forkChild(Effect.all(units, together), { startImmediately: true })
        const first = yield* submit([...range(1, 3).map((id) => group.submit(insert(id))), look])
        yield* turns(10)
        const later = yield* submit([group.submit(insert(4)), look])
        yield* turns(10)
        assert.deepStrictEqual(seen, [])
        assert.deepStrictEqual(
          open.map(({ commits }) => commits.length),
          [3]
        )
        yield* answerAll
        yield* Fiber.join(first)
        yield* Fiber.join(later)
        assert.deepStrictEqual(seen, [3, 4])
      })
    )
  )

  it.live("is not overtaken either after a transaction whose fiber commits next", () =>
    inMemory(
      Effect.gen(function* () {
        const { answerAll, database, group } = yield* setUp(1)
        const sql = yield* SqlClient.SqlClient
        const opened = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const first = yield* Effect.forkChild(
          Effect.andThen(
            sql.withTransaction(Effect.andThen(Deferred.succeed(opened, undefined), Deferred.await(go))),
            Effect.forEach(range(101, 110), (id) => group.submit(insert(id)), together)
          )
        )
        yield* Deferred.await(opened)
        const seen: Array<ReadonlyArray<number>> = []
        const look = group.submit(({ prepare }) =>
          seen.push(
            prepare("SELECT id FROM items")
              .all()
              .map(({ id }) => Number(id))
          )
        )
        const rest = yield* Effect.forkChild(
          Effect.all([...range(1, 40).map((id) => group.submit(insert(id))), look], together),
          { startImmediately: true }
        )
        yield* turns(6)
        yield* Deferred.succeed(go, undefined)
        yield* answerAll
        yield* Fiber.join(first)
        yield* Fiber.join(rest)
        assert.includeMembers([...(seen[0] ?? [])], range(1, 40))
        assert.strictEqual(count(database), 50)
      })
    )
  )

  it.live("keeps others from the connection while it is written, and not for long", () =>
    inMemory(
      Effect.gen(function* () {
        const { answer, answerAll, database, group, sizes } = yield* setUp(1)
        const sql = yield* SqlClient.SqlClient
        let stopped = false
        const endless = (id: number): Effect.Effect<void, unknown> =>
          Effect.suspend(() => (stopped ? Effect.void : Effect.andThen(group.submit(insert(id)), endless(id + 100))))
        const load = yield* Effect.forkChild(Effect.forEach(range(1, 20), endless, together), {
          startImmediately: true
        })
        yield* turns(6)
        const other = yield* Effect.forkChild(sql`INSERT INTO items (id) VALUES (-1)`, { startImmediately: true })
        yield* turns(6)
        const isThere = () => database.prepare("SELECT 1 FROM items WHERE id = -1").get() !== undefined
        assert.isFalse(isThere())
        for (let batch = 0; batch < 20 && !isThere(); batch++) {
          answer()
          yield* turns(4)
        }
        assert.isTrue(isThere())
        yield* Fiber.join(other)
        stopped = true
        yield* answerAll
        yield* Fiber.join(load)
        assert.isAbove(sizes.length, 5)
      })
    )
  )

  it.live("gives the connection back once nothing waits", () =>
    inMemory(
      Effect.gen(function* () {
        const { answerAll, group } = yield* setUp(1)
        const sql = yield* SqlClient.SqlClient
        const one = yield* Effect.forkChild(group.submit(insert(1)), { startImmediately: true })
        yield* answerAll
        yield* Fiber.join(one)
        yield* sql`INSERT INTO items (id) VALUES (2)`
        assert.strictEqual(yield* group.submit(count), 2)
      })
    )
  )

  it.live("is at least one commit, whatever is asked for", () =>
    inMemory(
      Effect.gen(function* () {
        const { answerAll, group, sizes } = yield* setUp(0)
        assert.strictEqual(yield* group.submit(count), 0)
        assert.deepStrictEqual(sizes, [])
        const one = yield* Effect.forkChild(group.submit(insert(1)), { startImmediately: true })
        yield* answerAll
        assert.strictEqual(yield* Fiber.join(one), 1)
        assert.deepStrictEqual(sizes, [1])
      })
    )
  )
})
