import { assert, describe, it } from "@effect/vitest"
import { Ids } from "@paymux/core"
import { Deferred, Effect, Layer, Redacted, Result } from "effect"
import type { Context } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { temporaryFile } from "../../sql/test/OnDisk.ts"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { PostgresClient } from "../../sql/src/index.ts"
import { fanOut, readSecret, WebhookEndpoints, webhookMigrations } from "../src/index.ts"
import {
  addEndpoint,
  deliveryRows,
  environment,
  happens,
  knownSecret,
  postgresEnvironment,
  serverSecret,
  tenant
} from "./TestEnvironment.ts"

const live = { account: "default", livemode: true }
const other = { account: "other", livemode: false }

describe("WebhookEndpoints", () => {
  it.effect("an added endpoint is listed without its secret, which only the answer to adding contains", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { endpoint, secret } = yield* endpoints.add({ ...tenant, url: "https://shop.io/hook" })
      assert.match(endpoint.id, /^we_[0-7][0-9a-z]{25}$/)
      assert.match(Redacted.value(secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
      const listed = yield* endpoints.list(tenant)
      assert.deepStrictEqual(listed, [endpoint])
      assert.notInclude(JSON.stringify(listed), Redacted.value(secret).slice(6))
    }).pipe(Effect.provide(environment()))
  )

  it.effect("the key to sign with is that of the secret, given or made", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      for (const options of [{ secret: knownSecret }, {}]) {
        const { endpoint, secret } = yield* endpoints.add({ ...tenant, url: "https://shop.io", ...options })
        const target = yield* endpoints.target(endpoint.id)
        assert.deepStrictEqual(target?.endpoint, endpoint)
        const expected = Redacted.value(yield* readSecret(secret))
        assert.deepStrictEqual(target === null ? null : Redacted.value(target.key), expected)
      }
    }).pipe(Effect.provide(environment()))
  )

  it.effect("no secret can be read in the database's files", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const written = yield* Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        yield* endpoints.add({ ...tenant, url: "https://shop.io/canary", secret: knownSecret })
        return filesBeside(filename)
      }).pipe(Effect.provide(environment({ filename })))
      const bytes = Buffer.concat([...written, ...filesBeside(filename)])
      const base64 = Redacted.value(knownSecret).slice("whsec_".length)
      assert.isTrue(bytes.includes("https://shop.io/canary"))
      assert.isFalse(bytes.includes(base64))
      assert.isFalse(bytes.includes(Buffer.from(base64, "base64")))
    })
  )

  it.effect("another server secret is an error that names the endpoint", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const endpoint = yield* addEndpoint("https://shop.io").pipe(Effect.provide(environment({ filename })))
      const error = yield* Effect.flatMap(WebhookEndpoints, (endpoints) => endpoints.target(endpoint.id)).pipe(
        Effect.flip,
        Effect.provide(environment({ filename, secrets: [Redacted.make("another one")] }))
      )
      assert.strictEqual(error._tag, "EndpointSecretUnreadable")
      assert.include(error.message, endpoint.id)
    })
  )

  it.effect("a secret that was moved to another row does not open there", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const sql = yield* SqlClient.SqlClient
      const one = yield* addEndpoint("https://shop.io/1")
      const two = yield* addEndpoint("https://shop.io/2")
      yield* sql`UPDATE webhook_endpoints SET secret = (SELECT secret FROM webhook_endpoints WHERE id = ${one.id})
        WHERE id = ${two.id}`
      assert.strictEqual((yield* Effect.flip(endpoints.target(two.id)))._tag, "EndpointSecretUnreadable")
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an account and mode see, remove and are notified of their own only", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const tenants = [tenant, live, other]
      const added = yield* Effect.forEach(tenants, (owner) => addEndpoint("https://shop.io", owner))
      for (const [index, owner] of tenants.entries()) {
        assert.deepStrictEqual(yield* endpoints.list(owner), added.slice(index, index + 1))
        const foreign = added.filter((_, at) => at !== index)
        for (const { id } of foreign) assert.isFalse(yield* endpoints.remove(owner, id))
      }
      assert.deepStrictEqual(
        yield* Effect.forEach(tenants, endpoints.list),
        added.map((endpoint) => [endpoint])
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("what was to be delivered to a removed endpoint is canceled", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const stays = yield* addEndpoint("https://shop.io/stays")
      const goes = yield* addEndpoint("https://shop.io/goes")
      yield* happens(1, "payment.succeeded")
      yield* fanOut(10)
      assert.isTrue(yield* endpoints.remove(tenant, goes.id))
      assert.isFalse(yield* endpoints.remove(tenant, goes.id))
      assert.isNull(yield* endpoints.target(goes.id))
      assert.deepStrictEqual(
        (yield* deliveryRows).map((row) => [row.endpoint_id, row.status]),
        [
          [stays.id, "pending"],
          [goes.id, "canceled"]
        ]
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("a refused URL or secret leaves no row", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const refused = [
        { ...tenant, url: "http://10.0.0.1/" },
        { ...live, url: "http://shop.io/" },
        { ...tenant, url: "https://shop.io", secret: Redacted.make("whsec_c2hvcnQ=") }
      ]
      const tags = yield* Effect.forEach(refused, (endpoint) => Effect.flip(endpoints.add(endpoint)))
      assert.deepStrictEqual(
        tags.map(({ _tag }) => _tag),
        ["EndpointUrlRefused", "EndpointUrlRefused", "WebhookSecretInvalid"]
      )
      assert.deepStrictEqual(yield* Effect.forEach([tenant, live], endpoints.list), [[], []])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("an edit changes what it names, for its own account and mode only", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const endpoint = yield* addEndpoint("https://shop.io/1", { events: ["payment.failed"] })
      const moved = { ...endpoint, url: "https://shop.io/2" }
      assert.deepStrictEqual(yield* endpoints.update(tenant, endpoint.id, { url: moved.url }), moved)
      const events = ["payment.succeeded", "payment.pending", "payment.succeeded"] as const
      assert.deepStrictEqual(yield* endpoints.update(tenant, endpoint.id, { events }), {
        ...moved,
        events: ["payment.succeeded", "payment.pending"]
      })
      const all = { ...moved, events: null }
      assert.deepStrictEqual(yield* endpoints.update(tenant, endpoint.id, { events: null }), all)
      assert.deepStrictEqual(yield* endpoints.update(tenant, endpoint.id, {}), all)
      for (const owner of [live, other]) {
        assert.isNull(yield* endpoints.update(owner, endpoint.id, { url: "https://other.io" }))
      }
      const refused = yield* Effect.forEach(
        [
          { url: "http://10.0.0.1/" },
          { url: "javascript:alert(1)" },
          { events: [] as never },
          { events: ["x"] as never }
        ],
        (changes) => Effect.flip(endpoints.update(tenant, endpoint.id, changes))
      )
      assert.deepStrictEqual(
        refused.map(({ _tag }) => _tag),
        ["EndpointUrlRefused", "EndpointUrlRefused", "EndpointEventsInvalid", "EndpointEventsInvalid"]
      )
      assert.deepStrictEqual(yield* endpoints.list(tenant), [all])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("is disabled by an operator of its own account and mode, and enabled again", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { id } = yield* addEndpoint("https://shop.io/1")
      yield* happens(1, "payment.succeeded")
      yield* fanOut(10)
      for (const owner of [live, other]) assert.isFalse(yield* endpoints.disable(owner, id))
      assert.isTrue(yield* endpoints.disable(tenant, id))
      const [disabled] = yield* endpoints.list(tenant)
      assert.strictEqual(disabled?.disabledReason, "operator")
      assert.deepStrictEqual(
        (yield* deliveryRows).map(({ status }) => status),
        ["canceled"]
      )
      // Again: the reason and the time stay.
      assert.isTrue(yield* endpoints.disable(tenant, id))
      assert.deepStrictEqual(yield* endpoints.list(tenant), disabled === undefined ? [] : [disabled])
      for (const owner of [live, other]) assert.isFalse(yield* endpoints.enable(owner, id))
      assert.isTrue(yield* endpoints.enable(tenant, id))
      assert.isNotNull(yield* endpoints.target(id))
    }).pipe(Effect.provide(environment()))
  )

  it.effect("the program's own endpoint cannot be edited or disabled", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { id } = yield* endpoints.addProcess(tenant)
      assert.isNull(yield* endpoints.update(tenant, id, { url: "https://shop.io" }))
      assert.isFalse(yield* endpoints.disable(tenant, id))
    }).pipe(Effect.provide(environment()))
  )

  it.effect.each([
    ["SQLite", () => environment()],
    ["PostgreSQL", () => postgresEnvironment()]
  ] as const)("an account has at most 50 in a mode, however many are added at the same time, on %s", ([, database]) =>
    Effect.gen(function* () {
      const results = yield* Effect.forEach(
        Array.from({ length: 80 }),
        (_, n) => Effect.result(addEndpoint(`https://shop.io/${n}`)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(results.filter(Result.isSuccess), 50)
      assert.strictEqual((yield* Effect.flip(addEndpoint("https://shop.io/51")))._tag, "TooManyEndpoints")
      yield* addEndpoint("https://shop.io/51", other)
    }).pipe(Effect.provide(database()))
  )

  it.effect("an account has at most 50, also where four processes add its first ones, on PostgreSQL", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([webhookMigrations])
      const processes = yield* Effect.forEach(Array.from({ length: 4 }), () => Layer.build(process(url)))
      // A connection that is opened on the way would come when the others are done.
      yield* openConnections(processes, 10)
      for (const owner of [tenant, live, other]) {
        const results = yield* Effect.forEach(
          Array.from({ length: 20 }, () => processes).flat(),
          (services, n) =>
            Effect.result(addEndpoint(`https://shop.io/${n}`, owner)).pipe(Effect.provideContext(services)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(results.filter(Result.isSuccess), 50)
      }
    })
  )

  it.effect("a list of what to open that cannot be read keeps the service from starting", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(environment({ allow: ["10.0.0.0/99"] })))
      assert.strictEqual(error._tag, "AllowListInvalid")
    })
  )
})

/** A process with ten connections to this database. */
const process = (url: string) =>
  WebhookEndpoints.layer({ allow: [], secrets: [serverSecret] }).pipe(
    Layer.provideMerge(Layer.merge(Ids.layer, Layer.orDie(PostgresClient.layer({ url: Redacted.make(url) })))),
    Layer.fresh
  )

/** Holds so many connections of each process until all are open. */
const openConnections = Effect.fnUntraced(function* (
  processes: ReadonlyArray<Context.Context<SqlClient.SqlClient>>,
  each: number
) {
  const allOpen = yield* Deferred.make<void>()
  const state = { open: 0 }
  const opened = Effect.suspend(() => {
    state.open += 1
    return state.open === processes.length * each ? Deferred.succeed(allOpen, undefined) : Deferred.await(allOpen)
  })
  yield* Effect.forEach(
    Array.from({ length: each }, () => processes).flat(),
    (services) =>
      SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.andThen(sql`SELECT 1`, opened))).pipe(
        Effect.provideContext(services)
      ),
    { concurrency: "unbounded" }
  )
})

const filesBeside = (filename: string) =>
  readdirSync(dirname(filename)).map((name) => readFileSync(join(dirname(filename), name)))
