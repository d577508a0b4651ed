/** Random histories of payments as event rows, and their statistics, counted from the JSON that webhooks send. */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"

interface AttemptJson {
  readonly provider: string
  readonly status: string
  readonly code: string | null
  readonly started_at: string
  readonly ended_at: string | null
}

interface PaymentJson {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly amount_captured: number
  readonly currency: string
  readonly payment_method: string
  readonly failure: { readonly code: string } | null
  readonly provider: string
  readonly attempts: ReadonlyArray<AttemptJson>
  readonly created_at: string
}

interface RefundJson {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly failure: { readonly code: string } | null
  readonly provider: string
  readonly created_at: string
}

export interface HistoryEvent {
  readonly tenant: Tenant
  readonly sequence: number
  readonly payment: PaymentJson
  readonly refund: RefundJson | null
}

export const start = Date.UTC(2026, 10, 1)
const days = 3
const iso = (ms: number): string => new Date(ms).toISOString()

/** Of payment `n`, which succeeded at once: the only event that it has. */
export const succeededEvent = (tenant: Tenant, n: number): HistoryEvent => ({
  tenant,
  sequence: 1,
  payment: {
    id: `pay_${n}`,
    status: "succeeded",
    amount: 100,
    amount_captured: 100,
    currency: "EUR",
    payment_method: "card",
    failure: null,
    provider: "acme",
    attempts: [],
    created_at: iso(start)
  },
  refund: null
})

const provider = fc.constantFrom("acme", "beta", "gamma")
const code = fc.constantFrom("card_declined", "insufficient_funds", "processing_error")
const time = fc.integer({ min: 0, max: days * 86_400_000 - 1 }).map((ms) => start + ms)
/** Large ones, too: sums exceed 2^53, and 64 bits. */
const amount = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.constant(Number.MAX_SAFE_INTEGER))

const attempt = fc
  .record({
    provider,
    status: fc.constantFrom("pending", "succeeded", "authorized", "declined", "not_executed", "unknown", "canceled"),
    code: fc.option(code),
    at: time,
    took: fc.option(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 86_400_000 })))
  })
  .map(({ at, code, provider, status, took }): AttemptJson => ({
    provider,
    status,
    code,
    started_at: iso(at),
    ended_at: took === null ? null : iso(at + took)
  }))

const change = fc.record({
  status: fc.constantFrom("pending", "authorized", "succeeded", "failed", "canceled"),
  provider,
  captured: fc.boolean(),
  failure: fc.option(code.map((each) => ({ code: each }))),
  attempts: fc.array(attempt, { maxLength: 3 }),
  refund: fc.option(
    fc.record({
      number: fc.integer({ min: 1, max: 3 }),
      status: fc.constantFrom("pending", "succeeded", "failed"),
      failure: fc.option(code.map((each) => ({ code: each }))),
      provider,
      at: time
    })
  )
})

const payment = fc.record({
  livemode: fc.boolean(),
  account: fc.constantFrom("one", "two"),
  amount,
  currency: fc.constantFrom("EUR", "INR"),
  method: fc.constantFrom("card", "upi"),
  at: time,
  changes: fc.array(change, { minLength: 1, maxLength: 5 })
})

/** Events of several payments, those of one payment in their order. `name` makes ids and accounts unlike all others. */
export const history = (name: string) =>
  fc
    .record({
      payments: fc.array(payment, { minLength: 1, maxLength: 25 }),
      seed: fc.integer({ min: 0, max: 1_000_000 })
    })
    .map(({ payments, seed }) =>
      interleaved(
        payments.map((each, n) => eventsOf(`${name}_${n}`, name, each)),
        seed
      )
    )

type Payment = typeof payment extends fc.Arbitrary<infer A> ? A : never

