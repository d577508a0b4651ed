/** A commit that was acknowledged is gone after a failover of the database: end 8. Real servers on PostgreSQL. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Facts } from "../suites/src/simulation/judge/index.ts"
import { serverUrl } from "../support/PostgresDatabases.ts"
import { findings } from "./outcome.ts"
import { chargesOf, paymentsOf, query, startServers, within } from "./Servers.ts"
import type { Servers } from "./Servers.ts"

const order = { id: "8", minorUnits: 1200, currency: "EUR", captureMethod: "automatic", key: null, refunds: 0 } as const

/** Transactions in a second. An idle server makes two or three; one that loops makes as many as the machine can. */
const MOST = 100

/** Brings the database to an older state, in which this payment does not exist. */
const losePayment = (database: string, payment: string) => {
  if (!/^pay_[a-z0-9]+$/.test(payment)) throw new Error(`${payment} is not a payment id`)
  return query(
    database,
    `DO $$
      DECLARE name text;
      BEGIN
        PERFORM set_config('session_replication_role', 'replica', true);
        FOR name IN
          SELECT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
            WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'payment_id'
        LOOP
          EXECUTE format('DELETE FROM %I WHERE payment_id = %L', name, '${payment}');
        END LOOP;
        DELETE FROM payments WHERE id = '${payment}';
      END $$`
  )
}

const transactionsIn = async (database: string): Promise<number> => {
  const [row] = await query(
    await Effect.runPromise(serverUrl),
    "SELECT xact_commit::text AS commits FROM pg_stat_database WHERE datname = $1",
    [new URL(database).pathname.slice(1)]
  )
  return Number(row?.["commits"])
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The client leaves, the payment's rows are lost, and then the vendor's "succeeded" arrives. */
const run = async ({ database, first, gate, ledger, observer }: Servers) => {
  const client = new AbortController()
  const body = {
    amount: order.minorUnits,
    currency: order.currency,
    payment_method: "card",
    metadata: { n: order.id },
    customer: { email: "asha@example.com", phone: "+919812345678" },
    payment_method_details: { card: { token: "tok_vendor" } }
  }
  const request = first.ask("/v1/payments", body, client.signal).catch(() => null)
  await gate.held
  const before = await paymentsOf(first)
  const taken = ledger().find(({ kind }) => kind === "captured")
  if (taken === undefined) throw new Error("The vendor has not captured anything")
  await losePayment(database, taken.payment)
  client.abort()
  const answer = await request
  const after = await paymentsOf(first)
  gate.open()
  // First what the response brings about. Then its rate: an idle server's looks once a second need some seconds to count.
  await pause(1_500)
  const [started, commits] = [performance.now(), await transactionsIn(database)]
  await pause(3_000)
  const perSecond = ((await transactionsIn(database)) - commits) / ((performance.now() - started) / 1000)
  const errors = () =>
    first
      .log()
      .split("\n")
      .filter((line) => line.includes("level=ERROR"))
  const isLogged = await within(2_000, () =>
    errors().some((line) => line.includes(taken.payment) || line.includes(taken.object))
  )
  const facts: Facts = {
    orders: [order],
    charges: chargesOf(order.id, ledger()),
    payments: await paymentsOf(first),
    refunds: [],
    events: [],
    requests: [{ order: order.id, call: "create", key: null, wants: null, at: 0, answer: { kind: "unanswered" } }],
    unmatched: await observer.unmatched(),
    lostCommits: [{ from: 0, to: 0, orders: new Set([order.id]) }]
  }
  return { answer, before, after, taken, perSecond, isLogged, facts }
}

describe("end 8: an acknowledged commit is gone after a failover of the database", () => {
  let servers: Servers | undefined
  const left: Array<Awaited<ReturnType<typeof run>>> = []
  const only = () => {
    const [value] = left
    if (value === undefined) throw new Error("The history did not run")
    return value
  }

  beforeAll(async () => {
    servers = await startServers({
      holds: "answer",
      path: "/alpha/payments",
      providers: ["alpha"],
      notFoundIsFinalAfter: "15 minutes"
    })
    left.push(await run(servers))
  })
  afterAll(() => servers?.stop())

  it("end 8 happens: the client has left, the vendor keeps 1200, and the payment's rows are gone", () => {
    const { after, answer, before, taken } = only()
    assert.isNull(answer)
    assert.deepStrictEqual(
      before.map(({ id }) => id),
      [taken.payment]
    )
    assert.deepStrictEqual(after, [])
    assert.strictEqual(taken.minorUnits, 1200)
  })

  it("end 8: nothing loops after every client has left", () => {
    assert.isBelow(only().perSecond, MOST)
  })

  it("end 8: the vendor's answer brings the lost payment back, and nothing is left for operators", () => {
    const { facts, taken } = only()
    assert.deepStrictEqual(findings(facts), [])
    assert.deepStrictEqual(
      facts.payments.map(({ amount_captured, id, reviews, status }) => [id, status, amount_captured, reviews]),
      [[taken.payment, "succeeded", 1200, []]]
    )
    assert.deepStrictEqual(facts.unmatched, [])
  })

  it("end 8: that the database had lost the payment is logged at error level", () => {
    assert.isTrue(only().isLogged)
  })
})
