/**
 * The result of a call to an adapter: an answer, a refusal, or no answer. One table has the consequences of each
 * result: the label of the metric, the report to the breaker, the log line, the evidence about the operation, and the
 * input of the failover table. Pure.
 */
import { notExecuted, unknown } from "../domain/Outcome.ts"
import type { InquiryOutcome, NotExecuted, NotExecutedReason, Outcome, Unknown } from "../domain/Outcome.ts"
import { keptCode } from "../provider/keptCode.ts"
import type { AccountNotEnabled, InvalidRequest, Misconfigured, RateLimited } from "../provider/ProviderError.ts"
import type { BreakerResult } from "./Breaker.ts"

export type Ended = InquiryOutcome | Refusal | Unanswered

/** The request was refused, by the provider or before it was sent. */
type Refusal = Misconfigured | AccountNotEnabled | RateLimited | InvalidRequest | NotSent

/** The call was not sent, because Paymux refused it. */
interface NotSent {
  readonly _tag: "NotSent"
  /**
   * The part of Paymux that refused the call.
   *
   * - `breaker`: the circuit breaker is open.
   * - `configuration`: the instance is not configured, has the other mode, or does not support the operation.
   * - `deadline`: too little time is left of the attempt.
   */
  readonly refusedBy: "breaker" | "configuration" | "deadline"
}

type Unanswered =
  /** The deadline passed, and the call was interrupted. */
  | { readonly _tag: "TimedOut" }
  /** The adapter failed with a defect, or returned an invalid outcome: it is unknown how far the request got. */
  | { readonly _tag: "Broke" }

/**
 * The reason why no call was made: the circuit breaker or the bulkhead of the provider admits no calls now, or the
 * operation changed before admission.
 */
export type NotCalled = { readonly _tag: "NotAdmitted" } | { readonly _tag: "Outdated" }

/** The input of the failover table. Refusals by Paymux and missing responses are represented as outcomes. */
export type OutcomeOrRefusal =
  | Outcome
  | Pick<Misconfigured, "_tag">
  | Pick<AccountNotEnabled, "_tag" | "about">
  | Pick<RateLimited, "_tag" | "retryAfterMs">
  | Pick<InvalidRequest, "_tag">

export interface Consequences {
  /** The label `outcome` of the call's metric and span. */
  readonly metric: string
  /**
   * The report to the breaker. Only failures of the provider count: a decline, or a 4xx about our request, shows that
   * it works.
   */
  readonly breaker: BreakerResult
  /** The log line, with the reason of the result; `null`: nothing to log, or the guard has logged it. */
  readonly log: ((provider: string) => string) | null
  /** The outcome that the attempt gets if the failover decision closes it. */
  readonly evidence: Outcome
  readonly failover: OutcomeOrRefusal
}

/**
 * The outcomes that state the operation's status at the provider, with the label of the metric and the report to the
 * breaker. The two other outcomes, `NotExecuted` and `Unknown`, are about the request.
 */
const definite: {
  readonly [tag in DefiniteAnswer["_tag"]]: readonly [metric: string, breaker: BreakerResult]
} = {
  Succeeded: ["succeeded", "success"],
  Authorized: ["authorized", "success"],
  Pending: ["pending", "success"],
  Declined: ["declined", "ignored"],
  NotFound: ["not_found", "ignored"],
  Expired: ["expired", "ignored"],
  Canceled: ["canceled", "ignored"]
}

type DefiniteAnswer = Exclude<InquiryOutcome, NotExecuted | Unknown>

const isDefinite = (ended: Ended | NotCalled): ended is DefiniteAnswer => Object.hasOwn(definite, ended._tag)

/**
 * Returns the outcome of an inquiry if it states the operation's status at the provider. `null`: it does not, or the
 * inquiry had no response.
 */
export const definiteAnswer = (ended: Ended | NotCalled): DefiniteAnswer | null => (isDefinite(ended) ? ended : null)

/** Computes the consequences of each result. A new kind of result is added here, or to the table `definite`. */
export const consequencesOf = (ended: Ended): Consequences => {
  if (isDefinite(ended)) return answered(...definite[ended._tag], ended)
  switch (ended._tag) {
    case "NotExecuted": {
      const breaker = ended.reason === "adapter_fault" ? "ignored" : "failure"
      return answered("not_executed", breaker, ended, (provider) => notExecutedLine(provider, ended))
    }
    case "Unknown": {
      const isKnownRequest = ended.reason === "duplicate" || ended.reason === "in_progress"
      return answered("unknown", isKnownRequest ? "ignored" : "failure", ended, (provider) =>
        inconclusiveLine(provider, ended)
      )
    }
    case "TimedOut":
      return answered(
        "timed_out",
        "failure",
        unknown({ reason: "timeout" }),
        (provider) => `${provider} did not respond in time: the outcome is unknown`
      )
    case "Broke":
      return answered("broke", "failure", unknown({ reason: "unreadable" }))
    case "NotSent":
      return answered("refused", "ignored", notExecuted({ reason: "not_sent" }))
    case "Misconfigured":
      return refused("misconfigured", ended, null)
    case "RateLimited":
      return refused("rate_limited", ended, null)
    case "InvalidRequest":
      return refused(
        "invalid_request",
        ended,
        (provider) => `${provider} rejected our request as invalid, and did nothing: ${ended.detail}`
      )
    case "AccountNotEnabled":
      return refused("account_not_enabled", ended, (provider) => accountLine(provider, ended), keptCode(ended.code))
  }
}

const answered = (
  metric: string,
  breaker: BreakerResult,
  outcome: InquiryOutcome,
  log: Consequences["log"] = null
): Consequences => ({ metric, breaker, log, evidence: outcome, failover: outcome })

/** The consequences of a refusal by the provider: it did nothing, and it responds. */
const refused = (
  metric: string,
  refusal: Exclude<Refusal, NotSent>,
  log: Consequences["log"],
  vendorCode: string | null = null
): Consequences => ({
  metric,
  breaker: "ignored",
  log,
  evidence: { _tag: "NotExecuted", reason: "refused", ...(vendorCode !== null && { vendorCode }) },
  failover: refusal
})

const notExecutedLine = (provider: string, { reason, vendorCode = reason }: NotExecuted): string =>
  `${notExecutedLines[reason](provider)}: ${vendorCode}`

const notExecutedLines: { readonly [reason in NotExecutedReason]: (provider: string) => string } = {
  not_sent: (provider) => `${provider} could not be reached, and nothing was sent`,
  adapter_fault: (provider) => `The adapter of ${provider} cannot send this, and nothing was sent`,
  proof_code: (provider) => `${provider} did not execute the request`
}

const inconclusiveLine = (provider: string, { reason, vendorCode }: Unknown): string => {
  const codes = [reason, vendorCode].filter((code) => code !== undefined).join(", ")
  return `The response of ${provider} is inconclusive (${codes}): the outcome is unknown`
}

const accountLine = (provider: string, { about, code }: AccountNotEnabled): string =>
  about === "kind" || about === "payment"
    ? `The account at ${provider} is not enabled for this payment, and nothing was done: ${shownCode(code)}`
    : `The account at ${provider} requires ${about}, which the payment does not have; nothing was done: ${shownCode(code)}`

/** Formats a vendor's code for logs and metrics. */
export const shownCode = (code: string): string => keptCode(code) ?? "withheld"
