/** Keys, counters and leases of provider instances in memory. */
import type { HeldLease, LeaseStore, ProviderStateStore } from "@paymux/core/store"
import { Effect } from "effect"

export const memoryProviderState = (): {
  readonly providerState: ProviderStateStore
  readonly leases: LeaseStore
} => {
  const values = new Map<string, string>()
  const counters = new Map<string, number>()
  const leases = new Map<string, { owner: string; fence: number; until: number }>()
  const stands = (lease: HeldLease | null) => lease === null || leases.get(lease.name)?.fence === lease.fence
  return {
    providerState: {
      get: (provider, key) => Effect.sync(() => values.get(placeOf(provider, key)) ?? null),
      compareAndSet: (provider, key, expected, value, lease) =>
        Effect.sync(() => {
          const place = placeOf(provider, key)
          if (!stands(lease) || (values.get(place) ?? null) !== expected) return false
          values.set(place, value)
          return true
        }),
      next: (provider, counter) =>
        Effect.sync(() => {
          const value = (counters.get(placeOf(provider, counter)) ?? 0) + 1
          counters.set(placeOf(provider, counter), value)
          return value
        })
    },
    leases: {
      hold: (name, { latest = Number.MAX_SAFE_INTEGER, now, owner, until }) =>
        Effect.sync(() => {
          const held = leases.get(name)
          const isHeld = held !== undefined && held.until > now && held.until <= latest
          if (isHeld && held.owner !== owner) return null
          const fence = (held?.fence ?? 0) + (held?.owner === owner ? 0 : 1)
          leases.set(name, { owner, fence, until })
          return fence
        }),
      // The lease's row is kept, because its fence must keep growing.
      release: (name, owner) =>
        Effect.sync(() => {
          const held = leases.get(name)
          if (held?.owner === owner) leases.set(name, { ...held, owner: "", until: 0 })
        })
    }
  }
}

const placeOf = (provider: string, key: string): string => JSON.stringify([provider, key])
