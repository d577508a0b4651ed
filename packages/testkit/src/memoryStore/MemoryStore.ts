/**
 * The in-memory store, for tests of the engine and for simulations. It passes the same test suite as every other store, but its
 * data are lost when the process ends.
 *
 * Each call is one synchronous step, so no call sees a partial result of another call.
 */
import type { PaymentId, PaymentRecord, Tenant } from "@paymux/core"
import { isAhead, isInFlight, isOpen, openOperationsOf, PaymentStore, StoreUnavailable } from "@paymux/core/store"
import type {
  AdvanceCommit,
  AdvanceResult,
  AnswerToKeep,
  Attempt,
  BeginCommit,
  BeginResult,
  Claim,
  DueCorrection,
  DueOperation,
  EventId,
  NewestPayment,
  OpenOperations,
  Operation,
  PaymentEvent
} from "@paymux/core/store"
import { Clock, Effect, Layer } from "effect"
import { backlogOf } from "./MemoryBacklog.ts"
import { cardDeclinesOf } from "./MemoryCards.ts"
import { memoryErasure, pruneAnswers } from "./MemoryErase.ts"
import { eventsAfter } from "./MemoryEvents.ts"
import { forgetApplied, memoryInbox } from "./MemoryInbox.ts"
import { memoryKeptWebhooks } from "./MemoryKeptWebhooks.ts"
import { memoryOrders } from "./MemoryOrders.ts"
import { pageOf } from "./MemoryPage.ts"
import { memoryProviderState } from "./MemoryProviderState.ts"
import { memoryRestoration } from "./MemoryRestoration.ts"
import {
  emptyTables,
  holdOrder,
  index,
  isOrderTaken,
  isSameVersion,
  joined,
  name,
  operationOf,
  settleOperation,
  writeOperation
} from "./MemoryTables.ts"
import type { Tables } from "./MemoryTables.ts"
import { countEndedAttempts, countOpenAttempts, routedOf } from "./MemoryRouting.ts"

/** Makes an empty store. `now`: the clock of the store, by default the caller's clock. */
export const make = (now: Effect.Effect<number> = Clock.currentTimeMillis): PaymentStore["Service"] => {
  const tables = emptyTables()
  const { correct, ...inbox } = memoryInbox(tables.inbox)
  const read = (id: PaymentId | undefined) => (id === undefined ? null : (tables.records.get(id) ?? null))
  const step = <A>(work: () => A): Effect.Effect<A, StoreUnavailable> => Effect.suspend(() => runTransaction(work))
  return PaymentStore.of({
    singleEngine: true,
    slowestCommit: 0,
    now,
    ready: Effect.void,
    lost: Effect.succeed(null),
    begin: (commit) => step(() => begin(tables, commit)),
    advance: (commit) => step(() => advance(tables, commit)),
    get: (id) => Effect.sync(() => read(id)),
    getConfirmed: (id) => Effect.sync(() => read(id)),
    find: (tenant, id) => Effect.sync(() => belonging(tenant, read(id))),
    versions: (ids) =>
      Effect.sync(
        () =>
          new Map(
            ids.flatMap((id) => {
              const version = tables.records.get(id)?.payment.version
              return version === undefined ? [] : [[id, version] as const]
            })
          )
      ),
    findByOperation: (id) => Effect.sync(() => read(tables.paymentsByOperation.get(id))),
    findByReference: (provider, reference) => Effect.sync(() => read(paymentByReference(tables, provider, reference))),
    newest: Effect.sync(() => newestOf(tables)),
    list: (tenant, query) => Effect.sync(() => pageOf([...tables.records.values()], tenant, query)),
    findKey: (tenant, endpoint, key) => Effect.sync(() => tables.keys.get(keyOf({ ...tenant, endpoint, key })) ?? null),
    keepAnswer: (answer) => Effect.sync(() => keepAnswer(tables, answer)),
    checkpoint: (id, expected, reference) =>
      Effect.sync(() => {
        const { operation } = operationOf(tables, id)
        const has = operation.reference === reference
        if (!isOpen(operation) || (operation.reference !== expected && !has)) return false
        if (!has && isOfAnother(tables, { ...operation, reference })) return false
        writeOperation(tables, { ...operation, reference })
        return true
      }),
    remember: (id, reference) =>
      Effect.sync(() => {
        if (!tables.paymentsByOperation.has(id)) return
        const { operation } = operationOf(tables, id)
        const isFree = !isOfAnother(tables, { ...operation, reference })
        if (operation.kind === "create" && isFree) name(tables, operation, reference)
      }),
    ...instancesWithWork(tables),
    claimDue: (claim) => Effect.sync(() => claimDue(tables, claim)),
    reschedule: (operation, checks, nextCheckAt) =>
      Effect.sync(() => reschedule(tables, operation, checks, nextCheckAt)),
    correctDueTimes: (correction) => Effect.sync(() => correctOperations(tables, correction) + correct(correction)),
    releaseOrphans: (owner, now) => Effect.sync(() => releaseOrphans(tables, owner, now)),
    attemptCounts: (query) => Effect.sync(() => countEndedAttempts(tables.records.values(), query)),
    openAttemptCounts: (query) => Effect.sync(() => countOpenAttempts(tables.records.values(), query)),
    cardDeclines: (tenant, query) => Effect.sync(() => cardDeclinesOf(tables.records.values(), tenant, query)),
    routed: (tenant, query) => Effect.sync(() => routedOf(tables.records.values(), tenant, query)),
    evidenceOf: (id, last = Number.POSITIVE_INFINITY) =>
      Effect.sync(() => tables.evidence.filter(({ paymentId }) => paymentId === id).slice(-last)),
    undispatchedEvents: (limit) => Effect.sync(() => [...tables.undispatched.values()].slice(0, limit)),
    findEvent: (id) => Effect.sync(() => tables.events.get(id) ?? null),
    findEvents: (ids) => Effect.sync(() => eventsOf(tables, ids)),
    eventsAfter: (tenant, query) => Effect.sync(() => eventsAfter(tables.events, tenant, query)),
    markDispatched: (ids) => Effect.sync(() => ids.forEach((id) => tables.undispatched.delete(id))),
    backlog: (now) => Effect.sync(() => backlogOf(tables, now)),
    inbox,
    keptWebhooks: memoryKeptWebhooks(tables.records),
    ...memoryProviderState(),
    orders: memoryOrders(tables),
    erasure: memoryErasure(tables),
    retention: {
      pruneAnswers: (query) => Effect.sync(() => pruneAnswers(tables.keys, query)),
      pruneInbox: (query) => Effect.sync(() => forgetApplied(tables.inbox, query))
    },
    restoration: memoryRestoration(tables)
  })
}

