/** `paymux dashboard`: the people who may sign in to it. */
import { AuditLog, Passwords, personLink, roles, Users } from "@paymux/dashboard"
import type { InvitationRecord, Issuers, Membership, UserRecord } from "@paymux/dashboard"
import { accountNameRule, isAccountName } from "@paymux/http"
import { iso } from "@paymux/core/wire"
import { Console, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import { normalBasePath } from "../BasePath.ts"
import type { PaymuxOptions } from "../options/PaymuxOptions.ts"
import { configuration } from "./configuration.ts"
import { databaseFlag, jsonFlag, onDatabase, onExistingDatabase } from "./database.ts"
import { pageFlags, pageQuery } from "./listFlags.ts"
import { printable } from "../printable.ts"
import { printPage } from "./table.ts"

const roleFlag = Flag.Literals("role", roles).pipe(Flag.withDescription("What the person may do"))

const accountFlag = Flag.String("account").pipe(
  Flag.withDescription("The account for which it holds; default: every account"),
  Flag.filter(isAccountName, (account) => `an account ${accountNameRule}, not ${JSON.stringify(account)}`),
  Flag.optional
)

const modesFlag = Flag.Literals("modes", ["test", "live", "test,live"]).pipe(
  Flag.withDescription("The modes for which it holds"),
  Flag.withDefault("test,live" as const)
)

const publicUrlFlag = Flag.String("public-url").pipe(
  Flag.withDescription("Where people reach the server; default: publicUrl of ./paymux.config.ts, or this machine"),
  Flag.optional
)

const invitationArgument = Argument.String("id").pipe(
  Argument.withDescription("inv_…, as in `paymux dashboard invitations`")
)

const userArgument = Argument.String("user").pipe(Argument.withDescription("The email address, or the id as listed"))

const invite = Command.make(
  "invite",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Who is invited")),
    role: roleFlag,
    account: accountFlag,
    modes: modesFlag,
    publicUrl: publicUrlFlag,
    database: databaseFlag
  },
  Effect.fnUntraced(function* ({ account, database, email, modes, publicUrl, role }) {
    const url = yield* publicUrlOf(publicUrl, database)
    const membership = membershipOf(account, modes, role)
    const { expiresAt, token } = yield* onDatabase(
      database,
      people,
      Users.use((users) => users.invite(null, { email, ...membership }))
    )
    yield* Console.error(
      `Invitation for ${printable(email)}: ${accessText(membership)}. Send them this link. It works once, until ${iso(expiresAt)}, and is shown this once:`
    )
    yield* Console.log(personLink(url, "join", token))
  })
).pipe(
  Command.withDescription("Invite a person to the dashboard; prints a link that works once"),
  Command.withExamples([
    { command: "paymux dashboard invite asha@example.com --role owner", description: "The first owner" },
    {
      command: "paymux dashboard invite ben@example.com --role viewer --account shop --modes test",
      description: "A viewer of one account in test mode"
    }
  ])
)

const invitations = Command.make(
  "invitations",
  { database: databaseFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ database, json }) {
    const open = yield* onExistingDatabase(
      database,
      people,
      Users.use((service) => service.invitations(every))
    )
    yield* printPage({
      next: null,
      entries: open,
      json,
      none: "No open invitations.",
      head: ["email", "access", "invited by", "expires", "id"],
      row: invitationRow
    })
  })
).pipe(Command.withDescription("List open invitations, newest first, without their links"))

const invitationRow = (invitation: InvitationRecord): ReadonlyArray<string> => [
  invitation.email,
  accessText(invitation),
  invitation.invitedBy,
  iso(invitation.expiresAt),
  invitation.id
]

const revoke = Command.make(
  "revoke",
  { id: invitationArgument, database: databaseFlag },
  Effect.fnUntraced(function* ({ database, id }) {
    yield* onExistingDatabase(
      database,
      people,
      Users.use((service) => service.revokeInvitation(every, id))
    )
    yield* Console.error(`Revoked ${printable(id)}. Its link no longer works.`)
  })
).pipe(Command.withDescription("Revoke an open invitation"))

const renew = Command.make(
  "renew",
  { id: invitationArgument, publicUrl: publicUrlFlag, database: databaseFlag },
  Effect.fnUntraced(function* ({ database, id, publicUrl }) {
    const url = yield* publicUrlOf(publicUrl, database)
    const { expiresAt, token } = yield* onExistingDatabase(
      database,
      people,
      Users.use((service) => service.renewInvitation(every, id))
    )
    yield* Console.error(
      `New link for ${printable(id)}. It works once, until ${iso(expiresAt)}, and is shown this once. The former link no longer works:`
    )
    yield* Console.log(personLink(url, "join", token))
  })
).pipe(Command.withDescription("Print a new link for an open invitation"))

