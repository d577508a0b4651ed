/** Paymux with or without its request log. Argument 1: the address of its database; argument 2: `on` or `off`. */
import { PostgresClient, runMigrations } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { createPaymux } from "paymux"
import { migrations } from "../../../packages/paymux/src/Database.ts"
import { instantProvider } from "../InstantProvider.ts"
import { serve } from "./Serve.ts"

const [database = ":memory:", log = "on"] = process.argv.slice(2)
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
  requestLog: log === "on"
})
const { key } = await paymux.apiKeys.create()

serve(paymux.node, key, paymux.close)
