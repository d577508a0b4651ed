/**
 * The store as one process sees it: slow or away when the plan says so, its reply lost, the process killed before or
 * after a commit. Every commit that stands is noted.
 */
import type { OperationId } from "@paymux/core"
import { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import type { AdvanceCommit, AdvanceResult, BeginCommit, BeginResult, InboxEntry } from "@paymux/core/store"
import { Effect } from "effect"
import { everyCall } from "../../everyCall.ts"
import type { Point } from "../Plan.ts"
import { planned } from "../TestEnvironment.ts"
import type { TestEnvironment } from "../TestEnvironment.ts"
import type { Process } from "./Process.ts"

type Store = PaymentStore["Service"]
type Call<A> = Effect.Effect<A, StoreUnavailable>

export const make = (environment: TestEnvironment, process: Process): Store => {
  const { store } = environment.database
  /** What happens to any call; the names of points are those of the plan. */
  const disturbed = <A>(work: Call<A>): Call<A> =>
    Effect.suspend(() => {
      const slow = environment.current("store_slow")
      const away = environment.current("store_away")
      if (slow === null && away === null) return process.isAlive() ? work : Effect.andThen(process.pass, work)
      const waits = slow === null ? Effect.void : Effect.sleep(slow.by)
      const ends = away === null ? work : Effect.fail(new StoreUnavailable({ cause: "away" }))
      return Effect.andThen(Effect.andThen(waits, process.pass), ends)
    })
  const killed = (n: number | null, point: Point): Effect.Effect<void> =>
    Effect.suspend(() => (environment.reach(process, n, point) ? Effect.never : Effect.void))
  /** A call that a plan can name: it dies before, after, or loses its reply. */
  const named = <A>(name: "begin" | "advance" | "keepAnswer", n: number | null, work: Call<A>): Call<A> =>
    killed(n, `${name}:before`).pipe(
      Effect.andThen(disturbed(work)),
      Effect.tap(() => killed(n, `${name}:after`)),
      Effect.tap(() =>
        environment.losesReply(n, name) ? Effect.fail(new StoreUnavailable({ cause: "reply lost" })) : Effect.void
      )
    )
  const ofOperation = (id: OperationId): Effect.Effect<number | null> =>
    Effect.orDie(
      Effect.map(store.findByOperation(id), (record) => (record === null ? null : planned(record.payment.metadata)))
    )

  const begin = (commit: BeginCommit) => {
    const n = planned(commit.record.payment.metadata)
    return named(
      "begin",
      n,
      noted(store.begin(commit), (result: BeginResult) => {
        if (result._tag !== "Begun") return
        environment.history.note(n, {
          kind: "committed",
          before: null,
          after: commit.record,
          events: [],
          source: null,
          process: process.name
        })
      })
    )
  }
  const advance = (commit: AdvanceCommit) => {
    const n = planned(commit.after.payment.metadata)
    return named(
      "advance",
      n,
      noted(store.advance(commit), (result: AdvanceResult) => {
        if (result._tag !== "Advanced") return
        if (result.answer !== null) environment.history.note(n, { kind: "answer_kept", body: result.answer })
        environment.history.note(n, {
          kind: "committed",
          before: commit.before,
          after: commit.after,
          events: commit.events,
          source: commit.evidence?.source ?? null,
          process: process.name
        })
      })
    )
  }
  const through = everyCall(store, disturbed)
  const ofEntries = (entries: ReadonlyArray<InboxEntry>): Effect.Effect<number | null> => {
    const about = entries[0]?.evidence.about
    return about === undefined || !("operation" in about) ? Effect.succeed(null) : ofOperation(about.operation)
  }
  return PaymentStore.of({
    ...through,
    inbox: {
      ...through.inbox,
      keep: (entries) =>
        Effect.flatMap(ofEntries(entries), (n) =>
          killed(n, "keep:before").pipe(
            Effect.andThen(disturbed(store.inbox.keep(entries))),
            Effect.tap(() => killed(n, "keep:after"))
          )
        )
    },
    checkpoint: (id, expected, reference) =>
      Effect.flatMap(ofOperation(id), (n) =>
        disturbed(store.checkpoint(id, expected, reference)).pipe(
          Effect.tap((kept) => {
            if (kept) environment.history.note(n, { kind: "checkpointed", operation: id, reference })
            return killed(n, "checkpoint:after")
          })
        )
      ),
    singleEngine: environment.plan.engines === "one",
    begin,
    advance,
    keepAnswer: (answer) =>
      Effect.flatMap(boundTo(store, answer), (n) =>
        named(
          "keepAnswer",
          n,
          noted(store.keepAnswer(answer), (body) => environment.history.note(n, { kind: "answer_kept", body }))
        )
      ),
    reschedule: (operation, checks, at) =>
      Effect.flatMap(ofOperation(operation.id), (n) =>
        killed(n, "reschedule:before").pipe(
          Effect.andThen(disturbed(store.reschedule(operation, checks, at))),
          Effect.tap(() => killed(n, "reschedule:after"))
        )
      )
  })
}

const boundTo = (store: Store, answer: Parameters<Store["keepAnswer"]>[0]): Effect.Effect<number | null> =>
  store.findKey(answer, answer.endpoint, answer.key).pipe(
    Effect.flatMap((kept) => (kept === null ? Effect.succeed(null) : store.get(kept.paymentId))),
    Effect.map((record) => (record === null ? null : planned(record.payment.metadata))),
    Effect.orDie
  )

const noted = <A>(work: Call<A>, note: (result: A) => void): Call<A> =>
  Effect.map(work, (result) => {
    note(result)
    return result
  })
