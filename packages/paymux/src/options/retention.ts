/** Option `retention`: for how long is kept what need not be kept for good. */
import { Predicate } from "effect"

/** Days. `null`: for good. */
export interface RetentionSettings {
  /** The bytes of first answers, kept for replays. The key itself stays bound for good. */
  readonly idempotencyAnswersDays: number | null
  /** The content of applied webhooks of providers. That they were received stays known. */
  readonly inboxDays: number | null
  /** Deliveries of webhooks that have ended. */
  readonly deliveriesDays: number | null
  /** Entries of the audit log. */
  readonly auditDays: number | null
  /** Sums per hour and day of payments, attempts and refunds. */
  readonly statisticsDays: number | null
  /** Calls of the API in the request log, of which the newest 10 million are kept at most; `null`: all. */
  readonly requestsDays: number | null
  /** Transitions of circuit breakers. */
  readonly breakersDays: number | null
}

/** `false`: everything is kept for good. */
export type RetentionOption = Partial<RetentionSettings> | false

/** ms; `null`: for good. */
export interface Retained {
  readonly answers: number | null
  readonly inbox: number | null
  readonly deliveries: number | null
  readonly audit: number | null
  readonly statistics: number | null
  readonly requests: number | null
  readonly breakers: number | null
}

const defaults: RetentionSettings = {
  idempotencyAnswersDays: 30,
  inboxDays: 90,
  deliveriesDays: 30,
  auditDays: 730,
  // Three years: every month beside the same one of two years before.
  statisticsDays: 1096,
  requestsDays: 7,
  breakersDays: 90
}

const forever: RetentionSettings = {
  idempotencyAnswersDays: null,
  inboxDays: null,
  deliveriesDays: null,
  auditDays: null,
  statisticsDays: null,
  requestsDays: null,
  breakersDays: null
}

export const retentionOf = (option: RetentionOption | undefined): Retained => {
  const days = option === false ? forever : { ...defaults, ...option }
  return {
    answers: milliseconds(days.idempotencyAnswersDays),
    inbox: milliseconds(days.inboxDays),
    deliveries: milliseconds(days.deliveriesDays),
    audit: milliseconds(days.auditDays),
    statistics: milliseconds(days.statisticsDays),
    requests: milliseconds(days.requestsDays),
    breakers: milliseconds(days.breakersDays)
  }
}

const milliseconds = (days: number | null): number | null => (days === null ? null : days * 86_400_000)

export const retentionProblems = (option: unknown): ReadonlyArray<string> => {
  if (option === undefined || option === false) return []
  if (!Predicate.isObject(option)) return ["retention must be an object of settings, or false to keep everything."]
  return Object.entries(option).flatMap(([name, value]) => {
    if (!Object.hasOwn(defaults, name)) return [`There is no option "retention.${name}".`]
    return value === null || isDays(value)
      ? []
      : [`retention.${name} must be a whole number of days from 1 to 3650, or null to keep them for good.`]
  })
}

const isDays = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 3650
