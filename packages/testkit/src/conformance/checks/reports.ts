import type { Evidence } from "@paymux/core"
import { Effect } from "effect"
import type { LedgerEvent, LedgerPayment } from "../../fake/Ledger.ts"
import type { ConformanceCheck, CheckFailed } from "../ConformanceCheck.ts"
import { type Sample, within } from "../samples.ts"
import type { Ending, Paid, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeReceived, receive } from "./receiving.ts"
import { askedAfter, inquiredBy } from "./inquiries.ts"
import { isAccepted, refunded, settled, taken, takes } from "./money.ts"
import { faultOf, ofAnswer, ofEvidence, past, sumOf } from "./moneyReports.ts"
import type { Kind, MoneyReport, Movement, Movements } from "./moneyReports.ts"

export const reports: ConformanceCheck = {
  id: "reports",
  title: "the amount in a report of a capture or refund has the meaning that `reports` declares",
  why:
    "The engine adds movements, and takes the largest of totals. If a total is declared as a movement, money counts " +
    "twice, and the excess is refunded. If a movement is declared as a total, money that was taken is not visible. A " +
    "movement without a reference of its own looks like a second one when it is reported again.",
  howToFix:
    "Declare `reports` for captures and refunds as the vendor documents its amounts. `movement`: report the amount of " +
    "this capture or refund, always under the vendor's id of it. `total`: report what the charge has captured so far, " +
    "under the reference of its create.",
  exempt: ({ capabilities: { operations } }) =>
    operations.capture === undefined && operations.refund === undefined
      ? "it declares neither capture nor refund"
      : null,
  check: (context) =>
    Effect.gen(function* () {
      const { capture, refund } = context.capabilities.operations
      for (const sample of context.samples) {
        if (capture !== undefined && takes(sample, "manual")) yield* Effect.scoped(several(context, sample, "capture"))
        if (refund !== undefined) yield* Effect.scoped(several(context, sample, "refund"))
      }
    })
}

interface Case extends Movements {
  readonly context: ConformanceContext
  readonly harness: TestHarness
  readonly made: Paid
  readonly endings: ReadonlyArray<Ending>
  /** Checked, in the order in which they came. */
  readonly received: Array<MoneyReport>
}

const several = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, kind: Kind) {
  const harness = yield* context.begin()
  const minorUnits = within(sample, 10_000)
  const made =
    kind === "capture"
      ? yield* harness.paid(sample, { captureMethod: "manual", minorUnits })
      : yield* taken(context, harness, sample, { minorUnits })
  if (made === null) return
  const play = yield* moved(context, harness, made, kind)
  if (play.done.length === 0) return
  yield* inquired(play)
  yield* posted(play)
  for (const evidence of harness.emitted) yield* accepted(play, "what it emitted", evidence, 0)
  const { received } = play
  const sum = sumOf(play, received)
  const all = play.done.at(-1)?.total ?? 0
  yield* harness.expect(received.length === 0 || sum === all, {
    tried: triedOf(play),
    expected: `reports that come to ${all}, as the vendor's ledger shows it`,
    seen: `${received.length} reports that come to ${sum}`
  })
})

/** As many as the vendor does. The replies are reports, too. */
const moved = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  made: Paid,
  kind: Kind
): Effect.fn.Return<Case, CheckFailed> {
  const declared = context.capabilities.operations[kind]
  const done: Array<Movement> = []
  const endings: Array<Ending> = []
  const play: Case = {
    context,
    harness,
    made,
    kind,
    reports: declared?.reports ?? "movement",
    create: made.operation,
    done,
    endings,
    received: []
  }
  const whole = kind === "capture" ? made.payment.amount.minorUnits : made.payment.captured
  for (const minorUnits of declared?.partial === true ? partsOf(whole) : [whole]) {
    const before = movedBy(kind, yield* settled(harness, made))
    const operation = yield* harness.later(kind, made, { minorUnits })
    const ending = yield* harness.send(operation)
    const total = movedBy(kind, yield* settled(harness, made))
    // Not every vendor captures more than once.
    if (!isAccepted(ending) || total === before) break
    done.push({ operation: harness.again(operation, ending), total })
    endings.push(ending)
    if (ending._tag !== "Answered") continue
    yield* judged(play, ofAnswer(`the reply to ${kind} ${done.length}`, operation, ending.answer, total))
  }
  return play
})

