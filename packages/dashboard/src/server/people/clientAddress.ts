import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isIP } from "node:net"

/** @internal Exported for the test of `clientAddress`. */
export interface Hops {
  /** Of the connection; `null`: unknown. */
  readonly remote: string | null
  /** The header `X-Forwarded-For`. */
  readonly forwardedFor: string | undefined
  /** How many reverse proxies stand before this server. Each appends the address it got the request from. */
  readonly trustedProxies: number
}

/**
 * The IP address of the client. What stands further left in the header may be invented by the client.
 *
 * @internal Exported for its own test.
 */
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

/** What a limit counts as one client: an IPv4 address, or an IPv6 network of 64 bits, all of which one subscriber has. */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address
  // The URL parser writes an address in its one canonical form.
  const canonical = new URL(`http://[${address.replace(/%.*/, "")}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? []
  if (high !== undefined && low !== undefined) return ipv4Of(Number.parseInt(high, 16), Number.parseInt(low, 16))
  const [head = "", tail] = canonical.split("::")
  const groups = head === "" ? [] : head.split(":")
  const rest = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => "0")
  return `${[...groups, ...zeros, ...rest].slice(0, 4).join(":")}::/64`
}

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join(".")
