/** What an answer of Razorpay that is not a 200 means for a call. */
import { Outcome, type ProviderError } from "@paymux/core"
import { Codes, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import { codes, otherCodes, said, wordFor } from "./codes.ts"
import { noteOf } from "./notes.ts"
import { ErrorBody } from "./wire.ts"

type Meaning = Effect.Effect<Outcome.Declined | Outcome.Unknown, ProviderError>

/** The answer to a request that makes no payment: it declines none. */
export const requestError = (answer: ProviderHttp.Answer): Meaning =>
  Effect.flatMap(errorOf(answer), ({ found }) => Codes.outcome(otherCodes, answer, found))

/**
 * The answer to the request that makes a payment. If it names a payment, the refusal is no proof that nothing was done: the payment
 * decides.
 */
export const paymentError = (answer: ProviderHttp.Answer): Meaning =>
  Effect.flatMap(errorOf(answer), ({ found, payment }) => {
    const meaning = Codes.outcome(codes, answer, found)
    if (payment === null) return meaning
    const [vendorCode = "refused"] = found
    return Effect.catchIf(meaning, isRefusal, () =>
      Effect.succeed(Outcome.unknown({ reason: "in_progress", vendorCode }))
    )
  })

const isRefusal = ({ reason }: ProviderError): boolean => reason._tag !== "RateLimited"

/** The codes of an error, the most specific first, and the payment that it is about. */
const errorOf = (answer: ProviderHttp.Answer) =>
  Effect.map(Effect.option(answer.decode(ErrorBody)), (body) => {
    const { code, description, metadata, reason } = Option.getOrElse(body, () => nothing).error
    const found = [said(reason), said(code), wordFor(description ?? "")].filter((each) => each !== undefined)
    return { found, payment: noteOf(metadata, "payment_id") }
  })

const nothing: typeof ErrorBody.Type = { error: {} }