/** Each of them, twice: also the first, of which less was moved than there is by now. */
const inquired = Effect.fnUntraced(function* (play: Case) {
  const { done, endings, kind, harness, context } = play
  if (inquiredBy(context, kind) === null) return
  const total = done.at(-1)?.total ?? 0
  for (const time of ["an inquiry", "another inquiry"]) {
    for (const [index, { operation }] of done.entries()) {
      const seen = yield* askedAfter(harness, operation, endings[index])
      if (seen._tag !== "Answered") continue
      yield* judged(play, ofAnswer(`${time} about ${kind} ${index + 1}`, operation, seen.answer, total))
    }
  }
})

/** In order, repeated, and newest first to a fresh instance. */
const posted = Effect.fnUntraced(function* (play: Case) {
  const { kind, made, harness } = play
  const { webhooks } = harness.vendor
  if (webhooks === null) return
  const type = kind === "capture" ? "captured" : "refunded"
  const events = (yield* webhooks.events).filter((each) => each.payment.id === made.payment.id && each.type === type)
  const deliver = Effect.fnUntraced(function* (to: TestHarness, event: LedgerEvent, how: string) {
    const received = yield* receive(to, yield* webhooks.deliver([event]))
    if (received._tag !== "Accepted") {
      return yield* harness.broken({
        tried: triedOf(play),
        expected: `evidence of the webhook ${type}`,
        seen: describeReceived(received)
      })
    }
    const least = movedBy(kind, event.payment)
    for (const evidence of received.evidence) yield* accepted(play, `the webhook ${type} ${how}`, evidence, least)
  })
  for (const event of events) yield* deliver(harness, event, `(${event.id})`)
  for (const event of events) yield* deliver(harness, event, `(${event.id}), repeated`)
  const restarted = yield* harness.restart
  for (const event of events.toReversed()) yield* deliver(restarted, event, `(${event.id}), newest first`)
})

const accepted = (play: Case, how: string, evidence: Evidence, least: number) => {
  const report = ofEvidence(play, how, evidence, least)
  return report === "unknown"
    ? play.harness.broken({
        tried: triedOf(play),
        expected: `${how} names one of the ${play.kind}s, or the create`,
        seen: `about ${JSON.stringify(evidence.about)}`
      })
    : judged(play, report)
}

const judged = Effect.fnUntraced(function* (play: Case, report: MoneyReport | null) {
  if (report === null) return
  const fault = faultOf(play, play.received, report)
  if (fault !== null) return yield* play.harness.broken({ tried: triedOf(play), ...fault })
  play.received.push(report)
})

const triedOf = ({ done, kind, made }: Case): string => {
  const { amount, captureMethod, method } = made.operation
  const parts = done.map(({ operation }) => operation.amount.minorUnits).join(" + ")
  return `${kind}s of ${parts || "a part"} of a ${method.rail} payment of ${amount.minorUnits} (capture ${captureMethod}), ${past[kind]} and reported`
}

const movedBy = (kind: Kind, payment: LedgerPayment): number =>
  kind === "capture" ? payment.captured : refunded(payment)

/** Three, of which two are equal, and less than all. In tens, as networks settle three decimals. */
const partsOf = (whole: number): ReadonlyArray<number> => {
  const part = (share: number) => Math.floor((whole * share) / 10) * 10
  return whole < 100 ? [whole] : [part(0.4), part(0.2), part(0.2)]
}
