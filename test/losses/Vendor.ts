/** A simulated vendor with a ledger of its own. Nothing of the engine is known here: requests come in, answers go out. */
import type { Issuing, OrderPlan, VendorPlan } from "./LossPlan.ts"

export type MovementKind = "held" | "captured" | "refunded" | "released"

export interface Movement {
  /** The vendor's id of the booking. */
  readonly id: string
  readonly kind: MovementKind
  readonly minorUnits: number
  /** ms UTC */
  readonly at: number
  /** Our id of the request that caused it. */
  readonly operation: string
  /** Of what was moved: the charge's own, or that of a refund. */
  readonly reference: string
}

type ChargeStatus = "waiting" | "held" | "captured" | "declined" | "canceled"

export interface Answer {
  readonly kind: "charge" | "done" | "refused" | "duplicate" | "not_found"
  readonly reference: string | null
  readonly status: ChargeStatus | null
  readonly minorUnits: number
}

export interface Charge {
  readonly vendor: string
  readonly reference: string
  readonly n: number
  readonly operation: string
  readonly key: string
  readonly minorUnits: number
  readonly manual: boolean
  readonly issuing: Issuing
  /** ms UTC, when its request left. */
  readonly sentAt: number
  readonly at: number
  readonly movements: Array<Movement>
  readonly followUps: Array<FollowUp>
  status: ChargeStatus
  firstAnswer: Answer
}

interface FollowUp {
  readonly kind: "capture" | "cancel" | "refund"
  readonly operation: string
  readonly key: string
  readonly minorUnits: number
  readonly answer: Answer
  readonly at: number
}

/** A request that has arrived. */
export interface Arrival {
  readonly vendor: string
  readonly n: number
  readonly kind: "create" | FollowUp["kind"]
  readonly operation: string
  readonly minorUnits: number
  /** ms UTC, when it left. */
  readonly sentAt: number
}

interface CreateRequest {
  readonly n: number
  readonly operation: string
  readonly key: string
  readonly minorUnits: number
  readonly manual: boolean
  readonly sentAt: number
}

export interface FollowUpRequest {
  readonly n: number
  readonly kind: FollowUp["kind"]
  readonly operation: string
  readonly key: string
  readonly minorUnits: number
  /** The vendor's reference of the charge. */
  readonly reference: string | null
  readonly sentAt: number
}

export interface Surroundings {
  /** ms UTC */
  readonly now: () => number
  readonly later: (ms: number, task: () => void) => void
  /** The charge has changed: the vendor reports it. */
  readonly report: (charge: Charge) => void
}

export interface Vendor {
  readonly plan: VendorPlan
  readonly charges: ReadonlyArray<Charge>
  readonly arrivals: ReadonlyArray<Arrival>
  readonly create: (request: CreateRequest) => Answer
  readonly followUp: (request: FollowUpRequest) => Answer
  readonly find: (operation: string) => Answer
  readonly findFollowUp: (reference: string | null, operation: string) => Answer
}

const DAY = 86_400_000

export const sumOf = ({ movements }: Pick<Charge, "movements">, kind: MovementKind): number =>
  movements.reduce((sum, each) => (each.kind === kind ? sum + each.minorUnits : sum), 0)

