/** Where the TOTP secrets of users are encrypted in the database. */
import type { ServerSecrets } from "@paymux/core/wire"
import type { SealedColumn } from "@paymux/webhooks"
import { TotpSecrets } from "./TotpSecrets.ts"

/** In the order in which they are re-encrypted: a user who confirms a code moves a text from the first to the second. */
export const secondFactorColumns = (secrets: ServerSecrets): ReadonlyArray<SealedColumn> => {
  const box = TotpSecrets.make(secrets)
  return [
    { box, table: "paymux_users", id: "id", column: "totp_pending", owner: "user" },
    { box, table: "paymux_users", id: "id", column: "totp", owner: "user" }
  ]
}
