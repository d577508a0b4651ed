/** A payment store with a crash point around each of its writes. */
import { isOpen, PaymentStore } from "@paymux/core/store"
import type { AdvanceCommit, Operation } from "@paymux/core/store"
import { Effect, Layer } from "effect"
import type { CrashPoint } from "./CrashPoints.ts"
import type { CrashSwitch } from "./CrashSwitch.ts"

export const crashingStore = (crash: CrashSwitch): Layer.Layer<PaymentStore, never, PaymentStore> =>
  Layer.effect(
    PaymentStore,
    Effect.map(PaymentStore, (store) => around(store, crash))
  )

const around = (store: PaymentStore["Service"], crash: CrashSwitch): PaymentStore["Service"] => {
  const before = <A, E>(point: CrashPoint, write: Effect.Effect<A, E>) => Effect.andThen(crash.at(point), write)
  const after = <A, E>(point: CrashPoint, write: Effect.Effect<A, E>) => Effect.tap(write, crash.at(point))
  /** Claims that find nothing are no work. */
  const claimed = <A, E>(point: CrashPoint, claim: Effect.Effect<ReadonlyArray<A>, E>) =>
    Effect.tap(claim, (found) => (found.length === 0 ? Effect.void : crash.at(point)))
  return {
    ...store,
    begin: (commit) => after("begin.after", before("begin.before", store.begin(commit))),
    advance: (commit) => {
      const kind = kindOf(commit)
      return kind === null
        ? store.advance(commit)
        : after(`advance.${kind}.after`, before(`advance.${kind}.before`, store.advance(commit)))
    },
    keepAnswer: (answer) => after("keep_answer.after", before("keep_answer.before", store.keepAnswer(answer))),
    checkpoint: (id, expected, reference) =>
      after("checkpoint.after", before("checkpoint.before", store.checkpoint(id, expected, reference))),
    claimDue: (claim) => claimed("claim_due.after", store.claimDue(claim)),
    reschedule: (id, checks, next) =>
      after("reschedule.after", before("reschedule.before", store.reschedule(id, checks, next))),
    inbox: {
      ...store.inbox,
      keep: (entries) => after("inbox.keep.after", before("inbox.keep.before", store.inbox.keep(entries))),
      claimDue: (claim) => claimed("inbox.claim.after", store.inbox.claimDue(claim)),
      settle: (entry) => after("inbox.settle.after", before("inbox.settle.before", store.inbox.settle(entry)))
    }
  }
}

type AdvanceKind =
  | "first_outcome"
  | "failover"
  | "requested"
  | "later_outcome"
  | "announced"
  | "evidence"
  | "resumed"
  | "planned"

/** The kind of a commit, by what differs. `null`: something else, such as a review. */
const kindOf = ({ after, before, evidence }: AdvanceCommit): AdvanceKind | null => {
  const made = after.operations.find(({ id }) => !before.operations.some((known) => known.id === id))
  if (after.attempts.length > before.attempts.length) return "failover"
  if (made !== undefined) return made.status === "planned" ? "planned" : "requested"
  if (evidence !== null) return "evidence"
  const was = (operation: Operation) => before.operations.find(({ id }) => id === operation.id)
  const changed = after.operations.find((operation) => was(operation)?.status !== operation.status)
  if (changed === undefined)
    return after.payment.pendingAnnounced && !before.payment.pendingAnnounced ? "announced" : null
  const previous = was(changed)
  if (previous?.status === "planned") return "resumed"
  if (previous?.status !== "sending" && !(previous !== undefined && isOpen(previous))) return null
  return changed.kind === "create" ? "first_outcome" : "later_outcome"
}
