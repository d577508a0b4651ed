/** The handlers of what belongs to the person who signed in. */
import { ApiKeys, ApiProblem } from "@paymux/http"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentCaller } from "../../access/AccessControl.ts"
import type { AccessOptions } from "../../access/AccessControl.ts"
import { openTenants } from "../../access/openTenants.ts"
import { endedSessionCookie, sessionCookie } from "../../people/cookies.ts"
import { Sessions } from "../../people/Sessions.ts"
import { SignIn } from "../../people/SignIn.ts"
import { TwoFactor } from "../../people/TwoFactor.ts"
import { Users } from "../../people/Users.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf } from "../controlHandler.ts"
import { currentClient, peopleHandler, sentSession, setCookie } from "./sessionShared.ts"
import { Confirmation, Reauthentication } from "./SessionGroup.ts"
import { CurrentSignIn } from "./SignInSettings.ts"

export const sessionHandlers = (installation: Pick<AccessOptions, "hasLiveMode">) =>
  HttpApiBuilder.group(ControlApi, "session", (handlers) =>
    Effect.map(Effect.zip(peopleHandler, ApiKeys), ([people, keys]) =>
      handlers
        .handle("me", () => people(me(keys, installation)))
        .handleRaw("reauthenticate", () => people(reauthenticate))
        .handle("signOut", () => people(signOut))
        .handle("signOutEverywhere", () => people(signOutEverywhere))
        .handle("beginTotp", () => people(beginTotp))
        .handleRaw("confirmTotp", () => people(confirmTotp))
    )
  )

const me = Effect.fnUntraced(function* (
  { active }: ApiKeys["Service"],
  { hasLiveMode }: Pick<AccessOptions, "hasLiveMode">
) {
  const caller = yield* CurrentCaller
  const { authenticatedAt, id, memberships, name } = caller
  const { reauthenticateUrl } = yield* CurrentSignIn
  const session = yield* ownSession
  const withKeys = Effect.map(active, (all) => all.map(({ account }) => account))
  const withMembers = Users.use(({ accounts }) => accounts)
  const accounts = [...(yield* withKeys), ...(yield* withMembers)]
  return {
    id,
    name,
    memberships,
    accounts: openTenants(caller, { accounts, hasLiveMode }),
    authenticatedAt,
    reauthenticateUrl,
    expiresAt: session?.expiresAt ?? null,
    method: session?.method ?? ("host" as const),
    needsTotp: session?.needsTotp ?? false
  }
})

/** `null`: the person was identified by the host. A cookie of a session of ours says nothing then. */
const ownSession = Effect.gen(function* () {
  const { accounts } = yield* CurrentSignIn
  if (!accounts) return null
  const session = yield* Effect.flatMap(sentSession, (id) => Sessions.use(({ find }) => find(id)))
  const { id } = yield* CurrentCaller
  return session?.identity.id === id ? session : null
})

/** Of what only a user with a password of ours can do. */
const passwordUser = Effect.gen(function* () {
  const session = yield* ownSession
  return session?.method === "password" && session.userId !== null
    ? session.userId
    : yield* new ApiProblem({ code: "conflict", detail: "You do not sign in with a password here." })
})

const reauthenticate = Effect.gen(function* () {
  const { code = null, password } = yield* bodyOf(Reauthentication)
  yield* passwordUser
  const [session, client, { cookies }] = [yield* sentSession, yield* currentClient, yield* CurrentSignIn]
  const renewed = yield* SignIn.use(({ again }) => again({ session, password, code, client }))
  if (renewed === null) return yield* new ApiProblem({ code: "sign_in_required" })
  yield* setCookie(sessionCookie(cookies, renewed))
})

const signOut = Effect.gen(function* () {
  const { cookies } = yield* CurrentSignIn
  const id = yield* sentSession
  yield* Sessions.use(({ end }) => end(id))
  yield* setCookie(endedSessionCookie(cookies))
})

const signOutEverywhere = Effect.gen(function* () {
  const session = yield* ownSession
  const userId = session?.userId ?? null
  const ended = userId === null ? 0 : yield* Sessions.use(({ endAll }) => endAll(userId))
  yield* signOut
  return { ended }
})

const beginTotp = Effect.gen(function* () {
  const userId = yield* passwordUser
  return yield* TwoFactor.use(({ begin }) => begin(userId))
})

const confirmTotp = Effect.gen(function* () {
  const { code } = yield* bodyOf(Confirmation)
  const userId = yield* passwordUser
  const [session, { address }] = [yield* sentSession, yield* currentClient]
  const recoveryCodes = yield* TwoFactor.use(({ confirm }) => confirm({ userId, code, session, address }))
  return { recoveryCodes }
})
