/**
 * The values of a request that select the outcome of a simulated payment. Only the simulated providers read them; a
 * live provider gets them like any other token, UPI id or metadata.
 *
 * Precedence: scenario, then token, UPI id or transfer, then phone number. By default the payer approves after two
 * seconds.
 */
import { cardToken } from "@paymux/core"
import type { DeclineCode, ProviderOperation, RetryClass } from "@paymux/core"
import type { SandboxEvent } from "./LedgerEntry.ts"

/** The simulated behavior of one provider for one payment. */
export type Course =
  /** The provider refuses the connection: nothing is sent and nothing is stored. */
  | { readonly does: "refuse_connection" }
  /** The provider responds with a 5xx and does nothing: an inquiry does not find the payment. */
  | { readonly does: "fail_without_trace" }
  /**
   * The provider accepts the payment. Without a reply it sends no webhook either: only an inquiry returns the outcome.
   */
  | { readonly does: "accept"; readonly reply: Reply; readonly steps: ReadonlyArray<CourseStep> }

/**
 * Whether and how the provider replies. `never`: the request waits until it times out. `reset`: the connection is reset
 * after the request was sent.
 */
type Reply = "sent" | "never" | "reset"

interface CourseStep {
  /** The time of the event since the provider accepted the payment, ms. */
  readonly after: number
  readonly event: CourseEvent
}

/** An event with amounts relative to the amount of the payment. */
export type CourseEvent =
  | { readonly kind: "approve" }
  | { readonly kind: "decline"; readonly code: DeclineCode; readonly retry: RetryClass }
  | { readonly kind: "receive"; readonly share: Share; readonly asset: "asked" | "other" }
  | { readonly kind: "finalize"; readonly share: Share | "nothing" }
  | { readonly kind: "retract" }

type Share = "all" | "less" | "more"

const SECOND = 1000
const approve: CourseEvent = { kind: "approve" }
const decline = (code: DeclineCode, retry: RetryClass): CourseEvent => ({ kind: "decline", code, retry })
const accept = (...steps: ReadonlyArray<CourseStep>): Course => ({ does: "accept", reply: "sent", steps })
const atOnce = (event: CourseEvent): Course => accept({ after: 0, event })

const refuseConnection: Course = { does: "refuse_connection" }
const failWithoutTrace: Course = { does: "fail_without_trace" }
const approvedWithoutReply: Course = {
  does: "accept",
  reply: "never",
  steps: [{ after: 2 * SECOND, event: approve }]
}
const approvedReset: Course = { ...approvedWithoutReply, reply: "reset" }
const declineThenSucceed = accept(
  // The retry class `never` prevents failover: otherwise a second provider would take the money again when this
  // provider succeeds late.
  { after: 0, event: decline("processing_error", "never") },
  { after: 5 * SECOND, event: { kind: "finalize", share: "all" } }
)
const undecided = accept()
const approvedLater = accept({ after: 2 * SECOND, event: approve })

/**
 * The behaviors by `metadata.sandbox_scenario`; `primary` is the provider `…_a` of a rail. `null`: the next magic value
 * decides.
 */
