import type { Evidence } from "@paymux/core"
import { Clock, Effect } from "effect"
import { anyOf, withoutWebhooks } from "../exemptions.ts"
import type { ConformanceCheck, CheckFailed } from "../ConformanceCheck.ts"
import type { TestHarness } from "../ConformanceContext.ts"
import {
  changedBytes,
  type Forgery,
  otherSignatures,
  signatureHeaders,
  signaturesInBody,
  signsBytes
} from "./forgeries.ts"
import { brokenBy, describeReceived, expectOf, receive, isSame } from "./receiving.ts"
import { type WebhookScenario, webhookScenario, unfitting } from "./webhookScenario.ts"

export const webhookBatch: ConformanceCheck = {
  id: "webhook-batch",
  title: "each event of a body is reported, in order, for its own payment, and none without a valid signature",
  why:
    "If only the first event of a body is read, the others are lost: the vendor does not send an acknowledged webhook " +
    "again. And one signed event must not authenticate the other events of the body.",
  howToFix:
    "Return one piece of evidence for each event, in the order of the body, each for its own payment. If the vendor " +
    "signs each event, verify each: an invalid one is left out, or the whole body is refused. Refuse a body without a " +
    "valid event.",
  exempt: anyOf(withoutWebhooks, ({ webhooks }) =>
    webhooks?.batches === false ? "its vendor sends one event per body" : null
  ),
  check: (context) =>
    Effect.scoped(
      Effect.gen(function* () {
        const reported = yield* webhookScenario(context)
        const alone = yield* Effect.forEach(reported.events, (event) => receivedAlone(reported, event))
        yield* inOrder(reported, alone)
        yield* inOrder({ ...reported, events: reported.events.toReversed() }, alone.toReversed())
        yield* badItems(reported, alone)
      })
    )
}

const receivedAlone = Effect.fnUntraced(function* (
  reported: WebhookScenario,
  event: WebhookScenario["events"][number]
): Effect.fn.Return<ReadonlyArray<Evidence>, CheckFailed> {
  const delivery = yield* reported.webhooks.deliver([event])
  const received = yield* receive(reported.harness, delivery)
  const wanted = received._tag === "Accepted" ? unfitting(reported, event, received.evidence) : "evidence"
  if (received._tag === "Accepted" && wanted === null) return received.evidence
  return yield* brokenBy(reported.harness, delivery, {
    tried: `a body with one event: ${event.type}`,
    expected: wanted ?? "evidence",
    seen: describeReceived(received)
  })
})

const inOrder = Effect.fnUntraced(function* (
  { events, harness, webhooks }: WebhookScenario,
  alone: ReadonlyArray<ReadonlyArray<Evidence>>
) {
  for (const count of new Set([2, events.length])) {
    const batch = events.slice(0, count)
    const delivery = yield* webhooks.deliver(batch)
    const received = yield* receive(harness, delivery)
    const expected = alone.slice(0, count).flat()
    yield* expectOf(harness, delivery, received._tag === "Accepted" && isSame(received.evidence, expected), {
      tried: `${batch.length} events in one body: ${batch.map(({ type }) => type).join(", ")}`,
      expected: `what each says alone, in this order: ${describeReceived({ _tag: "Accepted", evidence: expected })}`,
      seen: describeReceived(received)
    })
  }
})

const badItems = Effect.fnUntraced(function* (
  { events, harness, webhooks }: WebhookScenario,
  alone: ReadonlyArray<ReadonlyArray<Evidence>>
) {
  const at = yield* Clock.currentTimeMillis
  const own = yield* webhooks.deliver(events, { at })
  const foreign = yield* webhooks.deliver(events, { at, mode: harness.vendor.mode === "test" ? "live" : "test" })
  const all = `${events.length} events in one body`
  const everything = alone.flat()

  // One signature over the whole body: without it nothing of it is known.
  if (signatureHeaders(own, foreign).length > 0) {
    for (const { delivery, how } of otherSignatures(own, foreign)) {
      yield* noMoreThan(harness, { how: `${all}, ${how}`, delivery }, [])
    }
  } else {
    const signatures = signaturesInBody(own, foreign)
    for (const [index, forgeries] of signatures.entries()) {
      // A signature for each event: the others may be accepted.
      const others = signatures.length === events.length ? alone.filter((_, other) => other !== index).flat() : []
      for (const { delivery, how } of forgeries) {
        yield* noMoreThan(harness, { how: `${all}, of number ${index + 1} ${how}`, delivery }, others)
      }
    }
  }
  for (const { delivery, how } of changedBytes(own)) {
    yield* noMoreThan(
      harness,
      { how: `${all}, ${how}`, delivery },
      signsBytes(webhooks, own, foreign) ? [] : everything
    )
  }
})

/** Refused, or some of the genuine pieces, in their order. */
const noMoreThan = Effect.fnUntraced(function* (
  harness: TestHarness,
  { delivery, how }: Forgery,
  genuine: ReadonlyArray<Evidence>
): Effect.fn.Return<void, CheckFailed> {
  const received = yield* receive(harness, delivery)
  if (received._tag === "Refused" || (received._tag === "Accepted" && isPartOf(received.evidence, genuine))) return
  const or = genuine.length === 0 ? "" : ", or no other evidence than that of the events that are still signed"
  yield* brokenBy(harness, delivery, { tried: how, expected: `WebhookRefused${or}`, seen: describeReceived(received) })
})

const isPartOf = (some: ReadonlyArray<Evidence>, all: ReadonlyArray<Evidence>): boolean => {
  let next = 0
  for (const piece of all) {
    const wanted = some[next]
    if (wanted !== undefined && isSame([wanted], [piece])) next++
  }
  return next === some.length
}