const eventsOf = (id: string, name: string, of: Payment): ReadonlyArray<HistoryEvent> =>
  of.changes.map((each, index) => ({
    tenant: { account: `${name}_${of.account}`, livemode: of.livemode },
    sequence: index + 1,
    payment: {
      id: `pay_${id}`,
      status: each.status,
      amount: of.amount,
      amount_captured: each.captured ? of.amount : 0,
      currency: of.currency,
      payment_method: of.method,
      failure: each.failure,
      provider: each.provider,
      attempts: each.attempts,
      created_at: iso(of.at)
    },
    refund:
      each.refund === null
        ? null
        : {
            // In no hour but one: a refund is requested once.
            id: `re_${id}_${each.refund.number}`,
            status: each.refund.status,
            amount: of.amount,
            currency: of.currency,
            failure: each.refund.failure,
            provider: each.refund.provider,
            created_at: iso(each.refund.at)
          }
  }))

/** One after the other, each from a queue that is chosen at random. */
const interleaved = (queues: ReadonlyArray<ReadonlyArray<HistoryEvent>>, seed: number): ReadonlyArray<HistoryEvent> => {
  const left = queues.map((queue) => [...queue])
  const all: Array<HistoryEvent> = []
  for (let state = seed; left.some((queue) => queue.length > 0); state = (state * 1_103_515_245 + 12_345) % 2 ** 31) {
    const open = left.filter((queue) => queue.length > 0)
    const next = open[state % open.length]?.shift()
    if (next !== undefined) all.push(next)
  }
  return all
}

export const insert = Effect.fnUntraced(function* (events: ReadonlyArray<HistoryEvent>) {
  const sql = yield* SqlClient.SqlClient
  const [first, ...others] = events.map(({ payment, refund, sequence, tenant }) => ({
    id: `evt_${payment.id}_${sequence}`,
    payment_id: payment.id,
    sequence,
    type: "payment.pending",
    account: tenant.account,
    livemode: tenant.livemode,
    payment: JSON.stringify(payment),
    refund: refund === null ? null : JSON.stringify(refund),
    created_at: start
  }))
  if (first !== undefined) yield* sql`INSERT INTO payment_events ${sql.insert([first, ...others])}`
})

/** A thing to count, with the names of the API. */
export interface Counted {
  readonly tenant: Tenant
  readonly of: "payments" | "attempts" | "refunds"
  readonly at: number
  readonly provider: string
  readonly method: string
  readonly currency: string
  readonly outcome: string
  readonly failureCode: string | null
  readonly amount: number
  readonly succeeded: number
  readonly took: number | null
}

/** What there is to count in the latest state of each payment and refund. */
export const countedIn = (events: ReadonlyArray<HistoryEvent>): ReadonlyArray<Counted> => {
  const payments = new Map(events.map((event) => [event.payment.id, event]))
  const refunds = new Map(events.flatMap((event) => (event.refund === null ? [] : [[event.refund.id, event] as const])))
  return [
    ...[...payments.values()].flatMap(({ payment, tenant }): ReadonlyArray<Counted> => {
      const common = { tenant, method: payment.payment_method, currency: payment.currency, amount: payment.amount }
      return [
        {
          ...common,
          of: "payments",
          at: Date.parse(payment.created_at),
          provider: payment.provider,
          outcome: payment.status,
          failureCode: payment.failure?.code ?? null,
          succeeded: payment.amount_captured,
          took: null
        },
        ...payment.attempts.map((attempt): Counted => ({
          ...common,
          of: "attempts",
          at: Date.parse(attempt.started_at),
          provider: attempt.provider,
          outcome: attempt.status,
          failureCode: attempt.code,
          succeeded: attempt.status === "succeeded" ? payment.amount : 0,
          took: attempt.ended_at === null ? null : Date.parse(attempt.ended_at) - Date.parse(attempt.started_at)
        }))
      ]
    }),
    ...[...refunds.values()].flatMap(({ payment, refund, tenant }): ReadonlyArray<Counted> =>
      refund === null
        ? []
        : [
            {
              tenant,
              of: "refunds",
              at: Date.parse(refund.created_at),
              provider: refund.provider,
              method: payment.payment_method,
              currency: refund.currency,
              outcome: refund.status,
              failureCode: refund.failure?.code ?? null,
              amount: refund.amount,
              succeeded: refund.status === "succeeded" ? refund.amount : 0,
              took: null
            }
          ]
    )
  ]
}
