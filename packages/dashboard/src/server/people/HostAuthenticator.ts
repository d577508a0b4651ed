/**
 * Who sends a request, as the host program says, which has users of its own. What it returns is checked: a mistake there must
 * not open anything.
 */
import { StoreUnavailable } from "@paymux/core/store"
import { isAccountName } from "@paymux/http"
import { Clock, Data, Effect, Layer, Predicate } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Authenticator } from "../access/Identity.ts"
import type { Identity } from "../access/Identity.ts"
import { clockTolerance } from "../access/Permission.ts"
import { roles } from "../audit/Actor.ts"
import type { Role } from "../audit/Actor.ts"

/** A user of the host program. */
export interface HostUser {
  /** 1 to 200 characters; stands in the audit log. */
  readonly id: string
  /** For people: 1 to 200 characters. */
  readonly name: string
  readonly role: Role
  /** Names of accounts, or `"*"` for every one. */
  readonly accounts: ReadonlyArray<string> | "*"
  readonly modes: ReadonlyArray<"test" | "live">
  /** When they last proved who they are: a `Date`, or ms UTC. Sensitive actions require that it is recent. */
  readonly authenticatedAt: number | Date
}

/** `null`: the request has no session. It gets headers and address of the request, without a body. */
export type HostAuthenticate = (request: Request) => HostUser | null | Promise<HostUser | null>

/** What `authenticate` returned is not a user. Names the field, never its value. */
class HostUserInvalid extends Data.TaggedError("HostUserInvalid")<{ readonly problem: string }> {
  override get message(): string {
    return `dashboard.authenticate returned something that is not a user, and the request was refused: ${this.problem}.`
  }
}

/** `publicUrl`: the address of the request begins with its origin. */
export const hostAuthenticator = (authenticate: HostAuthenticate, publicUrl: string): Layer.Layer<Authenticator> =>
  Layer.succeed(
    Authenticator,
    Authenticator.of({
      identify: (request) =>
        Effect.tryPromise({
          try: async () => authenticate(webRequest(request, publicUrl)),
          catch: (cause) => new StoreUnavailable({ cause })
        }).pipe(
          Effect.timeoutOrElse({
            duration: "10 seconds",
            orElse: () =>
              Effect.fail(new StoreUnavailable({ cause: new Error("dashboard.authenticate took 10 seconds") }))
          }),
          Effect.tapError(({ cause }) =>
            Effect.logError("dashboard.authenticate failed, and the request was refused", cause)
          ),
          Effect.flatMap((returned) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              const identity = readHostUser(returned, now)
              return identity instanceof HostUserInvalid
                ? Effect.as(Effect.logError(identity.message), null)
                : Effect.succeed(identity)
            })
          )
        )
    })
  )

const webRequest = ({ headers, method, url }: HttpServerRequest.HttpServerRequest, publicUrl: string): Request =>
  new Request(new URL(url, publicUrl), { method: method === "HEAD" ? "HEAD" : "GET", headers: { ...headers } })

/** `null`: the request has no session. */
const readHostUser = (returned: unknown, now: number): Identity | null | HostUserInvalid => {
  if (returned === null) return null
  if (!Predicate.isObject(returned)) return new HostUserInvalid({ problem: "it must be an object, or null" })
  const { accounts, authenticatedAt, id, modes, name, role }: { readonly [field: string]: unknown } = returned
  const at = authenticatedAt instanceof Date ? authenticatedAt.getTime() : authenticatedAt
  const knownRole = roles.find((each) => each === role)
  if (!isText(id)) return new HostUserInvalid({ problem: "id must be text of 1 to 200 characters" })
  if (!isText(name)) return new HostUserInvalid({ problem: "name must be text of 1 to 200 characters" })
  if (knownRole === undefined) return new HostUserInvalid({ problem: `role must be one of ${roles.join(", ")}` })
  if (!isListOf(modes, isMode)) return new HostUserInvalid({ problem: 'modes must be a list of "test" and "live"' })
  if (accounts !== "*" && !isListOf(accounts, isAccount)) {
    return new HostUserInvalid({ problem: 'accounts must be a list of names of accounts, or "*"' })
  }
  // The clocks of two servers may differ by a little. A time far ahead would look recent for as long.
  if (typeof at !== "number" || !Number.isSafeInteger(at) || at < 0 || at > now + clockTolerance) {
    return new HostUserInvalid({ problem: "authenticatedAt must be a Date or ms UTC, and not in the future" })
  }
  const memberships = (accounts === "*" ? [null] : accounts).map((account) => ({ account, modes, role: knownRole }))
  return { id, name, memberships, authenticatedAt: Math.min(at, now) }
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,200}$/u.test(value)

const isMode = (value: unknown): value is "test" | "live" => value === "test" || value === "live"

const isAccount = (value: unknown): value is string => typeof value === "string" && isAccountName(value)

const isListOf = <A>(value: unknown, is: (each: unknown) => each is A): value is ReadonlyArray<A> =>
  Array.isArray(value) && value.length <= 1000 && value.every(is)
