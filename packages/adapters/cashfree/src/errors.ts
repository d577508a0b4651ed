/** Cashfree's codes to the words of the contract, as data. What is not listed is unknown, never a decline. */
import { type DeclineCode, Outcome, type ProviderError, rateLimited, type RetryClass } from "@paymux/core"
import { HttpOutcome, type ProviderHttp } from "@paymux/provider-kit"
import { Effect, Option } from "effect"
import * as Wire from "./wire.ts"

interface Decline {
  readonly code: DeclineCode
  readonly retry: RetryClass
}
type Declines = { readonly [code: string]: Decline }

/** `error_code_raw`: response codes of the UPI network, as banks and payment service providers publish them. */
export const networkDeclines: Declines = {
  "59": { code: "suspected_fraud", retry: "never" },
  B1: { code: "not_permitted", retry: "never" },
  B3: { code: "not_permitted", retry: "never" },
  B6: { code: "processing_error", retry: "same_later" },
  U28: { code: "issuer_unavailable", retry: "other_provider" },
  U30: { code: "do_not_honor", retry: "same_later" },
  U69: { code: "customer_timeout", retry: "same_later" },
  XB: { code: "do_not_honor", retry: "same_later" },
  XC: { code: "processing_error", retry: "other_provider" },
  XH: { code: "account_closed", retry: "never" },
  XI: { code: "processing_error", retry: "other_provider" },
  YE: { code: "not_permitted", retry: "never" },
  YF: { code: "processing_error", retry: "other_provider" },
  Z6: { code: "incorrect_pin", retry: "same_later" },
  Z7: { code: "limit_exceeded", retry: "same_later" },
  Z8: { code: "limit_exceeded", retry: "same_later" },
  Z9: { code: "insufficient_funds", retry: "same_later" },
  ZA: { code: "customer_canceled", retry: "same_later" },
  ZE: { code: "not_permitted", retry: "never" },
  ZG: { code: "not_permitted", retry: "never" },
  ZH: { code: "invalid_vpa", retry: "never" },
  ZM: { code: "incorrect_pin", retry: "same_later" }
}

/**
 * Of the same list, those that decide nothing: under way (`01`), timed out between the banks (`BT`, `U67`, `U68`) or deemed
 * (`RB`, `96`). The money may have been taken, and a success may follow.
 */
export const undecidedCodes: ReadonlySet<string> = new Set(["01", "96", "BT", "RB", "U67", "U68"])

/** `error_reason` */
export const reasonDeclines: Declines = {
  auth_declined: { code: "do_not_honor", retry: "same_later" },
  bank_rejected: { code: "do_not_honor", retry: "same_later" }
}

/** `error_code`; the wide words come last. */
export const codeDeclines: Declines = {
  ISSUER_NOT_AVAILABLE: { code: "issuer_unavailable", retry: "other_provider" },
  TRANSACTION_DECLINED: { code: "generic_decline", retry: "same_later" }
}

/** Statuses that say by themselves why nothing was taken. */
const statusDeclines: Declines = {
  // Its time was over before the payer was done; a success after that is reversed, and called cancelled.
  USER_DROPPED: { code: "customer_timeout", retry: "same_later" },
  CANCELLED: { code: "customer_timeout", retry: "same_later" }
}

/** Of a payment that took nothing. The narrowest code that is known decides; `FAILED` alone is a decline without a reason. */
export const declined = (
  status: string,
  details: Wire.ErrorDetails | null,
  reference: string
): Outcome.Declined | Outcome.Unknown => {
  const known = lookUp(statusDeclines, status)
  if (known !== null) return Outcome.declined({ ...known, reference, vendorCode: status })
  const { error_code = null, error_code_raw = null, error_reason = null } = details ?? {}
  const found =
    lookUp(networkDeclines, error_code_raw) ?? lookUp(reasonDeclines, error_reason) ?? lookUp(codeDeclines, error_code)
  const vendorCode = shortCode(error_code_raw) ?? shortCode(error_reason) ?? shortCode(error_code)
  if (found !== null) return Outcome.declined({ ...found, reference, vendorCode: vendorCode ?? status })
  return vendorCode === null
    ? Outcome.declined({ code: "generic_decline", retry: "same_later", reference, vendorCode: status })
    : Outcome.unknown({ reason: "unmapped", reference, vendorCode })
}

const lookUp = (declines: Declines, code: string | null): Decline | null =>
  code !== null && Object.hasOwn(declines, code) ? (declines[code] ?? null) : null

/** An answer that is no 200. "Duplicate" and "same key, other body" say nothing about the request that came first. */
export const errorOutcome = (answer: ProviderHttp.Answer): Effect.Effect<Outcome.Unknown, ProviderError> =>
  Effect.gen(function* () {
    const { code, type } = yield* errorOf(answer)
    const vendorCode = code ?? `http_${answer.status}`
    if (answer.status === 409 || answer.status === 422 || type === "idempotency_error") {
      return Outcome.unknown({ reason: "duplicate", vendorCode })
    }
    const wait = answer.status === 429 ? retryMs(answer.header("x-ratelimit-retry")) : null
    return wait === null ? yield* HttpOutcome.ofStatus(answer, vendorCode) : yield* Effect.fail(rateLimited(wait))
  })

/** Its code and type, where it is an error of Cashfree's. */
export const errorOf = (answer: ProviderHttp.Answer) =>
  Effect.map(Effect.option(answer.decode(Wire.ErrorBody)), (body) => {
    const found = Option.getOrNull(body)
    return { code: shortCode(found?.code ?? null), type: found?.type ?? null }
  })

/** Cashfree itself says that it has no such order or refund; a 404 of anybody else says nothing. */
export const isNotFound = (answer: ProviderHttp.Answer) =>
  Effect.map(
    errorOf(answer),
    ({ code, type }) =>
      answer.status === 404 && type === "invalid_request_error" && code !== null && code.endsWith("not_found")
  )

/** Codes are words; whatever is longer may repeat what was sent. */
export const shortCode = (code: string | null): string | null =>
  code !== null && /^[\w.-]{1,64}$/.test(code) ? code : null

/** `x-ratelimit-retry` is in seconds, and 0 within the limit. */
export const retryMs = (seconds: string | undefined): number | null =>
  seconds !== undefined && /^[1-9]\d{0,4}$/.test(seconds) ? Number(seconds) * 1000 : null
