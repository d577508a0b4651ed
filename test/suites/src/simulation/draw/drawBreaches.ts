/** Draws which promise the vendors of one payment break, and writes the breach into its scripts. */
import type { CreateScript, FollowUpScript } from "../Plan.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import type { FaultProfile } from "./FaultProfile.ts"
import { DAY, HOUR, MINUTE, SECOND } from "./times.ts"

const createBreaches = [
  "ignores_key",
  "forgets",
  "other_body",
  "denies",
  "contradicts",
  "misreports",
  "other_amount",
  "own_event_ids",
  "pays_late"
] as const
type CreateBreachKind = (typeof createBreaches)[number]

/**
 * - `ignores_key`: the first request is executed and its answer lost; the repeat is executed, too.
 * - `forgets`: it is executed, its answer lost, and inquiries find nothing for a while.
 * - `pays_late`: every create is declined, and captured days later.
 * - `contradicts`: a webhook says declined about what was taken, and a later one the truth.
 * - `other_amount`: another amount is taken than was asked.
 * - the others as in the scripts.
 */
export interface Breaches {
  readonly create: CreateBreachKind | null
  readonly followUp: "ignores_key" | "forgets" | "takes_all" | "misreports" | "own_event_ids" | null
  readonly forgottenFor: number
  readonly lateAfter: number
  readonly reports: boolean
}

export const drawBreaches = (random: SeededRandom, profile: FaultProfile): Breaches => {
  const isBroken = profile === "everything"
  return {
    create: isBroken && random.chance(15) ? random.pick(createBreaches) : null,
    followUp:
      isBroken && random.chance(30)
        ? random.pick(["ignores_key", "forgets", "takes_all", "misreports", "own_event_ids"])
        : null,
    forgottenFor: random.between(20 * MINUTE, 6 * HOUR),
    lateAfter: random.between(MINUTE, 2 * DAY),
    reports: random.chance(50)
  }
}

export const withCreateBreach = (script: CreateScript, breaches: Breaches, index: number): CreateScript => {
  switch (breaches.create) {
    case "ignores_key":
      return index === 0
        ? { ...script, ...lost, outcome: takenAsAsked }
        : { ...script, ...arrives, outcome: takenAsAsked, breaks: "ignores_key" }
    case "forgets":
      return index === 0
        ? {
            ...script,
            ...lost,
            ...silent(breaches, script),
            outcome: takenAsAsked,
            forgottenFor: breaches.forgottenFor
          }
        : script
    case "other_body":
      return { ...script, ...arrives, outcome: takenAsAsked, breaks: "other_body" }
    case "denies":
      return index === 0 ? { ...script, ...lost, breaks: "denies" } : script
    case "contradicts":
      return { ...script, ...arrives, outcome: takenAsAsked, breaks: "contradicts" }
    case "misreports":
      return { ...script, misreportsBy: breaches.reports ? -1 : 1000 }
    case "other_amount":
      return { ...script, ...arrives, outcome: { ...takenAsAsked, by: breaches.reports ? -50 : 5000 } }
    case "own_event_ids":
      return { ...script, webhooksAfter: [SECOND, 2 * SECOND, ...script.webhooksAfter], ownEventIds: true }
    case "pays_late":
      return { ...script, ...arrives, outcome: { ...declinedForNow, takenAfter: breaches.lateAfter + index * MINUTE } }
    case null:
      return script
  }
}

export const withFollowUpBreach = (script: FollowUpScript, breaches: Breaches, index: number): FollowUpScript => {
  switch (breaches.followUp) {
    case "ignores_key":
      return index === 0 ? { ...script, ...lost } : { ...script, ...arrives, breaks: "ignores_key" }
    case "forgets":
      return index === 0
        ? { ...script, ...lost, ...silent(breaches, script), forgottenFor: breaches.forgottenFor }
        : { ...script, ...arrives }
    case "takes_all":
      return { ...script, breaks: "takes_all" }
    case "misreports":
      return { ...script, misreportsBy: breaches.reports ? -1 : 1000 }
    case "own_event_ids":
      return { ...script, webhooksAfter: [SECOND, 2 * SECOND, ...script.webhooksAfter], ownEventIds: true }
    case null:
      return script
  }
}

const lost = { arrivesAfter: 100, answer: "none" } as const
const arrives = { arrivesAfter: 100, answer: "truth", answersAfter: 500 } as const
const takenAsAsked = { kind: "taken", by: 0, otherCurrency: false } as const
const declinedForNow = { kind: "declined", code: "issuer_unavailable", retry: "other_provider" } as const

/** Half of those that forget report nothing either: only a later inquiry shows what was done. */
const silent = ({ reports }: Breaches, { webhooksAfter }: { readonly webhooksAfter: ReadonlyArray<number> }) => ({
  webhooksAfter: reports ? webhooksAfter : []
})
