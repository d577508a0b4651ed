/** Opens a database with the secrets that were given: refuses those that do not fit, and makes the others known to it. */
import type { ServerSecrets } from "@paymux/core/wire"
import { Data, Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import type { GivenSecrets } from "../options/secretOption.ts"
import { installationId } from "../options/Settings.ts"
import { keep, read, replace } from "../options/settingRows.ts"
import { refusalOf } from "./admission.ts"
import type { SecretState } from "./admission.ts"
import { makeLastingKeys, unwrapKeys, wrapKeys } from "./LastingKeys.ts"
import type { LastingKeys } from "./LastingKeys.ts"
import { otherServers } from "./runningServers.ts"
import { formerDigest, secretDigest } from "./secretDigest.ts"
import { storedSecrets, storeSecret } from "./secretRows.ts"
import type { StoredSecret } from "./secretRows.ts"

/**
 * What was encrypted or signed under one secret cannot be read under another: nothing is done with the wrong one.
 *
 * @public The declarations of other files name it.
 */
export class SecretMismatch extends Data.TaggedError("SecretMismatch")<{
  /** `own`: the database keeps a secret that was made for it, and another one was given. */
  readonly needs: "another" | "any" | "own"
}> {
  override get message(): string {
    switch (this.needs) {
      case "another":
        return "This database was made with another secret: give that one (PAYMUX_SECRET, or the option secret). To replace it, give the new one first and that one behind it."
      case "any":
        return "This database was made with a secret of your own: give it (PAYMUX_SECRET, or the option secret)."
      case "own":
        return "This database has a secret of its own, made for test mode, which cannot be replaced: give none, or use a new database."
    }
  }
}

/** A database, opened with its secrets. */
export interface OpenInstallation {
  readonly secrets: ServerSecrets
  readonly keys: LastingKeys
  /** Of the secrets, in their order. */
  readonly digests: readonly [string, ...ReadonlyArray<string>]
}

/**
 * Within `withSecretsLocked`. `given`: `null` for the secret of its own that the database has, made when it is first opened. `server`: the
 * id of the one that opens it; it does not wait for itself.
 */
export const enter = Effect.fnUntraced(function* (given: GivenSecrets, server: string | null) {
  const secrets = given ?? (yield* ownSecret)
  if (secrets === null) return yield* new SecretMismatch({ needs: "any" })
  const installation = yield* installationId
  const stored = yield* storedSecrets
  const opened = yield* openedBy(secrets, installation, stored)
  if (opened === null) return yield* new SecretMismatch({ needs: yield* needed(given) })
  const [first, ...others] = secrets
  const open: OpenInstallation = {
    secrets,
    keys: opened.keys,
    digests: [secretDigest(first), ...others.map(secretDigest)]
  }
  const refusal = refusalOf(open.digests, opened.known, yield* otherServers(server))
  if (refusal !== null) return yield* refusal
  yield* makeKnown(open, opened.known, stored)
  return open
})

/** Which secret a database needs that none of the given ones opens. */
export const needed = Effect.fnUntraced(function* (given: GivenSecrets) {
  if (given === null) return "any"
  return (yield* read("secret")) === null ? "another" : "own"
})

interface Opened {
  readonly keys: LastingKeys
  readonly known: ReadonlyMap<string, SecretState>
}

/** A database belongs to its first secret until another one encrypts. */
const firstKeys = Effect.fnUntraced(function* (secrets: ServerSecrets, installation: string) {
  const kept = yield* keep("secret_digest", secretDigest(secrets[0]))
  const first = secrets.find((secret) => secretDigest(secret) === kept || formerDigest(secret) === kept)
  if (first === undefined) return null
  yield* replace("secret_digest", formerDigest(first), secretDigest(first))
  const known = new Map<string, SecretState>([[secretDigest(first), "writes"]])
  return { keys: makeLastingKeys(first, installation), known } satisfies Opened
})

/** `null`: the database knows none of the secrets. */
export const openedBy = Effect.fnUntraced(function* (
  secrets: ServerSecrets,
  installation: string,
  stored: ReadonlyMap<string, StoredSecret>
) {
  if (stored.size === 0) return yield* firstKeys(secrets, installation)
  const known = new Map([...stored].map(([digest, { state }]) => [digest, state]))
  for (const secret of secrets) {
    const wrapped = stored.get(secretDigest(secret))?.keys ?? null
    const keys = wrapped === null ? null : unwrapKeys(wrapped, secret, installation)
    if (keys !== null) return { keys, known } satisfies Opened
  }
  return null
})

/** Stores the lasting keys encrypted by each secret. The first one writes from now on. */
export const makeKnown = Effect.fnUntraced(function* (
  { digests, keys, secrets }: OpenInstallation,
  known: ReadonlyMap<string, SecretState>,
  stored: ReadonlyMap<string, StoredSecret>
) {
  const installation = yield* installationId
  for (const [place, secret] of secrets.entries()) {
    const digest = secretDigest(secret)
    const before = known.get(digest)
    const state = before === undefined || before === "reads" ? (place === 0 ? "writes" : "reads") : before
    if (stored.get(digest)?.state === state) continue
    const wrapped = stored.get(digest)?.keys ?? wrapKeys(keys, secret, installation)
    yield* storeSecret(digest, { state, keys: wrapped })
  }
  const kept = yield* read("secret_digest")
  // A server of a former version, which knows one secret and derives names from it, must not start any longer.
  if (kept !== null && kept !== digests[0]) yield* replace("secret_digest", kept, "rotated")
})

/** Made for a database that has none yet; `null` where it was first used with a secret from outside. */
const ownSecret = Effect.gen(function* () {
  const belongsTo = yield* read("secret_digest")
  const own = belongsTo === null ? yield* keep("secret", randomBytes(32).toString("base64url")) : yield* read("secret")
  return own === null ? null : ([Redacted.make(own)] as const)
})
