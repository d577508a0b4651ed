/** Every way in which people are refused. Texts do not say whether an email address has a user. */
import { Data } from "effect"

/** Something that a person entered is malformed. Nothing was looked up. */
export class PeopleInputInvalid extends Data.TaggedError("PeopleInputInvalid")<{
  readonly field: "email" | "password" | "code" | "account" | "modes" | "role"
  readonly problem: string
}> {
  override get message(): string {
    return `${this.field} ${this.problem}.`
  }
}

/** The same for an unknown user and a wrong password. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{}> {
  override get message(): string {
    return "The email address or the password is wrong."
  }
}

export class CodeRefused extends Data.TaggedError("CodeRefused")<{}> {
  override get message(): string {
    return "The code is wrong, has expired or was used before. Enter the next one."
  }
}

/** Wrong entries from this address, or for this user from this address. */
export class TooManyTries extends Data.TaggedError("TooManyTries")<{ readonly retryAfterSeconds: number }> {
  override get message(): string {
    return `Too many tries. Try again in ${Math.ceil(this.retryAfterSeconds / 60)} min.`
  }
}

/** More passwords are being checked than this process can check. */
export class SignInBusy extends Data.TaggedError("SignInBusy")<{ readonly retryAfterSeconds: number }> {
  override get message(): string {
    return "Too many people are signing in. Try again in a few seconds."
  }
}

/** One answer for a link that is unknown, used or expired. */
export class LinkInvalid extends Data.TaggedError("LinkInvalid")<{}> {
  override get message(): string {
    return "The link is unknown, was used, or has expired. Ask for a new one."
  }
}

/** Missing, or of other accounts only. */
export class UserNotFound extends Data.TaggedError("UserNotFound")<{ readonly user: string }> {
  override get message(): string {
    return `User not found: ${this.user}.`
  }
}

/** Accepted, revoked, expired, or of other accounts only. */
export class InvitationNotFound extends Data.TaggedError("InvitationNotFound")<{}> {
  override get message(): string {
    return "Invitation not found: it was accepted or revoked, or has expired."
  }
}

export class LastOwner extends Data.TaggedError("LastOwner")<{}> {
  override get message(): string {
    return "This is the last owner who can sign in. Make another user an owner first."
  }
}

/** The person manages some of the accounts that this concerns, and not all. */
export class NotTheirTeam extends Data.TaggedError("NotTheirTeam")<{}> {
  override get message(): string {
    return "Only an owner of every account and mode that this concerns can do it."
  }
}

/** Roles and passwords of such a user are managed by the identity provider. */
export class ManagedElsewhere extends Data.TaggedError("ManagedElsewhere")<{}> {
  override get message(): string {
    return "This user signs in with the identity provider: change their role there."
  }
}

/** A stored TOTP secret does not decrypt: the server's secret has changed, or the row was modified. */
export class TotpUnreadable extends Data.TaggedError("TotpUnreadable")<{}> {
  override get message(): string {
    return "The TOTP secret of the user cannot be decrypted. Reset the user with `paymux dashboard reset <email> --totp`."
  }
}

/** The cursor is not one that a list of users returned. */
export class UserCursorInvalid extends Data.TaggedError("UserCursorInvalid")<{}> {
  override get message(): string {
    return "The cursor must be the `next` of a former page of users."
  }
}

export type PeopleRefusal =
  | PeopleInputInvalid
  | SignInRefused
  | CodeRefused
  | TooManyTries
  | SignInBusy
  | LinkInvalid
  | UserNotFound
  | InvitationNotFound
  | LastOwner
  | NotTheirTeam
  | ManagedElsewhere
  | TotpUnreadable
  | UserCursorInvalid
