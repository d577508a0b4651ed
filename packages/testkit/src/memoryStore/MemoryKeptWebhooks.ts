/** Kept webhooks in memory. */
import type { PaymentId, PaymentRecord } from "@paymux/core"
import { keptBytes } from "@paymux/core/store"
import type { InstanceOfMode, KeptWebhook, KeptWebhookCount, KeptWebhookStore, Operation } from "@paymux/core/store"
import { Effect } from "effect"

interface Waiting {
  readonly webhook: KeptWebhook
  readonly nextTryAt: number
  readonly claimedUntil: number
}

export const memoryKeptWebhooks = (records: ReadonlyMap<PaymentId, PaymentRecord>): KeptWebhookStore => {
  let last = 0
  const waiting = new Map<number, Waiting>()
  const dueAt = (now: number) =>
    [...waiting.values()].filter(({ claimedUntil, nextTryAt }) => nextTryAt <= now && claimedUntil <= now)
  const countOf = (instance: InstanceOfMode): Omit<KeptWebhookCount, keyof InstanceOfMode> => {
    const own = [...waiting.values()].map(({ webhook }) => webhook).filter((each) => isOf(instance, each))
    return {
      requests: own.length,
      bytes: own.reduce((sum, each) => sum + keptBytes(each), 0),
      oldestReceivedAt: Math.min(...own.map(({ receivedAt }) => receivedAt))
    }
  }
  return {
    modeOf: (provider) => Effect.sync(() => latestMode(records.values(), provider)),
    keep: (webhook, limits) =>
      Effect.sync(() => {
        const { bytes, requests } = countOf(webhook)
        if (requests >= limits.requests || bytes + keptBytes(webhook) > limits.bytes) return false
        const position = ++last
        const kept = { ...webhook, body: Uint8Array.from(webhook.body), position, rejections: 0 }
        waiting.set(position, { webhook: kept, nextTryAt: webhook.receivedAt, claimedUntil: 0 })
        return true
      }),
    dueInstances: (now) => Effect.sync(() => distinct(dueAt(now).map(({ webhook }) => webhook))),
    claimDue: ({ limit, livemode, now, provider, until }) =>
      Effect.sync(() => {
        const due = dueAt(now)
          .filter(({ webhook }) => isOf({ provider, livemode }, webhook))
          .sort((a, b) => a.webhook.receivedAt - b.webhook.receivedAt || a.webhook.position - b.webhook.position)
          .slice(0, limit)
        for (const each of due) waiting.set(each.webhook.position, { ...each, claimedUntil: until })
        return due.map(({ webhook }) => webhook)
      }),
    postpone: ({ position, rejections }, nextTryAt) =>
      Effect.sync(() => {
        const standing = waiting.get(position)
        if (standing === undefined) return
        waiting.set(position, { webhook: { ...standing.webhook, rejections }, nextTryAt, claimedUntil: 0 })
      }),
    remove: (position) => Effect.sync(() => void waiting.delete(position)),
    counts: Effect.sync(() =>
      distinct([...waiting.values()].map(({ webhook }) => webhook)).map((instance) => ({
        ...instance,
        ...countOf(instance)
      }))
    ),
    prune: ({ before, limit }) =>
      Effect.sync(() => {
        const old = [...waiting.values()].filter(({ webhook }) => webhook.receivedAt < before).slice(0, limit)
        for (const { webhook } of old) waiting.delete(webhook.position)
        return old.length
      })
  }
}

const isOf = (instance: InstanceOfMode, { livemode, provider }: InstanceOfMode): boolean =>
  instance.provider === provider && instance.livemode === livemode

const distinct = (all: ReadonlyArray<InstanceOfMode>): ReadonlyArray<InstanceOfMode> =>
  all
    .filter((each, place) => all.findIndex((other) => isOf(each, other)) === place)
    .map(({ livemode, provider }) => ({ provider, livemode }))
    .sort((a, b) =>
      a.provider === b.provider ? Number(a.livemode) - Number(b.livemode) : a.provider < b.provider ? -1 : 1
    )

const latestMode = (records: Iterable<PaymentRecord>, provider: string): boolean | null => {
  let latest: Operation | null = null
  let mode: boolean | null = null
  for (const { operations, payment } of records) {
    for (const operation of operations) {
      if (operation.provider !== provider || (latest !== null && operation.createdAt <= latest.createdAt)) continue
      latest = operation
      mode = payment.livemode
    }
  }
  return mode
}
