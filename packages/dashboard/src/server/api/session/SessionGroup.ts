/** Signing in, and what belongs to the person who signed in. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { roles } from "../../audit/Actor.ts"
import { PersonalAccess } from "../../access/AccessControl.ts"
import { signedIn, signedInRecently } from "../../access/Permission.ts"
import { answers, described } from "../described.ts"
import { Time } from "../fields.ts"

export const MembershipJson = Schema.Struct({
  account: Schema.NullOr(Schema.String).annotate({ description: "`null`: every account." }),
  modes: Schema.Array(Schema.Literals(["test", "live"])),
  role: Schema.Literals(roles)
}).annotate({ identifier: "Membership" })

const OpenAccount = Schema.Struct({
  account: Schema.String,
  mode: Schema.Literals(["test", "live"]),
  role: Schema.Literals(roles)
}).annotate({ identifier: "OpenAccount" })

const Me = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  memberships: Schema.Array(MembershipJson),
  accounts: Schema.Array(OpenAccount).annotate({
    description: "Every account and mode that the person may open: by name, `default` first, test before live."
  }),
  authenticatedAt: Time.annotate({ description: "When the person last proved who they are, ms UTC." }),
  expiresAt: Schema.NullOr(Time).annotate({ description: "Of the session; `null`: the host decides." }),
  method: Schema.Literals(["password", "oidc", "sandbox", "host"]),
  needsTotp: Schema.Boolean.annotate({ description: "Live mode is closed until TOTP is set up." }),
  reauthenticateUrl: Schema.NullOr(Schema.String).annotate({
    description: "Where the person proves again who they are; `null`: by `reauthenticate`."
  })
}).annotate({ identifier: "SignedInPerson" })

export const Reauthentication = Schema.Struct({
  password: Schema.String,
  code: Schema.optionalKey(Schema.String).annotate({ description: "Required if TOTP is set up." })
}).annotate({ identifier: "Reauthentication" })

const Enrolment = Schema.Struct({
  secret: Schema.String.annotate({ description: "In base32. It is in this response only." }),
  uri: Schema.String.annotate({ description: "`otpauth://totp/…`" }),
  qrCode: Schema.String.annotate({ description: "SVG" })
}).annotate({ identifier: "TotpEnrolment" })

export const Confirmation = Schema.Struct({ code: Schema.String }).annotate({ identifier: "TotpConfirmation" })

const RecoveryCodes = Schema.Struct({
  recoveryCodes: Schema.Array(Schema.String).annotate({ description: "They are in this response only." })
}).annotate({ identifier: "RecoveryCodes" })

export class SessionGroup extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("me", "/session", { success: Me })
      .annotateMerge(signedIn)
      .annotateMerge(described("Who is signed in", "With what they may do in which account and mode.")),
    HttpApiEndpoint.post("reauthenticate", "/session/reauthenticate", {
      payload: Reauthentication,
      success: HttpApiSchema.NoContent
    })
      .annotateMerge(signedIn)
      .annotateMerge(answers("sign_in_failed", "rate_limited", "overloaded"))
      .annotateMerge(described("Prove again who you are", "For sensitive actions. The session gets a new id.")),
    HttpApiEndpoint.post("signOut", "/session/sign-out", { success: HttpApiSchema.NoContent })
      .annotateMerge(signedIn)
      .annotateMerge(described("Sign out")),
    HttpApiEndpoint.post("signOutEverywhere", "/session/sign-out-everywhere", {
      success: Schema.Struct({ ended: Schema.Int }).annotate({ identifier: "EndedSessions" })
    })
      .annotateMerge(signedIn)
      .annotateMerge(described("End all of your sessions")),
    HttpApiEndpoint.post("beginTotp", "/session/totp", { success: Enrolment })
      .annotateMerge(signedInRecently)
      .annotateMerge(described("Begin to set up TOTP", "Changes nothing until it is confirmed.")),
    HttpApiEndpoint.post("confirmTotp", "/session/totp/confirm", { payload: Confirmation, success: RecoveryCodes })
      .annotateMerge(signedInRecently)
      .annotateMerge(answers("sign_in_failed", "rate_limited", "overloaded"))
      .annotateMerge(
        described("Confirm TOTP by a code", "Your other sessions end, and former recovery codes no longer work.")
      )
  )
  .middleware(PersonalAccess)
  .annotateMerge(OpenApi.annotations({ title: "Session" })) {}
