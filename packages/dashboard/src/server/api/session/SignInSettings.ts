/** How people sign in to this server. */
import { Context } from "effect"
import type { Cookies } from "../../people/cookies.ts"

export interface SignInSettings {
  /** Whether there are accounts of ours; otherwise the host knows its users. */
  readonly accounts: boolean
  readonly cookies: Cookies
  /** Where browsers reach this server, with its base path. */
  readonly publicUrl: string
  /** How many reverse proxies stand before this server. */
  readonly trustedProxies: number
  /** Of the host; `null`: by our own means. */
  readonly reauthenticateUrl: string | null
}

export class CurrentSignIn extends Context.Service<CurrentSignIn, SignInSettings>()(
  "@paymux/dashboard/CurrentSignIn"
) {}
