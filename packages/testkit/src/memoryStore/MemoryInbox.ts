/** The provider inbox in memory. */
import type { Evidence } from "@paymux/core"
import { isAhead } from "@paymux/core/store"
import type { DueCorrection, InboxEntry, InboxStore, PruneQuery } from "@paymux/core/store"
import { Effect } from "effect"

/** The inbox entries by provider and event key, in the order of arrival. */
export type InboxEntries = Map<string, InboxEntry>

export interface MemoryInbox extends InboxStore {
  /** Implements `correctDueTimes` of the store. */
  readonly correct: (correction: DueCorrection) => number
}

export const memoryInbox = (entries: InboxEntries): MemoryInbox => {
  const claimedUntil = new Map<string, number>()
  const claimable = (now: number) =>
    [...entries.values()].filter((entry) => isDue(entry, now) && (claimedUntil.get(placeOf(entry)) ?? 0) <= now)
  return {
    correct: ({ claim, limit, matchDelays, now }) => {
      const ahead = [...entries]
        .filter(
          ([place, { nextTryAt, status, tries }]) =>
            status === "waiting" &&
            (isAhead((nextTryAt ?? now) - (matchDelays[tries] ?? matchDelays.at(-1) ?? 0), now) ||
              isAhead((claimedUntil.get(place) ?? now) - claim, now))
        )
        .slice(0, limit)
      for (const [place, entry] of ahead) {
        entries.set(place, { ...entry, nextTryAt: now })
        claimedUntil.delete(place)
      }
      return ahead.length
    },
    keep: (kept) =>
      Effect.sync(() =>
        kept.map((entry) => {
          const standing = entries.get(placeOf(entry))
          if (standing === undefined) entries.set(placeOf(entry), entry)
          if (standing === undefined) return entry
          return standing.evidence === forgotten ? { ...standing, evidence: entry.evidence } : standing
        })
      ),
    dueProviders: (now) => Effect.sync(() => [...new Set(claimable(now).map(({ provider }) => provider))]),
    claimDue: ({ limit, now, provider, until }) =>
      Effect.sync(() => {
        const due = claimable(now)
          .filter((entry) => entry.provider === provider)
          .sort((a, b) => (a.nextTryAt ?? 0) - (b.nextTryAt ?? 0))
          .slice(0, limit)
        for (const entry of due) claimedUntil.set(placeOf(entry), until)
        return due
      }),
    settle: (entry) =>
      Effect.sync(() => {
        const standing = entries.get(placeOf(entry))
        if (standing === undefined || standing.status === "applied") return
        if ((standing.disposition === "matched") !== (entry.disposition === "matched")) return
        const { nextTryAt, status, tries } = entry
        const evidence = status === "applied" ? entry.evidence : standing.evidence
        const disposition = entry.disposition ?? standing.disposition
        entries.set(placeOf(entry), { ...standing, evidence, status, tries, nextTryAt, disposition })
        claimedUntil.delete(placeOf(entry))
      }),
    parked: (limit) =>
      Effect.sync(() => [...entries.values()].filter(({ status }) => status === "parked").slice(0, limit))
  }
}

/** Deletes the evidence of applied entries that were received before `before`. */
export const forgetApplied = (entries: InboxEntries, { before, limit }: PruneQuery): number => {
  const due = [...entries]
    .filter(
      ([, { evidence, receivedAt, status }]) => status === "applied" && receivedAt < before && evidence !== forgotten
    )
    .slice(0, limit)
  for (const [place, entry] of due) entries.set(place, { ...entry, evidence: forgotten })
  return due.length
}

/** The placeholder for deleted evidence; it is recognized by object identity. */
const forgotten: Evidence = {
  source: "webhook",
  about: { provider: "", providerReference: "" },
  outcome: { _tag: "Unknown", reason: "unmapped" },

  eventId: null,
  occurredAt: null
}

const isDue = ({ nextTryAt, status }: InboxEntry, now: number): boolean =>
  status === "waiting" && nextTryAt !== null && nextTryAt <= now

const placeOf = ({ eventKey, provider }: InboxEntry): string => JSON.stringify([provider, eventKey])
