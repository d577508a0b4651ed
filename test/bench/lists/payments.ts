/** Payments as they are in life, the same in every run: most of them paid, by a few providers, of payers who come again. */
import type { Currency, OperationId, Payment, PaymentId, PaymentRecord, PaymentState } from "@paymux/core"
import { failure, firstPaymentId } from "@paymux/core/store"
import type { Attempt, Operation } from "@paymux/core/store"
import { createHash } from "node:crypto"
import * as records from "../../suites/src/paymentStore/records.ts"

/** When the first is made (ms UTC), and how far they are apart (ms): a million in a month. */
export const first = Date.UTC(2026, 0, 1)
export const apart = 2592

/** How many have a status that nearly none has. */
const rare = 3

export const createdAt = (n: number): number => first + n * apart

// Boundary: it has the shape of an id; a decimal digit is one of its letters.
export const idOf = (n: number): PaymentId =>
  `${firstPaymentId(createdAt(n)).slice(0, -9)}${String(n).padStart(9, "0")}` as PaymentId

export const aStored = (n: number, of: number): PaymentRecord => {
  const id = idOf(n)
  const at = createdAt(n)
  const state = stateOf(n, of)
  const succeeded = state.status === "succeeded"
  const isUpi = n % 5 < 2
  const provider = isUpi ? "razorpay" : pick(["stripe", "stripe", "adyen", "cashfree"], n)
  const minorUnits = 100 + ((n * 7919) % 1_000_000)
  const payment: Payment = {
    ...records.aPayment(0),
    id,
    amount: { minorUnits, currency: pick(isUpi ? ["INR"] : ["USD", "EUR", "USD"], n) as Currency.Currency },
    method: isUpi ? { rail: "upi", flow: "intent", vpa: "asha@upi" } : records.aCard({ fingerprint: fingerprintOf(n) }),
    description: `Order ${100_000 + n}`,
    // Every tenth is of one payer.
    customer: {
      email: n % 10 === 0 ? "often@example.com" : `payer-${n % 200_000}@example.com`,
      phone: "+919999999999",
      name: "Asha Rao",
      address: null
    },
    metadata: { order_id: `A-${100_000 + n}`, channel: pick(["app", "web", "pos"], n) },
    client: {
      ip: "192.0.2.44",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64)",
      referer: null,
      acceptHeader: null,
      language: null,
      timeZone: null,
      screen: null
    },
    state,
    amountCaptured: succeeded ? minorUnits : 0,
    provider: n % Math.ceil(of / rare) === 1 ? "coinbase" : provider,
    eventSequence: 1,
    deadlineAt: at + 45_000,
    version: 3,
    createdAt: at,
    updatedAt: at + 900
  }
  const status = succeeded ? "succeeded" : "declined"
  const attempt: Attempt = records.anAttempt(1, {
    provider: payment.provider,
    status,
    startedAt: at,
    endedAt: at + 900
  })
  const operation: Operation = {
    ...records.anOperation(0, 1, { provider: payment.provider, status, reference: `order_${n}` }),
    id: operationIdOf(n),
    paymentId: id,
    nextCheckAt: null,
    createdAt: at,
    endedAt: at + 900
  }
  return { payment, attempts: [attempt], operations: [operation], entries: [] }
}

/** Every second payment has an idempotency key, so that its operation has a derived id: it does not contain the time. */
const operationIdOf = (n: number): OperationId =>
  // Boundary, as above.
  (n % 2 === 0
    ? `op_${idOf(n).slice(4)}`
    : `op_${4 + (n % 4)}${createHash("sha256").update(String(n)).digest("hex").slice(0, 25)}`) as OperationId

/** Every fourth is of one card. */
const fingerprintOf = (n: number): string => (n % 4 === 0 ? "card_often" : `card_${n}`)

const pick = <A>(values: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>, n: number): A => {
  const value = values[Math.floor(n / 5) % values.length]
  if (value === undefined) throw new Error("Nothing to pick from.")
  return value
}

/** 95 % are paid, 4 % failed, 1 % pending, a handful canceled, none authorized. */
const stateOf = (n: number, of: number): PaymentState => {
  if (n % Math.ceil(of / rare) === 0) return { status: "canceled" }
  const part = (n * 37) % 100
  if (part < 95) return { status: "succeeded", late: false }
  if (part < 99) return { status: "failed", failure: failure("do_not_honor", false) }
  return { status: "pending", reason: "awaiting_customer", nextAction: null }
}
