/**
 * A notice for operators: requests probably come through a reverse proxy that is not configured as trusted. Then all
 * clients of the proxy have the same IP address for this server, and share the limits of that address.
 *
 * Any client can send the forwarding header, so only connections from internal addresses are reported. On a server
 * without a proxy, an operator who follows the advice would let clients forge their address.
 */
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { internalNetwork } from "./internalNetwork.ts"
import type { InternalNetwork } from "./internalNetwork.ts"
import { Notices } from "../request/Notices.ts"

/** Creates the notice. `trustedProxies`: the number of reverse proxies in front of this server. */
export const proxyNotice = (trustedProxies: number) =>
  trustedProxies > 0
    ? Layer.empty
    : HttpRouter.use((router) =>
        Effect.flatMap(Notices, ({ report }) =>
          router.addGlobalMiddleware((handled) =>
            Effect.flatMap(HttpServerRequest, (request) => {
              const network = senderOf(request)
              return network === null
                ? handled
                : Effect.andThen(
                    report({
                      subject: "proxy",
                      detail: network,
                      sentence: untrustedProxyText(network),
                      interval: 86_400_000
                    }),
                    handled
                  )
            })
          )
        )
      )

/** The network of a probable proxy; `null`: not a proxy. */
const senderOf = ({ headers, remoteAddress }: HttpServerRequest): InternalNetwork | null =>
  headers["x-forwarded-for"] === undefined || Option.isNone(remoteAddress) ? null : internalNetwork(remoteAddress.value)

/** The text of the notice, without a final period. `network`: the network of the proxy. */
export const untrustedProxyText = (network: string): string =>
  `Requests from a ${network} address carry X-Forwarded-For, but trustedProxies is 0. If this server is behind a reverse proxy, set trustedProxies to the number of proxies. Otherwise no action is needed: any client can send the header`
