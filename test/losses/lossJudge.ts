/**
 * Judges a run by the vendors' ledgers and what the clients did: which orders the loss concerned, whether they were covered, and
 * whether money was taken twice. Of the engine it reads only what a client or an operator sees in the end.
 */
import type { AfterLoss, Issuing, OrderPlan } from "./LossPlan.ts"
import type { LossRun } from "./LossRun.ts"
import { sumOf } from "./Vendor.ts"
import type { Arrival, Charge } from "./Vendor.ts"

/**
 * Why a repeated request may reach a vendor as another one, or not reach it. `covered`: neither. `late`: a vendor took the money after
 * its final decline, when another vendor had been paid, so a lost refund was repeated at the first one.
 */
export type Coverage =
  | "covered"
  | "no_key"
  | "not_repeated"
  | "another_body"
  | "rules"
  | "availability"
  | "failover"
  | "late"
  | "keys_expired"
  | "no_keys_at_provider"

/**
 * - `once`: charged once, as its client sees it.
 * - `found`: it is not, or an excess or another outcome is left, and an operator has it in a list.
 * - `refunded`: charged twice, and one of the charges was refunded automatically.
 * - `held`: charged once, beside a hold that was never captured: no money moved, and no statement has it.
 */
export type Ending = "once" | "found" | "refunded" | "held" | "second_charge" | "unexplained"

/** What was lost of an order. `automatic`: a refund or release that the engine made, such as of an excess. */
export type LossKind = "create" | "failover" | "capture" | "refund" | "automatic"

export interface JudgedOrder {
  readonly n: number
  /** Requests at vendors whose commits were lost. */
  readonly losses: ReadonlyArray<LossKind>
  readonly coverage: Coverage
  readonly ending: Ending
}

/** Every order, also those that lost nothing: they have to end well, too. */
export const judgeLosses = (run: LossRun): ReadonlyArray<JudgedOrder> =>
  run.plan.orders.map((order) => judged(run, order))

const judged = (run: LossRun, order: OrderPlan): JudgedOrder => {
  const { n } = order
  const arrivals = run.vendors
    .flatMap((vendor) => vendor.arrivals)
    .filter((each) => each.n === n)
    .toSorted((one, other) => one.sentAt - other.sentAt)
  const asked = arrivals.filter(({ sentAt }) => sentAt <= run.lostAt)
  const lost = asked.filter(({ sentAt }) => sentAt > run.copiedAt)
  const charges = run.vendors.flatMap((vendor) => vendor.charges).filter((each) => each.n === n)
  const coverage = lost.length === 0 ? "covered" : coverageWithCharges(run, order, asked, lost, charges)
  const isSecond = hasSecondCharge(run, charges) || hasSecondRefund(order, charges)
  const losses = lossesOf(order, arrivals, lost)
  const ending = (): Ending => {
    if (isSecond && coverage === "covered") return "second_charge"
    if (isNamedAgain.has(coverage) && isTwiceAtOne(run, charges)) return "second_charge"
    if (isNamedAgain.has(coverage) && isTwiceThoughAsked(run, charges)) return "second_charge"
    if (isAsSeen(run, order, charges) && !isSecond) return "once"
    if (isFound(run, order, charges)) return "found"
    if (!isAsSeen(run, order, charges) || hasSecondRefund(order, charges)) return "unexplained"
    return charges.filter((charge) => keptOf(order, charge) > 0).length > 1 ? "unexplained" : withoutSecond(charges)
  }
  return { n, losses, coverage, ending: ending() }
}

/** Each operation once, however often it was sent. */
const lossesOf = (
  order: OrderPlan,
  arrivals: ReadonlyArray<Arrival>,
  lost: ReadonlyArray<Arrival>
): ReadonlyArray<LossKind> => {
  const first = arrivals.find(({ kind }) => kind === "create")
  const kinds = new Map<string, LossKind>()
  for (const { kind, minorUnits, operation } of lost) {
    const requested = order.followUps.find((each) => each.kind === kind && each.minorUnits === minorUnits)
    const create = operation === first?.operation ? "create" : "failover"
    kinds.set(operation, kind === "create" ? create : (requested?.kind ?? "automatic"))
  }
  return [...kinds.values()]
}

/** `asked`: what vendors were sent of the order before the loss. */
const coverageOf = (
  { plan }: LossRun,
  order: OrderPlan,
  asked: ReadonlyArray<Arrival>,
  lost: ReadonlyArray<Arrival>
): Coverage => {
  if (!order.keyed) return "no_key"
  if (order.afterLoss !== "repeats") return uncoveredBy[order.afterLoss]
  // A vendor that has forgotten the key charges again, whatever else has changed.
  if (plan.keysExpire) return "keys_expired"
  const isRouted = lost.some(({ kind }) => kind === "create")
  if (isRouted && plan.rulesChange) return "rules"
  if (isRouted && plan.outage !== null) return "availability"
  const kindOf = new Map(plan.vendors.map(({ id, kind }) => [id, kind]))
  if (lost.some(({ vendor }) => kindOf.get(vendor) === "neither")) return "no_keys_at_provider"
  // Only a vendor that repeats its decline leads to the next one: where it is found by an inquiry, the payment has failed.
  const isRepeated = ({ vendor }: Arrival) => kindOf.get(vendor) === "keys" || kindOf.get(vendor) === "keys_only"
  const tried = asked.filter(({ kind }) => kind === "create")
  const isFailoverLost = isRouted && new Set(tried.map(({ vendor }) => vendor)).size > 1
  return isFailoverLost && !tried.slice(0, -1).every(isRepeated) ? "failover" : "covered"
}

