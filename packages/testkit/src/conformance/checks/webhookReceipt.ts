import { Clock, Effect } from "effect"
import type { LedgerEvent } from "../../fake/Ledger.ts"
import { withoutWebhooks } from "../exemptions.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { brokenBy, describeReceived, expectOf, receive, isExactly } from "./receiving.ts"
import { type WebhookScenario, webhookScenario } from "./webhookScenario.ts"

export const webhookReceipt: ConformanceCheck = {
  id: "webhook-receipt",
  title: "a webhook is verified as of the time of its receipt",
  why:
    "While an instance is not configured, the engine keeps its webhooks, and passes them to the adapter when it is configured " +
    "again. Compared with the clock, each of them is stale: the reports of all payments in that time are lost. Without the " +
    "declaration `asOfReceipt` they are parked for an operator.",
  howToFix:
    "Compare the signed time with `receivedAt` (`fresh`, `stripeStyle` and `verify` of @paymux/provider-kit take it), and read no clock in " +
    "`webhook`. Then declare it: `webhook: asOfReceipt(readWebhook(…))`. The tolerance is the same, however long ago the webhook was received.",
  exempt: withoutWebhooks,
  check: (context) =>
    Effect.scoped(
      Effect.gen(function* () {
        const reported = yield* webhookScenario(context)
        yield* reported.harness.expect(reported.harness.operations.webhook?.asOf === "receipt", {
          tried: "the function `webhook` that `make` returns",
          expected: "the declaration `asOfReceipt`",
          seen: "no declaration"
        })
        for (const event of reported.events) yield* readLater(reported, event)
      })
    )
}

/** Signed and received ten days ago. */
const readLater = Effect.fnUntraced(function* ({ harness, webhooks }: WebhookScenario, event: LedgerEvent) {
  const now = yield* Clock.currentTimeMillis
  const fresh = yield* webhooks.deliver([event], { at: now })
  const atOnce = yield* receive(harness, fresh)
  if (atOnce._tag !== "Accepted") {
    return yield* brokenBy(harness, fresh, {
      tried: `a genuine webhook: ${event.type}`,
      expected: "evidence",
      seen: describeReceived(atOnce)
    })
  }
  const old = yield* webhooks.deliver([event], { at: now - tenDays })
  const tried = `the webhook ${event.type}, signed ten days ago`
  const asOfReceipt = yield* receive(harness, old, now - tenDays + 2_000)
  yield* expectOf(harness, old, isExactly(asOfReceipt, atOnce.evidence), {
    tried: `${tried}, received 2 s later, and read now`,
    expected: `the same as if it had been read then: ${describeReceived(atOnce)}`,
    seen: describeReceived(asOfReceipt)
  })
  if (!webhooks.signsTime) return
  for (const [how, receivedAt] of [
    ["received now", now],
    ["received an hour later, and read now", now - tenDays + hour],
    ["received an hour before it was signed", now - tenDays - hour]
  ] as const) {
    const received = yield* receive(harness, old, receivedAt)
    yield* expectOf(harness, old, received._tag === "Refused", {
      tried: `${tried}, ${how}`,
      expected: "WebhookRefused",
      seen: describeReceived(received)
    })
  }
})

/** ms */
const tenDays = 10 * 86_400_000
const hour = 3_600_000
