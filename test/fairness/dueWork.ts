/** Each kind of work that the engine looks after: rows that are due, and an instance that answers calls about them. */
import { defineProvider, Outcome } from "@paymux/core"
import type { InquiryOutcome, OperationId, PaymentRecord, Provider } from "@paymux/core"
import type { InboxEntry, Operation } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Schema } from "effect"

const { aRecord, anAttempt, anEntry, anInboxEntry, anOperation, operationId } = PaymentRecords

export type WorkKind = "inquiry" | "expiry" | "capture" | "refund" | "webhook in"

/** A payment with due work, and the operation that has ended when the work is done. */
export interface DueWork {
  readonly record: PaymentRecord
  readonly entry: InboxEntry | null
  readonly operation: OperationId
}

/** Of payment `n`, since `dueAt` (ms UTC). Where its provider refuses it, `backup` is tried next. */
type MakeWork = (n: number, provider: string, dueAt: number) => DueWork

export const backup = "backup"

const workOn = (record: PaymentRecord, operation: Operation, entry: InboxEntry | null = null): DueWork => ({
  record: { ...record, operations: [...record.operations.filter(({ id }) => id !== operation.id), operation] },
  entry,
  operation: operation.id
})

const paid: MakeWork = (n, provider, dueAt) => {
  const create = anOperation(n, 1, { provider, status: "succeeded", nextCheckAt: null, reference: `ref_${n}` })
  const payment = { provider, amountCaptured: 10_000, state: { status: "succeeded", late: false } } as const
  return workOn(
    {
      ...aRecord(n, payment),
      attempts: [anAttempt(1, { provider, status: "succeeded", endedAt: dueAt })],
      operations: [create],
      entries: [anEntry(n, { provider, reference: `ref_${n}` })]
    },
    { ...create, id: operationId(n, 2), kind: "refund", status: "planned", reference: null, nextCheckAt: dueAt }
  )
}

export const works: { readonly [kind in WorkKind]: MakeWork } = {
  inquiry: (n, provider, dueAt) =>
    workOn(
      { ...aRecord(n, { provider }), attempts: [anAttempt(1, { provider, status: "unknown" })] },
      anOperation(n, 1, { provider, status: "unknown", nextCheckAt: dueAt })
    ),
  expiry: (n, provider, dueAt) => {
    const nextAction = { type: "wait", expiresAt: dueAt } as const
    return workOn(
      {
        ...aRecord(n, { provider, state: { status: "pending", reason: "awaiting_customer", nextAction } }),
        attempts: [anAttempt(1, { provider, status: "pending", actionShown: true })]
      },
      anOperation(n, 1, { provider, status: "pending", reference: `ref_${n}`, nextCheckAt: dueAt })
    )
  },
  capture: (n, provider, dueAt) => {
    const create = anOperation(n, 1, { provider, status: "authorized", nextCheckAt: null, reference: `ref_${n}` })
    return workOn(
      {
        ...aRecord(n, { provider, captureMethod: "manual", state: { status: "authorized" } }),
        attempts: [anAttempt(1, { provider, status: "authorized" })],
        operations: [create]
      },
      { ...create, id: operationId(n, 2), kind: "capture", status: "unknown", reference: null, nextCheckAt: dueAt }
    )
  },
  refund: paid,
  "webhook in": (n, provider, dueAt) => {
    const candidates = [provider, backup].map((id) => ({ provider: id, reason: "priority" }))
    const routing = { ...aRecord(n).payment.routing, candidates }
    const isPaid = provider === "other"
    const outcome = isPaid ? Outcome.succeeded() : Outcome.notExecuted({ reason: "proof_code" })
    const about = { operation: operationId(n) }
    return workOn(
      {
        ...aRecord(n, { provider, routing, deadlineAt: dueAt + 3_600_000 }),
        attempts: [anAttempt(1, { provider, status: "pending" })]
      },
      anOperation(n, 1, { provider, status: "pending", nextCheckAt: dueAt + 3_600_000 }),
      anInboxEntry(n, {
        provider,
        nextTryAt: dueAt,
        evidence: { source: "webhook", about, outcome, eventId: `event-${n}`, occurredAt: null }
      })
    )
  }
}

/** How an instance answers its calls; `prompt` as the others are expected to. */
export type Behavior = "prompt" | "slow" | "hanging" | "failing"

export const answering = <A, E>(behavior: Behavior, answer: Effect.Effect<A, E>, failure: Effect.Effect<A, E>) => {
  switch (behavior) {
    case "prompt":
      return Effect.delay(answer, "1 second")
    case "slow":
      return Effect.delay(answer, "8 seconds")
    case "hanging":
      return Effect.never
    case "failing":
      return Effect.delay(failure, "1 second")
  }
}

/** An instance that answers so to each call, and inquiries about an expired payment by "pending". */
export const instance = (id: string, behavior: Behavior, kind: WorkKind): Provider =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => {
      const operation = {
        idempotency: { by: "header", lifetime: "24 hours" },
        inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
        partial: true
      } as const
      return {
        methods: { upi: { currencies: ["INR"], flows: { intent: {} } } },
        operations: { create: operation, capture: operation, cancel: operation, refund: operation }
      }
    },
    make: () => {
      const unknown = Effect.succeed(Outcome.unknown({ reason: "server_error" }))
      const call = () => answering<Outcome.SendOutcome, never>(behavior, Effect.succeed(Outcome.succeeded()), unknown)
      const inquired: InquiryOutcome = kind === "expiry" ? Outcome.pending() : Outcome.succeeded()
      const inquire = () => answering<InquiryOutcome, never>(behavior, Effect.succeed(inquired), unknown)
      return Effect.succeed({ create: call, capture: call, cancel: call, refund: call, inquire })
    }
  })({})
