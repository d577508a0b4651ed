/**
 * The origins from which ids and idempotency keys of payments and operations are derived: facts that are the same when a request
 * is repeated, or a decision is made again, after a database has lost its last commits.
 *
 * Payment ids are not among these facts, because they contain the time. The id of a create operation identifies its payment.
 */
import type { Attempt } from "./Attempt.ts"
import { drawOf } from "./Ids.ts"
import type { Ids, OperationId, Origin } from "./Ids.ts"
import { createOf } from "./Payment.ts"
import type { Operation } from "./Operation.ts"
import type { Payment, PaymentRecord, Tenant } from "./Payment.ts"

/** The idempotency key of a client's request, which is unique within an endpoint. No endpoint contains a payment id. */
export interface RequestName {
  readonly endpoint: string
  readonly key: string
}

/**
 * The origin of a payment. `null`: without an idempotency key the request cannot be identified, and a repeated request creates
 * another payment.
 */
export const paymentOrigin = ({ account, livemode }: Tenant, request: RequestName | null): Origin =>
  request === null ? null : ["payment", account, livemode, request.endpoint, request.key]

/**
 * The origin of a payment's create at a provider. It does not depend on the order in which providers are tried, since a payment
 * has at most one create at each provider. So a repeated request finds its first charge at this provider, even if another
 * provider is tried before it this time.
 *
 * The origin has the part of the payment id that the idempotency key determines, because a failover does not know the key.
 *
 * @param provider the first id of the provider instance: the instance may have been renamed in between
 */
export const createOrigin = (
  { account, id, livemode }: Pick<Payment, "account" | "id" | "livemode">,
  provider: string
): Origin => {
  const draw = drawOf(id)
  // The id of a payment without an idempotency key is random, and so are the names of its operations.
  return draw === id ? null : ["create", account, livemode, draw, provider]
}

/** The origin of a requested capture, cancel or refund of an attempt. */
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
  /** The first id of a provider instance. */
  readonly firstId: (provider: string) => string
}

/** The origin of the next attempt's create, after an attempt that took no money. */
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
 * The origin of a failover's create for a payment without an idempotency key, or for a payment that was begun when names still
 * depended on the order of the providers. It has the operation that failed, so that a failover that is repeated after a lost
 * commit has the same names.
 */
export const failoverOrigin = (failed: OperationId, { provider, seq }: Pick<Attempt, "provider" | "seq">): Origin => [
  "failover",
  failed,
  provider,
  seq
]

type OwnOperation = Pick<Operation, "attemptSeq" | "kind" | "purpose"> & Partial<Pick<Operation, "charge">>

/** The origin of an operation that the engine starts without a request. Such an operation is repeated only if it failed before. */
export const ownOrigin = (
  record: PaymentRecord,
  { attemptSeq, charge = null, kind, purpose }: OwnOperation
): Origin => {
  const create = createOf(record, attemptSeq)
  const before = record.operations.filter(
    (each) => each.attemptSeq === attemptSeq && each.kind === kind && each.purpose === purpose && each.charge === charge
  )
  if (create === undefined) return null
  // The origin has the charge, because charges may be reported in another order the next time.
  return [purpose, create.id, kind, before.length, ...(charge === null ? [] : [charge])]
}
