/** Lists by metadata: which keys have an index, who makes it, and the warning without one. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { PostgresClient } from "@paymux/sql"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { engineDatabaseLayer, migrations } from "../src/Database.ts"
import { createPaymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "paymux-lists-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const commands = Effect.acquireRelease(Effect.sync(startCommands), ({ stop }) => Effect.sync(stop))

const indexesOf = (file: string): ReadonlyArray<unknown> => {
  const db = new DatabaseSync(file)
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'payments_by_metadata%' ORDER BY name").all()
  db.close()
  return names.map(({ name }) => name)
}

const card = (order: string) =>
  ({
    amount: 1200,
    currency: "EUR",
    payment_method: "card",
    customer: { email: "asha@example.com", phone: "+4915112345678" },
    payment_method_details: { card: { token: "tok_success" } },
    metadata: { order_id: order, "Order.Id": order }
  }) as const

describe("on SQLite", () => {
  it.live("the start makes an index for each key, order_id where nothing is said, and keeps those that are there", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "payments.db")
      const listed = (indexedMetadata?: ReadonlyArray<string>) =>
        Effect.promise(async () => {
          const options = { sandbox: true, database: `sqlite:${file}` } as const
          await using paymux = await createPaymux(
            indexedMetadata === undefined ? options : { ...options, indexedMetadata }
          )
          const { id } = await paymux.payments.create(card("42"))
          const page = await paymux.payments.list({ metadata: { order_id: "42", "Order.Id": ["42", "43"] } })
          assert.strictEqual(page.data[0]?.id, id)
          return page.data.length
        })
      assert.strictEqual(yield* listed(), 1)
      assert.deepStrictEqual(indexesOf(file), ["payments_by_metadata_order_id"])
      assert.strictEqual(yield* listed(["Order.Id"]), 2)
      assert.deepStrictEqual(indexesOf(file), ["payments_by_metadata_^Order.^Id", "payments_by_metadata_order_id"])
      assert.strictEqual(yield* listed([]), 3)
    })
  )

  it.live("commands beside a server make none, and `paymux migrate` makes those of the configuration", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const { run } = yield* commands
      const ran = (...args: ReadonlyArray<string>) => Effect.promise(() => run(cwd, ...args))
      assert.strictEqual((yield* ran("keys", "create", "--database", "sqlite:payments.db")).code, 0)
      assert.deepStrictEqual(indexesOf(join(cwd, "payments.db")), [])
      const configuration = (options: object) =>
        writeFileSync(join(cwd, "other.mjs"), `export default ${JSON.stringify(options)}`)
      configuration({ database: "sqlite:payments.db", indexedMetadata: ["sku"] })
      const looked = yield* ran("migrate", "--config", "other.mjs", "--dry-run")
      assert.strictEqual(looked.code, 1)
      assert.match(looked.stdout, /metadata sku/)
      assert.deepStrictEqual(indexesOf(join(cwd, "payments.db")), [])
      const migrated = yield* ran("migrate", "--config", "other.mjs")
      assert.deepStrictEqual([migrated.code, /metadata sku/.test(migrated.stdout)], [0, true])
      assert.deepStrictEqual(indexesOf(join(cwd, "payments.db")), ["payments_by_metadata_sku"])
      assert.match((yield* ran("migrate", "--config", "other.mjs")).stderr, /is up to date/)
    })
  )
})

describe("on PostgreSQL", () => {
  it.live("`paymux migrate` makes the indexes, and a server warns of a key without one", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const { run } = yield* commands
      const cwd = yield* folder
      writeFileSync(join(cwd, "paymux.config.mjs"), `export default { indexedMetadata: ["order_id", "Order.Id"] }`)
      const migrated = yield* Effect.promise(() => run(cwd, "migrate", "--database", url))
      assert.strictEqual(migrated.code, 0, migrated.stderr)
      assert.match(migrated.stdout, /metadata order_id[^]*metadata Order.Id/)
      const again = yield* Effect.promise(() => run(cwd, "migrate", "--database", url, "--dry-run"))
      assert.deepStrictEqual([again.code, again.stdout], [0, ""])
      assert.deepStrictEqual(yield* warningsAt(url, ["order_id", "Order.Id"]), [])
      const [warning = "", ...others] = yield* warningsAt(url, ["order_id", "sku", "basket"])
      assert.match(warning, /no index for metadata sku, basket.*"paymux migrate"/)
      assert.deepStrictEqual(others, [])
    })
  )

  it.live("a list that looks for too long is answered 503, and says what helps", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase(migrations)
      const client = yield* Layer.build(PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
      const sql = Context.get(client, SqlClient.SqlClient)
      yield* Effect.promise(async () => {
        await using paymux = await createPaymux({ sandbox: true, database: url })
        await paymux.payments.create(card("42"))
        // Each row that is looked at takes as long as PostgreSQL gives a list.
        await Effect.runPromise(sql`ALTER TABLE payments RENAME TO stored`)
        await Effect.runPromise(sql`CREATE VIEW payments AS SELECT * FROM stored WHERE pg_sleep(2) IS NOT NULL`)
        const headers = { authorization: `Bearer ${paymux.testKey}` }
        const answer = await paymux.fetch(new Request("http://localhost/v1/payments", { headers }))
        assert.strictEqual(answer.status, 503)
        assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        const problem: unknown = await answer.json()
        assert.deepInclude(problem, {
          code: "service_unavailable",
          detail: "The list took longer than two seconds: narrow the filters."
        })
        const rejected = await paymux.payments.list().catch((error: unknown) => error)
        assert.deepNestedInclude(rejected, { "reason._tag": "ListTimedOut" })
        await Effect.runPromise(sql`DROP VIEW payments`)
        await Effect.runPromise(sql`ALTER TABLE stored RENAME TO payments`)
      })
    })
  )
})

/** What an engine that is started there warns of. */
const warningsAt = Effect.fnUntraced(function* (url: string, keys: ReadonlyArray<string>) {
  const warnings: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(String(message))))
  const database = { _tag: "Postgres", url: Redacted.make(url), shown: "postgres", maxConnections: 2 } as const
  yield* Effect.scoped(Layer.build(Layer.provideMerge(engineDatabaseLayer(database, keys), Logger.layer([logger]))))
  return warnings
})
