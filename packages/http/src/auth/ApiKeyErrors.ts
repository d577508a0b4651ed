/** Every way in which a key is refused, or not made. */
import { Data } from "effect"
import type { ApiKeyMode } from "./ApiKey.ts"

/** The request has no valid key. `because` is for our own logs: the client gets the same answer for all causes. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<{
  readonly because: "missing" | "malformed" | "unknown" | "revoked" | "expired"
}> {}

/** The key is not known here, and its text says that it is of another cell. Whether it exists there is not known. */
export class ApiKeyOfOtherCell extends Data.TaggedError("ApiKeyOfOtherCell")<{
  readonly cell: string
  /** The cell that was asked; `null`: it is not a cell. */
  readonly here: string | null
}> {}

/** A key is named for people, in a table: that takes some characters, and none that moves the cursor. */
export class ApiKeyNameInvalid extends Data.TaggedError("ApiKeyNameInvalid") {
  override get message(): string {
    return "The name of an API key must have 1 to 100 characters, and no characters that control the cursor or the direction of text."
  }
}

/** The account has as many active keys of this mode as are allowed: two, so that one can replace the other. */
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

/** The key stays as it is, and no other was made. */
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

/** The database did not answer; nothing is known of the key. */
export class ApiKeysUnavailable extends Data.TaggedError("ApiKeysUnavailable")<{ readonly cause: unknown }> {}
