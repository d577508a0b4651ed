/** The tables of the in-memory store, with functions that write operations. */
import type { OperationId, Payment, PaymentId, PaymentRecord } from "@paymux/core"
import { heldOrder } from "@paymux/core/store"
import type {
  DueOperation,
  EventId,
  EvidenceRow,
  KeptKey,
  Operation,
  PaymentEvent,
  Restoration
} from "@paymux/core/store"
import type { InboxEntries } from "./MemoryInbox.ts"

export interface Tables {
  readonly records: Map<PaymentId, PaymentRecord>
  readonly paymentsByOperation: Map<OperationId, PaymentId>
  /** Operations that have or had a reference, or were reported with it. */
  readonly operationsByReference: Map<string, Set<OperationId>>
  readonly keys: Map<string, KeptKey>
  /** The open or paid payment that holds an order, see `heldOrder`. */
  readonly orders: Map<string, PaymentId>
  readonly events: Map<EventId, PaymentEvent>
  /** The id of every event, and the event's payment id with its sequence number. Each of these names is unique. */
  readonly eventNames: Set<string>
  readonly undispatched: Map<EventId, PaymentEvent>
  readonly evidence: Array<EvidenceRow>
  /** Operations with a next check, so that a poll does not scan all payments. */
  readonly scheduled: Set<OperationId>
  readonly claimedUntil: Map<OperationId, number>
  /** The time at which the next check was set, for operations that were rescheduled since their last change. */
  readonly rescheduledAt: Map<OperationId, number>
  readonly inbox: InboxEntries
  restoration: Restoration
}

export const emptyTables = (): Tables => ({
  records: new Map(),
  paymentsByOperation: new Map(),
  operationsByReference: new Map(),
  keys: new Map(),
  orders: new Map(),
  events: new Map(),
  eventNames: new Set(),
  undispatched: new Map(),
  evidence: [],
  scheduled: new Set(),
  claimedUntil: new Map(),
  rescheduledAt: new Map(),
  inbox: new Map(),
  restoration: { version: "", mark: null, formerNamesUntil: null }
})

/**
 * Whether a payment is unchanged since it was read. After the database went back to an earlier time, the same version number may
 * belong to another change.
 */
export const isSameVersion = ({ payment: stored }: PaymentRecord, { payment: read }: PaymentRecord): boolean =>
  stored.version === read.version && stored.updatedAt === read.updatedAt

export const operationOf = (tables: Tables, id: OperationId): DueOperation => {
  const paymentId = tables.paymentsByOperation.get(id)
  const record = paymentId === undefined ? undefined : tables.records.get(paymentId)
  const operation = record?.operations.find((candidate) => candidate.id === id)
  if (record === undefined || operation === undefined) throw new Error(`There is no operation ${id}`)
  return { record, operation }
}

/** The key of the payment's order in the table `orders`; `null`: the payment holds no order. */
const orderKey = (payment: Payment): string | null => {
  const order = heldOrder(payment)
  return order === null ? null : joined(payment.account, payment.livemode, order)
}

export const isOrderTaken = ({ orders }: Tables, payment: Payment): boolean => {
  const key = orderKey(payment)
  return key !== null && (orders.get(key) ?? payment.id) !== payment.id
}

export const holdOrder = ({ orders }: Tables, before: Payment | null, after: Payment): void => {
  const [former, key] = [before === null ? null : orderKey(before), orderKey(after)]
  if (former !== null) orders.delete(former)
  if (key !== null) orders.set(key, after.id)
}

/** Writes a changed operation, and ends its claim, since the change has set its next check. */
export const settleOperation = (tables: Tables, operation: Operation): void => {
  writeOperation(tables, operation)
  tables.claimedUntil.delete(operation.id)
  tables.rescheduledAt.delete(operation.id)
}

export const writeOperation = (tables: Tables, operation: Operation): void => {
  const record = tables.records.get(operation.paymentId)
  if (record === undefined) throw new Error(`There is no payment ${operation.paymentId}`)
  const operations = record.operations.map((known) => (known.id === operation.id ? operation : known))
  tables.records.set(operation.paymentId, { ...record, operations })
  index(tables, operation)
}

export const index = (tables: Tables, operation: Operation): void => {
  const { id, nextCheckAt, paymentId, reference } = operation
  tables.paymentsByOperation.set(id, paymentId)
  if (reference !== null) name(tables, operation, reference)
  if (nextCheckAt === null) tables.scheduled.delete(id)
  else tables.scheduled.add(id)
}

export const name = (tables: Tables, { id, provider }: Operation, reference: string): void => {
  const place = joined(provider, reference)
  tables.operationsByReference.set(place, (tables.operationsByReference.get(place) ?? new Set()).add(id))
}

export const joined = (...parts: ReadonlyArray<string | number | boolean>): string => JSON.stringify(parts)
