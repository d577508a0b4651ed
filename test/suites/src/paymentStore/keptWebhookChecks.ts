import { keptBytes, PaymentStore } from "@paymux/core/store"
import type { Claim, KeptWebhook, UnverifiedWebhook } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { anOperation, aRecord } from "./records.ts"

const together = { concurrency: "unbounded" } as const
const limits = { requests: 1_000, bytes: 1_000_000 }

const aWebhook = (n: number, change: Partial<UnverifiedWebhook> = {}): UnverifiedWebhook => ({
  provider: "acme",
  livemode: false,
  body: new TextEncoder().encode(`{"event":${n}}`),
  headers: { signature: `of ${n}` },
  receivedAt: 1_000 + n,
  ...change
})

const claimed = Effect.fnUntraced(function* (change: Partial<Claim & { readonly livemode: boolean }> = {}) {
  const { keptWebhooks } = yield* PaymentStore
  return yield* keptWebhooks.claimDue({
    provider: "acme",
    livemode: false,
    owner: "engine-1",
    now: 10_000,
    until: 20_000,
    limit: 100,
    ...change
  })
})

const received = ({ position: _position, rejections: _rejections, ...webhook }: KeptWebhook) => webhook

const begun = (n: number, provider: string, livemode: boolean, createdAt: number) =>
  PaymentStore.use((store) => {
    const record = aRecord(n, { provider, livemode })
    const operations = [anOperation(n, 1, { provider, createdAt })]
    return store.begin({ record: { ...record, operations }, binding: null })
  })

