/** Random histories of one payment: what providers report of it, what a merchant asks for, and what the engine follows up. */
import * as fc from "fast-check"
import { changed, derived, replace } from "../../src/domain/transition/change.ts"
import type { Changed } from "../../src/domain/transition/change.ts"
import { createOf } from "../../src/domain/Payment.ts"
import type { Attempt } from "../../src/domain/Attempt.ts"
import { isOpen } from "../../src/domain/Operation.ts"
import type { Operation, OperationKind } from "../../src/domain/Operation.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { requestOperation } from "../../src/domain/transition/requestOperation.ts"
import type { OperationRequest } from "../../src/domain/transition/requestOperation.ts"
import { dueReversals, isUnconfirmed, unconfirmedCharges } from "../../src/domain/books/reversal.ts"
import { questioned } from "../../src/domain/books/reviews.ts"
import type { LateSuccess } from "../../src/domain/Step.ts"
import { transition } from "../../src/domain/transition/transition.ts"
import type { EvidenceSource } from "../../src/domain/Evidence.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import { attempt, claims, evidence, money, operation, step, named } from "./records.ts"

export type Move =
  | {
      readonly _tag: "Reported"
      readonly at: number
      readonly claim: Outcome | number
      readonly failOver: boolean
      readonly source: EvidenceSource
      readonly reference: string | null
    }
  | { readonly _tag: "Asked"; readonly request: OperationRequest }
  | { readonly _tag: "Resumed"; readonly at: number }
  | { readonly _tag: "Closing" }
  | { readonly _tag: "Exhausted" }
  | { readonly _tag: "LookEnded" }

export interface TestEnvironment {
  readonly lateSuccess: LateSuccess
  readonly cancelIsFinal: boolean
  readonly reverses: boolean
  readonly inquires: boolean
  readonly retries: boolean
}

/** What a provider is likely to tell of an operation: histories of these reach further. */
const likely: { readonly [kind in OperationKind]: ReadonlyArray<Outcome> } = {
  create: [claims.succeeded, claims.authorized, claims.declined, claims.pending, claims.unknown, claims.notExecuted],
  capture: [claims.succeeded, claims.captured, claims.unknown, claims.declined, claims.notExecuted],
  cancel: [claims.succeeded, claims.canceled, claims.unknown, claims.declined, claims.notExecuted],
  refund: [claims.succeeded, claims.refundSucceeded, claims.refundFailed, claims.unknown, claims.notExecuted]
}

/** A number stands for a likely claim. */
const reported: fc.Arbitrary<Outcome | number> = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 5 }) },
  fc.constantFrom<Outcome>(...Object.values(claims)),
  fc.record({
    _tag: fc.constantFrom("Succeeded", "Captured", "Authorized", "RefundSucceeded"),
    amount: fc.constantFrom(money(100), money(60), money(30), money(5), money(100, "USD"))
  }),
  fc.constantFrom<Outcome>(claims.succeeded, claims.authorized, claims.canceled, {
    _tag: "Pending",
    nextAction: { type: "wait", expiresAt: 500 }
  })
)

const request: fc.Arbitrary<OperationRequest> = fc.oneof(
  fc.record({ kind: fc.constant("capture"), minorUnits: fc.constantFrom(null, 60, 100) }),
  fc.constant<OperationRequest>({ kind: "cancel" }),
  fc.record({ kind: fc.constant("refund"), minorUnits: fc.constantFrom(null, 30, 60), reason: fc.constant(null) })
)

export const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Reported"),
      at: fc.nat({ max: 11 }),
      claim: reported,
      failOver: fc.boolean(),
      source: fc.constantFrom<EvidenceSource>("webhook", "reply", "inquiry", "observed"),
      // A charge and a movement may be reported under a name, another one, or none.
      reference: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constantFrom("a", "b", "c"))
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Asked"), request }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Resumed"), at: fc.nat({ max: 11 }) }) },
  { weight: 1, arbitrary: fc.constant<Move>({ _tag: "Closing" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ _tag: "Exhausted" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ _tag: "LookEnded" }) }
)

export const environment: fc.Arbitrary<TestEnvironment> = fc.record({
  lateSuccess: fc.constantFrom<LateSuccess>("succeed", "reverse"),
  cancelIsFinal: fc.boolean(),
  reverses: fc.boolean(),
  inquires: fc.boolean(),
  retries: fc.boolean()
})

