/**
 * Whether a request comes from a page of this dashboard. `Origin` protects writes from other sites; `Host` protects from
 * DNS rebinding, where another site's name resolves to this server and the browser takes both for the same.
 */

export interface RequestSource {
  readonly method: string
  /** The headers; `undefined`: not sent. */
  readonly host: string | undefined
  readonly origin: string | undefined
}

/** `publicUrl`: where browsers reach this server. On a loopback address each name of this machine is accepted. */
export const isFromDashboard =
  (publicUrl: string) =>
  ({ host, method, origin }: RequestSource): boolean => {
    const own = new URL(publicUrl)
    if (!isOwnHost(own, host)) return false
    if (isSafe(method)) return true
    return origin === own.origin || (isLoopback(own.hostname) && origin === `${own.protocol}//${host}`)
  }

const isSafe = (method: string): boolean => method === "GET" || method === "HEAD"

/** Behind a proxy `Host` may be an internal name: only on loopback, without a proxy, it is compared. */
const isOwnHost = (own: URL, host: string | undefined): boolean => {
  if (!isLoopback(own.hostname)) return host !== undefined
  const address = `http://${host ?? ""}`
  return host !== undefined && URL.canParse(address) && isLoopback(new URL(address).hostname)
}

/** A name or an address that only this machine reaches itself by. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
