/** Whether a server starts with the configured secrets, and which of them it still needs. */
import { Effect } from "effect"
import type { PaymuxSettings } from "../options/PaymuxOptions.ts"
import { refusalOf } from "../secrets/admission.ts"
import { read } from "../options/settingRows.ts"
import { needed, SecretMismatch } from "../secrets/openInstallation.ts"
import { otherServers } from "../secrets/runningServers.ts"
import { secretDigest } from "../secrets/secretDigest.ts"
import { storedSecrets } from "../secrets/secretRows.ts"
import { fault, ok, warning } from "./Finding.ts"

/** Before the first start with a secret there is nothing to find. */
export const secretFindings = Effect.fnUntraced(function* ({ secrets }: Pick<PaymuxSettings, "secrets">) {
  const stored = yield* storedSecrets
  if (stored.size === 0) return []
  const needs = yield* needed(secrets)
  const [first, ...others] = (secrets ?? []).map(secretDigest)
  if (first === undefined) {
    const isOwn = (yield* read("secret")) !== null
    return isOwn ? [] : [fault("secret", new SecretMismatch({ needs }).message)]
  }
  const isKnown = [first, ...others].some((digest) => (stored.get(digest)?.keys ?? null) !== null)
  if (!isKnown) return [fault("secret", new SecretMismatch({ needs }).message)]
  const known = new Map([...stored].map(([digest, { state }]) => [digest, state]))
  const refusal = refusalOf([first, ...others], known, yield* otherServers(null))
  if (refusal !== null) return [fault("secret", refusal.message)]
  const states = others.map((digest) => known.get(digest))
  if (states.includes("replaced"))
    return [warning("secret", "a rotation has not ended: run `paymux secret rotate` again")]
  if (states.includes("writes"))
    return [ok("secret", "a secret behind the first still encrypts data: `paymux secret rotate` replaces it for good")]
  return [
    ok(
      "secret",
      states.includes("retired")
        ? "the first encrypts all data: the others read links and cursors, and may be removed when these may end"
        : "the first encrypts all data"
    )
  ]
})
