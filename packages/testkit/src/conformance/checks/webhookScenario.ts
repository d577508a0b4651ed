/** The webhooks of a vendor after a few payments, and the references by which the engine knows their subjects. */
import { Currency, type Evidence, type OperationKind } from "@paymux/core"
import { Effect } from "effect"
import type { Scope } from "effect"
import type { LedgerEvent, LedgerMoney } from "../../fake/Ledger.ts"
import type { VendorWebhooks } from "../../fake/Vendor.ts"
import type { CheckFailed } from "../ConformanceCheck.ts"
import { currenciesOf, within } from "../samples.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"

export interface WebhookScenario {
  readonly harness: TestHarness
  readonly webhooks: VendorWebhooks
  /** Oldest first, and all of them about what `known` names. */
  readonly events: ReadonlyArray<LedgerEvent>
  readonly known: ReadonlyArray<Known>
}

/** One of our operations, as the engine and the vendor know it. */
interface Known {
  readonly kind: OperationKind
  readonly operation: string
  /** What the adapter answered or checkpointed last: an event is matched by it. */
  readonly reference: string | null
  readonly payment: string
  readonly refund: string | null
}

/** A payment of each flow, a part of one refunded and one not, one expired, one declined, one held and captured, one canceled. */
export const webhookScenario = Effect.fnUntraced(function* (
  context: ConformanceContext
): Effect.fn.Return<WebhookScenario, CheckFailed, Scope.Scope> {
  const harness = yield* context.begin()
  const { webhooks } = harness.vendor
  if (webhooks === null) return yield* Effect.die(new Error("the vendor sends no webhooks: the check must not apply"))
  const known: Array<Known> = []
  const { capture, cancel, refund } = context.capabilities.operations

  let payments = 0
  const paid = Effect.fnUntraced(function* (
    sample: Sample,
    captureMethod: "automatic" | "manual",
    currency = sample.amount.currency
  ) {
    // No two of one amount: what is said of the wrong payment shows.
    const minorUnits = within(sample, takenIn(currency, 1_137 + 211 * payments++), currency)
    const made = yield* harness.paid(sample, { captureMethod, minorUnits, currency })
    known.push(knownOf("create", made.operation, made.payment.id))
    return made
  })

  for (const sample of context.samples) yield* paid(sample, sample.captureMethod)
  const firsts = context.samples.filter(
    ({ capability }, index, all) => all.findIndex((each) => each.capability === capability) === index
  )
  for (const first of firsts) {
    for (const currency of currenciesOf(first.capability).slice(1)) yield* paid(first, first.captureMethod, currency)
  }

  const automatic = context.samples.find(({ captureMethod }) => captureMethod === "automatic")
  const refundOf = Effect.fnUntraced(function* (sample: Sample, override: Effect.Effect<void>) {
    const made = yield* paid(sample, "automatic")
    const { amount, captured } = made.payment
    const minorUnits = refund?.partial === true ? partIn(amount.currency, captured) : captured
    yield* override
    const operation = yield* harness.later("refund", made, { minorUnits })
    const seen = yield* settled(harness, yield* harness.send(operation))
    const id = (yield* harness.vendor.payments).find((payment) => payment.id === made.payment.id)?.refunds.at(-1)?.id
    if (id !== undefined) known.push(knownOf("refund", harness.again(operation, seen), made.payment.id, id))
  })
  const failing = harness.vendor.faultOverrides?.refund_failed
  if (refund !== undefined && automatic !== undefined) {
    yield* refundOf(automatic, Effect.void)
    if (failing !== undefined) yield* refundOf(automatic, failing)
  }

  const manual = context.samples.find(({ captureMethods }) => captureMethods.includes("manual"))
  for (const kind of ["capture", "cancel"] as const) {
    const declared = kind === "capture" ? capture : cancel
    if (declared === undefined || manual === undefined) continue
    const made = yield* paid(manual, "manual")
    const { currency, minorUnits } = made.operation.amount
    const isPart = kind === "capture" && declared.partial === true
    const part = isPart ? minorUnits - partIn(currency, minorUnits) : minorUnits
    const operation = yield* harness.later(kind, made, { minorUnits: part })
    const seen = yield* settled(harness, yield* harness.send(operation))
    known.push(knownOf(kind, harness.again(operation, seen), made.payment.id))
  }

  for (const sample of harness.vendor.expire === undefined ? [] : context.samples) {
    const operation = yield* harness.create(sample, { scripted: "wait" })
    const seen = yield* harness.send(operation)
    yield* harness.vendor.expire ?? Effect.void
    const payment = (yield* harness.vendor.payments).at(-1)
    if (payment?.status === "expired") known.push(knownOf("create", harness.again(operation, seen), payment.id))
  }

  const [sample] = context.samples
  const [decline] = context.declineCodes
  if (sample !== undefined && decline !== undefined) {
    const operation = yield* harness.create(sample, { scripted: { decline } })
    const seen = yield* settled(harness, yield* harness.send(operation))
    const payment = (yield* harness.vendor.payments).at(-1)
    if (payment?.status === "declined") known.push(knownOf("create", harness.again(operation, seen), payment.id))
  }

  const events = (yield* webhooks.events).filter(({ payment, refund }) =>
    known.some((each) => each.payment === payment.id && (refund === null || each.refund === refund.id))
  )
  if (!events.some(({ type }) => type === "captured" || type === "authorized")) {
    return yield* harness.broken({
      tried: "a payment of each flow, whose payer approves",
      expected: "an event of each at the vendor, for its webhooks to tell",
      seen: `the fake's \`webhooks.events\` has ${events.length} of them`
    })
  }
  return { harness, webhooks, events, known }
})

