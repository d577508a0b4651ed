/** Who sends a request, by the cookie of a session of ours. */
import { Effect, Layer } from "effect"
import { Authenticator } from "../access/Identity.ts"
import { readCookie } from "./cookies.ts"
import type { Cookies } from "./cookies.ts"
import { Sessions } from "./Sessions.ts"

export const sessionAuthenticator = (cookies: Cookies): Layer.Layer<Authenticator, never, Sessions> =>
  Layer.effect(
    Authenticator,
    Effect.map(Sessions, ({ find }) =>
      Authenticator.of({
        identify: ({ headers }) => {
          const id = readCookie(headers["cookie"], cookies.session)
          return id === null ? Effect.succeed(null) : Effect.map(find(id), (session) => session?.identity ?? null)
        }
      })
    )
  )
