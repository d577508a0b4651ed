/**
 * Bugs of one line that move money wrongly, or hide it: a hold, a lease and a key that were seen by no test, and others that
 * were chosen from the sources alone, before a look at the tests.
 */
import type { PlantedBug } from "./bugs.ts"

export const moneyBugs: ReadonlyArray<PlantedBug> = [
  {
    name: "releases a hold at the latest attempt instead of its own",
    package: "core",
    file: "execution/conclude/followUps.ts",
    from: 'const what = { attemptSeq: seq, kind, purpose: "reversal", charge } as const',
    to: 'const what = { attemptSeq: kind === "cancel" ? record.attempts.length : seq, kind, purpose: "reversal", charge } as const',
    caughtBy: "engine/unwantedHolds.test.ts"
  },
  {
    name: "names the charge of the first attempt where a later one is captured, released or refunded",
    package: "core",
    file: "execution/send/providerOperation.ts",
    from: 'each.kind === "create" && each.attemptSeq === operation.attemptSeq',
    to: 'each.kind === "create"',
    caughtBy: "engine/unwantedHolds.test.ts"
  },
  {
    name: "claims due work for ten seconds less than it may take",
    package: "core",
    file: "execution/recover/dueWork.ts",
    from: "const lease = timings.inquiry + timings.orphanGrace",
    to: "const lease = timings.orphanGrace",
    caughtBy: "engine/leaseTimes.test.ts"
  },
  {
    name: "derives the names of a payment without live or test mode",
    package: "core",
    file: "domain/origins.ts",
    from: '["payment", account, livemode, request',
    to: '["payment", account, request',
    caughtBy: "domain/origins.test.ts"
  },
  {
    name: "sends the engine's second operation under the key of the first",
    package: "core",
    file: "domain/origins.ts",
    from: "return [purpose, create.id, kind, before.length, ...(charge === null ? [] : [charge])]",
    to: "return [purpose, create.id, kind, 0, ...(charge === null ? [] : [charge])]",
    caughtBy: "domain/origins.test.ts"
  },
  {
    name: "trusts an idempotency key for 15 minutes after its lifetime",
    package: "core",
    file: "execution/conclude/Failover.ts",
    from: "lifetimeMs - timings.keyMargin",
    to: "lifetimeMs + timings.keyMargin",
    caughtBy: "execution/conclude/keyAge.test.ts"
  },
  {
    name: "forgets a send without a definite answer if the payment changes before the reply is written",
    package: "core",
    file: "execution/conclude/applyEvidence.ts",
    from: "operation.unsettled || reported.operation.unsettled",
    to: "operation.unsettled",
    caughtBy: "engine/staleDecisions.test.ts"
  },
  {
    name: "keeps the slot of a next attempt whose commit fails",
    package: "core",
    file: "execution/conclude/applyEvidence.ts",
    from: "yield* Effect.onError(written, () => Effect.sync(release))",
    to: "yield* written",
    caughtBy: "engine/slots.test.ts"
  },
  {
    name: "counts only the latest release of a hold that was released twice",
    package: "core",
    file: "domain/transition/appendEntries.ts",
    from: "minorUnits: released + held, kind",
    to: "minorUnits: held, kind",
    caughtBy: "domain/secondMovements.test.ts"
  },
  {
    name: "explains a dashboard refund by one that was requested later",
    package: "core",
    file: "domain/books/outsideRefunds.ts",
    from: "left === minorUnits && createdAt <= reportedAt)",
    to: "left === minorUnits)",
    caughtBy: "domain/secondMovements.test.ts"
  },
  {
    name: "takes every rate limit for proof that nothing was executed",
    package: "core",
    file: "execution/send/Sender.ts",
    from: "return !rateLimitIsNotExecuted",
    to: "return false",
    caughtBy: "engine/uncertainRateLimits.test.ts"
  },
  {
    name: "forgets that the first send of a refund may have been executed",
    package: "core",
    file: "domain/transition/followUpTransition.ts",
    from: 'unsettled: operation.unsettled && evidence.outcome._tag === "NotFound",',
    to: 'unsettled: operation.unsettled && evidence.outcome._tag === "NotExecuted",',
    caughtBy: "domain/secondMovements.test.ts"
  },
  {
    name: "takes a refund that is booked again after it failed for a duplicate",
    package: "core",
    file: "statement/matchMovement.ts",
    from: "return done.length > undone.length",
    to: "return done.length > 0",
    caughtBy: "statement/matchMovement.test.ts"
  },
  {
    name: "misses no booking of an operation whose difference was once resolved",
    package: "sql",
    file: "statement/missingThere.ts",
    from: "AND resolved_at IS NULL AND kind <> 'unknown_refund'",
    to: "AND kind <> 'unknown_refund'",
    caughtBy: "statement/missingThere.test.ts"
  },
  {
    name: "replaces the first answer of an idempotency key on PostgreSQL",
    package: "sql",
    file: "postgres/commitTexts.ts",
    from: "kept.answer IS NULL AND kept.answer_event IS NULL AND kept.payment_id",
    to: "kept.payment_id",
    caughtBy: "postgres/PostgresPaymentStore.test.ts"
  },
  {
    name: "replaces a reference that a checkpoint did not expect",
    package: "sql",
    file: "store/operations.ts",
    from: `OR reference IS NOT DISTINCT FROM \${bind(expected)}`,
    to: `OR coalesce(\${bind(expected)}, '') IS NOT NULL`,
    caughtBy: "SqlitePaymentStore.test.ts"
  },
  {
    name: "delivers events to the endpoints of the other mode",
    package: "webhooks",
    file: "delivery/FanOut.ts",
    from: "JSON.stringify([event.account, event.livemode])",
    to: "JSON.stringify([event.account])",
    caughtBy: "FanOut.test.ts"
  },
  {
    name: "gives back the claim that another worker has made since",
    package: "webhooks",
    file: "delivery/settlements.ts",
    from: "AND status = 'pending' AND claimed_until = held.until`",
    to: "AND status = 'pending' AND claimed_until >= held.until`",
    caughtBy: "Deliveries.test.ts"
  }
]
