import type { Evidence } from "@paymux/core"
import { Clock, Effect } from "effect"
import type { LedgerEvent } from "../../fake/Ledger.ts"
import { withoutWebhooks } from "../exemptions.ts"
import type { ConformanceCheck, CheckFailed } from "../ConformanceCheck.ts"
import {
  changedBytes,
  type Forgery,
  garbage,
  otherBytes,
  otherSignatures,
  withTimestamp,
  signsBytes
} from "./forgeries.ts"
import { brokenBy, describeReceived, receive, isExactly } from "./receiving.ts"
import { type WebhookScenario, webhookScenario, unfitting } from "./webhookScenario.ts"

export const webhookRefused: ConformanceCheck = {
  id: "webhook-refused",
  title: "a forged, altered, stale or replayed webhook is refused, and a genuine one reports what happened",
  why:
    "Anyone who knows the address can post to it. If a forged event is accepted, a payment counts as paid without " +
    "money. If the adapter throws instead of refusing, the webhook is sent again for days.",
  howToFix:
    "Verify the signature over the raw bytes in constant time before you parse anything, then the signed time " +
    "(`WebhookSignature` of @paymux/provider-kit). Fail with `WebhookRefused` for everything that is not valid. " +
    "Identify the payment by `operation.id`, or by the reference that you returned. If the vendor signs fields and " +
    "not the body, declare it in the fake (`signsFields: true`).",
  exempt: withoutWebhooks,
  check: (context) =>
    Effect.scoped(
      Effect.gen(function* () {
        const reported = yield* webhookScenario(context)
        for (const event of reported.events) yield* genuine(reported, event)
        for (const [index, event] of informative(reported.events).entries()) yield* forged(reported, event, index === 0)
      })
    )
}

/** Money first: there a forgery pays. */
const informative = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<LedgerEvent> =>
  (["captured", "refunded", "authorized"] as const).flatMap((type) => events.find((event) => event.type === type) ?? [])

const genuine = Effect.fnUntraced(function* (reported: WebhookScenario, event: LedgerEvent) {
  const delivery = yield* reported.webhooks.deliver([event])
  const received = yield* receive(reported.harness, delivery)
  const wanted = received._tag === "Accepted" ? unfitting(reported, event, received.evidence) : "evidence"
  if (wanted === null) return
  yield* brokenBy(reported.harness, delivery, {
    tried: `a genuine webhook: ${event.type}`,
    expected: wanted,
    seen: describeReceived(received)
  })
})

const forged = Effect.fnUntraced(function* (reported: WebhookScenario, event: LedgerEvent, thoroughly: boolean) {
  const { events, harness, webhooks } = reported
  const at = yield* Clock.currentTimeMillis
  const own = yield* webhooks.deliver([event], { at })
  const foreign = yield* webhooks.deliver([event], { at, mode: harness.vendor.mode === "test" ? "live" : "test" })
  const received = yield* receive(harness, own)
  const evidence = received._tag === "Accepted" ? received.evidence : []
  const signatures = otherSignatures(own, foreign)
  if (signatures.length === 0) {
    return yield* brokenBy(harness, own, {
      tried: "the same event, signed with the secrets of both modes",
      expected: "two signatures: the fake's secrets differ by mode",
      seen: "the same bytes and headers"
    })
  }

  const isWhole = signsBytes(webhooks, own, foreign)
  const unsigned: ReadonlyArray<Evidence> | null = isWhole ? null : evidence
  const tried = (how: string) => `the webhook ${event.type}, ${how}`
  for (const { delivery, how } of [...signatures, { how: "signed with another secret", delivery: foreign }]) {
    yield* refused(reported, { how: tried(how), delivery }, null)
  }
  for (const { delivery, how } of thoroughly ? changedBytes(own) : []) {
    yield* refused(reported, { how: tried(how), delivery }, unsigned)
  }
  for (const { delivery, how } of otherBytes(own)) yield* refused(reported, { how: tried(how), delivery }, unsigned)
  for (const other of events.filter(({ id }) => id !== event.id)) {
    const { body } = yield* webhooks.deliver([other], { at })
    // A body that brings its own signature is that other event's.
    const itself = isWhole ? null : yield* receive(harness, { body, headers: own.headers })
    const allowed =
      itself?._tag === "Accepted" && unfitting(reported, other, itself.evidence) === null ? itself.evidence : null
    const how = tried(`with the body of another event (${other.type})`)
    yield* refused(reported, { how, delivery: { body, headers: own.headers } }, allowed)
  }
  for (const { delivery, how } of garbage(own)) {
    // A list without a single signed thing in it says nothing, and that may be answered.
    yield* refused(reported, { how, delivery }, isWhole ? null : [])
  }
  if (webhooks.signsTime) yield* outOfTime(reported, event, at)
})

const outOfTime = Effect.fnUntraced(function* (reported: WebhookScenario, event: LedgerEvent, now: number) {
  const old = yield* reported.webhooks.deliver([event], { at: now - hour })
  const early = yield* reported.webhooks.deliver([event], { at: now + hour })
  const renewed = withTimestamp(old, now - hour, now)
  const tried = (how: string) => `the webhook ${event.type}, ${how}`
  yield* refused(reported, { how: tried("signed an hour ago: a replay"), delivery: old }, null)
  yield* refused(reported, { how: tried("signed with a time that is an hour ahead"), delivery: early }, null)
  if (renewed === null) return
  yield* refused(reported, { how: tried("signed an hour ago, its time written anew"), delivery: renewed }, null)
})

const hour = 3_600_000

/** Refused; or no more than `allowed`, where what was changed is not signed. */
const refused = Effect.fnUntraced(function* (
  { harness }: WebhookScenario,
  { delivery, how }: Forgery,
  allowed: ReadonlyArray<Evidence> | null
): Effect.fn.Return<void, CheckFailed> {
  const received = yield* receive(harness, delivery)
  if (received._tag === "Refused" || (allowed !== null && isExactly(received, allowed))) return
  const or = allowed === null || allowed.length === 0 ? "" : ", or the same evidence where the change is not signed"
  yield* brokenBy(harness, delivery, { tried: how, expected: `WebhookRefused${or}`, seen: describeReceived(received) })
})
