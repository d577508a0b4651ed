/**
 * How log lines are written: option `logs`.
 *
 * @internal Exported for tests that try each.
 */
export const logFormats = ["pretty", "json", "logfmt"] as const
export type LogFormat = (typeof logFormats)[number]

export const logsProblems = (logs: unknown): ReadonlyArray<string> =>
  logs === undefined || logs === false || logFormats.some((format) => format === logs)
    ? []
    : [`logs must be ${logFormats.join(", ")} or false.`]
