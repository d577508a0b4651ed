/** The provider inbox in memory. */
import { Effect } from "effect"
import type { InboxEntry, InboxStore } from "./PaymentStore.ts"

export const memoryInbox = (): InboxStore => {
  const entries = new Map<string, InboxEntry>()
  const claimedUntil = new Map<string, number>()
  return {
    keep: (kept) =>
      Effect.sync(() =>
        kept.map((entry) => {
          const standing = entries.get(placeOf(entry))
          if (standing === undefined) entries.set(placeOf(entry), entry)
          return standing ?? entry
        })
      ),
    claimDue: ({ limit, now, until }) =>
      Effect.sync(() => {
        const due = [...entries.values()]
          .filter((entry) => isDue(entry, now) && (claimedUntil.get(placeOf(entry)) ?? 0) <= now)
          .sort((a, b) => (a.nextTryAt ?? 0) - (b.nextTryAt ?? 0))
          .slice(0, limit)
        for (const entry of due) claimedUntil.set(placeOf(entry), until)
        return due
      }),
    settle: (entry) =>
      Effect.sync(() => {
        const standing = entries.get(placeOf(entry))
        if (standing === undefined || standing.status === "applied") return
        const { nextTryAt, status, tries } = entry
        entries.set(placeOf(entry), { ...standing, status, tries, nextTryAt })
        claimedUntil.delete(placeOf(entry))
      }),
    parked: (limit) =>
      Effect.sync(() => [...entries.values()].filter(({ status }) => status === "parked").slice(0, limit))
  }
}

const isDue = ({ nextTryAt, status }: InboxEntry, now: number): boolean =>
  status === "waiting" && nextTryAt !== null && nextTryAt <= now

const placeOf = ({ eventKey, provider }: InboxEntry): string => JSON.stringify([provider, eventKey])