export const makeVendor = (
  plan: VendorPlan,
  orders: ReadonlyArray<OrderPlan>,
  { later, now, report }: Surroundings
): Vendor => {
  const charges: Array<Charge> = []
  const arrivals: Array<Arrival> = []
  const arrived = (request: CreateRequest | FollowUpRequest, kind: Arrival["kind"]) => {
    const { minorUnits, n, operation, sentAt } = request
    arrivals.push({ vendor: plan.id, n, kind, operation, minorUnits, sentAt })
  }

  const move = (charge: Charge, kind: MovementKind, minorUnits: number, operation: string, reference: string): void => {
    if (minorUnits === 0) return
    const id = `${charge.reference}.${charge.movements.length}`
    charge.movements.push({ id, kind, minorUnits, at: now(), operation, reference })
  }
  const take = (charge: Charge): void => {
    charge.status = charge.manual ? "held" : "captured"
    move(charge, charge.status, charge.minorUnits, charge.operation, charge.reference)
    report(charge)
  }

  const isAnsweredAgain = (at: number): boolean =>
    (plan.kind === "keys" || plan.kind === "keys_only") && now() - at < DAY

  const create = (request: CreateRequest): Answer => {
    arrived(request, "create")
    const known = charges.findLast(({ key, operation }) => key === request.key || operation === request.operation)
    if (known !== undefined && plan.kind === "reference") return duplicateOf(known.reference)
    if (known !== undefined && known.key === request.key && isAnsweredAgain(known.at)) {
      const isSame = known.minorUnits === request.minorUnits && known.manual === request.manual
      return isSame ? known.firstAnswer : duplicateOf(null)
    }
    const issuing = orders[request.n]?.issuing[plan.id] ?? "taken"
    const reference = `${plan.id}:ch_${charges.length}`
    const charge: Charge = {
      ...request,
      vendor: plan.id,
      reference,
      issuing,
      at: now(),
      movements: [],
      followUps: [],
      status: issuing === "waits" ? "waiting" : "declined",
      firstAnswer: nothing
    }
    charges.push(charge)
    if (issuing === "taken" || issuing === "silent") take(charge)
    if (issuing === "waits") later(25_000, () => charge.status === "waiting" && take(charge))
    if (issuing === "late") later(40_000, () => take(charge))
    charge.firstAnswer = answerOf(charge)
    return charge.firstAnswer
  }

  const followUp = (request: FollowUpRequest): Answer => {
    arrived(request, request.kind)
    const charge = charges.find(({ reference }) => reference === request.reference)
    if (charge === undefined) return refused
    const known = charge.followUps.find(({ key }) => key === request.key)
    if (known !== undefined && plan.kind === "reference") return duplicateOf(null)
    if (known !== undefined && isAnsweredAgain(known.at)) return known.answer
    const reference = request.kind === "refund" ? `${charge.reference}:re_${charge.followUps.length}` : charge.reference
    const answer = executed(charge, request, reference)
    const { key, kind, minorUnits, operation } = request
    charge.followUps.push({ kind, operation, key, minorUnits, answer, at: now() })
    if (answer.kind === "done") report(charge)
    return answer
  }

  const executed = (charge: Charge, { kind, minorUnits, operation }: FollowUpRequest, reference: string): Answer => {
    const held = sumOf(charge, "held") - sumOf(charge, "captured") - sumOf(charge, "released")
    const kept = sumOf(charge, "captured") - sumOf(charge, "refunded")
    const done: Answer = { kind: "done", reference, status: null, minorUnits }
    switch (kind) {
      case "capture":
        if (charge.status !== "held" || minorUnits > held) return refused
        charge.status = "captured"
        move(charge, "captured", minorUnits, operation, reference)
        move(charge, "released", held - minorUnits, operation, reference)
        return done
      case "cancel":
        if (charge.status !== "held" && charge.status !== "waiting") return refused
        charge.status = "canceled"
        move(charge, "released", held, operation, reference)
        return done
      case "refund":
        if (minorUnits > kept) return refused
        move(charge, "refunded", minorUnits, operation, reference)
        return done
    }
  }

  return {
    plan,
    charges,
    arrivals,
    create,
    followUp,
    find: (operation) => {
      const found = charges.filter((charge) => charge.operation === operation)
      const best = found.find((charge) => sumOf(charge, "captured") > 0) ?? found.at(-1)
      return best === undefined ? nothing : answerOf(best)
    },
    findFollowUp: (reference, operation) =>
      charges
        .find((charge) => charge.reference === reference)
        ?.followUps.findLast((each) => each.operation === operation)?.answer ?? nothing
  }
}

const nothing: Answer = { kind: "not_found", reference: null, status: null, minorUnits: 0 }
const refused: Answer = { kind: "refused", reference: null, status: null, minorUnits: 0 }
const duplicateOf = (reference: string | null): Answer => ({ ...refused, kind: "duplicate", reference })

const answerOf = (charge: Charge): Answer => ({
  kind: "charge",
  reference: charge.reference,
  status: charge.status,
  minorUnits: charge.status === "captured" ? sumOf(charge, "captured") : charge.minorUnits
})
