/** A violation in words: the seed, the law, and every step of the payment. */
import type { Entry } from "./History.ts"
import type { Violation } from "./judge.ts"
import type { Run } from "./Simulation.ts"

/** For people: a paragraph for each violation, at most `most` of them. */
export const report = (run: Run, violations: ReadonlyArray<Violation>, most = 3): string => {
  const { payments, seed, troubles } = run.plan
  const head = `Seed ${seed} (${payments.length} payments, ${troubles.length} troubles): ${violations.length} violations`
  const shown = violations.slice(0, most).map((violation) => {
    const { elapsed, law, n, text } = violation
    const steps = run.entries.filter((entry) => entry.n === n || (entry.n === null && isNear(run, n, entry)))
    return [
      `${law}, payment ${n}, ${elapsed === null ? "at the end" : seconds(elapsed)}: ${text}`,
      ...collapsed(steps)
    ].join("\n")
  })
  return [head, ...shown].join("\n\n")
}

/** Of the world, only what happened while the payment was under way. */
const isNear = ({ entries }: Run, n: number, { elapsed }: Entry): boolean => {
  const own = entries.filter((entry) => entry.n === n)
  return elapsed >= (own[0]?.elapsed ?? 0) - 60_000 && elapsed <= (own.at(-1)?.elapsed ?? 0)
}

/** What is told a hundred times is one line. */
const collapsed = (steps: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const lines: Array<{ readonly entry: Entry; readonly text: string; times: number }> = []
  for (const entry of steps) {
    const text = step(entry)
    const last = lines.at(-1)
    if (last?.text === text) last.times++
    else lines.push({ entry, text, times: 1 })
  }
  return lines.map(
    ({ entry, text, times }) => `  ${seconds(entry.elapsed)}  ${text}${times === 1 ? "" : ` (${times} times)`}`
  )
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(3).padStart(10)} s`

const step = (entry: Entry): string => {
  switch (entry.kind) {
    case "committed": {
      const { after, event, process, source } = entry
      const attempts = after.attempts.map(({ provider, status }) => `${provider} ${status}`).join(", ")
      const others = after.operations
        .filter(({ kind }) => kind !== "create")
        .map(({ kind, purpose, status }) => `${purpose} ${kind} ${status}`)
      const { review, state, version } = after.payment
      return [
        `${process} committed version ${version}: ${state.status}`,
        `[${[attempts, ...others].join("; ")}]`,
        ...(source === null ? [] : [`by ${source}`]),
        ...(event === null ? [] : [`telling ${event.type}`]),
        ...(review === null ? [] : [`for review: ${review.reason}`])
      ].join(" ")
    }
    case "called":
      return `${entry.provider} is asked to ${entry.call} ${entry.operation} ${entry.key.slice(0, 8)} ${entry.amount.minorUnits} ${entry.amount.currency}`
    case "checkpointed":
      return `${entry.operation} is checkpointed as ${entry.reference}`
    case "answered":
      return `${entry.provider} answers the ${entry.call} ${entry.operation}: ${entry.answer}`
    case "let_go":
      return `the ${entry.call} at ${entry.provider} is let go after ${entry.after} ms`
    case "charge":
      return `at ${entry.provider}, ${entry.charge} is ${entry.status}: ${entry.amount.minorUnits} ${entry.amount.currency}, ${entry.refunded} given back${entry.brokeItsWord ? " (against its word)" : ""}`
    case "told":
      return `${entry.provider} tells: ${entry.claim}`
    case "asked":
      return `${entry.request}: the client asks to ${entry.call}${entry.key === null ? "" : ` (${entry.key})`}`
    case "client": {
      const { answer } = entry
      const said = answer._tag === "Ok" ? (answer.replayed ? "replayed" : "answered") : answer._tag
      return `${entry.request}: ${said}${answer._tag === "Refused" ? ` ${answer.reason}` : ""}`
    }
    case "trouble":
      return `trouble: ${entry.text}`
    case "process":
      return `${entry.process} ${entry.what}`
  }
}
