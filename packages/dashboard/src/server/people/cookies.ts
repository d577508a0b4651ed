/** Cookies of the dashboard. They are named after the installation, since all ports of a host share them. */
import { Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import { isLoopback } from "../access/RequestOrigin.ts"

export interface Cookies {
  /** The name of the session's cookie. */
  readonly session: string
  /** The name of the cookie of a sign-in that is under way with the identity provider. */
  readonly oidc: string
  /** The name of the cookie of a device that is known to a user. */
  readonly device: string
  /** Whether the dashboard is served over https. */
  readonly secure: boolean
}

/** Names an installation in its cookies: derived from its first secret, and never changed, so that no session ends with a rotation. */
export const cookieInstance = (secret: Redacted.Redacted): string =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "paymux dashboard instance", 6)).toString("hex")

/** `publicUrl` must have passed `dashboardUrlProblem`; `instance`: see `cookieInstance`. */
export const cookiesOf = (publicUrl: string, instance: string): Cookies => {
  const secure = new URL(publicUrl).protocol === "https:"
  // With this prefix a browser takes the cookie over https alone, from this host alone.
  const prefix = secure ? "__Host-" : ""
  return {
    session: `${prefix}paymux_${instance}`,
    oidc: `${prefix}paymux_oidc_${instance}`,
    device: `${prefix}paymux_device_${instance}`,
    secure
  }
}

/** `null`: the dashboard can be served there. */
export const dashboardUrlProblem = (publicUrl: string): string | null => {
  const { hostname, protocol } = new URL(publicUrl)
  return protocol === "https:" || isLoopback(hostname)
    ? null
    : `The dashboard needs https, because passwords and sessions must not be readable on the way: publicUrl is ${protocol}//${hostname}. Set publicUrl to an https address, or dashboard: false.`
}

/** The value of a `Set-Cookie` header. */
export const sessionCookie = ({ secure, session }: Cookies, id: string): string =>
  setCookie(session, id, "Strict", secure, null)

/** As a browser comes back from the identity provider, which is another site: Strict would not be sent then. */
export const oidcCookie = ({ oidc, secure }: Cookies, sealed: string): string =>
  setCookie(oidc, sealed, "Lax", secure, 600)

export const endedSessionCookie = ({ secure, session }: Cookies): string => setCookie(session, "", "Strict", secure, 0)

export const endedOidcCookie = ({ oidc, secure }: Cookies): string => setCookie(oidc, "", "Lax", secure, 0)

const setCookie = (name: string, value: string, sameSite: "Strict" | "Lax", secure: boolean, maxAge: number | null) =>
  [
    `${name}=${value}`,
    "Path=/",
    "HttpOnly",
    `SameSite=${sameSite}`,
    ...(secure ? ["Secure"] : []),
    ...(maxAge === null ? [] : [`Max-Age=${maxAge}`])
  ].join("; ")

/**
 * The value of a cookie in a `Cookie` header. `null`: it is missing, or there twice. Then another page of the same host set
 * one of them, and which is ours cannot be known.
 */
export const readCookie = (header: string | undefined, name: string): string | null => {
  if (header === undefined || header.length > 16_384) return null
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? (values[0] ?? null) : null
}

/**
 * A link for a person. The token is behind the `#`, which browsers do not send: it stands in no log of a server or proxy,
 * and no preview of a link uses it up.
 */
export const personLink = (publicUrl: string, page: "join" | "reset" | "open", token: string): string =>
  `${publicUrl}/dashboard/${page}#${token}`
