/** A provider as it stands over all processes: what it declares, its charges, and what it tells of them. */
import { Currency, fromAnswer } from "@paymux/core"
import type { Evidence, Money, ProviderOperation } from "@paymux/core"
import { Effect, Exit } from "effect"
import { refunded, truthOf } from "./Ledger.ts"
import type { Charge, ChargeStatus } from "./Ledger.ts"
import type { Act, ProviderPlan } from "./Plan.ts"
import type { Process } from "./Process.ts"
import { committed } from "./World.ts"
import type { World } from "./World.ts"

export interface Vendor {
  readonly plan: ProviderPlan
  /** Where its webhooks go in each process. */
  readonly inboxes: WeakMap<Process, (evidence: Evidence) => Effect.Effect<void>>
}

export const make = (plan: ProviderPlan): Vendor => ({ plan, inboxes: new WeakMap() })

/** A new charge, of which nothing is decided yet. */
export const charge = (
  world: World,
  { plan }: Vendor,
  operation: ProviderOperation,
  act: Act,
  n: number,
  sentAt: number
) => {
  const made: Charge = {
    id: `${plan.id}:ch_${world.ledger.charges.length}`,
    n,
    operation: operation.id,
    key: operation.key,
    act,
    asked: operation.amount,
    sentAt,
    status: "waiting",
    amount: taken(operation.amount, act),
    firstAnswer: null,
    brokeItsWord: false,
    asks: []
  }
  world.ledger.add(made)
  return made
}

const taken = (asked: Money.Money, { fate }: Act): Money.Money => {
  if (fate.kind !== "taken") return asked
  const other = asked.currency === "EUR" ? "USD" : "EUR"
  return {
    minorUnits: Math.max(1, asked.minorUnits + fate.by),
    currency: fate.otherCurrency && Currency.isCurrency(other) ? other : asked.currency
  }
}

export const move = (world: World, vendor: Vendor, charge: Charge, status: ChargeStatus): void => {
  charge.status = status
  note(world, vendor, charge)
  tell(world, vendor, charge)
}

export const note = (world: World, { plan }: Vendor, charge: Charge): void =>
  world.history.note(charge.n, {
    kind: "charge",
    provider: plan.id,
    charge: charge.id,
    operation: charge.operation,
    key: charge.key,
    status: charge.status,
    amount: charge.amount,
    refunded: refunded(charge),
    brokeItsWord: charge.brokeItsWord
  })

const tell = (world: World, vendor: Vendor, charge: Charge): void => {
  const { act } = charge
  const truth = fromAnswer("webhook", charge.operation, truthOf(charge))
  const evidence: Evidence = {
    ...truth,
    eventId: `evt_${charge.id}_${charge.status}`,
    about: act.tellsByReference ? { provider: vendor.plan.id, providerReference: charge.id } : truth.about
  }
  for (const after of act.tells) world.later(after, () => deliver(world, vendor, charge, evidence, 0))
  // Where nobody asks, the provider's word arrives sooner or later: there is no other way to know.
  const movesMoney = charge.status === "captured" || charge.status === "held"
  if (charge.status !== "waiting" && (!vendor.plan.canInquire || (movesMoney && !isAskedFor(world, charge)))) {
    world.later(60_000, () => deliver(world, vendor, charge, { ...evidence, about: truth.about }, 0))
  }
}

const isAskedFor = (world: World, charge: Charge): boolean => {
  const status = committed(world, charge.operation).operation?.status
  return status === "sending" || status === "pending" || status === "unknown"
}

/** To whichever process is up; again, until one has taken it. */
const deliver = (world: World, vendor: Vendor, charge: Charge, evidence: Evidence, tries: number): void => {
  const { process, receive } = world.serving
  const emit = process === null ? undefined : vendor.inboxes.get(process)
  let done = false
  const again = () => {
    if (!done && tries < MOST_TRIES) deliver(world, vendor, charge, evidence, tries + 1)
  }
  if (process === null || emit === undefined || receive === null) return world.later(RETRY, again)
  world.history.note(charge.n, {
    kind: "told",
    provider: vendor.plan.id,
    operation: charge.operation,
    claim: evidence.claim.kind
  })
  process.enter(() => {
    // As a webhook, or as what its own process saw.
    const told = charge.n % 3 === 0 ? emit(evidence) : receive(vendor.plan.id, encoder.encode(JSON.stringify(evidence)))
    Effect.runForkWith(process.context)(told).addObserver((exit) => {
      done = Exit.isSuccess(exit)
    })
  })
  if (!done) world.later(RETRY, again)
}

const encoder = new TextEncoder()

const RETRY = 60_000
const MOST_TRIES = 60
