import { hasHidden, isAppLink, schemeOf } from "../domain/links.ts"

/**
 * Whether a URL is allowed as a return URL: `https` with a public host, or `http://localhost` (test mode only).
 *
 * Private and link-local addresses are rejected in every notation (`127.1`, `0x7f000001`), since the URL parser
 * normalizes them before the check.
 */
export const isReturnUrl = (text: string): boolean => {
  // The slashes are required: the parser reads `https:shop.example` as a URL with a host, but a browser treats it as a
  // path when it is redirected there.
  if (!isWritten(text) || !/^https?:\/\/[^/]/i.test(text)) return false
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  if (url.protocol === "http:") return isLocalhost(url)
  return url.protocol === "https:" && isPublicHost(url.hostname)
}

/**
 * The scheme of an app's link such as `myapp://done`; `null`: not an app's link. An option lists the allowed schemes.
 */
export const appSchemeOf = (text: string): string | null => {
  const scheme = schemeOf(text)
  if (scheme === "http" || scheme === "https") return null
  return isWritten(text) && isAppLink(text) && URL.canParse(text) ? scheme : null
}

/** A check that excludes characters which a browser drops, changes or hides. */
const isWritten = (text: string): boolean =>
  text.length <= 2000 && !/[\u0020\\]/.test(text) && text.isWellFormed() && !hasHidden(text)

/** Whether a URL is `http://localhost` or similar, which is allowed in test mode only. */
export const isLocalReturnUrl = (text: string): boolean => URL.parse(text)?.protocol === "http:"

const isLocalhost = (url: URL): boolean => url.hostname === "localhost" || url.hostname === "127.0.0.1"

const isPublicHost = (host: string): boolean => {
  if (host.startsWith("[")) return false
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return !isPrivateV4(host)
  const name = host.replace(/\.$/, "")
  return name.includes(".") && !name.includes("..") && !/\.(?:localhost|local|internal|home\.arpa)$/.test(`.${name}`)
}

/**
 * Whether an IPv4 address is not public by RFC 6890: this host, private, carrier-grade NAT, loopback, link-local, test
 * nets, multicast or reserved.
 */
const isPrivateV4 = (host: string): boolean => {
  const [a = 0, b = 0, c = 0] = host.split(".").map(Number)
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)))) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113)
  )
}
