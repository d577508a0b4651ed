/** A table of PostgreSQL that another session has locked: what requests are answered, and what was charged. */
import { assert, describe, it } from "@effect/vitest"
import { defineProvider, Outcome } from "@paymux/core"
import { PostgresClient } from "@paymux/sql"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { emptyDatabases } from "./emptyDatabases.ts"

const { postgres } = await emptyDatabases()

const payment = JSON.stringify({
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+919999999999" },
  payment_method_details: { card: { token: "tok_any" } }
})

const charging = (charges: Array<string>) =>
  defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { token: {} } } },
      operations: {
        create: {
          idempotency: { by: "header", lifetime: "24 hours" },
          inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
          declineIsFinal: true
        }
      }
    }),
    make: () =>
      Effect.succeed({
        create: ({ id }) =>
          Effect.sync(() => {
            charges.push(id)
            return Outcome.succeeded({ reference: id })
          }),
        inquire: ({ id }) => Effect.succeed(Outcome.succeeded({ reference: id }))
      })
  })({})

const post = async (paymux: Paymux, key: string, idempotencyKey: string | null) => {
  const response = await paymux.fetch(
    new Request("http://localhost/v1/payments", {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey })
      },
      body: payment
    })
  )
  const { id } = Schema.decodeUnknownSync(Answer)(await response.json())
  return { status: response.status, id }
}

const Answer = Schema.Struct({ id: Schema.optional(Schema.String) })

/** Runs `work` while another session has the table. */
const whileLocked = <A>(table: "payments" | "payment_events", work: () => Promise<A>): Promise<A> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.andThen(sql`LOCK TABLE ${sql(table)} IN ACCESS EXCLUSIVE MODE`.unprepared, Effect.promise(work))
    )
  }).pipe(
    Effect.provide(Layer.orDie(PostgresClient.layer({ url: Redacted.make(postgres), deadlineMs: 60_000 }))),
    Effect.runPromise
  )

const keys = ["a", "b", "c", null, null, null]

const running = async (work: (paymux: Paymux, key: string, charges: ReadonlyArray<string>) => Promise<void>) => {
  const charges: Array<string> = []
  const paymux = await createPaymux({ database: postgres, providers: [charging(charges)], logs: false })
  try {
    const { key } = await paymux.apiKeys.create()
    await work(paymux, key, charges)
  } finally {
    await paymux.close()
  }
}

describe("a locked table", () => {
  it("that only the outcome needs: every request is answered with its payment, and none is charged twice", () =>
    running(async (paymux, key, charges) => {
      const all = () => Promise.all(keys.map((each) => post(paymux, key, each)))
      const answers = await whileLocked("payment_events", all)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        keys.map(() => 201)
      )
      assert.lengthOf(charges, keys.length)
      for (const [index, each] of keys.entries()) {
        if (each === null) continue
        let again = await post(paymux, key, each)
        // The engine still writes the outcome of the send.
        while (again.status === 409) again = await post(paymux, key, each)
        assert.deepStrictEqual(again, { status: 201, id: answers[index]?.id })
      }
      assert.lengthOf(charges, keys.length)
    }))

  it("that the first commit needs: every request is refused, and none is charged, then or later", () =>
    running(async (paymux, key, charges) => {
      const answers = await whileLocked("payments", () =>
        Promise.all(keys.map((each) => post(paymux, key, each === null ? null : `first-${each}`)))
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        keys.map(() => 503)
      )
      assert.lengthOf(charges, 0)
    }))
})
