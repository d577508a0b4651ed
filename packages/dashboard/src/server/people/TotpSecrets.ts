/** TOTP secrets of users, encrypted with the secrets of the installation, each for its own user. */
import type { ServerSecrets } from "@paymux/core/wire"
import { sealedText } from "@paymux/webhooks"
import type { SealedText } from "@paymux/webhooks"
import { Context } from "effect"

export class TotpSecrets extends Context.Service<TotpSecrets, SealedText>()("@paymux/dashboard/TotpSecrets") {
  static readonly make = (secrets: ServerSecrets): SealedText => sealedText(secrets, "paymux dashboard totp secrets v1")
}
