/** The errors of authentication, and of creating and changing API keys. */
import { Data } from "effect"
import type { ApiKeyMode } from "./ApiKey.ts"

/**
 * Error: the request has no valid API key. `because` is the cause, which is only logged: the client gets the same
 * response for all causes.
 */
export class Unauthorized extends Data.TaggedError("Unauthorized")<{
  readonly because: "missing" | "malformed" | "unknown" | "revoked" | "expired"
}> {}

/**
 * Error: the API key is not stored here, and its text contains the name of another cell. Whether the key exists in that
 * cell is not checked.
 */
export class ApiKeyOfOtherCell extends Data.TaggedError("ApiKeyOfOtherCell")<{
  readonly cell: string
  /** The cell of this server; `null`: this server is not a cell. */
  readonly here: string | null
}> {}

/**
 * Error: the name of an API key is invalid. Names are printed in tables: they are not empty, and have no control
 * characters.
 */
export class ApiKeyNameInvalid extends Data.TaggedError("ApiKeyNameInvalid") {
  override get message(): string {
    return "The name of an API key must have 1 to 100 characters, and no characters that control the cursor or the direction of text."
  }
}

/**
 * Error: the account already has the maximum number of active API keys in this mode. The default maximum is two, so
 * that one key can replace the other.
 */
export class TooManyApiKeys extends Data.TaggedError("TooManyApiKeys")<{
  readonly account: string
  readonly mode: ApiKeyMode
  readonly maxActive: number
}> {
  override get message(): string {
    return `Account ${this.account} has ${this.maxActive} active ${this.mode} keys already: revoke one first.`
  }
}

export class ApiKeyNotFound extends Data.TaggedError("ApiKeyNotFound")<{ readonly keyId: string }> {
  override get message(): string {
    return `There is no API key ${this.keyId}.`
  }
}

/** Error: the API key cannot be rotated, for the given `reason`. The key is unchanged, and no new key was created. */
export class ApiKeyNotRotated extends Data.TaggedError("ApiKeyNotRotated")<{
  readonly keyId: string
  readonly reason: "overlap" | "revoked" | "expired" | "being_replaced" | "sandbox" | "too_many"
}> {
  override get message(): string {
    const { keyId } = this
    return {
      overlap: "The former key may hold for 0 ms to 30 days more.",
      revoked: `API key ${keyId} is revoked: make a new one.`,
      expired: `API key ${keyId} has expired: make a new one.`,
      being_replaced: `API key ${keyId} is being replaced already: revoke it to end it now, or rotate the one that took its place.`,
      sandbox: `API key ${keyId} is the sandbox's own: revoke it, and the next start makes another.`,
      too_many:
        "The account has as many active keys of this mode as are allowed: revoke one that is not used, or rotate with an overlap of 0."
    }[this.reason]
  }
}

/** Error: the API key could not be checked or changed, because the database did not respond. */
export class ApiKeysUnavailable extends Data.TaggedError("ApiKeysUnavailable")<{ readonly cause: unknown }> {}
