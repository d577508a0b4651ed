/**
 * The road between the engine and a provider: each call is noted with what was committed for it, may be where a process
 * dies, and is answered late, or never. What a provider does goes on when nobody waits for its answer any more.
 */
import type { Inquiry, ProviderError, ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { Answer } from "./Plan.ts"
import type { Process } from "./Process.ts"
import type { Vendor } from "./Vendor.ts"
import { committed, planned } from "./World.ts"
import type { World } from "./World.ts"

export type Call = "create" | "inquire" | "capture" | "cancel" | "refund"

/** How the road brings an answer back. `null`: it never does. */
export type Reply = Effect.Effect<Inquiry, ProviderError> | null

/** One call under way. */
export interface Road {
  readonly world: World
  readonly vendor: Vendor
  readonly operation: ProviderOperation
  readonly n: number
  /** What an outage makes of it. */
  readonly outage: Answer | null
  /** The request is at the provider so many ms from now. */
  readonly arrive: (afterMs: number, effect: () => void) => void
  /** So many ms from now, if the engine still listens. `label` is for the history. */
  readonly reply: (afterMs: number, label: string, answer: () => Reply) => void
}

export const call = (
  world: World,
  process: Process,
  vendor: Vendor,
  kind: Call,
  operation: ProviderOperation,
  handle: (road: Road) => void,
  /** When the engine called the adapter, where that was before. */
  since?: number
): Effect.Effect<Inquiry, ProviderError> =>
  Effect.flatten(
    Effect.callback<Effect.Effect<Inquiry, ProviderError>>((resume) => {
      const n = planned(operation.metadata) ?? -1
      const provider = vendor.plan.id
      const about = { provider, call: kind, operation: operation.id } as const
      const { operation: row, record } = committed(world, operation.id)
      const sees = {
        key: operation.key,
        reference: operation.reference,
        amount: operation.amount,
        committed: row,
        record
      }
      if (world.reach(process, n, kind === "inquire" ? "inquiry:before" : "send:before")) return
      world.history.note(n, { kind: "called", ...about, ...sees })
      const startedAt = since ?? world.time.elapsed()
      const isSlow = world.current("brown_out", provider) !== null && isUnlucky(operation.id)
      let over = false
      handle({
        world,
        vendor,
        operation,
        n,
        outage: world.current("outage", provider)?.answer ?? null,
        arrive: (afterMs, effect) =>
          world.later(afterMs, () => {
            effect()
            world.reach(process, n, "send:arrived")
          }),
        reply: (afterMs, label, answer) =>
          world.later(isSlow ? Math.max(BROWN, afterMs) : afterMs, () =>
            process.enter(() => {
              const told = answer()
              if (over || told === null) return
              if (world.reach(process, n, kind === "inquire" ? "inquiry:answered" : "reply:before")) return
              over = true
              world.history.note(n, { kind: "answered", ...about, answer: label })
              resume(Effect.succeed(told))
            })
          )
      })
      return Effect.sync(() => {
        if (over) return
        over = true
        world.history.note(n, { kind: "let_go", ...about, after: world.time.elapsed() - startedAt })
      })
    })
  )

const BROWN = 20_000

/** 30 in a hundred. */
const isUnlucky = (operation: string): boolean => (operation.charCodeAt(operation.length - 1) * 7) % 10 < 3
