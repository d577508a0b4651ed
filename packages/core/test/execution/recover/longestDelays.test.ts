import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Operation } from "../../../src/domain/Operation.ts"
import { rails } from "../../../src/domain/PaymentMethod.ts"
import {
  afterCheck,
  delayAfterEnd,
  nextCheckAt,
  nextInquiryDelay,
  retryAt
} from "../../../src/execution/conclude/checkSchedule.ts"
import type { CheckResult } from "../../../src/execution/conclude/checkSchedule.ts"
import { matchDelay } from "../../../src/execution/recover/inbox/matchDelay.ts"
import { longestDelays } from "../../../src/execution/recover/longestDelays.ts"
import { sendingFrom } from "../../../src/execution/begin/newRecords.ts"
import { fromAnswer } from "../../../src/domain/Evidence.ts"
import * as Outcome from "../../../src/domain/Outcome.ts"
import { declaredBy } from "../../../src/provider/ProviderRegistry.ts"
import type { DeclaredOperation } from "../../../src/provider/ProviderRegistry.ts"
import { after, begun, find } from "../../domain/records.ts"
import { scripted } from "../../engine/fixtures.ts"

const day = 24 * 60 * 60_000
const now = 100 * day
const statuses = [
  "planned",
  "sending",
  "pending",
  "unknown",
  "authorized",
  "declined",
  "not_executed",
  "succeeded"
] as const
const results: ReadonlyArray<CheckResult> = ["inquired", "unmapped", "unavailable", "unsupported"]
const outcomes = [Outcome.unknown({ reason: "timeout" }), Outcome.pending(), Outcome.authorized(), Outcome.succeeded()]

const provider = (lookBackAfter?: ReadonlyArray<number>) =>
  scripted(
    "a",
    { create: () => Effect.die(new Error("never sent")) },
    { inquiry: { by: "reference", ...(lookBackAfter && { lookBackAfter }) } }
  )

const registryOf = (instance: ReturnType<typeof provider>) => ({
  providers: [instance],
  declared: (_: string, kind: Operation["kind"]) => declaredBy(instance)(kind)
})

const declarations = [false, true].flatMap((costlyInquiry) =>
  [false, true].map((canInquire): DeclaredOperation => ({
    ...declaredBy(provider())("create"),
    costlyInquiry,
    canInquire,
    idempotency: { by: "header", lifetimeMs: 30 * day }
  }))
)

/** As the engine would write it at `now`, whatever came of an operation that was checked so often. */
const delaysOf = (declared: DeclaredOperation): ReadonlyArray<number> => {
  const far = after(begun, [1, { _tag: "Pending", nextAction: { type: "wait", expiresAt: now + 400 * day } }])
  return [far, begun].flatMap((record) =>
    rails.flatMap((rail) =>
      Array.from({ length: 180 }, (_, checks) => checks).flatMap((checks) =>
        statuses.flatMap((status) => {
          const operation: Operation = { ...find(record, 1), status, checks }
          return [
            nextInquiryDelay(rail, declared.costlyInquiry, checks) ?? 0,
            (retryAt(operation, now) ?? now) - now,
            ...results.map((result) => (afterCheck(record, operation, result, declared, now).nextCheckAt ?? now) - now),
            ...outcomes.map(
              (outcome) =>
                (nextCheckAt(record, operation, fromAnswer("inquiry", operation.id, outcome), declared, now) ?? now) -
                now
            ),
            ...[false, true].map((isAnswered) => delayAfterEnd(operation, declared, isAnswered) ?? 0)
          ]
        })
      )
    )
  )
}

describe("the longest delay of a kind of due work", () => {
  const longest = longestDelays(registryOf(provider()))

  it("is at least as long as every delay until a check, whatever came of the operation", () => {
    const delays = declarations.flatMap(delaysOf)
    assert.isAtMost(Math.max(...new Set(delays)), longest.check)
    assert.strictEqual(longest.check, 3 * day)
  })

  it("follows what a provider declares", () => {
    assert.strictEqual(longestDelays(registryOf(provider([day, 9 * day]))).check, 9 * day)
    assert.strictEqual(longestDelays(registryOf(provider([day]))).check, 3 * day)
  })

  it("is that of a send, of a claim, and of each try of a report", () => {
    assert.strictEqual(longest.send, (sendingFrom(now).nextCheckAt ?? 0) - now)
    for (let tries = 0; tries < 500; tries++) {
      assert.strictEqual(longest.matchDelays[tries] ?? longest.matchDelays.at(-1), matchDelay(tries))
    }
  })
})
