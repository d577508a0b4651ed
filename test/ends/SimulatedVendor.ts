/**
 * A vendor in memory, with its own ledger and its adapter. It executes what it is asked and answers truthfully to
 * inquiries; a test overrides single replies to make it misbehave.
 */
import { Outcome } from "@paymux/core"
import type { InquiryOutcome, Provider, ProviderOperation } from "@paymux/core"
import { Clock, Effect } from "effect"
import { idempotent, laterIdempotent, scripted } from "../../packages/core/test/engine/fixtures.ts"
import { executed, found, orderOf, refusal } from "./VendorExecution.ts"
import type { Entry } from "./VendorExecution.ts"
import { makeVendorLedger } from "./VendorLedger.ts"
import type { Charge, Movement, VendorLedger } from "./VendorLedger.ts"
import { webhookOf } from "./VendorWebhook.ts"

type Kind = ProviderOperation["kind"]

/** One request that reached the vendor. */
export interface VendorRequest {
  readonly operation: ProviderOperation
  /** 1: the first operation of its kind. */
  readonly place: number
  /** 1: the first send of this operation. */
  readonly send: number
  /** Executes it truthfully, and returns the truthful reply. */
  readonly execute: (minorUnits?: number) => Outcome.SendOutcome
  /** Opens a charge that waits for its payer, and returns that reply. */
  readonly wait: () => Outcome.SendOutcome
}

type Reply = (request: VendorRequest) => Outcome.SendOutcome

export interface VendorOptions {
  readonly replies?: { readonly [kind in Kind]?: Reply }
  /** Default: everything. */
  readonly supports?: ReadonlyArray<Exclude<Kind, "create">>
  /** Default: the same key gets the first result. */
  readonly honoursKeys?: boolean
}

export interface SimulatedVendor {
  readonly id: string
  readonly provider: Provider
  readonly ledger: VendorLedger
  /** How many requests of this kind arrived, resends included. */
  readonly requests: (kind: Kind) => number
  /** The operation of this kind that arrived as number `place`, from 1. */
  readonly operation: (kind: Kind, place: number) => ProviderOperation
  /** Times of the inquiries, in ms. */
  readonly inquiries: ReadonlyArray<number>
  /** `true`: inquiries find nothing from now on. `false`: they find everything again. */
  readonly setForgetful: (forgetful: boolean) => void
  /** Executes an operation that was accepted as pending. */
  readonly execute: (operation: ProviderOperation, minorUnits?: number) => Effect.Effect<void>
  /** Refuses an operation that was accepted as pending. */
  readonly refuse: (operation: ProviderOperation) => void
  /** Adds a movement that no request of ours caused. */
  readonly move: (charge: Charge, movement: Pick<Movement, "kind" | "minorUnits" | "by">) => Effect.Effect<Movement>
  /** Opens a second charge for a create that already has one. */
  readonly chargeAgain: (operation: ProviderOperation) => Effect.Effect<Charge>
}

export const makeVendor = (id: string, options: VendorOptions = {}): SimulatedVendor => {
  const { honoursKeys = true, replies = {}, supports = ["capture", "cancel", "refund"] } = options
  const ledger = makeVendorLedger(id)
  const entries: Array<Entry> = []
  const received: Array<ProviderOperation> = []
  const inquiries: Array<number> = []
  let forgetful = false

  const execute = (operation: ProviderOperation, at: number, minorUnits = operation.amount.minorUnits) => {
    const known = entries.find(({ key, outcome }) => key === operation.key && outcome._tag !== "Pending")
    if (honoursKeys && known !== undefined) return known.outcome
    const entry = executed(ledger, operation, at, minorUnits)
    entries.push(entry)
    return entry.outcome
  }

  const perform = (operation: ProviderOperation) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      received.push(operation)
      const sent = received.filter(({ kind }) => kind === operation.kind)
      const reply: Reply = replies[operation.kind] ?? (({ execute }) => execute())
      const outcome = reply({
        operation,
        place: [...new Set(sent.map(({ id }) => id))].indexOf(operation.id) + 1,
        send: sent.filter((each) => each.id === operation.id).length,
        execute: (minorUnits) => execute(operation, at, minorUnits),
        wait: () => {
          const charge = ledger.open(orderOf(operation), operation.amount.currency)
          charge.isWaiting = true
          const outcome = Outcome.pending({ reference: charge.reference })
          entries.push({ operation: operation.id, key: operation.key, charge, movement: null, outcome })
          return outcome
        }
      })
      const isKnown = entries.some((entry) => entry.operation === operation.id)
      if (!isKnown && (outcome._tag === "Pending" || outcome._tag === "Declined")) {
        entries.push({ operation: operation.id, key: operation.key, charge: null, movement: null, outcome })
      }
      return outcome
    })

  const inquire = (operation: ProviderOperation) =>
    Effect.map(Clock.currentTimeMillis, (at): InquiryOutcome => {
      inquiries.push(at)
      return forgetful ? Outcome.notFound() : found(entries, operation)
    })

  return {
    id,
    provider: adapterOf(id, supports, perform, inquire),
    ledger,
    requests: (kind) => received.filter((operation) => operation.kind === kind).length,
    operation: (kind, place) => operationAt(received, kind, place),
    inquiries,
    setForgetful: (next) => {
      forgetful = next
    },
    execute: (operation, minorUnits) =>
      Effect.map(Clock.currentTimeMillis, (at) => void execute(operation, at, minorUnits)),
    refuse: ({ id, key }) => {
      entries.push({ operation: id, key, charge: null, movement: null, outcome: refusal })
    },
    move: (charge, movement) => Effect.map(Clock.currentTimeMillis, (at) => ledger.add(charge, { ...movement, at })),
    chargeAgain: (operation) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        const entry = executed(ledger, operation, at, operation.amount.minorUnits)
        entries.push(entry)
        if (entry.charge === null) throw new Error("A create opens a charge")
        return entry.charge
      })
  }
}

const adapterOf = (
  id: string,
  supports: NonNullable<VendorOptions["supports"]>,
  perform: (operation: ProviderOperation) => Effect.Effect<Outcome.SendOutcome>,
  inquire: (operation: ProviderOperation) => Effect.Effect<InquiryOutcome>
): Provider =>
  scripted(
    id,
    {
      create: perform,
      inquire,
      webhook: webhookOf(id),
      later: laterIdempotent,
      ...(supports.includes("capture") && { capture: perform }),
      ...(supports.includes("cancel") && { cancel: perform }),
      ...(supports.includes("refund") && { refund: perform })
    },
    idempotent
  )

const operationAt = (received: ReadonlyArray<ProviderOperation>, kind: Kind, place: number): ProviderOperation => {
  const all = received.filter((operation) => operation.kind === kind)
  const id = [...new Set(all.map((operation) => operation.id))][place - 1]
  const operation = all.find((each) => each.id === id)
  if (operation === undefined) throw new Error(`No ${kind} ${place} arrived`)
  return operation
}
