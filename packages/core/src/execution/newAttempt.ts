import { Effect } from "effect"
import type { Attempt } from "../domain/Attempt.ts"
import type { Ids, PaymentId } from "../domain/Ids.ts"
import type { Operation } from "../domain/Operation.ts"
import { timings } from "./timings.ts"

export interface Start {
  readonly paymentId: PaymentId
  readonly seq: number
  readonly provider: string
  readonly reason: string
  readonly minorUnits: number
  readonly owner: string
  /** ms UTC */
  readonly now: number
}

/** An attempt about to be sent, with the operation and the key under which it will be. */
export const newAttempt = Effect.fnUntraced(function* (ids: Ids["Service"], start: Start) {
  const attempt: Attempt = {
    seq: start.seq,
    provider: start.provider,
    status: "sending",
    reason: start.reason,
    code: null,
    vendorCode: null,
    actionShown: false,
    late: false,
    startedAt: start.now,
    endedAt: null
  }
  const deadlineAt = start.now + timings.attempt
  const operation: Operation = {
    id: yield* ids.operation,
    paymentId: start.paymentId,
    attemptSeq: start.seq,
    provider: start.provider,
    kind: "create",
    minorUnits: start.minorUnits,
    status: "sending",
    key: yield* ids.idempotencyKey,
    reference: null,
    owner: start.owner,
    unsettled: false,
    checks: 0,
    deadlineAt,
    // A crash leaves the row in `sending`: this is when it is found.
    nextCheckAt: deadlineAt + timings.orphanGrace,
    createdAt: start.now
  }
  return { attempt, operation }
})