export const layer: Layer.Layer<PaymentStore> = Layer.sync(PaymentStore, () => make())

const newestOf = ({ records }: Tables): NewestPayment | null => {
  const [newest] = [...records.values()].map(({ payment }) => payment).toSorted((a, b) => byText(b.id, a.id))
  return newest === undefined ? null : { id: newest.id, createdAt: newest.createdAt }
}

/** The violation of a unique index. Thrown before anything is written. */
class Refused extends Error {}

const runTransaction = <A>(work: () => A): Effect.Effect<A, StoreUnavailable> => {
  try {
    return Effect.succeed(work())
  } catch (cause) {
    return cause instanceof Refused ? Effect.fail(new StoreUnavailable({ cause })) : Effect.die(cause)
  }
}

const begin = (tables: Tables, { binding, record, restoration }: BeginCommit): BeginResult => {
  if (restoration !== undefined && restoration !== tables.restoration.version) return { _tag: "Restored" }
  const kept = binding === null ? undefined : tables.keys.get(keyOf(binding))
  if (kept !== undefined) return { _tag: "KeyTaken", kept }
  if (isOrderTaken(tables, record.payment)) return { _tag: "OrderTaken" }
  if (tables.records.has(record.payment.id)) throw new Refused(`Payment ${record.payment.id} is there already`)
  refuseSecondInFlight(record.attempts)
  refuseTakenIds(tables, record.operations)
  if (binding !== null) tables.keys.set(keyOf(binding), { ...binding, answer: null })
  tables.records.set(record.payment.id, record)
  holdOrder(tables, null, record.payment)
  record.operations.forEach((operation) => index(tables, operation))
  return { _tag: "Begun" }
}

const advance = (tables: Tables, commit: AdvanceCommit): AdvanceResult => {
  const { after, answer, before, binding, events, evidence } = commit
  const kept = binding === null ? undefined : tables.keys.get(keyOf(binding))
  if (kept !== undefined) return { _tag: "KeyTaken", kept }
  const stored = tables.records.get(before.payment.id)
  if (stored === undefined || !isSameVersion(stored, before)) return { _tag: "Conflict" }
  if (takesReference(tables, before, after)) return { _tag: "ReferenceTaken" }
  if (isOrderTaken(tables, after.payment)) return { _tag: "OrderTaken" }
  const attempts = merged(stored.attempts, before.attempts, after.attempts, (attempt) => attempt.seq)
  const operations = merged(stored.operations, before.operations, after.operations, (operation) => operation.id)
  refuseSecondInFlight(attempts)
  refuseTakenIds(
    tables,
    operations.filter(({ id }) => !stored.operations.some((known) => known.id === id))
  )
  addEvents(tables, events)
  if (binding !== null) tables.keys.set(keyOf(binding), { ...binding, answer: null })
  const entries = [...stored.entries, ...changed(before.entries, after.entries)]
  tables.records.set(after.payment.id, { payment: after.payment, attempts, operations, entries })
  holdOrder(tables, before.payment, after.payment)
  for (const operation of changed(before.operations, after.operations)) {
    settleOperation(tables, rebased(stored.operations, before.operations, operation))
  }
  if (evidence !== null) tables.evidence.push(evidence)
  if (answer === null) return { _tag: "Advanced", answer: null }
  const under = tables.keys.get(keyOf(answer))
  const isOwn = under?.paymentId === after.payment.id
  return { _tag: "Advanced", answer: isOwn ? keepAnswer(tables, answer) : (under?.answer ?? null) }
}

