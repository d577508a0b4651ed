import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isIP } from "node:net"

export interface Hops {
  /** Of the connection; `null`: unknown. */
  readonly remote: string | null
  /** The header `X-Forwarded-For`. */
  readonly forwardedFor: string | undefined
  /** How many reverse proxies stand before this server. Each appends the address it got the request from. */
  readonly trustedProxies: number
}

/** The IP address of the client. What stands further left in the header may be invented by the client. */
export const clientAddress = ({ forwardedFor = "", remote, trustedProxies }: Hops): string | null => {
  if (trustedProxies === 0) return remote
  const forwarded = forwardedFor.split(",").map((address) => address.trim())
  const address = forwarded.at(-trustedProxies) ?? ""
  return isIP(address) === 0 ? remote : address
}

export const addressOf = (
  { headers, remoteAddress }: HttpServerRequest.HttpServerRequest,
  trustedProxies: number
): string | null =>
  clientAddress({ remote: Option.getOrNull(remoteAddress), forwardedFor: headers["x-forwarded-for"], trustedProxies })
