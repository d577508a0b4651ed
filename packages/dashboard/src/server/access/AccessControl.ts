/**
 * What holds for every request of the control API before its handler runs, in this order: it comes from a page of this
 * dashboard, its person signed in, they have access to the account and mode of the address, their role allows the action,
 * and where that is required they signed in recently. What the handler does is done in their name.
 *
 * An account without access is answered as one that does not exist.
 */
import type { Tenant } from "@paymux/core"
import { describeIssues, paymentError, Unavailable } from "@paymux/core/wire"
import type { InputIssue } from "@paymux/core/wire"
import { answered, ApiProblem, isAccountName, ReadShare } from "@paymux/http"
import type { RouteError } from "@paymux/http"
import { Clock, Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError, HttpApiMiddleware } from "effect/http-api"
import type { HttpApiEndpoint } from "effect/http-api"
import { CurrentActor } from "../audit/Actor.ts"
import type { Role } from "../audit/Actor.ts"
import { CurrentSignIn } from "../api/session/SignInSettings.ts"
import type { SignInSettings } from "../api/session/SignInSettings.ts"
import { addressOf } from "../people/clientAddress.ts"
import { makeRequestLimits, makeTurns } from "./ConcurrentRequests.ts"
import { Authenticator, hasRoleInEveryAccount, roleIn } from "./Identity.ts"
import type { Identity } from "./Identity.ts"
import { EndpointKind, EndpointPermission, isRecent } from "./Permission.ts"
import type { Permission } from "./Permission.ts"
import { isFromDashboard } from "./RequestOrigin.ts"

/** Who sends the request. `role`: in the account and mode of the address; `null`: the address has none. */
export interface Caller extends Identity {
  readonly role: Role | null
}

/** The person behind a request of an endpoint that requires one. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("@paymux/dashboard/CurrentCaller") {}

/** The account and mode of the address, to which the person has access. */
export class CurrentTenant extends Context.Service<CurrentTenant, Tenant>()("@paymux/dashboard/CurrentTenant") {}

/** Of endpoints that need no session. */
export class PublicAccess extends HttpApiMiddleware.Service<PublicAccess>()("@paymux/dashboard/PublicAccess") {}

/** Of endpoints that belong to a person. */
export class PersonalAccess extends HttpApiMiddleware.Service<PersonalAccess, { provides: CurrentCaller }>()(
  "@paymux/dashboard/PersonalAccess"
) {}

/** Of endpoints that belong to an account and mode. */
export class MemberAccess extends HttpApiMiddleware.Service<
  MemberAccess,
  { provides: CurrentCaller | CurrentTenant }
>()("@paymux/dashboard/MemberAccess") {}

export interface AccessOptions {
  /** Where browsers reach this server. */
  readonly publicUrl: string
  /** Whether live payments may be made on this database. */
  readonly hasLiveMode: boolean
}

export const accessLayer = ({
  hasLiveMode,
  publicUrl
}: AccessOptions): Layer.Layer<PublicAccess | PersonalAccess | MemberAccess, never, Authenticator | CurrentSignIn> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { identify } = yield* Authenticator
      const inNameOf = callsInNameOf(yield* CurrentSignIn)
      const guarded = guardOf(isFromDashboard(publicUrl), makeTurns())
      const limited = makeRequestLimits()
      const reads = yield* ReadShare
      const publicAccess = PublicAccess.of((handled, { endpoint }) => guarded(endpoint, handled))
      const personal = PersonalAccess.of((handled, { endpoint }) =>
        guarded(
          endpoint,
          Effect.matchEffect(admitPerson(identify, permissionOf(endpoint)), {
            onSuccess: (caller) => inNameOf(caller, handled),
            onFailure: refused
          })
        )
      )
      const member = MemberAccess.of((handled, { endpoint }) =>
        guarded(
          endpoint,
          Effect.matchEffect(admitMember(identify, hasLiveMode, permissionOf(endpoint)), {
            onSuccess: ({ caller, tenant }) => {
              const kind = Context.get(endpoint.annotations, EndpointKind)
              const isRead = kind === "database" && endpoint.method === "GET"
              const line = `dashboard ${tenant.account} ${tenant.livemode}`
              const inTurn = isRead ? reads.run(line, handled) : limited(kind, tenant, handled)
              return Effect.provideService(inNameOf(caller, orRefused(inTurn)), CurrentTenant, tenant)
            },
            onFailure: refused
          })
        )
      )
      return Context.make(PublicAccess, publicAccess).pipe(
        Context.add(PersonalAccess, personal),
        Context.add(MemberAccess, member)
      )
    })
  ).pipe(Layer.provide(ReadShare.layer))

const refused = (error: RouteError) => answered(Effect.fail(error))

/** The refusal of a request that may not even wait; every other error goes on. */
const orRefused = <A, E, R>(limited: Effect.Effect<A, E | ApiProblem, R>) =>
  Effect.catch(limited, (error) => (error instanceof ApiProblem ? refused(error) : Effect.fail(error)))

type Identify = Authenticator["Service"]["identify"]

