import type { PaymentError, ProviderMode, Tenant } from "@paymux/core"
import { InvalidPayment, paymentError } from "@paymux/core/wire"
import { accountNameRule, isAccountName } from "./AccountName.ts"
import type { PaymuxSettings } from "./PaymuxOptions.ts"

export interface AccountOptions {
  /** Default: that of the calls made in this process. */
  readonly mode?: ProviderMode
}

/** Whom calls for an account are made for. The name may come from a request: anything else is refused, by throwing. */
export const tenantFor = ({ livemode }: PaymuxSettings, account: string, options: AccountOptions): Tenant => {
  if (typeof options !== "object" || options === null) throw refusal("", "must be an object of options")
  const { mode, ...others } = options
  if (typeof account !== "string" || !isAccountName(account)) throw refusal("/account", accountNameRule)
  for (const unknown of Object.keys(others)) throw refusal(`/${unknown}`, "is not a known option")
  if (mode === undefined) return { account, livemode }
  if (mode !== "live" && mode !== "test") throw refusal("/mode", "must be live or test")
  return { account, livemode: mode === "live" }
}

const refusal = (pointer: string, message: string): PaymentError =>
  paymentError(new InvalidPayment({ errors: [{ pointer, message }] }))
