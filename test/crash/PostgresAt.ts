/** Empty databases on a PostgreSQL server, for runs that each want one of their own. */
import { PostgresClient, PostgresDatabase } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"

/** `server`: the address of any of its databases, as somebody who may make others. */
export const newDatabase = async (server: string): Promise<string> => {
  const name = `crash_${randomUUID().replaceAll("-", "")}`
  await Effect.runPromise(
    Effect.flatMap(PostgresDatabase, ({ query }) => query(`CREATE DATABASE ${name} TEMPLATE template0`, [])).pipe(
      Effect.provide(PostgresClient.layer({ url: Redacted.make(server), maxConnections: 1 }), { local: true })
    )
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
