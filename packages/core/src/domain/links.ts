/** Validates text and links from providers and merchants before they are shown to a payer. Pure. */

/** Matches bidirectional characters and control characters. */
const hidden = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

export const hasHidden = (text: string): boolean => hidden.test(text)

/**
 * The forbidden URL schemes. Such a URL runs a script, or shows content that does not come from the URL shown to the
 * payer.
 */
const forbiddenSchemes: ReadonlySet<string> = new Set([
  "about",
  "blob",
  "data",
  "file",
  "filesystem",
  "javascript",
  "vbscript",
  "view-source"
])

export const isForbiddenScheme = (scheme: string): boolean => forbiddenSchemes.has(scheme.toLowerCase())

/** Extracts the scheme of a link in lower case; `null` if it has none. */
export const schemeOf = (link: string): string | null =>
  /^([a-z][a-z0-9+.-]*):./i.exec(link)?.[1]?.toLowerCase() ?? null

/**
 * Whether the link opens an app or a wallet, such as `upi:` or `ethereum:`. Some providers write spaces in such links.
 */
export const isAppLink = (link: string): boolean => {
  const scheme = schemeOf(link)
  return (
    scheme !== null && !isForbiddenScheme(scheme) && !startsForbidden(link) && link.isWellFormed() && !hasHidden(link)
  )
}

/**
 * Whether an `intent:` link leads to a forbidden URL. Android opens the link with the scheme in its `scheme` parameter,
 * or opens its fallback URL in the browser.
 */
const startsForbidden = (link: string): boolean => {
  if (schemeOf(link) !== "intent") return false
  const parts = link.slice(link.indexOf("#") + 1).split(";")
  return parts.some((part) => {
    const [, name, value = ""] = /^(scheme|S\.browser_fallback_url)=(.*)$/.exec(part) ?? []
    return name === "scheme" ? isForbiddenScheme(value) : name !== undefined && !/^https?(?::|%3a)/i.test(value)
  })
}

/**
 * Whether the link is an absolute `http` or `https` URL without credentials, whose host can be written in an HTTP
 * header without quotes.
 */
export const isWebAddress = (link: string): boolean => {
  // Excludes spaces and backslashes, since browsers drop or change them.
  if (!link.isWellFormed() || hasHidden(link) || /[\s\\]/u.test(link)) return false
  if (!/^https?:\/\/[^/]/i.test(link) || !URL.canParse(link)) return false
  const { host, password, username } = new URL(link)
  return username === "" && password === "" && /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/.test(host)
}
