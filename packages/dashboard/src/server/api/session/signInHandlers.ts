/** The handlers of sign-ins. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Oidc } from "../../people/Oidc.ts"
import { SignIn } from "../../people/SignIn.ts"
import { Users } from "../../people/Users.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf } from "../controlHandler.ts"
import { finishOidc, startOidc } from "./oidcHandlers.ts"
import {
  currentClient,
  openKnownDevice,
  openSession,
  peopleHandler,
  sentDevice,
  withAccounts
} from "./sessionShared.ts"
import { CodeEntry, InvitationAcceptance, PasswordEntry, PasswordReset, SandboxLink } from "./SignInGroup.ts"
import { CurrentSignIn } from "./SignInSettings.ts"

export const signInHandlers = HttpApiBuilder.group(ControlApi, "sign_in", (handlers) =>
  Effect.map(peopleHandler, (people) =>
    handlers
      .handle("methods", () => people(methods))
      .handleRaw("password", () => people(withAccounts(byPassword)))
      .handleRaw("code", () => people(withAccounts(byCode)))
      .handleRaw("accept", () => people(withAccounts(accept)))
      .handleRaw("reset", () => people(withAccounts(reset)))
      .handleRaw("sandbox", () => people(withAccounts(bySandboxLink)))
      .handleRaw("startOidc", ({ query }) => people(withAccounts(startOidc(query.again === "true"))))
      .handleRaw("finishOidc", () => people(withAccounts(finishOidc)))
  )
)

const methods = Effect.gen(function* () {
  const { accounts, reauthenticateUrl } = yield* CurrentSignIn
  const oidc = yield* Oidc
  return { password: accounts, oidc: accounts && oidc.isConfigured, reauthenticateUrl }
})

const byPassword = Effect.gen(function* () {
  const entry = yield* bodyOf(PasswordEntry)
  const [client, device] = [yield* currentClient, yield* sentDevice]
  const result = yield* SignIn.use(({ password }) => password({ ...entry, client, device }))
  if (result.step === "code") return result
  yield* openKnownDevice(result)
  return { step: "signed_in" } as const
})

const byCode = Effect.gen(function* () {
  const entry = yield* bodyOf(CodeEntry)
  const [client, device] = [yield* currentClient, yield* sentDevice]
  yield* openKnownDevice(yield* SignIn.use(({ code }) => code({ ...entry, client, device })))
})

const accept = Effect.gen(function* () {
  const acceptance = yield* bodyOf(InvitationAcceptance)
  const { address } = yield* currentClient
  const { email } = yield* Users.use((users) => users.accept({ ...acceptance, address }))
  return { email }
})

const reset = Effect.gen(function* () {
  const body = yield* bodyOf(PasswordReset)
  const { address } = yield* currentClient
  yield* Users.use((users) => users.useReset({ ...body, address }))
})

const bySandboxLink = Effect.gen(function* () {
  const { token } = yield* bodyOf(SandboxLink)
  const client = yield* currentClient
  yield* openSession(yield* SignIn.use(({ sandbox }) => sandbox(token, client)))
})
