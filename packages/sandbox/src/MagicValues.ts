/**
 * The values that make a simulated payment take a certain course. They live here alone and mean nothing elsewhere: a
 * live provider is handed them like any other token, UPI id or metadata.
 *
 * Precedence: scenario, then token, UPI id or transfer, then phone number, then a payer who approves after two seconds.
 */
import { cardToken } from "@paymux/core"
import type { CardToken, DeclineCode, ProviderOperation, RetryClass } from "@paymux/core"
import type { SandboxEvent } from "./LedgerEntry.ts"

/** The course of one payment at one provider. */
export type Course =
  /** The connection is refused: nothing is sent, nothing kept. */
  | { readonly does: "refuse_connection" }
  /** A 5xx, and nothing was done: an inquiry finds nothing. */
  | { readonly does: "fail_without_trace" }
  /** The payment is accepted. Without a reply no webhook is sent either: only an inquiry finds the outcome. */
  | { readonly does: "take"; readonly reply: Reply; readonly story: ReadonlyArray<Chapter> }

/** `never`: the request waits until it times out. `reset`: the connection breaks after the request was sent. */
type Reply = "sent" | "never" | "reset"

/** `after` ms from the moment the provider took the payment. */
interface Chapter {
  readonly after: number
  readonly event: Plot
}

/** An event whose amounts follow from the payment. */
export type Plot =
  | { readonly kind: "approve" }
  | { readonly kind: "decline"; readonly code: DeclineCode; readonly retry: RetryClass }
  | { readonly kind: "receive"; readonly share: Share; readonly asset: "asked" | "other" }
  | { readonly kind: "finalize"; readonly share: Share | "nothing" }
  | { readonly kind: "retract" }

type Share = "all" | "less" | "more"

const SECOND = 1000
const approve: Plot = { kind: "approve" }
const decline = (code: DeclineCode, retry: RetryClass): Plot => ({ kind: "decline", code, retry })
const take = (...story: ReadonlyArray<Chapter>): Course => ({ does: "take", reply: "sent", story })
const atOnce = (event: Plot): Course => take({ after: 0, event })

const refuseConnection: Course = { does: "refuse_connection" }
const failWithoutTrace: Course = { does: "fail_without_trace" }
const approvedUnheard: Course = {
  does: "take",
  reply: "never",
  story: [{ after: 2 * SECOND, event: approve }]
}
const approvedReset: Course = { ...approvedUnheard, reply: "reset" }
const declineThenSucceed = take(
  // A decline that no other provider is tried after: the money that comes later would be taken twice.
  { after: 0, event: decline("processing_error", "never") },
  { after: 5 * SECOND, event: { kind: "finalize", share: "all" } }
)
const undecided = take()

/** `metadata.sandbox_scenario`; `primary` is the provider `…_a` of a rail. `null`: the next trigger decides. */
export const scenarios = {
  primary_down: { primary: refuseConnection, secondary: null },
  primary_timeout: { primary: approvedUnheard, secondary: null },
  primary_reset: { primary: approvedReset, secondary: null },
  primary_5xx: { primary: failWithoutTrace, secondary: null },
  late_success: { primary: declineThenSucceed, secondary: declineThenSucceed },
  all_down: { primary: refuseConnection, secondary: refuseConnection },
  undecided: { primary: undecided, secondary: undecided }
} satisfies { readonly [name: string]: Scenario }

interface Scenario {
  readonly primary: Course | null
  readonly secondary: Course | null
}

/** Card tokens. Any other token is declined as `invalid_number`, as a provider declines one it never issued. */
export const cardTokens = {
  tok_success: atOnce(approve),
  tok_declined: atOnce(decline("generic_decline", "never")),
  tok_insufficient_funds: atOnce(decline("insufficient_funds", "same_later")),
  tok_3ds: undecided,
  tok_timeout: approvedUnheard
} satisfies { readonly [token: string]: Course }

/** UPI ids. Any other has a payer who approves after two seconds. */
export const upiIds = {
  "success@paymux": atOnce(approve),
  "failure@paymux": atOnce(decline("generic_decline", "same_later")),
  "pending@paymux": undecided,
  "timeout@paymux": approvedUnheard
} satisfies { readonly [vpa: string]: Course }

