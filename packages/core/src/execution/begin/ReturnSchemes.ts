/** Validates a `return_url` by the tenant's settings: its app schemes, and local URLs in test mode. */
import { Context, Effect } from "effect"
import type { NewPayment, Tenant } from "../../domain/Payment.ts"
import { InvalidPayment, paymentError } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import { appSchemeOf, isLocalReturnUrl } from "../../wire/returnUrl.ts"

/**
 * Returns the URL schemes of apps that an account allows besides `https`: in lower case, without the colon, such as
 * `myapp`.
 */
export type ReturnSchemesOf = (account: string) => ReadonlyArray<string>

export const ReturnSchemes = Context.Reference<ReturnSchemesOf>("@paymux/core/execution/ReturnSchemes", {
  defaultValue: () => () => []
})

export const onlyAllowedReturn = (
  schemesOf: ReturnSchemesOf,
  { returnUrl }: NewPayment,
  { account, livemode }: Tenant
): Effect.Effect<void, PaymentError> => {
  if (returnUrl === null) return Effect.void
  if (livemode && isLocalReturnUrl(returnUrl)) return refused("must be https in live mode")
  const scheme = appSchemeOf(returnUrl)
  return scheme === null || schemesOf(account).includes(scheme)
    ? Effect.void
    : refused("has a scheme that the account does not allow: see the option returnSchemes")
}

const refused = (message: string) =>
  Effect.fail(paymentError(new InvalidPayment({ errors: [{ pointer: "/return_url", message }] })))