/** Whether the change gives a create operation the reference of a create operation of another payment. */
const takesReference = (tables: Tables, before: PaymentRecord, after: PaymentRecord): boolean =>
  changed(before.operations, after.operations).some(
    (operation) =>
      before.operations.find(({ id }) => id === operation.id)?.reference !== operation.reference &&
      isOfAnother(tables, operation)
  )

/** Whether the operation is a create with the same reference as a create of another payment at the same provider. */
const isOfAnother = (tables: Tables, { kind, paymentId, provider, reference }: Operation): boolean => {
  if (kind !== "create" || reference === null) return false
  return everNamed(tables, provider, reference).some(
    (other) => other.kind === "create" && other.reference === reference && other.paymentId !== paymentId
  )
}

/** The payment with an operation that has the reference, otherwise with one that had it; of several payments, the newest. */
const paymentByReference = (tables: Tables, provider: string, reference: string): PaymentId | undefined => {
  const named = everNamed(tables, provider, reference)
  const current = named
    .filter((operation) => operation.reference === reference)
    .toSorted((a, b) => a.createdAt - b.createdAt || byText(a.id, b.id))
  return (
    current.at(-1)?.paymentId ??
    named
      .map(({ paymentId }) => paymentId)
      .toSorted(byText)
      .at(-1)
  )
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Operations that have or had the reference, or were reported with it. */
const everNamed = (tables: Tables, provider: string, reference: string): ReadonlyArray<Operation> =>
  [...(tables.operationsByReference.get(joined(provider, reference)) ?? [])].map(
    (id) => operationOf(tables, id).operation
  )

/** The rows that are new or changed in `after`, compared by object identity, as in every store. */
const changed = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>): ReadonlyArray<A> =>
  after.filter((row) => !before.includes(row))

const merged = <A>(
  stored: ReadonlyArray<A>,
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>,
  keyOf: (row: A) => unknown
): ReadonlyArray<A> => {
  const rows = new Map(stored.map((row) => [keyOf(row), row]))
  for (const row of changed(before, after)) rows.set(keyOf(row), row)
  return [...rows.values()]
}

/**
 * Writes only the fields that the commit changed. A checkpoint or a reschedule may have been written after `before` was read, and
 * the provider's reference must never be lost.
 */
const rebased = (
  stored: ReadonlyArray<Operation>,
  before: ReadonlyArray<Operation>,
  operation: Operation
): Operation => {
  const now = stored.find(({ id }) => id === operation.id)
  const then: Partial<Operation> = before.find(({ id }) => id === operation.id) ?? {}
  const fields = Object.keys(operation) as Array<keyof Operation>
  const written = fields.filter((field) => operation[field] !== then[field])
  return { ...operation, ...now, ...Object.fromEntries(written.map((field) => [field, operation[field]])) }
}

const refuseSecondInFlight = (attempts: ReadonlyArray<Attempt>): void => {
  if (attempts.filter(({ status }) => isInFlight(status)).length > 1) throw new Refused("Two attempts in flight")
}

const refuseTakenIds = (tables: Tables, operations: ReadonlyArray<Operation>): void => {
  const taken = operations.find(({ id }) => tables.paymentsByOperation.has(id))
  if (taken !== undefined) throw new Refused(`Operation ${taken.id} is there already`)
}

/** Adds all events, or none. */
const addEvents = (tables: Tables, events: ReadonlyArray<PaymentEvent>): void => {
  const names = events.flatMap(({ id, paymentId, sequence }) => [id, joined(paymentId, sequence)])
  const isTaken = names.some((name) => tables.eventNames.has(name)) || new Set(names).size < names.length
  if (isTaken) throw new Refused(`One of the events ${names.join(", ")} is there already`)
  for (const name of names) tables.eventNames.add(name)
  for (const event of events) {
    tables.events.set(event.id, event)
    tables.undispatched.set(event.id, event)
  }
}

