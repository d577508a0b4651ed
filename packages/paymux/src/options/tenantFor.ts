import { theProgram } from "@paymux/dashboard"
import type { Actor } from "@paymux/dashboard"
import type { PaymentError, ProviderMode, Tenant } from "@paymux/core"
import { InvalidPayment, paymentError } from "@paymux/core/wire"
import { accountNameRule, isAccountName } from "@paymux/http"
import type { PaymuxSettings } from "./PaymuxOptions.ts"

export interface AccountOptions {
  /** Default: that of the calls made in this process. */
  readonly mode?: ProviderMode
  /** The person for whom your program acts: the audit log names them. Default: the program itself. */
  readonly actor?: ActorOption
}

export interface ActorOption {
  /** Their id in your system, 1 to 200 characters. */
  readonly id: string
  /** Their name or email address, for people who read the log. */
  readonly name?: string
  /** The IP address of their request. */
  readonly address?: string
}

/** Whom calls for an account are made for. The name may come from a request: anything else is refused, by throwing. */
export const tenantFor = ({ livemode }: PaymuxSettings, account: string, options: AccountOptions): Tenant => {
  if (typeof options !== "object" || options === null) throw refusal("", "must be an object of options")
  const { actor: _, mode, ...others } = options
  if (typeof account !== "string" || !isAccountName(account)) throw refusal("/account", accountNameRule)
  for (const unknown of Object.keys(others)) throw refusal(`/${unknown}`, "is not a known option")
  if (mode === undefined) return { account, livemode }
  if (mode !== "live" && mode !== "test") throw refusal("/mode", "must be live or test")
  return { account, livemode: mode === "live" }
}

/** Whom the audit log names. Throws as `tenantFor` does. */
export const actorFor = ({ actor }: AccountOptions): Actor => {
  if (actor === undefined) return theProgram
  if (typeof actor !== "object" || actor === null) throw refusal("/actor", "must be an object with an id")
  for (const [name, value] of Object.entries(actor)) {
    if (!["id", "name", "address"].includes(name)) throw refusal(`/actor/${name}`, "is not a known option")
    if (typeof value !== "string" || !/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,200}$/u.test(value)) {
      throw refusal(`/actor/${name}`, "must have 1 to 200 characters, and no control characters")
    }
  }
  if (actor.id === undefined) throw refusal("/actor/id", "is required")
  return { kind: "user", id: actor.id, name: actor.name ?? null, role: null, address: actor.address ?? null }
}

const refusal = (pointer: string, message: string): PaymentError =>
  paymentError(new InvalidPayment({ errors: [{ pointer, message }] }))
