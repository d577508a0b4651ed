/** The language of the page, and the locale of its amounts, by the option and the browser's `Accept-Language`. */
import type { Language } from "../options.ts"
import { en } from "./en.ts"
import { hi } from "./hi.ts"
import type { Texts } from "./Texts.ts"

export interface PageTexts extends Texts {
  /** BCP 47. The payer's own, which may be of a language that the page does not have. */
  readonly amountLocale: string
}

const texts: { readonly [language in Language]: Texts } = { en, hi }

/** The page is in the language of the option, otherwise in the browser's first language that the page has. */
export const textsFor = (language: Language | null, acceptLanguage: string | undefined): PageTexts => {
  const accepted = acceptedLanguages(acceptLanguage ?? "")
  const spoken = accepted.map((tag) => tag.split("-")[0]).find((primary) => primary === "en" || primary === "hi")
  const chosen = language ?? (spoken === "hi" ? "hi" : "en")
  return { ...texts[chosen], amountLocale: localeOf([...accepted, chosen]) }
}

/** RFC 9110 § 12.5.4, most wanted first. A weight of 0 means "not acceptable". */
const acceptedLanguages = (header: string): ReadonlyArray<string> =>
  header
    .slice(0, 500)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";")
      const weight = parameters.map((each) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(each)?.[1]).find(Boolean)
      return { tag, weight: Number(weight ?? "1") }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)

/** The first that `Intl` has. Only language, script and region count: an extension could ask for other digits. */
const localeOf = (tags: ReadonlyArray<string>): string => {
  const plain = tags.flatMap((tag) => /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?![^-])/.exec(tag)?.[0] ?? [])
  const locale = new Intl.NumberFormat([...plain, "en"]).resolvedOptions().locale
  // English of an unknown region: international, where a dollar is `US$`, not that of the United States.
  return locale === "en" ? "en-001" : locale
}
