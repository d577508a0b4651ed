/** `paymux secret rotate` is killed in the middle, and run again. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient, SqliteClient } from "@paymux/sql"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createPaymux } from "../../src/index.ts"
import { startCommands } from "../Commands.ts"
import { emptyDatabases } from "../emptyDatabases.ts"
import { addUser, secrets, textsReadBy } from "./secretDatabase.ts"

const databases = await emptyDatabases()
const [former] = secrets.former
const [next] = secrets.next
const PAYMUX_SECRET = JSON.stringify([Redacted.value(next), Redacted.value(former)])

/** Two texts each: many batches of the rotation. */
const users = 4_000

const client = (url: string): Layer.Layer<SqlClient.SqlClient> =>
  Layer.orDie<SqlClient.SqlClient, unknown, never>(
    url.startsWith("sqlite:")
      ? SqliteClient.layer({ filename: url.slice("sqlite:".length), busyTimeoutMs: 10_000 })
      : PostgresClient.layer({ url: Redacted.make(url) })
  )

const start = (database: string, ...secret: ReadonlyArray<Redacted.Redacted>) =>
  createPaymux({ sandbox: true, database, secret: secret.map(Redacted.value), logs: false })

/** How many texts these secrets read, of all. */
const readBy = (given: Parameters<typeof textsReadBy>[0]) =>
  Effect.map(textsReadBy(given), (all) => [all.filter((text) => text !== null).length, all.length] as const)

describe.each(["sqlite", "postgres"] as const)("a rotation of the secret that is killed, on %s", (name) => {
  const database = databases[name]
  const on = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.runPromise(Effect.provide(effect, client(database), { local: true }))
  const rotate = async () => {
    const commands = startCommands({ PAYMUX_SECRET })
    const ran = await commands.run(databases.folder, "secret", "rotate", "--database", database)
    commands.stop()
    return ran
  }

  it("loses no text, and goes on where it was", async () => {
    await (await start(database, former)).close()
    await on(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.forEach(Array.from({ length: users }), (_, n) => addUser(secrets.former, `usr_${n}`), {
            discard: true
          })
        )
      )
    )
    const texts = await on(textsReadBy(secrets.former))
    const commands = startCommands({ PAYMUX_SECRET })
    const killed = commands.run(databases.folder, "secret", "rotate", "--database", database).then(
      () => assert.fail("it ended before it was killed"),
      (error: unknown) => String(error)
    )
    await on(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const firstText = Effect.map(
          sql<{ readonly totp: string }>`SELECT totp FROM paymux_users ORDER BY id LIMIT 1`,
          ([row]) => row?.totp
        )
        const before = yield* firstText
        const watch = Effect.gen(function* () {
          while ((yield* firstText) === before) yield* Effect.sleep(1)
          commands.kill()
        })
        // It rejects where the command has ended on its own.
        yield* Effect.raceFirst(
          watch,
          Effect.promise(() => killed)
        )
      })
    )
    await killed
    const [read, all] = await on(readBy(secrets.next))
    assert.isAbove(read, 0)
    assert.isBelow(read, all)
    assert.deepStrictEqual(await on(textsReadBy(secrets.nextThenFormer)), texts)
    const refused = await start(database, next).then(
      () => "it starts",
      (error: unknown) => String(error)
    )
    assert.include(refused, "also has data that is encrypted by another secret")
    await (await start(database, next, former)).close()

    // A rotation that was killed counts for 10 seconds.
    let again = await rotate()
    while (again.code !== 0) {
      assert.include(again.stderr, "One that was killed counts for 10 seconds")
      await new Promise((resolve) => setTimeout(resolve, 500))
      again = await rotate()
    }
    assert.include(again.stdout, `${all - read} of them`)
    assert.deepStrictEqual(await on(textsReadBy(secrets.next)), texts)
    // With the old secret first, the sentence must not lead to the removal of the new one.
    const nothing = await rotate()
    assert.include(nothing.stdout, `Nothing was replaced: the first secret encrypts all ${all} secrets`)
    assert.include(nothing.stdout, "If it is not the new one, put the new one first")
    await (await start(database, next)).close()
  })
})