const users = Command.make(
  "users",
  {
    database: databaseFlag,
    ...pageFlags()
  },
  Effect.fnUntraced(function* ({ database, json, ...page }) {
    const { next, users: found } = yield* onExistingDatabase(
      database,
      people,
      Users.use(({ list }) => list({ manager: null, tenant: null, ...pageQuery(page) }))
    )
    yield* printPage({
      next,
      entries: found,
      json,
      none: "No users. Invite the first one: paymux dashboard invite <email> --role owner",
      head: ["email", "access", "second factor", "last sign-in", "id"],
      row: rowOf
    })
  })
).pipe(Command.withDescription("List the people who may sign in, newest first"))

const rowOf = (user: UserRecord): ReadonlyArray<string> => [
  user.email,
  user.memberships.map(accessText).join("; ") || "none",
  user.signsInWith === "oidc" ? "of the identity provider" : user.totp ? "TOTP" : "none, test mode only",
  user.signedInAt === null ? "never" : iso(user.signedInAt),
  user.id
]

const role = Command.make(
  "role",
  { user: userArgument, role: roleFlag, account: accountFlag, modes: modesFlag, database: databaseFlag },
  Effect.fnUntraced(function* ({ account, database, modes, role, user }) {
    const membership = membershipOf(account, modes, role)
    yield* onExistingDatabase(
      database,
      peopleWithOwners(database),
      Users.use((service) => service.setRole(null, user, membership))
    )
    yield* Console.error(`${printable(user)} is now ${accessText(membership)}.`)
  })
).pipe(Command.withDescription("Change what a user may do in one account, or in every account"))

const remove = Command.make(
  "remove",
  { user: userArgument, database: databaseFlag },
  Effect.fnUntraced(function* ({ database, user }) {
    yield* onExistingDatabase(
      database,
      peopleWithOwners(database),
      Users.use((service) => service.remove(null, user))
    )
    yield* Console.error(`Removed ${printable(user)}. Their sessions have ended.`)
  })
).pipe(Command.withDescription("Remove a user, with all their sessions"))

const reset = Command.make(
  "reset",
  {
    user: userArgument,
    totp: Flag.Boolean("totp").pipe(
      Flag.withDescription("Also remove TOTP and recovery codes, if the phone was lost"),
      Flag.withDefault(false)
    ),
    publicUrl: publicUrlFlag,
    database: databaseFlag
  },
  Effect.fnUntraced(function* ({ database, publicUrl, totp, user }) {
    const url = yield* publicUrlOf(publicUrl, database)
    const { expiresAt, token } = yield* onExistingDatabase(
      database,
      people,
      Users.use((service) => service.reset(null, user, { totp }))
    )
    yield* Console.error(
      `Link for ${printable(user)} to set a new password${totp ? ", which also removes TOTP" : ""}. It works once, until ${iso(expiresAt)}, and is shown this once:`
    )
    yield* Console.log(personLink(url, "reset", token))
  })
).pipe(Command.withDescription("Print a link with which a user sets a new password"))

export const dashboard = Command.make("dashboard").pipe(
  Command.withDescription("Invite, list, change and remove the people who may sign in to the dashboard"),
  Command.withSubcommands([invite, invitations, revoke, renew, users, role, remove, reset])
)

const peopleWith = (issuers: Issuers) => Layer.provide(Users.layer({ issuers }), [Passwords.layer, AuditLog.layer])

/** For commands that take no role away: who can sign in makes no difference to them. */
const people = peopleWith("any")

/** For commands after which an owner must be left who can sign in: the configuration says with which identity provider. */
const peopleWithOwners = (database: Option.Option<string>) =>
  Layer.unwrap(Effect.map(configurationIfLoaded(database), (options) => peopleWith(issuersOf(options))))

const issuersOf = (options: PaymuxOptions | null): Issuers => {
  if (options === null) return "any"
  const issuer = options.dashboard === false ? undefined : options.dashboard?.oidc?.issuer
  return issuer === undefined ? [] : [issuer]
}

/** `null`: it cannot be loaded, as without the environment of its server, and `--database` says where the people are. */
const configurationIfLoaded = (
  database: Option.Option<string>
): Effect.Effect<PaymuxOptions | null, CliError.UserError> =>
  Effect.catchIf(
    configuration(null),
    () => Option.isSome(database),
    ({ message }) =>
      Effect.as(
        Console.error(`Warning: ${message}\nContinuing without the configuration, because --database is given.`),
        null
      )
  )

const every = { manager: null, tenant: null } as const

const membershipOf = (
  account: Option.Option<string>,
  modes: "test" | "live" | "test,live",
  role: Membership["role"]
): Membership => ({
  account: Option.getOrNull(account),
  modes: modes === "test,live" ? ["test", "live"] : [modes],
  role
})

const accessText = ({ account, modes, role }: Membership): string =>
  `${role} of ${account === null ? "every account" : `account ${account}`} (${modes.join(", ")})`

/** As `createPaymux` reads it. */
const publicUrlOf = Effect.fnUntraced(function* (flag: Option.Option<string>, database: Option.Option<string>) {
  const { basePath, publicUrl }: PaymuxOptions = (yield* configurationIfLoaded(database)) ?? {}
  const url = Option.getOrElse(flag, () => publicUrl ?? "http://localhost:4310")
  return `${url.replace(/\/+$/, "")}${normalBasePath(basePath ?? "")}`
})
