/** The people who may sign in to an account and mode. For its owners. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MemberAccess } from "../../access/AccessControl.ts"
import { sensitiveWrite, write } from "../../access/Permission.ts"
import { roles } from "../../audit/Actor.ts"
import { described } from "../described.ts"
import { idParams, pageOf, pageQuery, tenantParams, Time } from "../fields.ts"
import { MembershipJson } from "../session/SessionGroup.ts"

const User = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  memberships: Schema.Array(MembershipJson).annotate({ description: "Those that concern this account." }),
  totp: Schema.Boolean.annotate({ description: "Without TOTP a password gives access to test mode only." }),
  signsInWith: Schema.Literals(["password", "oidc"]),
  createdAt: Time,
  signedInAt: Schema.NullOr(Time).annotate({ description: "`null`: never." })
}).annotate({ identifier: "User" })

const Invitation = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  ...MembershipJson.fields,
  invitedBy: Schema.String.annotate({
    description: "The email address of a user, or the name of the account at the terminal or of the program."
  }),
  createdAt: Time,
  expiresAt: Time
}).annotate({ identifier: "Invitation" })

const access = {
  role: Schema.Literals(roles),
  everyAccount: Schema.optionalKey(Schema.Boolean).annotate({ description: "Default: this account." }),
  modes: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(["test", "live"]))).annotate({
    description: "Default: this mode."
  })
}

export const NewInvitation = Schema.Struct({ email: Schema.String, ...access }).annotate({
  identifier: "NewInvitation"
})

export const RoleChange = Schema.Struct(access).annotate({ identifier: "RoleChange" })

export const ResetRequest = Schema.Struct({
  totp: Schema.optionalKey(Schema.Boolean).annotate({ description: "Also remove TOTP and recovery codes." })
}).annotate({ identifier: "ResetRequest" })

const Link = Schema.Struct({
  link: Schema.String.annotate({ description: "Works once. It is in this response only." }),
  expiresAt: Time
}).annotate({ identifier: "PersonLink" })

export class TeamGroup extends HttpApiGroup.make("team")
  .add(
    HttpApiEndpoint.get("list", "/team", { params: tenantParams, query: pageQuery, success: pageOf(User) })
      .annotateMerge(write("owner"))
      .annotateMerge(described("List the team", "People with access to this account and mode, newest first.")),
    HttpApiEndpoint.post("invite", "/team/invitations", {
      params: tenantParams,
      payload: NewInvitation,
      success: Link.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(sensitiveWrite("owner"))
      .annotateMerge(described("Invite a person", "Hand the link over: no email is sent.")),
    HttpApiEndpoint.get("listInvitations", "/team/invitations", {
      params: tenantParams,
      success: Schema.Struct({ data: Schema.Array(Invitation) })
    })
      .annotateMerge(write("owner"))
      .annotateMerge(
        described(
          "List open invitations",
          "All that give access to this account and mode, newest first. Without links."
        )
      ),
    HttpApiEndpoint.delete("revokeInvitation", "/team/invitations/:id", {
      params: idParams,
      success: HttpApiSchema.NoContent
    })
      .annotateMerge(sensitiveWrite("owner"))
      .annotateMerge(described("Revoke an invitation", "Its link no longer works.")),
    HttpApiEndpoint.post("renewInvitation", "/team/invitations/:id/link", { params: idParams, success: Link })
      .annotateMerge(sensitiveWrite("owner"))
      .annotateMerge(
        described("Make a new link for an invitation", "It works for 72 hours. The former link no longer works.")
      ),
    HttpApiEndpoint.post("setRole", "/team/:id/role", {
      params: idParams,
      payload: RoleChange,
      success: HttpApiSchema.NoContent
    })
      .annotateMerge(sensitiveWrite("owner"))
      .annotateMerge(described("Change what a user may do", "Replaces what they have in this account.")),
    HttpApiEndpoint.post("reset", "/team/:id/reset", { params: idParams, payload: ResetRequest, success: Link })
      .annotateMerge(sensitiveWrite("owner"))
      .annotateMerge(described("Make a link to set a new password")),
    HttpApiEndpoint.delete("remove", "/team/:id", { params: idParams, success: HttpApiSchema.NoContent })
      .annotateMerge(sensitiveWrite("owner"))
      .annotateMerge(described("Remove a user", "Takes away all access that you manage, and ends their sessions."))
  )
  .middleware(MemberAccess)
  .annotateMerge(OpenApi.annotations({ title: "Team" })) {}
