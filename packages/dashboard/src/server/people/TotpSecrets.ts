/** TOTP secrets of users, encrypted with the secret of the installation, each for its own user. */
import { sealedText } from "@paymux/webhooks"
import type { SealedText } from "@paymux/webhooks"
import { Context } from "effect"
import type { Redacted } from "effect"

export class TotpSecrets extends Context.Service<TotpSecrets, SealedText>()("@paymux/dashboard/TotpSecrets") {
  static readonly make = (secret: Redacted.Redacted): SealedText =>
    sealedText(secret, "paymux dashboard totp secrets v1")
}