export const scenarios = {
  primary_down: { primary: refuseConnection, secondary: null },
  primary_timeout: { primary: approvedWithoutReply, secondary: null },
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

/**
 * The behaviors by card token. Any other token is declined as `invalid_number`, like a token that a provider never
 * issued.
 */
export const cardTokens = {
  tok_success: atOnce(approve),
  tok_declined: atOnce(decline("generic_decline", "never")),
  tok_insufficient_funds: atOnce(decline("insufficient_funds", "same_later")),
  tok_3ds: undecided,
  tok_timeout: approvedWithoutReply
} satisfies { readonly [token: string]: Course }

/** The behaviors by UPI id. With any other UPI id, the payer approves after two seconds. */
export const upiIds = {
  "success@paymux": atOnce(approve),
  "failure@paymux": atOnce(decline("generic_decline", "same_later")),
  "pending@paymux": undecided,
  "timeout@paymux": approvedWithoutReply
} satisfies { readonly [vpa: string]: Course }

/** The behaviors by `metadata.sandbox_transfer`: the events of a stablecoin transfer, one second apart. */
export const transfers = {
  exact: [
    { kind: "receive", share: "all", asset: "asked" },
    { kind: "finalize", share: "all" }
  ],
  // An underpayment, or a transfer of another asset, is no success, although money moved: the engine opens a review.
  under: [
    { kind: "receive", share: "less", asset: "asked" },
    { kind: "finalize", share: "less" }
  ],
  // An overpayment: the payment accepts the requested amount, and only the reported detection contains the excess.
  over: [
    { kind: "receive", share: "more", asset: "asked" },
    { kind: "finalize", share: "all" }
  ],
  wrong_asset: [
    { kind: "receive", share: "all", asset: "other" },
    { kind: "finalize", share: "nothing" }
  ],
  // The detected transfer is retracted, so the payment is unpaid again, until a request simulates the payer.
  reorg: [{ kind: "receive", share: "all", asset: "asked" }, { kind: "retract" }]
} satisfies { readonly [name: string]: ReadonlyArray<CourseEvent> }

/** The value of `customer.phone` for a payer who approves immediately. */
export const approvingPhone = "+919999999999"

/** The steps of a payment, and the magic value by which they were selected. */
export interface SelectedCourse {
  readonly course: Course
  readonly trigger: string
}

export const courseOf = (operation: ProviderOperation, provider: string, primary: boolean): SelectedCourse => {
  const selected = byScenario(operation, primary) ?? byInstrument(operation, provider)
  if (selected !== null) return selected
  if (operation.customer.phone === approvingPhone) return { course: atOnce(approve), trigger: "phone" }
  return {
    course: operation.method.rail === "stablecoin" ? transfer(transfers.exact) : approvedLater,
    trigger: "payer"
  }
}

/** Converts an event to amounts of the payment in minor units. */
export const eventOf = (
  event: CourseEvent,
  payment: { readonly minorUnits: number; readonly asset: string | null; readonly approval: SandboxEvent }
): SandboxEvent => {
  switch (event.kind) {
    case "approve":
      return payment.approval
    case "decline":
      return { kind: "declined", code: event.code, retry: event.retry }
    case "receive":
      return {
        kind: "detected",
        received: shareOf(event.share, payment.minorUnits),
        asset: event.asset === "asked" ? payment.asset : "WETH"
      }
    case "finalize":
      return { kind: "succeeded", received: event.share === "nothing" ? 0 : shareOf(event.share, payment.minorUnits) }
    case "retract":
      return { kind: "retracted" }
  }
}

const byScenario = (operation: ProviderOperation, primary: boolean): SelectedCourse | null => {
  const name = operation.metadata["sandbox_scenario"]
  const found = lookUp<Scenario>(scenarios, name)
  const course = primary ? found?.primary : found?.secondary
  return course ? { course, trigger: `scenario ${name}` } : null
}

const byInstrument = ({ metadata, method }: ProviderOperation, provider: string): SelectedCourse | null => {
  switch (method.rail) {
    case "card": {
      const token = cardToken(method, provider)
      if (token === null) return null
      const course = typeof token === "string" ? lookUp<Course>(cardTokens, token) : undefined
      // An unknown token is not stored in the ledger: it may be a real token of another provider.
      return typeof token !== "string" || course === undefined
        ? { course: atOnce(decline("invalid_number", "never")), trigger: "unknown token" }
        : { course, trigger: `token ${token}` }
    }
    case "upi": {
      const vpa = method.vpa?.toLowerCase()
      const course = lookUp<Course>(upiIds, vpa)
      return course === undefined ? null : { course, trigger: `upi id ${vpa}` }
    }
    case "stablecoin": {
      const name = metadata["sandbox_transfer"]
      const events = lookUp<ReadonlyArray<CourseEvent>>(transfers, name)
      return events === undefined ? null : { course: transfer(events), trigger: `transfer ${name}` }
    }
  }
}

const transfer = (events: ReadonlyArray<CourseEvent>): Course =>
  accept(...events.map((event, index) => ({ after: (index + 1) * SECOND, event })))

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