export const keptWebhookChecks = (check: StoreCheck): void => {
  check(
    "a kept webhook is read back byte for byte, oldest receipt first",
    Effect.gen(function* () {
      const { keptWebhooks } = yield* PaymentStore
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      const strange = aWebhook(2, { body: bytes, headers: { signature: `t=1,v1="é\\ ÿ`, "": "empty name" } })
      const empty = aWebhook(1, { body: new Uint8Array(), headers: {} })
      for (const webhook of [strange, empty]) assert.isTrue(yield* keptWebhooks.keep(webhook, limits))
      const due = yield* claimed()
      assert.deepStrictEqual(due.map(received), [empty, strange])
      assert.deepStrictEqual(
        due.map(({ rejections }) => rejections),
        [0, 0]
      )
      assert.strictEqual(new Set(due.map(({ position }) => position)).size, 2)
    })
  )

  check(
    "it is due for its own instance and mode, and claimed by one at a time",
    Effect.gen(function* () {
      const { keptWebhooks } = yield* PaymentStore
      const [ours, live, other] = [aWebhook(1), aWebhook(2, { livemode: true }), aWebhook(3, { provider: "other" })]
      for (const webhook of [ours, live, other]) yield* keptWebhooks.keep(webhook, limits)
      assert.deepStrictEqual(yield* keptWebhooks.dueInstances(1_000), [])
      assert.deepStrictEqual(yield* keptWebhooks.dueInstances(10_000), [
        { provider: "acme", livemode: false },
        { provider: "acme", livemode: true },
        { provider: "other", livemode: false }
      ])
      assert.deepStrictEqual((yield* claimed()).map(received), [ours])
      assert.deepStrictEqual(yield* claimed({ owner: "engine-2" }), [])
      assert.deepStrictEqual((yield* claimed({ livemode: true, limit: 1 })).map(received), [live])
      assert.deepStrictEqual(yield* keptWebhooks.dueInstances(19_999), [{ provider: "other", livemode: false }])
      assert.deepStrictEqual((yield* claimed({ owner: "engine-2", now: 20_000, until: 30_000 })).map(received), [ours])
    })
  )

  check(
    "of many claims at once, each webhook is in one",
    Effect.gen(function* () {
      const { keptWebhooks } = yield* PaymentStore
      yield* Effect.forEach(
        Array.from({ length: 40 }, (_, n) => aWebhook(n)),
        (webhook) => keptWebhooks.keep(webhook, limits),
        together
      )
      const claims = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, n) => `engine-${n}`),
        (owner) => claimed({ owner, limit: 10 }),
        together
      )
      const positions = claims.flat().map(({ position }) => position)
      assert.strictEqual(new Set(positions).size, positions.length)
      assert.strictEqual((yield* claimed({ now: 20_000, until: 30_000 })).length, 40)
    })
  )

  check(
    "a postponed webhook is due again at its time, with its rejections; a removed one never",
    Effect.gen(function* () {
      const { keptWebhooks } = yield* PaymentStore
      for (const n of [1, 2]) yield* keptWebhooks.keep(aWebhook(n), limits)
      const [first, second] = yield* claimed()
      if (first === undefined || second === undefined) return assert.fail("two are due")
      yield* keptWebhooks.postpone({ position: first.position, rejections: 3 }, 15_000)
      yield* keptWebhooks.remove(second.position)
      yield* keptWebhooks.remove(second.position)
      yield* keptWebhooks.postpone({ position: second.position, rejections: 1 }, 0)
      assert.deepStrictEqual(yield* claimed({ now: 14_999 }), [])
      assert.deepStrictEqual(yield* claimed({ now: 99_000 }), [{ ...first, rejections: 3 }])
      assert.deepStrictEqual(yield* keptWebhooks.counts, [
        { provider: "acme", livemode: false, requests: 1, bytes: keptBytes(first), oldestReceivedAt: 1_001 }
      ])
    })
  )

  check(
    "a limit of requests or bytes holds for each instance and mode, also for many at once, and a removed webhook makes room",
    Effect.gen(function* () {
      const { keptWebhooks } = yield* PaymentStore
      const size = keptBytes(aWebhook(1))
      const keepAll = (few: typeof limits, change: Partial<UnverifiedWebhook>) =>
        Effect.map(
          Effect.forEach(
            Array.from({ length: 32 }, (_, n) => aWebhook(n % 10, change)),
            (webhook) => keptWebhooks.keep(webhook, few),
            together
          ),
          (kept) => kept.filter((each) => each).length
        )
      assert.strictEqual(yield* keepAll({ requests: 5, bytes: 1_000_000 }, {}), 5)
      assert.strictEqual(yield* keepAll({ requests: 5, bytes: 1_000_000 }, { livemode: true }), 5)
      assert.strictEqual(yield* keepAll({ requests: 1_000, bytes: 4 * size }, { provider: "other" }), 4)
      assert.isFalse(yield* keptWebhooks.keep(aWebhook(1, { provider: "new" }), { requests: 9, bytes: size - 1 }))
      assert.deepStrictEqual(
        (yield* keptWebhooks.counts).map(({ bytes, livemode, provider, requests }) => [
          provider,
          livemode,
          requests,
          bytes
        ]),
        [
          ["acme", false, 5, 5 * size],
          ["acme", true, 5, 5 * size],
          ["other", false, 4, 4 * size]
        ]
      )
      const [oldest] = yield* claimed()
      yield* keptWebhooks.remove(oldest?.position ?? 0)
      assert.strictEqual(yield* keepAll({ requests: 5, bytes: 1_000_000 }, {}), 1)
    })
  )

  check(
    "what was received before is removed, up to the limit of the range, and counts no more",
    Effect.gen(function* () {
      const { keptWebhooks } = yield* PaymentStore
      for (const n of [1, 2, 3]) yield* keptWebhooks.keep(aWebhook(n), limits)
      yield* keptWebhooks.keep(aWebhook(0, { provider: "other" }), limits)
      yield* keptWebhooks.keep(aWebhook(9), limits)
      assert.strictEqual(yield* keptWebhooks.prune({ before: 1_000, limit: 10 }), 0)
      assert.strictEqual(yield* keptWebhooks.prune({ before: 1_009, limit: 3 }), 3)
      assert.strictEqual(yield* keptWebhooks.prune({ before: 1_009, limit: 3 }), 1)
      assert.deepStrictEqual(yield* keptWebhooks.counts, [
        { provider: "acme", livemode: false, requests: 1, bytes: keptBytes(aWebhook(9)), oldestReceivedAt: 1_009 }
      ])
      assert.deepStrictEqual((yield* claimed()).map(received), [aWebhook(9)])
    })
  )

  check(
    "the mode of an instance is that of its latest operation; an instance without operations has none",
    Effect.gen(function* () {
      const { keptWebhooks } = yield* PaymentStore
      yield* begun(1, "acme", true, 5_000)
      yield* begun(2, "acme", false, 4_000)
      yield* begun(3, "other", false, 9_000)
      const modes = yield* Effect.forEach(["acme", "other", "acm", "acme2", "", "__proto__"], keptWebhooks.modeOf)
      assert.deepStrictEqual(modes, [true, false, null, null, null, null])
    })
  )
}
