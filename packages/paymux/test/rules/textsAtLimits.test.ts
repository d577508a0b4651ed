/** Rules at every limit are refused by the check, or are put in force by a start: on the thread of the check and on that of the start. */
import { assert, describe, it } from "@effect/vitest"
import { compileChecked, explain, facts, plan, RulesUsage, unknownHealth } from "@paymux/routing"
import { sandboxRoutes } from "@paymux/sandbox"
import { Effect, Result } from "effect"
import { amount } from "../../../../test/support/amount.ts"
import { checkToJson } from "../../src/rules/draft.ts"
import type { CheckedJson } from "../../src/rules/draft.ts"
import * as RulesThread from "../../src/rules/worker/RulesThread.ts"
import { card, payment, paymentId, tenant } from "../../../core/test/routing/samples.ts"
import { textAtLimit } from "./textsAtLimits.ts"

const providers = sandboxRoutes()
const asked = payment(card(), "EUR")

/** All that a server does with rules once they are checked. */
const start = Effect.fnUntraced(function* ({ config: json, ruleset }: CheckedJson) {
  const config: unknown = JSON.parse(json)
  const routing = yield* compileChecked({ config, ruleset }, providers)
  const known = facts(asked, tenant, paymentId(1), 1_790_000_000_000)
  const usage = RulesUsage.make(config, routing)
  usage.add(known)
  usage.report()
  assert.strictEqual(plan(routing, asked, known, unknownHealth)._tag, "Plan")
  assert.include(explain(routing, asked, known, unknownHealth).ruleset, ruleset)
})

describe("rules at the limits of the database", () => {
  it.live.each(amount({ part: [0, 7, 10, 21], all: Array.from({ length: 300 }, (_, seed) => seed) }))(
    "are refused by the check or start, in a worker and in the main thread: text %i",
    (seed) =>
      Effect.gen(function* () {
        const { kind, text } = textAtLimit(seed)
        const thread = yield* RulesThread.make(providers, null)
        const ofMain = yield* Effect.result(checkToJson(text, providers))
        const ofWorker = yield* Effect.result(thread.check(text))
        // Refused for its memory: a start refuses it, too.
        if (Result.isFailure(ofWorker) && ofWorker.failure._tag === "RulesWorkFailed") {
          return assert.match(ofWorker.failure.reason, /^The rules take too much memory/)
        }
        // On a slow machine: a start then checks in its own thread.
        const isLate = Result.isFailure(ofWorker) && ofWorker.failure._tag === "RulesThreadFailed"
        if (!isLate) assert.deepStrictEqual(ofWorker, ofMain, kind)
        if (Result.isSuccess(ofMain)) yield* start(ofMain.success)
      })
  )
})
