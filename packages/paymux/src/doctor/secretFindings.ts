/** Whether a server starts with the configured secrets, and which of them it still needs. */
import { Effect } from "effect"
import type { PaymuxSettings } from "../options/PaymuxOptions.ts"
import { refusalOf } from "../secrets/admission.ts"
import { SecretMismatch } from "../secrets/openInstallation.ts"
import { secretDigest } from "../secrets/secretDigest.ts"
import { storedSecrets } from "../secrets/secretRows.ts"
import { fault, ok, warning } from "./Finding.ts"

/** Without a secret, or before the first start with one, there is nothing to find. */
export const secretFindings = Effect.fnUntraced(function* ({ secrets }: Pick<PaymuxSettings, "secrets">) {
  const stored = yield* storedSecrets
  const [first, ...others] = (secrets ?? []).map(secretDigest)
  if (first === undefined || stored.size === 0) return []
  const isKnown = [first, ...others].some((digest) => (stored.get(digest)?.keys ?? null) !== null)
  if (!isKnown) return [fault("secret", new SecretMismatch({ needs: "another" }).message)]
  const known = new Map([...stored].map(([digest, { state }]) => [digest, state]))
  const refusal = refusalOf([first, ...others], known, [])
  if (refusal !== null) return [fault("secret", refusal.message)]
  const states = others.map((digest) => known.get(digest))
  if (states.includes("replaced"))
    return [warning("secret", "a rotation has not ended: run `paymux secret rotate` again")]
  if (states.includes("writes"))
    return [ok("secret", "a secret behind the first still encrypts data: `paymux secret rotate` replaces it")]
  return [
    ok(
      "secret",
      states.includes("retired")
        ? "the first encrypts all data: the others read links and cursors, and may be removed when these may end"
        : "the first encrypts all data"
    )
  ]
})
