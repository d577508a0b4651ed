/**
 * The values ("origins") from which ids and idempotency keys of payments and operations are derived. They are the same
 * when a request is repeated, or a decision is made again, after a database has lost its last commits.
 *
 * Payment ids are not among them, because they contain the time. The id of a create operation identifies its payment.
 */
import type { Attempt } from "./Attempt.ts"
import { drawOf } from "./Ids.ts"
import type { Ids, OperationId, Origin } from "./Ids.ts"
import { createOf } from "./Payment.ts"
import type { Operation } from "./Operation.ts"
import type { Payment, PaymentRecord, Tenant } from "./Payment.ts"

/**
 * A client's request, identified by its endpoint and its idempotency key, which is unique within the endpoint. Payment
 * ids are not part of the endpoint.
 */
export interface RequestName {
  readonly endpoint: string
  readonly key: string
}

/**
 * The values from which a payment's id is derived; `null` without an idempotency key: the request cannot be identified,
 * and a repeated request creates another payment.
 */
export const paymentOrigin = ({ account, livemode }: Tenant, request: RequestName | null): Origin =>
  request === null ? null : ["payment", account, livemode, request.endpoint, request.key]

/**
 * The values from which the id and key of a payment's create at a provider are derived. They do not depend on the order
 * in which providers are tried, since a payment has at most one create at each provider. So a repeated request finds
 * its first charge at this provider, even if the repeated request is sent to another provider first.
 *
 * They include the part of the payment id that the idempotency key determines, because a failover does not know the
 * key.
 *
 * @param provider the first id of the provider instance: the instance may have been renamed in between
 */
export const createOrigin = (
  { account, id, livemode }: Pick<Payment, "account" | "id" | "livemode">,
  provider: string
): Origin => {
  const draw = drawOf(id)
  // Without an idempotency key, the payment's id is random, and so are the identifiers of its operations.
  return draw === id ? null : ["create", account, livemode, draw, provider]
}

/** The values from which the id and key of a requested capture, cancel or refund are derived. */
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
  /** Returns the first id of a provider instance, before any renaming. */
  readonly firstId: (provider: string) => string
}

/**
 * The values from which the id and key of the next attempt's create are derived, after an attempt that took no money.
 */
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
 * The values from which the id and key of a failover's create operation are derived. They are used only if the payment
 * has no idempotency key, or began when ids still depended on the order of the providers. They include the id of the
 * failed operation, so that a failover that is repeated after a lost commit derives the same id and key.
 */
export const failoverOrigin = (failed: OperationId, { provider, seq }: Pick<Attempt, "provider" | "seq">): Origin => [
  "failover",
  failed,
  provider,
  seq
]

type OwnOperation = Pick<Operation, "attemptSeq" | "kind" | "purpose"> & Partial<Pick<Operation, "charge">>

/**
 * The values from which the id and key of an operation are derived if the engine starts it without a request, such as a
 * refund of an overpayment. The engine starts it a second time only if the first one failed.
 */
export const ownOrigin = (
  record: PaymentRecord,
  { attemptSeq, charge = null, kind, purpose }: OwnOperation
): Origin => {
  const create = createOf(record, attemptSeq)
  const before = record.operations.filter(
    (each) => each.attemptSeq === attemptSeq && each.kind === kind && each.purpose === purpose && each.charge === charge
  )
  if (create === undefined) return null
  // Includes the reference of the charge, because the provider may report the charges in another order after a lost
  // commit.
  return [purpose, create.id, kind, before.length, ...(charge === null ? [] : [charge])]
}