/** Card networks settle three decimals in tens. */
const takenIn = (currency: string, minorUnits: number): number =>
  Currency.isCurrency(currency) && Currency.exponent(currency) === 3 ? minorUnits * 10 : minorUnits

/** A third of it. */
const partIn = (currency: string, whole: number): number => takenIn(currency, Math.ceil(whole / takenIn(currency, 3)))

/** What is settled later is settled now. */
const settled = (harness: TestHarness, ending: Ending): Effect.Effect<Ending> =>
  Effect.as(
    ending._tag === "Answered" && ending.answer._tag === "Pending" ? harness.vendor.payersAct : Effect.void,
    ending
  )

const knownOf = (
  kind: OperationKind,
  { id, reference }: { readonly id: string; readonly reference: string | null },
  payment: string,
  refund: string | null = null
): Known => ({ kind, operation: id, reference, payment, refund })

/** `null`: what was received is what the vendor's ledger says. Otherwise what it should have been. */
export const unfitting = (
  { known, harness }: WebhookScenario,
  { payment, refund, type }: LedgerEvent,
  received: ReadonlyArray<Evidence>
): string | null => {
  const subjects = known.filter((each) =>
    refund === null ? each.payment === payment.id && each.kind !== "refund" : each.refund === refund.id
  )
  const names = subjects.flatMap(({ operation, reference }) => [
    `operation ${operation}`,
    ...(reference === null ? [] : [`reference ${reference}`])
  ])
  const money: LedgerMoney = {
    ...payment.amount,
    minorUnits: type === "captured" ? payment.captured : (refund?.minorUnits ?? payment.amount.minorUnits)
  }
  const word = words[type]
  // A part that is not reported counts as the whole.
  const isPart = type === "captured" && payment.captured < payment.amount.minorUnits
  const fits = ({ about, outcome, source }: Evidence): boolean =>
    source === "webhook" &&
    names.includes("operation" in about ? `operation ${about.operation}` : `reference ${about.providerReference}`) &&
    ("operation" in about || about.provider === harness.provider.id) &&
    [word, ...alsoTrue[type]].includes(outcome._tag) &&
    // About the payment it would say that money was taken.
    (outcome._tag !== "Succeeded" || type === "captured" || isOfLater(known, about)) &&
    ((type === "captured" && outcome._tag === "Authorized") || agrees(outcome, money, isPart))
  const isReported = received.some(({ outcome }) => outcome._tag === word || outcome._tag === "Succeeded")
  const isSilent = received.length === 0 && !movesMoney(type) && harness.operations.inquire !== undefined
  // A payer who was declined may be let try again.
  const holds = received.every(fits) && (isReported || isSilent || (!movesMoney(type) && received.length > 0))
  if (holds) return null
  const amount = movesMoney(type) ? ` of ${money.currency} ${money.minorUnits}` : ""
  return `source "webhook", ${word}${amount}, about ${names.join(" or ")} of "${harness.provider.id}"`
}

const words = {
  authorized: "Authorized",
  captured: "Captured",
  declined: "Declined",
  canceled: "Canceled",
  expired: "Expired",
  refunded: "RefundSucceeded",
  refund_failed: "RefundFailed"
} as const satisfies { readonly [type in LedgerEvent["type"]]: Evidence["outcome"]["_tag"] }

/** Other correct outcomes beside it. A completed follow-up operation may be `Succeeded`. */
const alsoTrue: { readonly [type in LedgerEvent["type"]]: ReadonlyArray<Evidence["outcome"]["_tag"]> } = {
  authorized: ["Pending"],
  captured: ["Succeeded", "Authorized", "Pending"],
  declined: ["Pending", "Unknown"],
  canceled: ["Succeeded", "Expired"],
  expired: ["Canceled", "Declined"],
  refunded: ["Succeeded", "RefundPending"],
  refund_failed: ["Declined"]
}

const isOfLater = (known: ReadonlyArray<Known>, about: Evidence["about"]): boolean =>
  known.some((each) => each.kind !== "create" && isNamed(each, about)) &&
  !known.some((each) => each.kind === "create" && isNamed(each, about))

const isNamed = ({ operation, reference }: Known, about: Evidence["about"]): boolean =>
  "operation" in about ? about.operation === operation : about.providerReference === reference

const movesMoney = (type: LedgerEvent["type"]): boolean =>
  type === "authorized" || type === "captured" || type === "refunded"

const agrees = (outcome: Evidence["outcome"], money: LedgerMoney, mustBeReported: boolean): boolean => {
  switch (outcome._tag) {
    case "Succeeded":
    case "Authorized":
    case "Captured":
    case "RefundSucceeded":
      if (outcome.amount === undefined) return !mustBeReported
      return outcome.amount.minorUnits === money.minorUnits && outcome.amount.currency === money.currency
    default:
      return true
  }
}
