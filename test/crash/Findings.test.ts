import { assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment, Engine, Ids, Payments } from "@paymux/core"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { instantProvider } from "../bench/InstantProvider.ts"
import { migrated } from "./Database.ts"
import { openWork } from "./Findings.ts"
import { requestOf } from "./Scenarios.ts"

const MINUTE = 60_000
const now = Date.now()

/** A file with one payment that succeeded; its operation is as `asked` says. */
const fileWith = async (folder: string, asked: { readonly status: string; readonly nextCheckAt: number | null }) => {
  const url = `sqlite:${join(folder, "payments.db")}`
  const engine = Engine.layer({ providers: [instantProvider], publicUrl: "http://localhost:4310" }).pipe(
    Layer.provideMerge(Layer.merge(migrated({ url }), Ids.layer))
  )
  await Effect.runPromise(
    Effect.gen(function* () {
      const payment = yield* decodeCreatePayment(requestOf({ rail: "upi" }))
      const tenant = { account: "default", livemode: false }
      yield* (yield* Payments).create(payment, { tenant, idempotency: null })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE operations SET status = ${asked.status}, next_check_at = ${asked.nextCheckAt}`
    }).pipe(Effect.provide(engine))
  )
  return url
}

describe("what is still open", () => {
  const cases = [
    { status: "succeeded", nextCheckAt: null, open: 0, of: "nothing of a payment that is done" },
    { status: "succeeded", nextCheckAt: now + 60 * MINUTE, open: 1, of: "an inquiry that had no answer" },
    { status: "authorized", nextCheckAt: now, open: 1, of: "a hold that is to be confirmed" },
    {
      status: "authorized",
      nextCheckAt: now + 24 * 60 * MINUTE,
      open: 0,
      of: "nothing of a hold that is checked once a day"
    },
    { status: "unknown", nextCheckAt: null, open: 1, of: "an operation without an outcome" }
  ]

  it.each(cases)("is $of", async ({ nextCheckAt, open, status }) => {
    const folder = await mkdtemp(join(tmpdir(), "paymux-findings-"))
    try {
      assert.strictEqual(await openWork({ url: await fileWith(folder, { status, nextCheckAt }) }, now), open)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
