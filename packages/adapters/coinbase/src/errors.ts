/** Answers of Coinbase that are not successful, as outcomes, by `codes`. */
import { type InquiryOutcome, Outcome, type ProviderError } from "@paymux/core"
import { Codes, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { actionCodes, actionPending, createCodes, fragments, unanswered } from "./codes.ts"
import * as Wire from "./wire.ts"

/** The answer to a create. */
export const createErrorOutcome = Effect.fnUntraced(function* (
  answer: ProviderHttp.Answer
): Effect.fn.Return<Outcome.SendOutcome, ProviderError> {
  return yield* outcomeOf(createCodes, answer, yield* errorOf(answer))
})

/** The answer to a capture, void or refund. */
export const actionErrorOutcome = Effect.fnUntraced(function* (
  answer: ProviderHttp.Answer
): Effect.fn.Return<Outcome.SendOutcome, ProviderError> {
  const error = yield* errorOf(answer)
  return error.type === actionPending && answer.status < 500
    ? Outcome.notExecuted({ reason: "proof_code", vendorCode: actionPending })
    : yield* outcomeOf(actionCodes, answer, error)
})

/** The answer to an inquiry: what is refused is the inquiry. */
export const inquiryErrorOutcome = Effect.fnUntraced(function* (
  answer: ProviderHttp.Answer
): Effect.fn.Return<InquiryOutcome, ProviderError> {
  const error = yield* errorOf(answer)
  return answer.status === 404 && error.type === "not_found"
    ? Outcome.notFound()
    : yield* outcomeOf(inquiryCodes, answer, error)
})

const inquiryCodes = Codes.withoutDeclines(actionCodes)

interface VendorError {
  /** `null`: missing, or not a code. */
  readonly type: string | null
  /** The fault that only the message shows, as a code of the table. */
  readonly specific: string | null
}

const outcomeOf = (
  codes: Codes.Table,
  answer: ProviderHttp.Answer,
  { specific, type }: VendorError
): Effect.Effect<Outcome.Declined | Outcome.Unknown, ProviderError> =>
  type !== null && unanswered.has(type)
    ? Effect.succeed(Outcome.unknown({ reason: "server_error", vendorCode: type }))
    : Codes.outcome(codes, answer, [specific, type])

const errorOf = (answer: ProviderHttp.Answer): Effect.Effect<VendorError> =>
  Effect.map(Effect.option(answer.decode(Wire.ErrorBody)), (body) => {
    const { errorMessage, errorType } = Option.getOrUndefined(body) ?? {}
    const type = shortCode(errorType)
    return { type, specific: type !== null && general.has(type) ? recognize(errorMessage) : null }
  })

/** Types that cover several faults. */
const general: ReadonlySet<string> = new Set(["invalid_request", "travel_rules_field_missing"])

/** The message itself may repeat what was sent, and is not kept. */
const recognize = (message: unknown): string | null => {
  const start = typeof message === "string" ? message.slice(0, 1_000) : ""
  return fragments.find(([fragment]) => fragment.test(start))?.[1] ?? null
}

export const errorTypeOf = (answer: ProviderHttp.Answer): Effect.Effect<string | null> =>
  Effect.map(errorOf(answer), ({ type }) => type)

/**
 * The outcome of a second send after a lost answer: what the first one did may be why it is refused, so a refusal is neither a
 * decline nor proof.
 */
export const ofReplay = (outcome: Outcome.SendOutcome): Outcome.SendOutcome => {
  const { vendorCode } = outcome
  // With a reference, or a code of our own, it is the result of the action instead of a refusal of the request.
  const isDeclined = outcome._tag === "Declined" && outcome.reference === undefined
  const isRefused = isDeclined && Codes.declinedBy(actionCodes, vendorCode) !== null
  const isProof = outcome._tag === "NotExecuted" && outcome.reason === "proof_code"
  return isRefused || isProof
    ? Outcome.unknown({ reason: "in_progress", ...(vendorCode !== undefined && { vendorCode }) })
    : outcome
}

/** A code is one word; anything longer or different may repeat what was sent. */
export const shortCode = (code: string | null | undefined): string | null =>
  typeof code === "string" && /^[\w.-]{1,100}$/.test(code) ? code : null
