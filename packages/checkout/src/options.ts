/** The options of the page, and what is wrong with them. */
import { Predicate } from "effect"

export type Language = "en" | "hi"

export interface CheckoutOptions {
  /** The shop's name, shown at the top and in the title. At most 80 characters. Default: none. */
  readonly name?: string
  /** The shop's logo as a `data:image/…` URL of at most 50 kB, so that the page loads nothing from elsewhere. */
  readonly logo?: string
  /** The color of buttons: `#` and six hexadecimal digits. Text on it is black or white, by contrast. */
  readonly color?: string
  /** Default: the first of the browser's languages that the page has, otherwise English. */
  readonly language?: Language
  /** Where a payment ended while its page was open: `return` (default) goes on to `return_url`, `stay` shows a link. */
  readonly afterPayment?: "return" | "stay"
  /** Origins that may show the page in a frame, such as `https://shop.example.com`. Default: none. */
  readonly frameAncestors?: ReadonlyArray<string>
}

const languages: ReadonlyArray<Language> = ["en", "hi"]

export interface Branding {
  readonly name: string | null
  readonly logo: string | null
  readonly color: string
  readonly language: Language | null
  readonly afterPayment: "return" | "stay"
  readonly frameAncestors: ReadonlyArray<string>
}

export const brandingOf = (options: CheckoutOptions): Branding => ({
  name: options.name ?? null,
  logo: options.logo ?? null,
  color: options.color ?? "#1f5eff",
  language: options.language ?? null,
  afterPayment: options.afterPayment ?? "return",
  frameAncestors: options.frameAncestors ?? []
})

const known: ReadonlySet<string> = new Set<keyof CheckoutOptions>([
  "name",
  "logo",
  "color",
  "language",
  "afterPayment",
  "frameAncestors"
])

/** One sentence for each problem; empty: the options are valid. */
export const checkoutProblems = (options: unknown): ReadonlyArray<string> => {
  if (!Predicate.isObject(options) || Array.isArray(options))
    return ["checkout must be an object of options, or false."]
  const given: { readonly [name: string]: unknown } = { ...options }
  const { afterPayment, color, frameAncestors, language, logo, name } = given
  const wrong = (value: unknown, is: (value: unknown) => boolean, problem: string) =>
    value === undefined || is(value) ? [] : [problem]
  return [
    ...Object.keys(given)
      .filter((key) => !known.has(key))
      .map((key) => `Unknown option "checkout.${key}".`),
    ...wrong(name, isName, "checkout.name must be text of 1 to 80 characters."),
    ...wrong(logo, isLogo, "checkout.logo must be a data:image/… URL (PNG, JPEG, WebP or SVG) of at most 50 kB."),
    ...wrong(color, isColor, 'checkout.color must be a color such as "#1f5eff".'),
    ...wrong(language, (value) => languages.some((each) => each === value), "checkout.language must be en or hi."),
    ...wrong(
      afterPayment,
      (value) => value === "return" || value === "stay",
      "checkout.afterPayment must be return or stay."
    ),
    ...wrong(
      frameAncestors,
      (value) => Array.isArray(value) && value.every(isOrigin),
      'checkout.frameAncestors must be a list of origins such as "https://shop.example.com".'
    )
  ]
}

const isName = (value: unknown): boolean => typeof value === "string" && value.trim() !== "" && value.length <= 80

const isLogo = (value: unknown): boolean =>
  typeof value === "string" &&
  value.length <= 50_000 &&
  /^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+=*$/.test(value)

const isColor = (value: unknown): boolean => typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)

/** Written as it stands into a header: scheme, host and port, nothing else. */
const isOrigin = (value: unknown): boolean =>
  typeof value === "string" &&
  /^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?$/.test(value) &&
  URL.canParse(value) &&
  new URL(value).origin === value
