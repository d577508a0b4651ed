/**
 * The origins of the names of payments and operations: facts that are the same when a request is repeated, or a decision is
 * made again, after a database has lost its last commits.
 *
 * Ids of payments are not among them, because they contain the time. The id of a create operation identifies its payment.
 */
import type { Attempt } from "./Attempt.ts"
import { drawOf } from "./Ids.ts"
import type { Ids, OperationId, Origin } from "./Ids.ts"
import { createOf } from "./Payment.ts"
import type { Operation } from "./Operation.ts"
import type { Payment, PaymentRecord, Tenant } from "./Payment.ts"

/** The key of a client's request, which is unique within an endpoint. No endpoint contains a payment's id. */
export interface RequestName {
  readonly endpoint: string
  readonly key: string
}

/** `null`: without a key the request cannot be identified, and a repeated one is another payment. */
export const paymentOrigin = ({ account, livemode }: Tenant, request: RequestName | null): Origin =>
  request === null ? null : ["payment", account, livemode, request.endpoint, request.key]

/**
 * The create of a payment at a provider, regardless of the order in which providers are tried: a payment has at most one create
 * at each provider. So a repeated request finds its first charge there, even if another provider is tried before it this time.
 *
 * It is derived from the part of the payment's id that the key determines, because a failover does not know the key.
 *
 * @param provider the first id of the instance: it may have been renamed in between
 */
export const createOrigin = (
  { account, id, livemode }: Pick<Payment, "account" | "id" | "livemode">,
  provider: string
): Origin => {
  const draw = drawOf(id)
  // The id of a payment without a key is random, and so are its names.
  return draw === id ? null : ["create", account, livemode, draw, provider]
}

/** A requested capture, cancel or refund of an attempt. */
export const requestedOrigin = (
  record: PaymentRecord,
  request: RequestName | null,
  { attemptSeq, kind }: Pick<Operation, "attemptSeq" | "kind">
): Origin => {
  const create = createOf(record, attemptSeq)
  const { account, livemode } = record.payment
  return request === null || create === undefined
    ? null
    : ["requested", account, livemode, request.endpoint, request.key, kind, create.id]
}

interface Naming {
  readonly ids: Pick<Ids["Service"], "operation">
  /** The first id of an instance. */
  readonly firstId: (provider: string) => string
}

/** The create of the next attempt, after one that took no money. */
export const nextCreateOrigin = (
  { firstId, ids }: Naming,
  record: PaymentRecord,
  failed: OperationId,
  { provider, seq }: Pick<Attempt, "provider" | "seq">
): Origin => {
  const first = createOf(record, 1)
  const origin = first === undefined ? null : createOrigin(record.payment, firstId(first.provider))
  const isNamedByKey = origin !== null && ids.operation(origin).key === first?.key
  const instance = firstId(provider)
  return isNamedByKey ? createOrigin(record.payment, instance) : failoverOrigin(failed, { provider: instance, seq })
}

/**
 * For a payment without a key, or one that was begun when names still depended on the order of the providers: derived from the
 * operation that failed, so that a repeated failover has the same names if its commit is lost.
 */
export const failoverOrigin = (failed: OperationId, { provider, seq }: Pick<Attempt, "provider" | "seq">): Origin => [
  "failover",
  failed,
  provider,
  seq
]

type OwnOperation = Pick<Operation, "attemptSeq" | "kind" | "purpose"> & Partial<Pick<Operation, "charge">>

/** An operation that the engine starts without a request. The same operation is repeated only if it failed before. */
export const ownOrigin = (
  record: PaymentRecord,
  { attemptSeq, charge = null, kind, purpose }: OwnOperation
): Origin => {
  const create = createOf(record, attemptSeq)
  const before = record.operations.filter(
    (each) => each.attemptSeq === attemptSeq && each.kind === kind && each.purpose === purpose && each.charge === charge
  )
  if (create === undefined) return null
  // Charges may be reported in another order the next time.
  return [purpose, create.id, kind, before.length, ...(charge === null ? [] : [charge])]
}
