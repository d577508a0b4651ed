/** Paymux with its dashboard, for an owner who is always signed in. Argument: the address of its database. */
import { createPaymux } from "paymux"
import { instantProvider } from "../InstantProvider.ts"
import { migrated } from "./migrated.ts"
import { serve } from "./Serve.ts"

const [database = ":memory:"] = process.argv.slice(2)
const paymux = await createPaymux({
  providers: [instantProvider],
  database: await migrated(database),
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
