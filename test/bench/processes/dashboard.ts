/** Paymux with its dashboard, for an owner who is always signed in. Argument: the address of its database. */
import { PostgresClient, runMigrations } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { createPaymux } from "paymux"
import { migrations } from "../../../packages/paymux/src/Database.ts"
import { instantProvider } from "../InstantProvider.ts"
import { serve } from "./Serve.ts"

const [database = ":memory:"] = process.argv.slice(2)
if (database.startsWith("postgres")) {
  await Effect.runPromise(
    Effect.provide(runMigrations(migrations), PostgresClient.layer({ url: Redacted.make(database) }))
  )
}
const paymux = await createPaymux({
  providers: [instantProvider],
  database,
  // One client makes more than a client may by default.
  rateLimit: false,
  dashboard: {
    authenticate: () => ({
      id: "owner",
      name: "Owner",
      role: "owner",
      accounts: ["default"],
      modes: ["test", "live"],
      authenticatedAt: Date.now()
    })
  }
})
const { key } = await paymux.apiKeys.create()

serve(paymux.node, key, paymux.close)