/** What an engine would commit; `null`: nothing. */
export const commit = (record: PaymentRecord, made: Move, here: TestEnvironment, n: number): Changed | null => {
  const added = (operations: ReadonlyArray<Operation>): Changed => changed({ ...record, operations }, n, {}, null)
  switch (made._tag) {
    case "Asked": {
      const verdict = requestOperation(record, made.request, () => ({ support: "supported", partial: true }))
      if (verdict._tag !== "Allowed") return null
      const { kind } = made.request
      const { seq } = verdict.attempt
      return added([
        ...record.operations,
        operation(`n${n}`, { kind, attemptSeq: seq, minorUnits: verdict.minorUnits })
      ])
    }
    case "Resumed": {
      const planned = record.operations[made.at]
      if (planned?.status !== "planned") return null
      return added(record.operations.map((each) => (each === planned ? { ...each, status: "sending" } : each)))
    }
    case "Closing": {
      const open = record.attempts.find(({ status }) => status === "pending")
      const closing = record.operations.some(({ purpose }) => purpose === "expiry")
      if (open === undefined || closing || record.payment.state.status !== "pending") return null
      const over = { kind: "cancel", purpose: "expiry", status: "planned", attemptSeq: open.seq } as const
      return added([...record.operations, operation(`n${n}`, over)])
    }
    case "Exhausted": {
      const lost = record.operations.find(({ status }) => status === "unknown")
      if (lost === undefined) return null
      const given = replace(record, { operations: [{ ...lost, nextCheckAt: null }] })
      const asked = questioned(given, "inquiries_exhausted", lost, n)
      return asked === given ? null : changed(asked, n, {}, null)
    }
    case "LookEnded": {
      const looked = record.operations.filter((each) => !isOpen(each) && each.nextCheckAt !== null)
      const over = looked.map((each) => ({ ...each, nextCheckAt: null }))
      return looked.length === 0 ? null : changed(replace(record, { operations: over }), n, {}, null)
    }
    case "Reported": {
      const subject = record.operations[made.at % record.operations.length]
      if (subject === undefined) throw new Error("no operation")
      const seq = record.attempts.length + 1
      const next =
        made.failOver && seq <= 3 && record.payment.state.status === "pending"
          ? { attempt: attempt(seq), operation: operation(seq) }
          : null
      const ofKind = likely[subject.kind]
      const outcome =
        typeof made.claim === "number" ? (ofKind[made.claim % ofKind.length] ?? claims.unknown) : made.claim
      const { reference, source } = made
      const result = transition(record, subject, evidence(subject.id, named(outcome, reference), source), {
        ...step,
        now: n,
        next,
        retryAt: here.retries ? n : null,
        lateSuccess: here.lateSuccess,
        cancelIsFinal: here.cancelIsFinal
      })
      return result._tag === "Changed" ? followed(result, here, n) : null
    }
  }
}

/** What the engine adds to a change: the reversals that are due, and inquiries about what is not confirmed. */
const followed = (change: Changed, here: TestEnvironment, n: number): Changed => {
  const due = here.reverses ? dueReversals(change.record) : []
  const reversals = due.map(({ attempt: { seq: attemptSeq }, charge, kind, minorUnits }, place) =>
    operation(`n${n}_${place}`, { kind, purpose: "reversal", status: "planned", minorUnits, charge, attemptSeq })
  )
  const planned = { ...change.record, operations: [...change.record.operations, ...reversals] }
  const unconfirmed = here.inquires ? planned.attempts.filter((each) => isBeingAsked(planned, each)) : []
  const asked = unconfirmed.flatMap(({ seq }) => {
    const create = createOf(planned, seq)
    return create === undefined || isOpen(create) || create.nextCheckAt !== null ? [] : [{ ...create, nextCheckAt: n }]
  })
  return { ...change, record: derived(replace(planned, { operations: asked }), n) }
}

const isBeingAsked = (record: PaymentRecord, attempt: Attempt): boolean =>
  isUnconfirmed(record, attempt) || unconfirmedCharges(record, attempt).length > 0

export const history = fc.array(move, { maxLength: 40 })
