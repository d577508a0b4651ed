/** Facts about the payer's browser. Card providers use it to recognize the payer, so that fewer payers must authenticate. */

/** Members of `client` in a create request. What the browser does not report is absent. */
export interface BrowserFacts {
  /** `navigator.language`, such as `en-IN`. */
  readonly language?: string
  /** IANA, such as `Asia/Kolkata`. */
  readonly time_zone?: string
  readonly screen?: {
    /** CSS pixels. */
    readonly width: number
    /** CSS pixels. */
    readonly height: number
    /** Bits per pixel. */
    readonly color_depth: number
  }
}

/**
 * Reads them in the payer's browser. Post them to your server with the order, and add there what only the server knows: `ip`,
 * `user_agent`, `accept_header`.
 *
 * @example
 * ```ts
 * import { browserFacts } from "@paymux/client/browser"
 *
 * const order = { cart: "1001", client: browserFacts() }
 * ```
 */
export const browserFacts = (): BrowserFacts => {
  const { navigator, screen }: BrowserGlobals = globalThis
  const language = navigator?.language
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    ...(typeof language === "string" && language !== "" && { language }),
    // Absent in some hardened browsers, in spite of its type.
    ...(typeof zone === "string" && zone !== "" && { time_zone: zone }),
    ...(screen !== undefined &&
      [screen.width, screen.height, screen.colorDepth].every((value) => Number.isSafeInteger(value) && value > 0) && {
        screen: { width: screen.width, height: screen.height, color_depth: screen.colorDepth }
      })
  }
}

/** The part of a browser's globals that is read; this package is compiled without the types of the DOM. */
interface BrowserGlobals {
  readonly navigator?: { readonly language?: string }
  readonly screen?: { readonly width: number; readonly height: number; readonly colorDepth: number }
}
