/** Reports requests of a proxy that is not trusted: all of its clients then share one address, and the limits of that address. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Notices } from "./Notices.ts"
import type { Notice } from "./Notices.ts"

/** `trustedProxies`: how many reverse proxies stand before this server. */
export const proxyNotice = (trustedProxies: number): Layer.Layer<never, never, HttpRouter.HttpRouter | Notices> =>
  trustedProxies > 0
    ? Layer.empty
    : HttpRouter.use((router) =>
        Effect.flatMap(Notices, ({ report }) =>
          router.addGlobalMiddleware((handled) =>
            Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
              headers["x-forwarded-for"] === undefined && headers["forwarded"] === undefined
                ? handled
                : Effect.andThen(report(untrustedProxy), handled)
            )
          )
        )
      )

const untrustedProxy: Notice = {
  subject: "proxy",
  detail: "untrusted",
  sentence:
    "Requests come through a proxy, and trustedProxies is 0: all clients share the proxy's address and its limits. Set trustedProxies to the number of proxies",
  interval: 86_400_000
}
