/**
 * What is open at an instance when its configuration changes, how its outcome is reported afterwards, and how each case must end.
 * Pure.
 */
import type { OperationKind } from "@paymux/core"

/** Of the instance `a`. `back again`: it is missing for two days. */
export const changes = ["removed", "renamed", "retired", "retired without credentials", "back again"] as const
export type Change = (typeof changes)[number]

const kinds: ReadonlyArray<OperationKind> = ["create", "capture", "cancel", "refund"]

/** In which the operation is when the configuration changes. */
const states = ["pending", "unknown", "authorized", "succeeded"] as const
export type State = (typeof states)[number]

/**
 * How the provider reports that the operation succeeded.
 *
 * - `reply`: the process that sent the operation was stopped in the middle of the send, and continues after the change, with its
 *   former configuration: it reads the reply then. Until then, webhooks have brought the operation into its state, or the next
 *   process found it without its owner, which makes it unknown.
 * - `repeat`: the process that sent the operation was killed in the middle of the send. The next process asks a provider
 *   without inquiries by the same request under the same key, and reads the reply to that. Only what is unknown is repeated.
 * - `of another instance`: a webhook of another one at its own address, and one at the address of `a` under the other one's secret.
 */
const reports = ["none", "reply", "repeat", "inquiry", "webhook", "statement", "of another instance"] as const
type Report = (typeof reports)[number]

export interface Case {
  /** Names the payment to the provider. */
  readonly name: string
  readonly kind: OperationKind
  readonly state: State
  readonly report: Report
}

/** All combinations that there are: only a create is authorized. */
const cases: ReadonlyArray<Case> = kinds.flatMap((kind) =>
  states.flatMap((state) =>
    reports
      .filter(() => kind === "create" || state !== "authorized")
      .filter((report) => report !== "repeat" || state === "unknown")
      .map((report) => ({ name: `${kind}, ${state}, ${report}`, kind, state, report }))
  )
)

/** How the provider is asked about an outcome. All of its operations are asked about in one way. */
export const inquiries = ["by inquiry", "by a repeat"] as const
export type Inquiries = (typeof inquiries)[number]

export const casesOf = (asked: Inquiries): ReadonlyArray<Case> =>
  cases.filter(({ report }) => (report === "repeat") === (asked === "by a repeat"))

/** What is unknown because its process ended is not known as that before the next one looks. */
export const statusAtChange = ({ report, state }: Case) =>
  state === "unknown" && (report === "reply" || report === "repeat") ? "sending" : state

/** It can be called after the change. */
export const isServed = (change: Change): boolean => change !== "removed" && change !== "retired without credentials"

/**
 * `applied`: the operation succeeded, and no review is open. `left …`: the provider has not decided, and is asked further.
 * Otherwise the instance and the reason of the review.
 */
export const expectedEnd = (change: Change, { kind, report, state }: Case): string => {
  if (report === "repeat") {
    if (!isServed(change)) return "a instance_not_configured"
    // A charge could arrive for the first time; after two days, the key may be forgotten.
    const mayRepeat = change !== "back again" && (change !== "retired" || kind !== "create")
    return mayRepeat ? "applied" : "a inquiries_exhausted"
  }
  if (state === "succeeded" || report === "reply" || report === "statement") return "applied"
  if (!isServed(change)) return "a instance_not_configured"
  return report === "none" || report === "of another instance" ? `left ${state}` : "applied"
}
