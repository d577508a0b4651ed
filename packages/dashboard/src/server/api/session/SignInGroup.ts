/** What a person without a session may do: sign in, and use a link. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PublicAccess } from "../../access/AccessControl.ts"
import { open } from "../../access/Permission.ts"
import { described } from "../described.ts"
import { Time } from "../fields.ts"

const Methods = Schema.Struct({
  password: Schema.Boolean,
  oidc: Schema.Boolean,
  reauthenticateUrl: Schema.NullOr(Schema.String)
}).annotate({ identifier: "SignInMethods" })

export const PasswordEntry = Schema.Struct({ email: Schema.String, password: Schema.String }).annotate({
  identifier: "PasswordEntry"
})

export const CodeEntry = Schema.Struct({ token: Schema.String, code: Schema.String }).annotate({
  identifier: "CodeEntry"
})

const Step = Schema.Union([
  Schema.Struct({ step: Schema.Literal("signed_in") }),
  Schema.Struct({
    step: Schema.Literal("code"),
    token: Schema.String.annotate({ description: "To be sent with the code." }),
    expiresAt: Time
  })
]).annotate({ identifier: "SignInStep" })

export const InvitationAcceptance = Schema.Struct({
  token: Schema.String,
  email: Schema.optionalKey(Schema.String).annotate({ description: "Of the first owner, whose link has no address." }),
  password: Schema.String.annotate({ description: "A new one, or your own if you are a user already." })
}).annotate({ identifier: "InvitationAcceptance" })

const Accepted = Schema.Struct({ email: Schema.String }).annotate({ identifier: "AcceptedInvitation" })

export const PasswordReset = Schema.Struct({ token: Schema.String, password: Schema.String }).annotate({
  identifier: "PasswordReset"
})

export const SandboxLink = Schema.Struct({ token: Schema.String }).annotate({ identifier: "SandboxLink" })

export class SignInGroup extends HttpApiGroup.make("sign_in")
  .add(
    HttpApiEndpoint.get("methods", "/sign-in", { success: Methods })
      .annotateMerge(open)
      .annotateMerge(described("How people sign in here")),
    HttpApiEndpoint.post("password", "/sign-in/password", { payload: PasswordEntry, success: Step })
      .annotateMerge(open)
      .annotateMerge(described("Sign in with a password", "If TOTP is set up, a code is the next step.")),
    HttpApiEndpoint.post("code", "/sign-in/code", { payload: CodeEntry, success: HttpApiSchema.NoContent })
      .annotateMerge(open)
      .annotateMerge(described("Enter a code", "Of the authenticator app, or a recovery code.")),
    HttpApiEndpoint.post("accept", "/sign-in/invitation", { payload: InvitationAcceptance, success: Accepted })
      .annotateMerge(open)
      .annotateMerge(described("Accept an invitation")),
    HttpApiEndpoint.post("reset", "/sign-in/reset", { payload: PasswordReset, success: HttpApiSchema.NoContent })
      .annotateMerge(open)
      .annotateMerge(described("Set a new password by a link", "All your sessions end.")),
    HttpApiEndpoint.post("sandbox", "/sign-in/sandbox", { payload: SandboxLink, success: HttpApiSchema.NoContent })
      .annotateMerge(open)
      .annotateMerge(described("Open the sandbox by the link of its terminal")),
    HttpApiEndpoint.get("startOidc", "/sign-in/oidc", {
      query: { again: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      success: HttpApiSchema.Empty(303)
    })
      .annotateMerge(open)
      .annotateMerge(described("Go to the identity provider", "`again`: the person proves once more who they are.")),
    HttpApiEndpoint.get("finishOidc", "/sign-in/oidc/callback", {
      query: Schema.Record(Schema.String, Schema.String),
      success: HttpApiSchema.Empty(303)
    })
      .annotateMerge(open)
      .annotateMerge(described("Come back from the identity provider"))
  )
  .middleware(PublicAccess)
  .annotateMerge(OpenApi.annotations({ title: "Sign in" })) {}