/** `metadata.sandbox_transfer`: what the payer of a stablecoin payment sends, a second apart. */
export const transfers = {
  exact: [
    { kind: "receive", share: "all", asset: "asked" },
    { kind: "finalize", share: "all" }
  ],
  // Less than asked, or something else, is money that moved and no success: the engine asks an operator to look.
  under: [
    { kind: "receive", share: "less", asset: "asked" },
    { kind: "finalize", share: "less" }
  ],
  // More than asked: the payment takes what it asked for, what is over stays visible in the detection.
  over: [
    { kind: "receive", share: "more", asset: "asked" },
    { kind: "finalize", share: "all" }
  ],
  wrong_asset: [
    { kind: "receive", share: "all", asset: "other" },
    { kind: "finalize", share: "nothing" }
  ],
  // The detection is taken back, so the payer has not paid: `simulate` drives it on.
  reorg: [{ kind: "receive", share: "all", asset: "asked" }, { kind: "retract" }]
} satisfies { readonly [name: string]: ReadonlyArray<Plot> }

/** `customer.phone` of a payer who approves at once. */
export const approvingPhone = "+919999999999"

/** What the course is, and what decided it. */
export interface Decided {
  readonly course: Course
  readonly trigger: string
}

export const courseOf = (operation: ProviderOperation, provider: string, primary: boolean): Decided =>
  byScenario(operation, primary) ?? byInstrument(operation, provider) ?? byPhone(operation) ?? byPayer(operation)

/** The events of a course, with the payment's amounts. */
export const eventOf = (
  plot: Plot,
  payment: { readonly minorUnits: number; readonly asset: string | null; readonly approval: SandboxEvent }
): SandboxEvent => {
  switch (plot.kind) {
    case "approve":
      return payment.approval
    case "decline":
      return { kind: "declined", code: plot.code, retry: plot.retry }
    case "receive":
      return {
        kind: "detected",
        received: shareOf(plot.share, payment.minorUnits),
        asset: plot.asset === "asked" ? payment.asset : "WETH"
      }
    case "finalize":
      return { kind: "succeeded", received: plot.share === "nothing" ? 0 : shareOf(plot.share, payment.minorUnits) }
    case "retract":
      return { kind: "retracted" }
  }
}

const byScenario = (operation: ProviderOperation, primary: boolean): Decided | null => {
  const name = operation.metadata["sandbox_scenario"]
  const found = lookUp<Scenario>(scenarios, name)
  const course = primary ? found?.primary : found?.secondary
  return course ? { course, trigger: `scenario ${name}` } : null
}

const byInstrument = (operation: ProviderOperation, provider: string): Decided | null => {
  const { metadata, method } = operation
  switch (method.rail) {
    case "card":
      return byToken(cardToken(method, provider))
    case "upi": {
      const vpa = method.vpa?.toLowerCase()
      const course = lookUp<Course>(upiIds, vpa)
      return course === undefined ? null : { course, trigger: `upi id ${vpa}` }
    }
    case "stablecoin": {
      const name = metadata["sandbox_transfer"]
      const plots = lookUp<ReadonlyArray<Plot>>(transfers, name)
      return plots === undefined ? null : { course: transfer(plots), trigger: `transfer ${name}` }
    }
  }
}

const byToken = (token: CardToken | null): Decided | null => {
  if (token === null) return null
  const course = typeof token === "string" ? lookUp<Course>(cardTokens, token) : undefined
  // An unknown token is not repeated in the book: it may be the real one of another provider.
  return typeof token !== "string" || course === undefined
    ? { course: atOnce(decline("invalid_number", "never")), trigger: "unknown token" }
    : { course, trigger: `token ${token}` }
}

const byPhone = (operation: ProviderOperation): Decided | null =>
  operation.customer.phone === approvingPhone ? { course: atOnce(approve), trigger: "phone" } : null

const byPayer = (operation: ProviderOperation): Decided => ({
  course:
    operation.method.rail === "stablecoin" ? transfer(transfers.exact) : take({ after: 2 * SECOND, event: approve }),
  trigger: "payer"
})

const transfer = (plots: ReadonlyArray<Plot>): Course =>
  take(...plots.map((event, index) => ({ after: (index + 1) * SECOND, event })))

const lookUp = <A>(table: { readonly [name: string]: A }, name: string | undefined): A | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined

const shareOf = (share: Share, minorUnits: number): number => {
  switch (share) {
    case "all":
      return minorUnits
    case "less":
      return Math.floor(minorUnits / 2)
    case "more":
      return Math.min(minorUnits + Math.max(1, Math.floor(minorUnits / 10)), Number.MAX_SAFE_INTEGER)
  }
}
