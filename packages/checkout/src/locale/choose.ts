/** The language of the page: the option, otherwise the browser's first language that the page has. */
import type { Language } from "../options.ts"
import { en } from "./en.ts"
import { hi } from "./hi.ts"
import type { Texts } from "./Texts.ts"

const texts: { readonly [language in Language]: Texts } = { en, hi }

export const textsFor = (language: Language | null, acceptLanguage: string | undefined): Texts =>
  texts[language ?? preferred(acceptLanguage ?? "")]

/** RFC 9110 § 12.5.4. A weight of 0 means "not acceptable". */
const preferred = (header: string): Language => {
  const ranges = header
    .slice(0, 500)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";")
      const weight = parameters.map((each) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(each)?.[1]).find(Boolean)
      return { primary: tag.split("-")[0], weight: Number(weight ?? "1") }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  const first = ranges.find(({ primary }) => primary === "en" || primary === "hi")
  return first?.primary === "hi" ? "hi" : "en"
}
