import type { Evidence } from "@paymux/core"
import { Clock, Effect } from "effect"
import type { LedgerEvent } from "../../fake/Ledger.ts"
import type { Delivery } from "../../fake/Vendor.ts"
import { withoutWebhooks } from "../exemptions.ts"
import type { ConformanceCheck, CheckFailed } from "../ConformanceCheck.ts"
import type { TestHarness } from "../ConformanceContext.ts"
import { brokenBy, describeReceived, expectOf, receive, keysOf, isExactly } from "./receiving.ts"
import { type WebhookScenario, webhookScenario } from "./webhookScenario.ts"

export const webhookDuplicates: ConformanceCheck = {
  id: "webhook-duplicates",
  title: "a webhook that comes twice, late or out of order reports the same, under the same event id",
  why:
    "Every vendor delivers some events twice, late, or out of order. The engine applies an event once, identified by " +
    "its `eventId` and what it reports, or by the digest of the body if it has no id. If the ids of two deliveries differ, the " +
    "event is applied twice.",
  howToFix:
    "Set `eventId` to the vendor's id of the event: it is the same for each delivery of an event, and differs between " +
    "events. Store nothing between webhooks: read each as if it were the first. Only the signed time of the delivery " +
    "makes a webhook stale, never the time of the event. Acknowledge an unknown event type with an empty list.",
  exempt: withoutWebhooks,
  check: (context) =>
    Effect.scoped(
      Effect.gen(function* () {
        const reported = yield* webhookScenario(context)
        const first: Array<Read> = []
        for (const event of reported.events) first.push(yield* deliveredAgain(reported, event))
        yield* distinguished(reported, first)
        yield* outOfOrder(reported, first)
        for (const read of first) yield* late(reported, read)
        if (reported.webhooks.batches) yield* inAnotherBatch(reported, first)
        yield* newType(reported)
      })
    )
}

interface Read {
  readonly event: LedgerEvent
  readonly evidence: ReadonlyArray<Evidence>
  readonly keys: ReadonlyArray<string>
}

/** Once, the same bytes again, after a restart, and signed anew: vendors sign what they send again. */
const deliveredAgain = Effect.fnUntraced(function* (reported: WebhookScenario, event: LedgerEvent) {
  const { harness, webhooks } = reported
  const now = yield* Clock.currentTimeMillis
  const delivery = yield* webhooks.deliver([event], { at: now - 40_000 })
  const received = yield* receive(harness, delivery)
  if (received._tag !== "Accepted") {
    return yield* brokenBy(harness, delivery, {
      tried: `the webhook ${event.type}, 40 s after it was signed`,
      expected: "evidence",
      seen: describeReceived(received)
    })
  }
  const read: Read = { event, evidence: received.evidence, keys: keysOf(delivery, received.evidence) }
  const anew = yield* webhooks.deliver([event], { at: now - 20_000 })
  yield* sameAs(harness, read, delivery, "delivered twice")
  yield* sameAs(yield* harness.restart, read, delivery, "delivered again, after a restart")
  yield* sameAs(harness, read, anew, "delivered again and signed anew, 20 s later")
  return read
}, Effect.scoped)

const sameAs = Effect.fnUntraced(function* (
  harness: TestHarness,
  { event, evidence, keys }: Read,
  delivery: Delivery,
  how: string
): Effect.fn.Return<void, CheckFailed> {
  const received = yield* receive(harness, delivery)
  const tried = `the webhook ${event.type}, ${how}`
  yield* expectOf(harness, delivery, isExactly(received, evidence), {
    tried,
    expected: `the same as the first time: ${describeReceived({ _tag: "Accepted", evidence })}`,
    seen: describeReceived(received)
  })
  const again = received._tag === "Accepted" ? keysOf(delivery, received.evidence) : []
  yield* expectOf(harness, delivery, again.join() === keys.join(), {
    tried,
    expected: `the event id of the first time: ${keys.join(", ")}`,
    seen: `another key: ${again.join(", ")}`
  })
})

const distinguished = Effect.fnUntraced(function* ({ harness }: WebhookScenario, reads: ReadonlyArray<Read>) {
  for (const [index, { event, keys }] of reads.entries()) {
    for (const other of reads.slice(index + 1)) {
      const shared = keys.find((key) => other.keys.includes(key))
      yield* harness.expect(shared === undefined, {
        tried: `two events, ${event.type} and ${other.event.type} (${event.id} and ${other.event.id})`,
        expected: "an event id for each",
        seen: `both are ${shared ?? ""}`
      })
    }
  }
})

const outOfOrder = Effect.fnUntraced(function* ({ harness, webhooks }: WebhookScenario, reads: ReadonlyArray<Read>) {
  // One that has seen none of it: what it says cannot depend on what came before.
  const restarted = yield* harness.restart
  for (const read of reads.toReversed()) {
    yield* sameAs(restarted, read, yield* webhooks.deliver([read.event]), "delivered newest first, to a fresh instance")
  }
})

const late = Effect.fnUntraced(function* ({ harness, webhooks }: WebhookScenario, { event, evidence }: Read) {
  const old = { ...event, occurredAt: event.occurredAt - threeDays }
  const delivery = yield* webhooks.deliver([old])
  const received = yield* receive(harness, delivery)
  yield* expectOf(harness, delivery, isExactly(received, evidence), {
    tried: `the webhook ${event.type}, signed now, of what happened three days ago`,
    expected: `the same as on the day: ${describeReceived({ _tag: "Accepted", evidence })}`,
    seen: describeReceived(received)
  })
})

const threeDays = 3 * 86_400_000

const inAnotherBatch = Effect.fnUntraced(function* (
  { harness, webhooks }: WebhookScenario,
  reads: ReadonlyArray<Read>
) {
  const delivery = yield* webhooks.deliver(reads.map(({ event }) => event))
  const received = yield* receive(harness, delivery)
  const alone = reads.flatMap(({ keys }) => keys)
  const together = received._tag === "Accepted" ? keysOf(delivery, received.evidence) : []
  yield* expectOf(harness, delivery, together.join() === alone.join(), {
    tried: "the same events, delivered again in one body",
    expected: `the event ids of the first time: ${alone.join(", ")}`,
    seen: received._tag === "Accepted" ? `other keys: ${together.join(", ")}` : describeReceived(received)
  })
})

const newType = Effect.fnUntraced(function* ({ harness, webhooks }: WebhookScenario) {
  if (webhooks.deliverNewType === undefined) return
  const delivery = yield* webhooks.deliverNewType()
  const received = yield* receive(harness, delivery)
  yield* expectOf(harness, delivery, isExactly(received, []), {
    tried: "a genuine webhook of a type that the vendor has added since",
    expected: "an empty list: it is authentic, and says nothing that is known",
    seen: describeReceived(received)
  })
})