/** An endpoint without a rule admits no caller. */
const permissionOf = ({ annotations }: HttpApiEndpoint.Top): Permission =>
  Context.get(annotations, EndpointPermission) ?? {
    _tag: "Member",
    roles: [],
    recent: true,
    scope: "account"
  }

const admitPerson = Effect.fnUntraced(function* (identify: Identify, permission: Permission) {
  const identity = yield* identified(identify)
  yield* signedInRecently(identity, permission)
  return { ...identity, role: null }
})

const admitMember = Effect.fnUntraced(function* (identify: Identify, hasLiveMode: boolean, permission: Permission) {
  const identity = yield* identified(identify)
  const params = yield* HttpRouter.params
  const tenant = hasNul(params) ? null : tenantOf(params)
  const role = tenant === null ? null : roleIn(identity, tenant)
  if (tenant === null || role === null) return yield* new ApiProblem({ code: "not_found" })
  if (permission._tag !== "Member" || !permission.roles.includes(role)) {
    return yield* new ApiProblem({ code: "forbidden" })
  }
  const { roles, scope } = permission
  if (scope !== "account" && !hasRoleInEveryAccount(identity, tenant.livemode, roles)) {
    return yield* new ApiProblem({ code: "forbidden", detail: "This requires a role in every account." })
  }
  if (scope === "every_mode" && hasLiveMode && !hasRoleInEveryAccount(identity, true, roles)) {
    return yield* new ApiProblem({ code: "forbidden", detail: "This requires a role in live mode, in every account." })
  }
  yield* signedInRecently(identity, permission)
  return { caller: { ...identity, role }, tenant }
})

const identified = Effect.fnUntraced(function* (identify: Identify) {
  const identity = yield* Effect.flatMap(HttpServerRequest.HttpServerRequest, identify).pipe(
    Effect.mapError(({ cause }) => paymentError(new Unavailable({ cause })))
  )
  return identity ?? (yield* new ApiProblem({ code: "sign_in_required" }))
})

const signedInRecently = Effect.fnUntraced(function* ({ authenticatedAt }: Identity, permission: Permission) {
  if (permission._tag === "Public" || !permission.recent) return
  const now = yield* Clock.currentTimeMillis
  if (!isRecent(authenticatedAt, now)) return yield* new ApiProblem({ code: "reauthentication_required" })
})

/** No id has one, and PostgreSQL takes none. */
const hasNul = (params: { readonly [name: string]: string | undefined }): boolean =>
  Object.values(params).some((value) => value?.includes("\0") === true)

const tenantOf = ({ account = "", mode }: { readonly [name: string]: string | undefined }): Tenant | null =>
  isAccountName(account) && (mode === "live" || mode === "test") ? { account, livemode: mode === "live" } : null

/** The audit log names the person for everything that the request changes. */
const callsInNameOf =
  ({ trustedProxies }: SignInSettings) =>
  <A, E, R>(caller: Caller, handled: Effect.Effect<A, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const { id, name, role } = caller
      const actor = { kind: "user", id, name, role, address: addressOf(request, trustedProxies) } as const
      return handled.pipe(Effect.provideService(CurrentActor, actor), Effect.provideService(CurrentCaller, caller))
    })

const guardOf =
  (isOwn: ReturnType<typeof isFromDashboard>, turn: Effect.Effect<void>) =>
  <E, R>(endpoint: HttpApiEndpoint.Top, handled: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(Effect.andThen(turn, HttpServerRequest.HttpServerRequest), ({ headers, method, url }) => {
      if (!isOwn({ method, host: headers["host"], origin: headers["origin"] })) {
        return refused(new ApiProblem({ code: "origin_not_allowed" }))
      }
      return Effect.catch(withoutQuery(endpoint, url, handled), (error) =>
        isFaultOfRequest(error)
          ? refused(problemOf(describeIssues(error.cause.issue).map(asParameter)))
          : Effect.fail(error)
      )
    })

/** What an endpoint does not know is refused, not skipped; those with parameters refuse others by their schema. */
const withoutQuery = <A, E, R>(endpoint: HttpApiEndpoint.Top, url: string, handled: Effect.Effect<A, E, R>) => {
  const names = endpoint.query === undefined && url.includes("?") ? parametersOf(url) : []
  return names.length === 0
    ? handled
    : refused(problemOf(names.map((pointer) => ({ pointer, message: "is not a known parameter" }))))
}

/** The first hundred, without what no parameter is called. */
const parametersOf = (url: string): ReadonlyArray<string> =>
  [...new Set(new URLSearchParams(url.slice(url.indexOf("?"))).keys())].slice(0, 100).map((name) => name.slice(0, 64))

/** A response that does not fit its schema is a fault of ours. */
const isFaultOfRequest = (error: unknown): error is HttpApiError.HttpApiSchemaError =>
  HttpApiError.HttpApiSchemaError.is(error) && (error.kind === "Query" || error.kind === "Params")

const problemOf = (errors: ReadonlyArray<InputIssue>) =>
  new ApiProblem({ code: "invalid_request", detail: "A query parameter is not valid.", errors })

/** A parameter is named as it is written. */
const asParameter = ({ message, pointer }: InputIssue): InputIssue => ({
  pointer: pointer.slice(1),
  message: message === "is not a known field" ? "is not a known parameter" : message
})
