/**
 * Everything that happened in a run, in order, with virtual times: what the checkers judge, and what a report tells.
 * `elapsed` is ms since the start of the run; wall clocks are set in simulations.
 */
import type {
  EvidenceSource,
  Money,
  Operation,
  OperationId,
  PaymentEvent,
  PaymentId,
  PaymentRecord
} from "@paymux/core"
import type { ChargeStatus } from "./Ledger.ts"
import type { Trouble } from "./Plan.ts"

export type Happening =
  /** A commit stands. `before` is `null` for the first one. */
  | {
      readonly kind: "committed"
      readonly before: PaymentRecord | null
      readonly after: PaymentRecord
      readonly event: PaymentEvent | null
      readonly source: EvidenceSource | null
      readonly process: string
    }
  /** The engine called a provider. `committed` is the operation's row as it stood at that moment. */
  | {
      readonly kind: "called"
      readonly provider: string
      readonly call: "create" | "capture" | "cancel" | "refund" | "inquire"
      readonly operation: OperationId
      /** As it left for the provider, and as the engine gave it to the adapter. */
      readonly key: string
      /** What an earlier checkpoint or answer left. */
      readonly reference: string | null
      readonly amount: Money.Money
      readonly committed: Operation | null
      readonly record: PaymentRecord | null
    }
  | { readonly kind: "checkpointed"; readonly operation: OperationId; readonly reference: string }
  /** The provider, or the road to it, answered the engine. */
  | {
      readonly kind: "answered"
      readonly provider: string
      readonly call: string
      readonly operation: OperationId
      readonly answer: string
    }
  /** The engine let go of a call before it was answered. */
  | {
      readonly kind: "let_go"
      readonly provider: string
      readonly call: string
      readonly operation: OperationId
      readonly after: number
    }
  /** The oracle: what really happened to money. */
  | {
      readonly kind: "charge"
      readonly provider: string
      readonly charge: string
      readonly operation: OperationId
      readonly key: string
      readonly status: ChargeStatus
      readonly amount: Money.Money
      /** Minor units given back so far. */
      readonly refunded: number
      readonly brokeItsWord: boolean
    }
  | { readonly kind: "told"; readonly provider: string; readonly operation: OperationId; readonly claim: string }
  | { readonly kind: "asked"; readonly request: string; readonly call: string; readonly key: string | null }
  /** What the client was answered. */
  | {
      readonly kind: "client"
      readonly request: string
      readonly call: string
      readonly key: string | null
      readonly answer:
        | { readonly _tag: "Ok"; readonly payment: PaymentId; readonly body: string; readonly replayed: boolean }
        | { readonly _tag: "Refused"; readonly reason: string }
        | { readonly _tag: "HungUp" }
        | { readonly _tag: "ConnectionLost" }
    }
  | { readonly kind: "trouble"; readonly trouble: Trouble; readonly text: string }
  | { readonly kind: "process"; readonly process: string; readonly what: "started" | "killed" | "stopped" | "stalled" }

export type Entry = Happening & {
  readonly elapsed: number
  /** The payment of the plan; `null`: of the world. */
  readonly n: number | null
}

export interface History {
  readonly entries: ReadonlyArray<Entry>
  readonly note: (n: number | null, happening: Happening) => void
}

export const make = (elapsed: () => number): History => {
  const entries: Array<Entry> = []
  return { entries, note: (n, happening) => void entries.push({ ...happening, elapsed: elapsed(), n }) }
}

/** Each payment's own entries, in order. */
export const byPayment = (entries: ReadonlyArray<Entry>): ReadonlyMap<number, ReadonlyArray<Entry>> => {
  const groups = new Map<number, Array<Entry>>()
  for (const entry of entries) {
    if (entry.n === null) continue
    const group = groups.get(entry.n)
    if (group === undefined) groups.set(entry.n, [entry])
    else group.push(entry)
  }
  return groups
}
