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
    ...(isAccepted(language, Intl.getCanonicalLocales) && { language }),
    // Absent in some hardened browsers, in spite of its type.
    ...(isAccepted(zone, (timeZone) => new Intl.DateTimeFormat("en", { timeZone })) && { time_zone: zone }),
    ...(screen !== undefined &&
      [screen.width, screen.height, screen.colorDepth].every((value) => Number.isSafeInteger(value) && value > 0) && {
        screen: { width: screen.width, height: screen.height, color_depth: screen.colorDepth }
      })
  }
}

/**
 * Whether the browser itself can read the text. Some report what is not valid, such as `en-US@posix` and `Etc/Unknown`: the
 * request would be refused for it.
 */
const isAccepted = (text: string | undefined, read: (text: string) => unknown): text is string => {
  if (typeof text !== "string" || text === "") return false
  try {
    read(text)
    return true
  } catch {
    return false
  }
}

/** The part of a browser's globals that is read; this package is compiled without the types of the DOM. */
interface BrowserGlobals {
  readonly navigator?: { readonly language?: string }
  readonly screen?: { readonly width: number; readonly height: number; readonly colorDepth: number }
}
