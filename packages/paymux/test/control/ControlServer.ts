/** A running Paymux whose control API knows its people by a cookie: `person=<name>`. */
import { Authenticator, theProgram, Users } from "@paymux/dashboard"
import type { Identity } from "@paymux/dashboard"
import type { Tenant } from "@paymux/core"
import { Context, Effect, Exit, Layer, Metric, Result, Scope } from "effect"
import * as App from "../../src/App.ts"
import { makeGate } from "../../src/EventListener.ts"
import * as Handlers from "../../src/Handlers.ts"
import * as InFlight from "../../src/InFlight.ts"
import * as Operations from "../../src/Operations.ts"
import { settingsOf } from "../../src/options/PaymuxOptions.ts"
import type { PaymuxOptions } from "../../src/options/PaymuxOptions.ts"
import { quickPasswords } from "../quickPasswords.ts"
import * as Logs from "../../src/telemetry/Logs.ts"

export const publicUrl = "https://pay.example"

export interface ControlServer extends AsyncDisposable {
  readonly fetch: Handlers.Handlers["fetch"]
  readonly node: Handlers.Handlers["node"]
  readonly routes: Handlers.Handlers["routes"]
  readonly of: (tenant: Tenant) => Operations.Operations
  readonly testKey: string
  /** A viewer of an account in test mode. Returns their id. */
  readonly addUser: (account: string) => Promise<string>
  /** An open invitation of a viewer to an account in test mode. Returns its id. */
  readonly addInvitation: (account: string) => Promise<string>
}

/** `people`: by the name in the cookie. */
export const controlServer = async (
  people: { readonly [name: string]: Identity },
  options: PaymuxOptions = {}
): Promise<ControlServer> => {
  const settings = Result.getOrThrow(
    settingsOf({ sandbox: true, database: ":memory:", publicUrl, logs: false, ...options })
  )
  const scope = Scope.makeUnsafe()
  const inFlight = InFlight.make()
  const start = Effect.gen(function* () {
    const observed = Layer.merge(Logs.layer(settings.logs), Layer.succeed(Metric.MetricRegistry, new Map()))
    const built = yield* Layer.buildWithScope(Layer.provideMerge(App.layer(settings, makeGate()), observed), scope)
    const context = Context.add(built, Authenticator, {
      identify: ({ headers }) =>
        Effect.succeed(people[/(?:^|; )person=(\w+)/.exec(headers["cookie"] ?? "")?.[1] ?? ""] ?? null)
    })
    const handlers = yield* Scope.provide(Handlers.make(settings, inFlight), scope).pipe(Effect.provideContext(context))
    const testKey = yield* Effect.provideContext(Operations.testKey(settings), context)
    return {
      ...handlers,
      testKey,
      addUser: (account: string) => Effect.runPromise(Effect.provideContext(addUser(account), context)),
      addInvitation: (account: string) => Effect.runPromise(Effect.provideContext(addInvitation(account), context)),
      of: (tenant: Tenant) => Operations.make(tenant, theProgram, context, inFlight),
      [Symbol.asyncDispose]: () => Effect.runPromise(Scope.close(scope, Exit.void))
    }
  })
  return Effect.runPromiseWith(quickPasswords)(start)
}

const inviteViewer = (account: string) => {
  const email = `viewer@${account.replaceAll("_", "-").toLowerCase()}.example`
  return Users.use((users) => users.invite(null, { email, account, modes: ["test"], role: "viewer" }))
}

const addInvitation = Effect.fnUntraced(function* (account: string) {
  yield* inviteViewer(account)
  const tenant = { account, livemode: false }
  const [invitation] = yield* Users.use((users) => users.invitations({ manager: null, tenant }))
  return invitation?.id ?? ""
})

const addUser = Effect.fnUntraced(function* (account: string) {
  const users = yield* Users
  const { token } = yield* inviteViewer(account)
  return (yield* users.accept({ token, password: "correct horse battery", address: null })).userId
})

export interface Ask {
  readonly method?: string
  readonly path: string
  /** `null`: without a session. */
  readonly as: string | null
  /** `null` leaves it out. */
  readonly origin?: string | null
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

/** Asks as a browser with a page of the dashboard does. */
export const ask = (server: ControlServer, { as, body, headers = {}, method = "GET", origin = publicUrl, path }: Ask) =>
  server.fetch(
    new Request(new URL(path, publicUrl), {
      method,
      headers: {
        host: new URL(publicUrl).host,
        ...(as !== null && { cookie: `person=${as}` }),
        ...(origin !== null && { origin }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers
      },
      ...(body !== undefined && { body: bytesOf(body) })
    })
  )

/** Text and bytes are sent as they are, anything else as JSON. */
const bytesOf = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === "string" || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body)
