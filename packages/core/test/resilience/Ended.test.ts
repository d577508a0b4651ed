import { assert, describe, it } from "@effect/vitest"
import { AccountNotEnabled, InvalidRequest, Misconfigured, RateLimited } from "../../src/provider/ProviderError.ts"
import type { ProviderError } from "../../src/provider/ProviderError.ts"
import { consequencesOf, definiteAnswer } from "../../src/resilience/Ended.ts"

const refusals: ReadonlyArray<ProviderError["reason"]> = [
  new Misconfigured({ detail: "401" }),
  new AccountNotEnabled({ code: "rail_off", about: "kind" }),
  new RateLimited({ retryAfterMs: 100 }),
  new InvalidRequest({ detail: "amount" })
]

describe("the consequences of a call's end", () => {
  it("claim no vendor's proof for a request that the provider refused", () => {
    for (const refusal of refusals) {
      const { breaker, evidence, failover } = consequencesOf(refusal)
      assert.deepInclude(evidence, { _tag: "NotExecuted", reason: "refused" }, refusal._tag)
      assert.strictEqual(failover, refusal)
      assert.strictEqual(breaker, "ignored")
    }
  })

  it("keep the vendor's code of an account that is not enabled, unless it may name a payer", () => {
    const codeOf = (code: string) => consequencesOf(new AccountNotEnabled({ code, about: "kind" })).evidence.vendorCode
    assert.strictEqual(codeOf("rail_off"), "rail_off")
    assert.isUndefined(codeOf("4111 1111 1111 1111"))
  })

  it.each(["breaker", "configuration", "deadline"] as const)("are that nothing was sent: %s", (refusedBy) => {
    const { evidence, failover, log, metric } = consequencesOf({ _tag: "NotSent", refusedBy })
    assert.deepStrictEqual(evidence, { _tag: "NotExecuted", reason: "not_sent" })
    assert.deepStrictEqual(failover, evidence)
    assert.strictEqual(metric, "refused")
    assert.isNull(log)
  })

  it("leave the outcome unknown without a definite answer", () => {
    const ends = [
      { ended: { _tag: "TimedOut" }, reason: "timeout", metric: "timed_out" },
      { ended: { _tag: "Broke" }, reason: "unreadable", metric: "broke" },
      { ended: { _tag: "Unknown", reason: "reset" }, reason: "reset", metric: "unknown" }
    ] as const
    for (const { ended, metric, reason } of ends) {
      const found = consequencesOf(ended)
      assert.deepInclude(found.failover, { _tag: "Unknown", reason })
      assert.deepInclude(found, { metric, breaker: "failure" })
    }
  })
})

describe("a definite answer", () => {
  it("is one about the operation, and none that is about the inquiry or is missing", () => {
    const definite = ["Succeeded", "Authorized", "Pending", "NotFound", "Expired", "Canceled"] as const
    for (const _tag of definite) assert.deepStrictEqual(definiteAnswer({ _tag }), { _tag })
    const missing: ReadonlyArray<Parameters<typeof definiteAnswer>[0]> = [
      ...refusals,
      { _tag: "Unknown", reason: "timeout" },
      { _tag: "NotExecuted", reason: "proof_code" },
      { _tag: "NotSent", refusedBy: "breaker" },
      { _tag: "TimedOut" },
      { _tag: "Broke" },
      { _tag: "NotAdmitted" },
      { _tag: "Outdated" }
    ]
    for (const ended of missing) assert.isNull(definiteAnswer(ended), ended._tag)
  })
})
