/** What is asked of a provider about a charge it has: to capture it, to cancel it, to give money back, and to tell. */
import { Outcome } from "@paymux/core"
import type { Inquiry, OperationKind, ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { kept, refunded, truthOf } from "./Ledger.ts"
import type { Charge, Ledger } from "./Ledger.ts"
import type { Answer } from "./Plan.ts"
import type { Road } from "./Road.ts"
import { stream } from "./SeededRandom.ts"
import * as Vendor from "./Vendor.ts"

type Kind = Exclude<OperationKind, "create">

export const capture = (road: Road): void =>
  ask(road, "capture", (charge) => {
    if (charge.status !== "held") return false
    charge.status = "captured"
    charge.amount = { ...charge.amount, minorUnits: road.operation.amount.minorUnits }
    return true
  })

export const cancel = (road: Road): void =>
  ask(road, "cancel", (charge) => {
    if (charge.status !== "held" && charge.status !== "waiting") return false
    charge.status = "canceled"
    return true
  })

export const refund = (road: Road): void =>
  ask(road, "refund", (charge, minorUnits) => charge.status === "captured" && minorUnits <= kept(charge))

/** What the road does to each request is drawn by its payment, its kind and how many came before it. */
const ask = (road: Road, kind: Kind, done: (charge: Charge, minorUnits: number) => boolean): void => {
  const { n, outage, vendor, world } = road
  const random = stream(world.plan.seed, kind, n, vendor.plan.id, world.nextAsk(n))
  const calm = world.time.elapsed() >= world.plan.calmAt || random.chance(70)
  const answer: Answer =
    outage ?? (calm ? "truth" : random.pick(["none", "reset", "server_error", "not_sent", "proof"]))
  const arrives = answer !== "not_sent" && answer !== "proof" && (answer === "truth" || random.chance(70))
  let truth: Outcome.Outcome | null = null
  if (arrives) {
    road.arrive(random.between(5, 300), () => {
      truth = arrived(road, kind, done)
    })
  }
  road.reply(300 + random.between(20, 1500), answer, () => {
    switch (answer) {
      case "truth":
        return truth === null ? null : Effect.succeed(truth)
      case "none":
        return null
      case "not_sent":
        return Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))
      case "proof":
        return Effect.succeed(Outcome.notExecuted({ reason: "proof_code" }))
      default:
        return Effect.succeed(Outcome.unknown({ reason: "server_error" }))
    }
  })
}

const arrived = ({ operation, vendor, world }: Road, kind: Kind, done: Parameters<typeof ask>[2]): Outcome.Outcome => {
  const { reference } = operation.original ?? { reference: null }
  const charge =
    (reference === null ? undefined : world.ledger.ofReference(reference)) ??
    (operation.original === null ? undefined : world.ledger.ofKey(operation.original.key))
  if (charge === undefined)
    return Outcome.declined({ code: "unsupported", retry: "never", vendorCode: "sim_no_charge" })
  const known = charge.asks.find((each) => each.key === operation.key)
  if (known !== undefined) {
    if (vendor.plan.idempotency === "reference") return Outcome.unknown({ reason: "duplicate" })
    if (vendor.plan.idempotency !== "none" && vendor.plan.idempotency !== "lookup") return answerTo(known.done, charge)
  }
  const { minorUnits } = operation.amount
  const isDone = done(charge, minorUnits)
  charge.asks.push({ kind, operation: operation.id, key: operation.key, minorUnits, done: isDone })
  if (isDone) Vendor.note(world, vendor, charge)
  return answerTo(isDone, charge)
}

const answerTo = (done: boolean, charge: Charge): Outcome.Outcome =>
  done
    ? Outcome.succeeded({ reference: charge.id })
    : Outcome.declined({
        code: "not_permitted",
        retry: "never",
        vendorCode: `sim_is_${charge.status}_${refunded(charge)}`
      })

/** The provider's word on one of our operations. */
export const truthAbout = (ledger: Ledger, operation: ProviderOperation): Inquiry => {
  if (operation.kind === "create") {
    const charges = ledger.ofOperation(operation.id)
    const [best] = [...charges].sort((a, b) => weight(b) - weight(a))
    return best === undefined ? Outcome.notFound() : truthOf(best)
  }
  const { original } = operation
  const charge = original === null ? undefined : ledger.ofKey(original.key)
  const known = charge?.asks.find((each) => each.key === operation.key)
  return charge === undefined || known === undefined ? Outcome.notFound() : answerTo(known.done, charge)
}

const weight = ({ status }: Charge): number =>
  ["canceled", "expired", "declined", "waiting", "held", "captured"].indexOf(status)
