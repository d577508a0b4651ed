/** A violation in words: the seed, the expectation, and every step of the payment. */
import type { Review } from "@paymux/core/store"
import type { Entry } from "./History.ts"
import type { Run } from "./Simulation.ts"
import type { Violation } from "./verdict.ts"

/** For people: a paragraph for each violation, at most `most` of them. */
export const report = (run: Run, violations: ReadonlyArray<Violation>, most = 3): string => {
  const { incidents, payments, seed } = run.plan
  const head = `Seed ${seed} (${payments.length} payments, ${incidents.length} incidents): ${violations.length} violations`
  const shown = violations.slice(0, most).map((violation) => {
    const { elapsed, expectation, n, text } = violation
    const steps = run.entries.filter((entry) => entry.n === n || (entry.n === null && isNear(run, n, entry)))
    return [
      `${expectation}, payment ${n}, ${elapsed === null ? "at the end" : seconds(elapsed)}: ${text}`,
      ...collapsed(steps)
    ].join("\n")
  })
  return [head, ...shown].join("\n\n")
}

/** Of what concerns all payments, only what happened while this one was under way. */
const isNear = ({ entries }: Run, n: number, { elapsed }: Entry): boolean => {
  const own = entries.filter((entry) => entry.n === n)
  return elapsed >= (own[0]?.elapsed ?? 0) - 60_000 && elapsed <= (own.at(-1)?.elapsed ?? 0)
}

/** What is reported a hundred times is one line. */
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

const reviewed = ({ currency, minorUnits, reason, reference }: Review): string =>
  `${reason} ${minorUnits} ${currency} of ${reference ?? "no reference"}`

const step = (entry: Entry): string => {
  switch (entry.kind) {
    case "committed": {
      const { after, events, process, source } = entry
      const attempts = after.attempts.map(({ provider, status }) => `${provider} ${status}`).join(", ")
      const others = after.operations
        .filter(({ kind }) => kind !== "create")
        .map(({ kind, purpose, status }) => `${purpose} ${kind} ${status}`)
      const { reviews, state, version } = after.payment
      return [
        `${process} committed version ${version}: ${state.status}`,
        `[${[attempts, ...others].join("; ")}]`,
        ...(source === null ? [] : [`by ${source}`]),
        ...(events.length === 0 ? [] : [`writing ${events.map(({ type }) => type).join(", ")}`]),
        ...(reviews.length === 0 ? [] : [`for review: ${reviews.map(reviewed).join(", ")}`])
      ].join(" ")
    }
    case "called":
      return `${entry.provider} is called to ${entry.call} ${entry.operation} ${entry.key.slice(0, 8)} ${entry.amount.minorUnits} ${entry.amount.currency}`
    case "ordered":
      return `${entry.reference} is made for ${entry.operation}`
    case "checkpointed":
      return `${entry.operation} is checkpointed as ${entry.reference}`
    case "answered":
      return `${entry.provider} answers the ${entry.call} ${entry.operation}: ${entry.answer}`
    case "abandoned":
      return `the ${entry.call} at ${entry.provider} is abandoned after ${entry.after} ms`
    case "charge":
      return `at ${entry.provider}, ${entry.charge} is ${entry.status}: ${entry.held} held, ${entry.captured} captured, ${entry.refunded} refunded ${entry.currency}`
    case "reported":
      return `${entry.provider} reports ${entry.reference}: ${entry.text}`
    case "asked":
      return `${entry.request}: the client requests ${entry.call}${entry.key === null ? "" : ` (${entry.key})`}`
    case "answer_kept":
      return "the answer is stored with its key"
    case "client": {
      const { answer } = entry
      const text = answer.kind === "accepted" && answer.replayed ? "replayed" : answer.kind
      return `${entry.request}: ${text}${answer.kind === "refused" ? ` ${answer.reason}` : ""}`
    }
    case "incident":
      return `incident: ${entry.text}`
    case "operator":
      return `the operator says ${entry.text}`
    case "process":
      return `${entry.process} ${entry.what}`
  }
}
