/**
 * The network between the engine and a vendor: each call is recorded with what was committed for it, is a point where a
 * process may die, and is answered late, or never. What a vendor does goes on when the caller has stopped waiting.
 */
import type { InquiryOutcome, ProviderError, ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { Process } from "../engine/Process.ts"
import type { Answer } from "../Plan.ts"
import type { TestEnvironment } from "../TestEnvironment.ts"
import { planned } from "../TestEnvironment.ts"

export type CallKind = "create" | "inquire" | "capture" | "cancel" | "refund"

/** How the network brings an answer back. `null`: it never does. */
export type Reply = Effect.Effect<InquiryOutcome, ProviderError> | null

/** One call under way. */
export interface NetworkCall {
  readonly operation: ProviderOperation
  readonly n: number
  /** What an outage makes of it. */
  readonly outage: Answer | null
  /** The request is at the vendor so many ms from now. */
  readonly arrive: (afterMs: number, effect: () => void) => void
  /** So many ms from now, if the engine still listens. `label` is for the history. */
  readonly reply: (afterMs: number, label: string, answer: () => Reply) => void
}

export interface Route {
  readonly environment: TestEnvironment
  readonly process: Process
  readonly provider: string
}

/** @param since ms of the run, when the engine called the adapter, where that was before this request */
export const call = (
  { environment, process, provider }: Route,
  kind: CallKind,
  operation: ProviderOperation,
  handle: (call: NetworkCall) => void,
  since?: number
): Effect.Effect<InquiryOutcome, ProviderError> =>
  Effect.flatten(
    Effect.callback<Effect.Effect<InquiryOutcome, ProviderError>>((resume) => {
      const n = planned(operation.metadata) ?? -1
      const about = { provider, call: kind, operation: operation.id } as const
      const { operation: row, record } = environment.database.committed(operation.id)
      if (environment.reach(process, n, kind === "inquire" ? "inquiry:before" : "send:before")) return
      environment.history.note(n, {
        kind: "called",
        ...about,
        key: operation.key,
        reference: operation.reference,
        originalKey: operation.original?.key ?? null,
        amount: operation.amount,
        committed: row,
        record
      })
      const startedAt = since ?? environment.time.elapsed()
      const isSlow = environment.current("brown_out", provider) !== null && isUnlucky(operation.id)
      let over = false
      handle({
        operation,
        n,
        outage: environment.current("outage", provider)?.answer ?? null,
        arrive: (afterMs, effect) =>
          environment.later(afterMs, () => {
            effect()
            environment.reach(process, n, "send:arrived")
          }),
        reply: (afterMs, label, answer) =>
          environment.later(isSlow ? Math.max(BROWN_OUT, afterMs) : afterMs, () =>
            process.enter(() => {
              const reply = answer()
              if (over || reply === null) return
              if (environment.reach(process, n, kind === "inquire" ? "inquiry:answered" : "reply:before")) return
              over = true
              environment.history.note(n, { kind: "answered", ...about, answer: label })
              resume(Effect.succeed(reply))
            })
          )
      })
      return Effect.sync(() => {
        if (over) return
        over = true
        environment.history.note(n, { kind: "abandoned", ...about, after: environment.time.elapsed() - startedAt })
      })
    })
  )

const BROWN_OUT = 20_000

/** 30 in a hundred. */
const isUnlucky = (operation: string): boolean => (operation.charCodeAt(operation.length - 1) * 7) % 10 < 3
