/** P9. At its full size, with 10,000 payments: `pnpm test:crash --full --only webhooks`. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { newDatabase } from "../crash/PostgresAt.ts"
import { webhookKills } from "../crash/runs/WebhookKills.ts"
import { isLater } from "../support/amount.ts"
import { serverUrl } from "../support/PostgresDatabases.ts"

describe("2,000 payments, endpoints that fail, and a worker that is killed 20 times", () => {
  const none = { missing: [], underAnotherId: [], outOfOrder: [] }

  it.skipIf(isLater(0, 2))(
    "0 events are missing and 0 come under another id, on SQLite",
    async () => {
      const report = await webhookKills({ payments: 2_000, kills: 20, seed: 3 })
      assert.deepInclude(report, { events: 4_000, kills: 20, ...none })
    },
    600_000
  )

  it.skipIf(isLater(1, 2))(
    "0 events are missing and 0 come under another id, on PostgreSQL",
    async () => {
      const database = await newDatabase(await Effect.runPromise(serverUrl))
      const report = await webhookKills({ database, payments: 2_000, kills: 20, seed: 4 })
      assert.deepInclude(report, { events: 4_000, kills: 20, ...none })
    },
    600_000
  )
})
