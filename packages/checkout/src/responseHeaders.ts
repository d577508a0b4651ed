/** The headers of the page's answers. */
import type { Branding } from "./options.ts"

const guarded = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
} as const

/** `image`: the address of a provider's QR code, or `null`. Its origin alone may be loaded besides this server. */
export const pageHeaders = ({ frameAncestors }: Branding, image: string | null) => ({
  ...guarded,
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src data:${image !== null && image.startsWith("https:") ? ` ${new URL(image).origin}` : ""}`,
    "connect-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ")}`,
    "base-uri 'none'"
  ].join("; ")
})

/** Any page may read it: it holds what the link's owner may know, and no cookie or key is involved. */
export const corsHeaders = { ...guarded, "access-control-allow-origin": "*" } as const

/** An image of a page of another origin, which runs nothing if it is opened alone. */
export const imageHeaders = {
  ...corsHeaders,
  "content-security-policy": "default-src 'none'",
  "cross-origin-resource-policy": "cross-origin"
} as const

export const cachedForGood = { ...guarded, "cache-control": "public, max-age=31536000, immutable" } as const
