import { type Evidence, flow } from "@paymux/core"
import { Clock, Effect, Exit } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { inventedCode, proofs } from "./proofCodes.ts"

export const vendorCodes: ConformanceCheck = {
  id: "vendor-codes",
  title: "every published decline code is a decline, and an unpublished code is not",
  why:
    "A published code that is missing in the map leaves a finished payment open. A code that the adapter assumes to " +
    "be a decline ends a payment that may still be paid. A declared proof code that is not reported keeps the engine " +
    "from trying the next provider.",
  howToFix:
    "Keep all of the vendor's codes as data (`Codes` of the provider kit), and look them up for the response, the " +
    "inquiry and the webhook. Return `Outcome.unknown` with `unmapped` for any other code, until the payment is closed " +
    "at the vendor. Return `notExecuted` with `proof_code` for the declared proof codes only. Set `vendorCode` to the code.",
  exempt: ({ declineCodes }) => (declineCodes.length === 0 ? "its fake names no decline code" : null),
  check: (context) =>
    Effect.gen(function* () {
      const seen = new Set<string>()
      for (const sample of context.samples) {
        for (const code of context.declineCodes) {
          if (yield* Effect.scoped(published(context, sample, code))) seen.add(code)
        }
        yield* Effect.scoped(unpublished(context, sample))
      }
      const unseen = context.declineCodes.filter((code) => !seen.has(code))
      if (unseen.length > 0) yield* Effect.scoped(neverDeclined(context, unseen))
      for (const kind of ["create", "capture", "cancel", "refund"] as const) yield* Effect.scoped(proofs(context, kind))
    })
}

/** Whether the vendor did decline by it: one that decides by the request may not know every code on every rail. */
const published = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, code: string) {
  const harness = yield* context.begin()
  const { learned, payment } = yield* declinedBy(context, harness, sample, code)
  if (payment?.code !== code) return false
  if (learned === null) return true
  // On a page of the vendor's the payer may try again: a payment that is open there is checked by another flow.
  if (learned.isPending && flow(sample.method) === "hosted") return false
  yield* harness.expect(learned.declinedBy === code, {
    tried: `a ${sample.name} create that the vendor declines by "${code}", ${learned.from}`,
    expected: `a decline with the vendorCode "${code}"`,
    seen: learned.seen
  })
  return true
})

const unpublished = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  // What is not read from a wire is typed: it cannot say anything unheard of.
  if (harness.vendor.network === null) return
  const { learned, payment } = yield* declinedBy(context, harness, sample, inventedCode)
  // A vendor that decides by the request has no way to say it.
  if (payment?.code !== inventedCode || learned === null) return
  const isClosed = payment.isClosed === true && learned.declinedBy === inventedCode
  // On a page of the vendor's the payer may try again until its time is over: no code is the reason then.
  const hasExpired = learned.hasExpired && flow(sample.method) === "hosted"
  yield* harness.expect(learned.isOpen || isClosed || hasExpired, {
    tried: `a ${sample.name} create that ends by "${inventedCode}", an unpublished code, ${learned.from}`,
    expected:
      'Unknown { reason: "unmapped" }, a webhook that reports nothing, or a decline of what is closed at the vendor',
    seen: learned.seen
  })
})

const neverDeclined = Effect.fnUntraced(function* (context: ConformanceContext, codes: ReadonlyArray<string>) {
  const harness = yield* context.begin()
  return yield* harness.broken({
    tried: `creates whose payers are declined by ${codes.map((code) => `"${code}"`).join(", ")}`,
    expected: "the fake's ledger to have a payment of this code, of at least one method",
    seen: "none: the fake does not decline by it, or the adapter sent nothing"
  })
})

interface Learned {
  /** For people: what reported it. */
  readonly from: string
  /** The vendor's code of the reported decline; `null`: no decline, or one without a code. */
  readonly declinedBy: string | null
  /** Nothing is said to be decided. */
  readonly isOpen: boolean
  /** It is said to be under way. */
  readonly isPending: boolean
  /** The payer's time is said to be over. */
  readonly hasExpired: boolean
  readonly seen: string
}

/** A create of which this becomes, and what is learned of it: by its answer, else by inquiry, else by webhook. */
const declinedBy = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  sample: Sample,
  code: string
) {
  const before = (yield* harness.vendor.payments).length
  const operation = yield* harness.create(sample, { scripted: { decline: code } })
  const ending = yield* harness.send(operation)
  const isPending = ending._tag === "Answered" && ending.answer._tag === "Pending"
  if (isPending) yield* harness.vendor.payersAct
  const payment = (yield* harness.vendor.payments).slice(before).at(-1)
  if (!isPending || payment === undefined) return { payment, learned: fromEnding(ending, "answered by the create") }
  if ((context.capabilities.operations.create.inquiry?.by ?? "none") !== "none") {
    const found = yield* harness.inquire(harness.again(operation, ending))
    // The inquiry may have closed it.
    const asked = (yield* harness.vendor.payments).find(({ id }) => id === payment.id)
    return { payment: asked ?? payment, learned: fromEnding(found, "learned by inquiry after the payer acted") }
  }
  return { payment, learned: yield* fromWebhook(harness, payment) }
})

const fromEnding = (ending: Ending, from: string): Learned => {
  const answer = ending._tag === "Answered" ? ending.answer : null
  return {
    from,
    declinedBy: answer?._tag === "Declined" ? (answer.vendorCode ?? null) : null,
    isOpen: answer?._tag === "Unknown",
    isPending: answer?._tag === "Pending",
    hasExpired: answer?._tag === "Expired",
    seen: describeEnding(ending)
  }
}

/** `null`: this vendor reports nothing. */
const fromWebhook = Effect.fnUntraced(function* ({ operations, vendor }: TestHarness, payment: LedgerPayment) {
  if (vendor.webhooks === null || operations.webhook === undefined) return null
  const reported: Array<Evidence> = []
  for (const event of yield* vendor.webhooks.events) {
    if (event.payment.id !== payment.id || event.type !== "declined") continue
    const { body, headers } = yield* vendor.webhooks.deliver([event])
    const exit = yield* Effect.exit(operations.webhook(body, headers, yield* Clock.currentTimeMillis))
    if (Exit.isFailure(exit)) return refusedWebhook(String(exit.cause))
    reported.push(...exit.value)
  }
  const declined = reported.find(({ outcome }) => outcome._tag === "Declined")
  return {
    from: "reported by webhook after the payer acted",
    declinedBy: declined?.outcome.vendorCode ?? null,
    isOpen: reported.every(({ outcome }) => outcome._tag === "Unknown" || outcome._tag === "Pending"),
    isPending: reported.length > 0 && reported.every(({ outcome }) => outcome._tag === "Pending"),
    hasExpired: false,
    seen: reported.length === 0 ? "no evidence" : JSON.stringify(reported.map(({ outcome }) => outcome))
  } satisfies Learned
})

const refusedWebhook = (cause: string): Learned => ({
  from: "reported by webhook after the payer acted",
  declinedBy: null,
  isOpen: false,
  isPending: false,
  hasExpired: false,
  seen: `the webhook was refused: ${cause}`
})
