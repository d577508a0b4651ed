/** A payment whose first attempt is about to be sent, and of which nothing else is known. Pure. */
import type { Attempt } from "../../domain/Attempt.ts"
import type { PaymentId } from "../../domain/Ids.ts"
import type { NewPayment, Payment, PaymentRecord, RoutingDecision, Tenant } from "../../domain/Payment.ts"
import { newAttempt } from "./newOperation.ts"

export const begunPayment = (
  id: PaymentId,
  payment: NewPayment,
  { account, livemode }: Tenant,
  { provider, startedAt }: Attempt,
  routing: RoutingDecision,
  deadlineAt: number
): Payment => ({
  ...(payment.replacesOrder === undefined ? payment : stored(payment)),
  account,
  livemode,
  id,
  state: { status: "pending", reason: "processing", nextAction: null },
  amountCaptured: 0,
  amountRefunded: 0,
  amountReceived: null,
  reviews: [],
  resolutions: [],
  disputedAt: null,
  provider,
  routing,
  pendingAnnounced: false,
  eventSequence: 0,
  deadlineAt,
  version: 1,
  createdAt: startedAt,
  updatedAt: startedAt
})

const stored = ({ replacesOrder: _request, ...payment }: NewPayment): NewPayment => payment

/** The record as it was when the payment was begun, under the same names. `null`: it has no first attempt. */
export const begunRecord = ({
  attempts: [tried],
  operations: [create],
  payment
}: PaymentRecord): PaymentRecord | null => {
  if (tried === undefined || create === undefined) return null
  const { createdAt: now, id, key, minorUnits, owner } = create
  const { provider, reason, seq } = tried
  const names = { operation: () => ({ id, key }) }
  const start = { paymentId: payment.id, seq, provider, reason, minorUnits, owner, origin: null, now }
  const { attempt, operation } = newAttempt(names, start)
  const begun = begunPayment(payment.id, payment, payment, attempt, payment.routing, payment.deadlineAt)
  return { payment: begun, attempts: [attempt], operations: [operation], entries: [] }
}
