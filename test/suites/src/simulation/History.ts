/**
 * Everything that happened in a run, in order: what the invariants check, and what a report shows. `elapsed` is ms since
 * the start of the run; wall clocks differ in simulations.
 */
import type { EvidenceSource, Money, OperationId, PaymentRecord } from "@paymux/core"
import type { Operation, PaymentEvent } from "@paymux/core/store"
import type { RequestView } from "./judge/index.ts"
import type { ChargeStatus } from "./vendor/Ledger.ts"

type HistoryEvent =
  /** A commit stands. `before` is `null` for the first one. */
  | {
      readonly kind: "committed"
      readonly before: PaymentRecord | null
      readonly after: PaymentRecord
      readonly events: ReadonlyArray<PaymentEvent>
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
      /** The key of the create whose charge it is about; `null` for a create. */
      readonly originalKey: string | null
      readonly amount: Money.Money
      readonly committed: Operation | null
      readonly record: PaymentRecord | null
    }
  /** The first of two requests: an order is made, and no money moves. */
  | { readonly kind: "ordered"; readonly operation: OperationId; readonly reference: string }
  | { readonly kind: "checkpointed"; readonly operation: OperationId; readonly reference: string }
  /** The provider, or the network on its behalf, answered the engine. */
  | {
      readonly kind: "answered"
      readonly provider: string
      readonly call: string
      readonly operation: OperationId
      readonly answer: string
    }
  /** The engine stopped waiting for a call before it was answered. */
  | {
      readonly kind: "abandoned"
      readonly provider: string
      readonly call: string
      readonly operation: OperationId
      readonly after: number
    }
  /** A vendor's ledger changed: minor units in all. */
  | {
      readonly kind: "charge"
      readonly provider: string
      readonly charge: string
      readonly operation: string
      readonly status: ChargeStatus
      readonly held: number
      readonly captured: number
      readonly refunded: number
      readonly currency: string
      /** It may do what its vendor declared that it never does. */
      readonly breaksPromises: boolean
    }
  | { readonly kind: "reported"; readonly provider: string; readonly reference: string; readonly text: string }
  | { readonly kind: "asked"; readonly request: string; readonly call: string; readonly key: string | null }
  /** The database has stored the bytes of an answer with its key. */
  | { readonly kind: "answer_kept"; readonly body: string }
  /** What the client was answered. */
  | {
      readonly kind: "client"
      readonly request: string
      readonly call: string
      readonly key: string | null
      readonly wants: RequestView["wants"]
      readonly answer: ClientAnswer
    }
  | { readonly kind: "incident"; readonly text: string }
  | { readonly kind: "operator"; readonly text: string }
  | { readonly kind: "process"; readonly process: string; readonly what: "started" | "killed" | "stopped" | "stalled" }

type Answer = RequestView["answer"]

export type ClientAnswer =
  | Omit<Extract<Answer, { readonly kind: "accepted" }>, "kept">
  | Extract<Answer, { readonly kind: "refused" }>
  | { readonly kind: "hung_up" }
  | { readonly kind: "connection_lost" }

export type Entry = HistoryEvent & {
  readonly elapsed: number
  /** The payment of the plan; `null`: it concerns all of them. */
  readonly n: number | null
}

export interface History {
  readonly entries: ReadonlyArray<Entry>
  readonly note: (n: number | null, event: HistoryEvent) => void
}

export const make = (elapsed: () => number): History => {
  const entries: Array<Entry> = []
  return { entries, note: (n, event) => void entries.push({ ...event, elapsed: elapsed(), n }) }
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
