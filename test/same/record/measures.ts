/** Values that a run measures, or draws: how long something took, how much memory there is. They are in the recording as such. */

/** Columns of every table. A position is where an event stands among those of other payments. */
const columns: ReadonlySet<string> = new Set(["microseconds", "duration", "buckets", "last4", "position"])

/** How many batches of events the statistics were counted in. */
const batches = { route: "table statistics_generations", field: "version" }

export const withoutMeasures = (route: string, field: string, text: string): string =>
  columns.has(field) || (route === batches.route && field === batches.field)
    ? "<measured>"
    : sorted(text)
        .replaceAll(/"(duration|durationMs|duration_ms|microseconds)":\s*\d+(?:\.\d+)?/g, '"$1":"<measured>"')
        .replaceAll(/(?<=, |after )\d+(?:\.\d+)? ms\b/g, "<measured> ms")
        // Of GET /metrics: the count of a histogram stays.
        .replaceAll(
          /^((?:paymux|process|nodejs)_\w*(?:_bucket|_sum|_bytes|_seconds|_seconds_total)(?:\{[^}]*\})?) \S+$/gm,
          "$1 <measured>"
        )

/** Series of metrics are listed as they appeared, which is by chance where two payments change at once. */
const sorted = (text: string): string => (text.startsWith("# HELP ") ? text.split("\n").toSorted().join("\n") : text)
