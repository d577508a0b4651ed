/** Creates the initial records of operations, attempts and payments. Pure; times are ms UTC. */
import type { Attempt } from "../../domain/Attempt.ts"
import type { Ids, Origin, PaymentId } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { NewPayment, Payment, PaymentRecord, RoutingDecision, Tenant } from "../../domain/Payment.ts"
import { timings } from "../timings.ts"

type NewOperation = Pick<
  Operation,
  "paymentId" | "attemptSeq" | "provider" | "kind" | "purpose" | "minorUnits" | "owner"
> & {
  readonly charge?: string | null
  readonly reason?: string | null
  /** The values from which the operation's id and idempotency key are derived, see `origins.ts`. */
  readonly origin: Origin
  /** The current time, ms UTC. */
  readonly now: number
}

type Names = Pick<Ids["Service"], "operation">

/**
 * Creates an operation that is not sent yet. Its idempotency key at the provider is chosen here; every send of the
 * operation, also a repeated one, uses that key.
 */
export const newOperation = (ids: Names, asked: NewOperation): Operation => ({
  ...ids.operation(asked.origin),
  charge: asked.charge ?? null,
  reason: asked.reason ?? null,
  paymentId: asked.paymentId,
  attemptSeq: asked.attemptSeq,
  provider: asked.provider,
  kind: asked.kind,
  purpose: asked.purpose,
  minorUnits: asked.minorUnits,
  owner: asked.owner,
  status: "sending",
  code: null,
  vendorCode: null,
  reference: null,
  unsettled: false,
  isOverpayment: false,
  checks: 0,
  ...sendingFrom(asked.now),
  createdAt: asked.now,
  endedAt: null
})

/**
 * Computes the deadline and the next check of an operation that is sent from `now` on. If the process crashes, the
 * operation stays in `sending`, and the reconciler finds it at `nextCheckAt`.
 */
export const sendingFrom = (now: number): Pick<Operation, "deadlineAt" | "nextCheckAt"> => ({
  deadlineAt: now + timings.attempt,
  nextCheckAt: now + timings.attempt + timings.orphanGrace
})

/** Sets the operation to `planned`, so that the reconciler claims it immediately. */
export const planned = (operation: Operation): Operation => ({
  ...operation,
  status: "planned",
  nextCheckAt: operation.createdAt
})

export interface Start {
  readonly paymentId: PaymentId
  readonly seq: number
  readonly provider: string
  readonly reason: string
  readonly minorUnits: number
  readonly owner: string
  readonly origin: Origin
  /** The current time, ms UTC. */
  readonly now: number
}

/** Creates an attempt to be sent, with its create operation. */
export const newAttempt = (ids: Names, start: Start) => {
  const { minorUnits, now, origin, owner, paymentId, provider, reason, seq } = start
  const attempt: Attempt = {
    seq,
    provider,
    status: "sending",
    reason,
    code: null,
    vendorCode: null,
    actionShown: false,
    late: false,
    isOverpayment: false,
    startedAt: now,
    endedAt: null
  }
  const asked = { paymentId, attemptSeq: seq, provider, minorUnits, owner, origin, now }
  return { attempt, operation: newOperation(ids, { ...asked, kind: "create", purpose: "requested" }) }
}

/** Creates a payment whose first attempt is to be sent. */
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

/**
 * Reconstructs the record as it was when the payment was begun, with the same operation id and idempotency key. `null`
 * if the payment has no first attempt.
 */
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
