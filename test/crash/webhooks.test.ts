/** The short form of P9: `test/long` does it at its full size. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serverUrl } from "../support/PostgresDatabases.ts"
import { newDatabase } from "./PostgresAt.ts"
import { webhookKills } from "./runs/WebhookKills.ts"
import type { WebhookKillsReport } from "./runs/WebhookKills.ts"

const proven = (report: WebhookKillsReport, payments: number) => {
  const { events, kills, missing, outOfOrder, underAnotherId } = report
  assert.deepStrictEqual({ missing, outOfOrder, underAnotherId }, { missing: [], outOfOrder: [], underAnotherId: [] })
  assert.deepStrictEqual({ events, kills }, { events: 2 * payments, kills: 4 })
  // Kills and faults have been there: something came more than once.
  assert.isAbove(report.posts, 2 * events)
  assert.isAbove(report.calls, events)
}

describe.concurrent("a worker that is killed again and again", () => {
  const check = "every event arrives at every endpoint and in the process, under one id, of a payment in order"

  it(`on SQLite: ${check}`, async () => {
    proven(await webhookKills({ payments: 300, kills: 4, seed: 1 }), 300)
  }, 600_000)

  it(`on PostgreSQL: ${check}`, async () => {
    const database = await newDatabase(await Effect.runPromise(serverUrl))
    proven(await webhookKills({ database, payments: 300, kills: 4, seed: 2 }), 300)
  }, 600_000)
})