/** A vendor that takes money after its final decline is excused for a second refund alone, which an operator has to find. */
const coverageWithCharges = (
  run: LossRun,
  order: OrderPlan,
  asked: ReadonlyArray<Arrival>,
  lost: ReadonlyArray<Arrival>,
  charges: ReadonlyArray<Charge>
): Coverage => {
  const coverage = coverageOf(run, order, asked, lost)
  const isLate = charges.some(({ issuing, movements }) => issuing === "late" && movements.length > 0)
  return coverage === "covered" && isLate && hasSecondRefund(order, charges) && !hasSecondCharge(run, charges)
    ? "late"
    : coverage
}

const uncoveredBy = { gone: "not_repeated", changes: "another_body" } as const satisfies Record<
  Exclude<AfterLoss, "repeats">,
  Coverage
>

const taking: ReadonlySet<Issuing> = new Set(["taken", "silent", "waits"])

/** The repeated request has the same name at a provider, also where other providers are tried before it. */
const isNamedAgain: ReadonlySet<Coverage> = new Set([
  "covered",
  "rules",
  "availability",
  "failover",
  "late",
  "no_keys_at_provider"
])

/** A vendor that knows the names of an earlier request has charged again. */
const isTwiceAtOne = ({ lostAt, plan }: LossRun, charges: ReadonlyArray<Charge>): boolean =>
  plan.vendors.some(({ id, kind }) => {
    const there = charges.filter(({ vendor }) => vendor === id)
    return kind !== "neither" && there.some(({ sentAt }) => sentAt > lostAt) && there.length > 1
  })

/** A server that knows of the loss has charged again, although a vendor that can be asked had taken the money. */
const isTwiceThoughAsked = ({ lostAt, plan }: LossRun, charges: ReadonlyArray<Charge>): boolean => {
  const canBeAsked = new Set(
    plan.vendors
      .filter(({ id, kind }) => (kind === "keys" || kind === "reference") && plan.outage?.vendor !== id)
      .map(({ id }) => id)
  )
  const takes = charges.filter(({ issuing }) => taking.has(issuing))
  return (
    plan.isMarked &&
    takes.some(({ sentAt, vendor }) => sentAt <= lostAt && canBeAsked.has(vendor)) &&
    takes.some(({ sentAt }) => sentAt > lostAt)
  )
}

/** What was taken, or was to be, before the loss, and again after it. */
const hasSecondCharge = ({ lostAt }: LossRun, charges: ReadonlyArray<Charge>): boolean => {
  const before = charges.filter(({ sentAt }) => sentAt <= lostAt)
  const after = charges.filter(({ sentAt }) => sentAt > lostAt)
  const isTaking = ({ issuing }: Charge) => taking.has(issuing)
  const isTwice = (one: Charge) =>
    after.some((other) => other.vendor === one.vendor && other.issuing === "late" && one.issuing === "late")
  return (before.some(isTaking) && after.some(isTaking)) || before.some(isTwice)
}

const refundsOf = ({ followUps }: OrderPlan): ReadonlyArray<number> =>
  followUps.flatMap(({ kind, minorUnits }) => (kind === "refund" ? [minorUnits] : []))

/** A refund that the client requested once was executed twice. */
const hasSecondRefund = (order: OrderPlan, charges: ReadonlyArray<Charge>): boolean => {
  const executed = charges.flatMap(({ movements }) => movements.filter(({ kind }) => kind === "refunded"))
  return refundsOf(order).some((amount) => executed.filter(({ minorUnits }) => minorUnits === amount).length > 1)
}

const withoutSecond = (charges: ReadonlyArray<Charge>): "refunded" | "held" =>
  charges.filter((charge) => sumOf(charge, "captured") > 0).length > 1 ? "refunded" : "held"

/** Minor units, beside what the client had refunded. */
const keptOf = (order: OrderPlan, charge: Charge): number => {
  const asked = new Set(refundsOf(order))
  const automatic = charge.movements.filter(({ kind, minorUnits }) => kind === "refunded" && !asked.has(minorUnits))
  return sumOf(charge, "captured") - automatic.reduce((sum, { minorUnits }) => sum + minorUnits, 0)
}

/** What the vendors keep of the order, beside what its client had refunded, is what the client's payment shows. */
const isAsSeen = ({ shown }: LossRun, order: OrderPlan, charges: ReadonlyArray<Charge>): boolean => {
  const kept = charges.reduce((sum, charge) => sum + keptOf(order, charge), 0)
  const payment = shown[order.n] ?? null
  const capture = order.followUps.find(({ kind }) => kind === "capture")
  const wanted = order.manual ? (capture?.minorUnits ?? 0) : (payment?.minorUnits ?? 0)
  return kept === (payment?.status === "succeeded" ? wanted : 0)
}

/**
 * Whether an operator finds the order: its payment is in review, or the lists name each charge that keeps money, beside the one
 * that the payment shows. Where too little is kept, they name one of its charges, or the refund of one.
 */
const isFound = ({ operator, shown }: LossRun, order: OrderPlan, charges: ReadonlyArray<Charge>): boolean => {
  const names = new Set<string | null>([
    ...operator.differences.flatMap(({ movement, operationId }) => [movement, operationId]),
    ...operator.reports.flatMap(({ operationId, reference }) => [operationId, reference])
  ])
  const isNamed = ({ followUps, movements, operation, reference }: Charge) =>
    [reference, operation, ...followUps.map((each) => each.operation), ...movements.map(({ id }) => id)].some((name) =>
      names.has(name)
    )
  const kept = charges.filter((charge) => keptOf(order, charge) > 0)
  const known = shown[order.n]?.status === "succeeded" ? 1 : 0
  const isTooMuch = kept.length > known
  const named = (isTooMuch ? kept : charges).filter(isNamed).length
  return operator.reviewed.has(order.n) || named >= (isTooMuch ? kept.length - known : 1)
}