const eventsOf = (tables: Tables, ids: ReadonlyArray<EventId>): ReadonlyArray<PaymentEvent> =>
  [...new Set(ids)].flatMap((id) => tables.events.get(id) ?? [])

const keepAnswer = (tables: Tables, answer: AnswerToKeep): string => {
  const kept = tables.keys.get(keyOf(answer))
  if (kept === undefined) throw new Error(`No idempotency key is bound that could keep an answer at ${answer.endpoint}`)
  if (kept.answer !== null) return kept.answer
  tables.keys.set(keyOf(answer), { ...kept, answer: answer.body })
  return answer.body
}

const claimable = (tables: Tables, now: number): ReadonlyArray<DueOperation> =>
  [...tables.scheduled]
    .map((id) => operationOf(tables, id))
    .filter(({ operation }) => isDue(operation, now) && (tables.claimedUntil.get(operation.id) ?? 0) <= now)

const instancesWithWork = (
  tables: Tables
): Pick<PaymentStore["Service"], "dueProviders" | "openOperations" | "openProviders"> => ({
  dueProviders: (now) =>
    Effect.sync(() => [...new Set(claimable(tables, now).map(({ operation }) => operation.provider))]),
  openProviders: Effect.sync(() => [
    ...new Set([...tables.scheduled].map((id) => operationOf(tables, id).operation.provider))
  ]),
  openOperations: (provider) => Effect.sync(() => countOpen(tables, provider))
})

const countOpen = (tables: Tables, provider: string): OpenOperations => {
  const open = [...tables.scheduled]
    .map((id) => operationOf(tables, id))
    .filter(
      ({ operation }) => operation.provider === provider && (isOpen(operation) || operation.status === "authorized")
    )
  return openOperationsOf(provider, open.length, open.filter(({ record }) => record.payment.livemode).length)
}

const claimDue = (tables: Tables, { limit, now, provider, until }: Claim): ReadonlyArray<DueOperation> => {
  const due = claimable(tables, now)
    .filter(({ operation }) => operation.provider === provider)
    .sort((a, b) => (a.operation.nextCheckAt ?? 0) - (b.operation.nextCheckAt ?? 0))
    .slice(0, limit)
  for (const { operation } of due) tables.claimedUntil.set(operation.id, until)
  return due
}

const isDue = (operation: Operation, now: number): boolean =>
  operation.nextCheckAt !== null && operation.nextCheckAt <= now

const reschedule = (
  tables: Tables,
  { id, status }: Pick<Operation, "id" | "status">,
  checks: number,
  nextCheckAt: number | null
): void => {
  const { operation } = operationOf(tables, id)
  if (operation.status !== status) return
  const until = tables.claimedUntil.get(id)
  settleOperation(tables, { ...operation, checks, nextCheckAt })
  if (until !== undefined) tables.rescheduledAt.set(id, Math.min(until, nextCheckAt ?? until))
}

const correctOperations = (tables: Tables, { check, claim, limit, now, send }: DueCorrection): number => {
  const ahead = [...tables.scheduled]
    .map((id) => operationOf(tables, id))
    .filter(({ operation: { id, nextCheckAt, status }, record }) => {
      const until = tables.claimedUntil.get(id)
      if (until !== undefined && isAhead(until - claim, now)) return true
      if (nextCheckAt === null || nextCheckAt <= now) return false
      const setAt = tables.rescheduledAt.get(id) ?? record.payment.updatedAt
      return (
        isAhead(nextCheckAt - (status === "sending" ? send : check), now) ||
        (until === undefined && isAhead(setAt, now))
      )
    })
    .slice(0, limit)
  for (const { operation } of ahead) {
    settleOperation(tables, { ...operation, nextCheckAt: operation.status === "sending" ? now + send : now })
    tables.rescheduledAt.set(operation.id, now)
  }
  return ahead.length
}

const releaseOrphans = (tables: Tables, owner: string, now: number): number => {
  const orphans = [...tables.records.values()]
    .flatMap(({ operations }) => operations)
    .filter((operation) => operation.status === "sending" && operation.owner !== owner)
  for (const orphan of orphans) settleOperation(tables, { ...orphan, nextCheckAt: now })
  return orphans.length
}

const belonging = (tenant: Tenant, record: PaymentRecord | null): PaymentRecord | null =>
  record !== null && record.payment.account === tenant.account && record.payment.livemode === tenant.livemode
    ? record
    : null

const keyOf = ({ account, endpoint, key, livemode }: Tenant & { readonly endpoint: string; readonly key: string }) =>
  joined(account, livemode, endpoint, key)
