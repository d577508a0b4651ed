/** A database with all tables, on which servers with several secrets start and end, and endpoints and users have secrets. */
import { Ids } from "@paymux/core"
import type { ServerSecrets } from "@paymux/core/wire"
import { AuditLog, secondFactorColumns } from "@paymux/dashboard"
import { PostgresClient, runMigrations, SqliteClient } from "@paymux/sql"
import { endpointSecretColumns, WebhookEndpoints } from "@paymux/webhooks"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { migrations } from "../../src/Database.ts"
import { Installation } from "../../src/secrets/Installation.ts"
import { rotateSecret } from "../../src/secrets/rotateSecret.ts"

export const secretNamed = (name: string) => Redacted.make(`the ${name} secret of these tests, of 32 characters`)
const former = secretNamed("former")
const next = secretNamed("next")
export const secrets = {
  former: [former],
  formerThenNext: [former, next],
  nextThenFormer: [next, former],
  next: [next]
} as const satisfies Record<string, ServerSecrets>

export const databases: ReadonlyArray<readonly [string, () => Layer.Layer<SqlClient.SqlClient | AuditLog | Ids>]> = [
  [
    "SQLite",
    () =>
      services(
        Layer.provideMerge(Layer.effectDiscard(runMigrations(migrations)), SqliteClient.layer({ filename: ":memory:" }))
      )
  ],
  [
    "PostgreSQL",
    () =>
      services(
        Layer.unwrap(
          Effect.map(temporaryDatabase(migrations), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
        )
      )
  ]
]

const services = <E>(client: Layer.Layer<SqlClient.SqlClient, E>) =>
  Layer.orDie(Layer.merge(AuditLog.layer, Ids.layer).pipe(Layer.provideMerge(client)))

/** A server that runs until its scope is closed. */
export const startServer = Effect.fnUntraced(function* (given: ServerSecrets) {
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(Layer.fresh(Installation.layer(given)), scope)
  const { keys } = Context.get(context, Installation)
  const stop = Scope.close(scope, Exit.void)
  yield* Effect.addFinalizer(() => stop)
  return { keys, stop }
})

/** Starts a server and ends it: returns its keys. */
export const keysWith = (given: ServerSecrets) =>
  Effect.scoped(Effect.map(startServer(given), ({ keys }) => readable(keys)))

export const readable = ({ cookies, names, returns }: Installation["Service"]["keys"]) => ({
  names: Buffer.from(Redacted.value(names)).toString("hex"),
  returns: Buffer.from(Redacted.value(returns)).toString("hex"),
  cookies
})

export const rotate = (given: ServerSecrets) =>
  rotateSecret({ secrets: given, account: "default", onProgress: () => Effect.void })

const tenant = { account: "default", livemode: false }

/** Adds an endpoint as a server with these secrets does, and returns its id and its signing secret. */
export const addEndpoint = Effect.fnUntraced(function* (given: ServerSecrets, account = tenant.account) {
  const { endpoint, secret } = yield* Effect.provide(
    WebhookEndpoints.use((endpoints) => endpoints.add({ ...tenant, account, url: "https://shop.io/hooks" })),
    Layer.fresh(WebhookEndpoints.layer({ secrets: given, allow: [] })),
    { local: true }
  )
  return { id: endpoint.id, signing: Redacted.value(secret) }
})

export const rotateEndpoint = (given: ServerSecrets, id: string) =>
  Effect.provide(
    WebhookEndpoints.use((endpoints) => endpoints.rotate(tenant, id)),
    Layer.fresh(WebhookEndpoints.layer({ secrets: given, allow: [] })),
    { local: true }
  )

/** A user with a second factor, and with another one that is not confirmed yet. */
export const addUser = Effect.fnUntraced(function* (given: ServerSecrets, id: string) {
  const sql = yield* SqlClient.SqlClient
  const box = secondFactorColumns(given)[0]?.box
  if (box === undefined) return
  yield* sql`INSERT INTO paymux_users (id, email, password, totp, totp_pending, totp_step, created_at)
    VALUES (${id}, ${`${id}@example.com`}, 'x', ${box.seal(id, `totp of ${id}`)}, ${box.seal(id, `pending of ${id}`)}, 0, 0)`
})

/** Every encrypted text, as these secrets read it; `null`: they do not. */
export const textsReadBy = Effect.fnUntraced(function* (given: ServerSecrets) {
  const sql = yield* SqlClient.SqlClient
  const texts: Array<string | null> = []
  for (const { box, column, id, table } of [...endpointSecretColumns(given), ...secondFactorColumns(given)]) {
    const rows = yield* sql<{ readonly id: string; readonly sealed: string }>`
      SELECT ${sql.literal(id)} AS id, ${sql.literal(column)} AS sealed FROM ${sql.literal(table)}
      WHERE ${sql.literal(column)} <> '' ORDER BY ${sql.literal(id)}`
    texts.push(...rows.map((row) => box.open(row.id, row.sealed)))
  }
  return texts
})

/** All that a rotation may change. */
export const stored = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    settings: yield* sql<{ readonly name: string; readonly value: string; readonly created_at: number | string }>`
      SELECT name, value, created_at FROM paymux_settings ORDER BY name`,
    endpoints: yield* sql`SELECT id, secret FROM webhook_endpoints ORDER BY id`,
    former: yield* sql`SELECT endpoint_id, secret FROM webhook_former_secrets ORDER BY endpoint_id, secret`,
    users: yield* sql`SELECT id, totp, totp_pending FROM paymux_users ORDER BY id`,
    audit: yield* sql<{
      readonly action: string
      readonly outcome: string
    }>`SELECT id, action, outcome FROM paymux_audit ORDER BY id`
  }
})
