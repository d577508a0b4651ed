/** What one send came to, in the words of the failover table and of evidence. Pure. */
import type { EvidenceClaim } from "../provider/Evidence.ts"
import { fromAnswer } from "../provider/Evidence.ts"
import type { UnknownReason } from "../provider/Outcome.ts"
import type { ProviderError } from "../provider/ProviderError.ts"
import type { OperationId } from "../domain/Ids.ts"
import { situationOf } from "./Failover.ts"
import type { Situation } from "./Failover.ts"
import type { CallResult } from "../resilience/ProviderGuard.ts"

export interface Reply {
  readonly situation: Situation
  /** What the attempt becomes if the situation closes it. */
  readonly claim: EvidenceClaim
  readonly reference: string | null
  readonly vendorCode: string | null
}

export const replyOf = (operation: OperationId, result: CallResult): Reply => {
  switch (result._tag) {
    case "Answered": {
      const { claim, reference, vendorCode } = fromAnswer("reply", operation, result.answer)
      return { situation: situationOf(claim) ?? { _tag: "NoUsableAnswer" }, claim, reference, vendorCode }
    }
    case "Failed":
      return failed(result.error)
    case "TimedOut":
      return plain({ _tag: "NoUsableAnswer" }, unknown("timeout"))
    case "Broke":
      return plain({ _tag: "NoUsableAnswer" }, unknown("unreadable"))
    case "Refused":
      return plain({ _tag: "RefusedLocally" }, notSent)
  }
}

/** What an attempt becomes while nobody knows. */
export const unknownClaim = (claim: EvidenceClaim): EvidenceClaim =>
  claim.kind === "unknown" ? claim : unknown("unmapped")

const failed = ({ reason }: ProviderError): Reply => {
  switch (reason._tag) {
    case "Misconfigured":
      return plain({ _tag: "Misconfigured" }, notSent)
    case "InvalidRequest":
      return plain({ _tag: "InvalidRequest" }, notSent)
    case "RateLimited":
      return plain({ _tag: "RateLimited", retryAfterMs: reason.retryAfterMs }, notSent)
  }
}

const plain = (situation: Situation, claim: EvidenceClaim): Reply => ({
  situation,
  claim,
  reference: null,
  vendorCode: null
})
const unknown = (reason: UnknownReason): EvidenceClaim => ({ kind: "unknown", reason })
const notSent: EvidenceClaim = { kind: "not_executed", reason: "proof_code" }
