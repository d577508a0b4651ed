/** A database with many payments, written row by row as the store would, and in no time that a person would wait for. */
import type { Currency, Payment, PaymentId, PaymentMethod } from "@paymux/core"
import { failure, firstPaymentId } from "@paymux/core/store"
import type { Attempt, OutcomeStatus } from "@paymux/core/store"
import { Effect, Layer } from "effect"
import { DatabaseSync } from "node:sqlite"
import { databaseLayer } from "../../../packages/paymux/src/Database.ts"
import { valuesOf } from "../../../packages/sql/src/rows/Column.ts"
import { attemptColumns, paymentColumns } from "../../../packages/sql/src/rows/columns.ts"
import { insertAttempt, insertPayment } from "../../../packages/sql/src/sqlite/statements.ts"

export interface Stretch {
  readonly payments: number
  /** ms UTC, when the first is made. */
  readonly from: number
  /** ms between two of them, about. */
  readonly apart: number
}

/** The tables of every package, so that the command has nothing to migrate. Answers how many attempts there are. */
export const store = async (filename: string, { apart, from, payments }: Stretch): Promise<number> => {
  await Effect.runPromise(Effect.scoped(Layer.build(databaseLayer({ _tag: "Sqlite", filename }))))
  const database = new DatabaseSync(filename)
  // What is lost with the machine is made again.
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -524288;")
  const payment = database.prepare(insertPayment)
  const attempt = database.prepare(insertAttempt)
  const draw = drawing(20_261_031)
  let attempts = 0
  for (let n = 0; n < payments;) {
    database.exec("BEGIN")
    for (const end = Math.min(n + TRANSACTION, payments); n < end; n++) {
      const made = paymentOf(draw, n, from + Math.floor((n + draw.fraction()) * apart))
      payment.run(...valuesOf(paymentColumns, made.payment))
      for (const each of made.attempts) attempt.run(made.payment.id, ...valuesOf(attemptColumns, each))
      attempts += made.attempts.length
    }
    database.exec("COMMIT")
  }
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  return attempts
}

const TRANSACTION = 50_000

interface Drawing {
  /** 0 to 1 */
  readonly fraction: () => number
  readonly one: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
}

/** The same payments in every run (mulberry32). */
const drawing = (seed: number): Drawing => {
  let state = seed
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  return { fraction, one: (from) => from[Math.floor(fraction() * from.length)] ?? from[0] }
}

const paymentOf = (draw: Drawing, n: number, at: number) => {
  const isUpi = draw.fraction() < 0.4
  const payer = Math.floor(draw.fraction() * 200_000)
  const method = isUpi ? upi(draw) : card(draw)
  const currency = isUpi ? "INR" : draw.one(["INR", "USD", "EUR", "EUR", "USD", "JPY"])
  const candidates = isUpi ? ["razorpay", "cashfree"] : ["stripe", "adyen"]
  const attempts = attemptsOf(draw, candidates, at)
  const last = attempts.at(-1)
  const succeeded = last?.status === "succeeded"
  const minorUnits = 100 + Math.floor(draw.fraction() ** 3 * 1_000_000)
  const payment: Payment = {
    // As long as the store's own, and in the order of time.
    id: paymentId(at, n),
    account: "default",
    livemode: true,
    amount: { minorUnits, currency: currency as Currency.Currency },
    method,
    captureMethod: "automatic",
    description: `Order ${100_000 + n}`,
    customer: {
      email: `payer-${payer}@example.${draw.one(["com", "org", "net"])}`,
      phone: "+919999999999",
      name: "Asha Rao",
      address: null
    },
    metadata: { order_id: String(100_000 + n), channel: draw.one(["app", "web", "pos"]) },
    client: {
      ip: "192.0.2.44",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      referer: "https://shop.example/checkout",
      acceptHeader: null,
      language: null,
      timeZone: null,
      screen: null
    },
    returnUrl: "https://shop.example/orders/done",
    order: null,
    state: succeeded
      ? { status: "succeeded", late: false }
      : { status: "failed", failure: failure(last?.code ?? "generic_decline", true) },
    amountCaptured: succeeded ? minorUnits : 0,
    amountRefunded: 0,
    amountReceived: null,
    reviews: [],
    resolutions: [],
    disputedAt: null,
    provider: last?.provider ?? "stripe",
    routing: {
      rule: isUpi ? "upi" : "cards",
      ruleset: `sha256:${(n < 600_000 ? "1" : "2").repeat(64)}`,
      reason: "priority",
      candidates: candidates.map((provider) => ({ provider, reason: "priority" })),
      dropped: [{ provider: isUpi ? "stripe" : "cashfree", reason: "method_not_supported" }]
    },
    pendingAnnounced: false,
    eventSequence: 1,
    deadlineAt: at + 45_000,
    version: 3,
    createdAt: at,
    updatedAt: attempts.at(-1)?.endedAt ?? at
  }
  return { payment, attempts }
}

const upi = (draw: Drawing): PaymentMethod => ({
  rail: "upi",
  flow: draw.one(["intent", "qr", "collect"]),
  vpa: "asha@upi"
})

const card = (draw: Drawing): PaymentMethod => ({
  rail: "card",
  token: "tok_1NirD82eZvKYlo2CIvbtLWuY",
  tokens: {},
  network: draw.one(["visa", "mastercard", "amex", "rupay"]),
  country: draw.one(["IN", "US", "DE", "FR"]),
  funding: draw.one(["credit", "debit", "prepaid"]),
  bin: draw.one(["411111", "550000", "371449", "424242", "601100"]),
  fingerprint: "b7c0e1f4a8d2"
})

/** One in ten first attempts that fail goes on to the other provider. */
const attemptsOf = (draw: Drawing, candidates: ReadonlyArray<string>, at: number): ReadonlyArray<Attempt> => {
  const first = draw.fraction() < 0.7 ? 0 : 1
  const one = attemptOf(draw, 1, candidates[first] ?? "stripe", at)
  if (one.status === "succeeded" || draw.fraction() > 0.55) return [one]
  return [one, attemptOf(draw, 2, candidates[1 - first] ?? "adyen", at + 2_000)]
}

const attemptOf = (draw: Drawing, seq: number, provider: string, at: number): Attempt => {
  const status: OutcomeStatus = draw.fraction() < 0.82 ? "succeeded" : "declined"
  return {
    seq,
    provider,
    status,
    reason: seq === 1 ? "priority" : "failover: declined",
    code: status === "declined" ? draw.one(["do_not_honor", "insufficient_funds", "issuer_unavailable"]) : null,
    vendorCode: status === "declined" ? "05" : null,
    actionShown: false,
    late: false,
    isOverpayment: false,
    startedAt: at,
    endedAt: at + 200 + Math.floor(draw.fraction() * 90_000)
  }
}

/** As ids are made: the time first, then a random part. */
const paymentId = (at: number, n: number): PaymentId =>
  // Boundary: it has the shape of an id; a decimal digit is one of its letters.
  `${firstPaymentId(at).slice(0, -9)}${String(n).padStart(9, "0")}` as PaymentId
