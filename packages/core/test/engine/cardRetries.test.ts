import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { CardRetrySettings } from "../../src/domain/cardRetries.ts"
import type { DeclineCode, RetryClass } from "../../src/domain/Decline.ts"
import type { NewPayment } from "../../src/domain/Payment.ts"
import type { PaymentError } from "../../src/domain/PaymentError.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore, StoreUnavailable } from "../../src/store/PaymentStore.ts"
import { card, scripted, start } from "./fixtures.ts"

const known = (fingerprint: string | null, network = "visa") =>
  Effect.map(card, (payment): NewPayment => ({
    ...payment,
    method: payment.method.rail === "card" ? { ...payment.method, fingerprint, network } : payment.method
  }))

const visaTwice: Partial<CardRetrySettings> = { limits: { visa: { declines: 2, within: "30 days" } } }

/** Two providers that decline as scripted. */
const declining = Effect.fnUntraced(function* (
  [code, retry]: readonly [DeclineCode, RetryClass],
  cardRetries: Partial<CardRetrySettings> = {},
  change: (store: PaymentStore["Service"]) => PaymentStore["Service"] = (store) => store
) {
  const store = change(Context.get(yield* Layer.build(MemoryStore.layer), PaymentStore))
  const asked: Array<string> = []
  const provider = (id: string) =>
    scripted(id, { create: () => Effect.sync(() => (asked.push(id), Outcome.declined({ code, retry }))) })
  const engine = yield* start(store, [provider("a"), provider("b")], {
    cardRetries,
    // Days pass here.
    reconciler: { every: 60 * 60_000 }
  })
  return { ...engine, asked }
})

const refusal = <A>(asked: Effect.Effect<A, PaymentError>) =>
  Effect.map(Effect.flip(asked), ({ reason }) => (reason._tag === "CardNotRetried" ? reason.reason : reason._tag))

const soft = ["processing_error", "other_provider"] as const
const plain = ["do_not_honor", "same_later"] as const
const hard = ["lost_or_stolen", "never"] as const

describe("a card that is declined again and again", () => {
  it.effect("is not sent anywhere once its network's limit is reached; nothing is written", () =>
    Effect.gen(function* () {
      const { asked, create } = yield* declining(plain, visaTwice)
      yield* create(known("fp_1"))
      yield* create(known("fp_1"))
      assert.strictEqual(yield* refusal(create(known("fp_1"))), "retry_limit")
      assert.deepStrictEqual(asked, ["a", "a"])
      // Another card, another network, and nothing to know it by.
      for (const other of [known("fp_2"), known("fp_3", "amex"), known(null), known(null), known(null)])
        yield* create(other)
      yield* TestClock.adjust("30 days")
      yield* create(known("fp_1"))
    })
  )

  it.effect("is counted over all providers, also within one payment: failover ends at the limit", () =>
    Effect.gen(function* () {
      const { asked, create } = yield* declining(soft, visaTwice)
      const first = yield* create(known("fp_1"))
      assert.deepStrictEqual(
        first.attempts.map(({ provider }) => provider),
        ["a", "b"]
      )
      assert.strictEqual(yield* refusal(create(known("fp_1"))), "retry_limit")
      assert.deepStrictEqual(asked, ["a", "b"])

      const once = yield* declining(soft, { limits: { visa: { declines: 1, within: "30 days" } } })
      const record = yield* once.create(known("fp_1"))
      assert.deepStrictEqual(once.asked, ["a"])
      assert.strictEqual(record.payment.state.status, "failed")
    })
  )

  it.effect("is tried at no provider once it was declined for good", () =>
    Effect.gen(function* () {
      const { asked, create } = yield* declining(hard)
      yield* create(known("fp_1", "amex"))
      assert.strictEqual(yield* refusal(create(known("fp_1", "amex"))), "hard_decline")
      assert.deepStrictEqual(asked, ["a"])
      yield* create(known("fp_2", "amex"))
      yield* TestClock.adjust("30 days")
      yield* create(known("fp_1", "amex"))
    })
  )

  it.effect("is not tried elsewhere while the number of its declines is not known", () =>
    Effect.gen(function* () {
      let reads = 0
      const away = (store: PaymentStore["Service"]) => ({
        ...store,
        cardDeclines: (...asked: Parameters<typeof store.cardDeclines>) =>
          Effect.suspend(() =>
            (reads += 1) === 1 ? store.cardDeclines(...asked) : Effect.fail(new StoreUnavailable({ cause: "away" }))
          )
      })
      const { asked, create } = yield* declining(soft, {}, away)
      const record = yield* create(known("fp_1"))
      assert.strictEqual(record.payment.state.status, "failed")
      assert.deepStrictEqual(asked, ["a"])
      assert.strictEqual(yield* refusal(create(known("fp_1"))), "Unavailable")
    })
  )
})
