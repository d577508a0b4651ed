/** Validates facts about the payer's browser. Pure. */

/** An IANA time zone, or an alias such as `Asia/Calcutta`, which browsers still report. An offset is not a time zone. */
export const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && isAccepted(() => timeZone(name))

/** A language tag (BCP 47). */
export const isLanguage = (tag: string): boolean => isAccepted(() => Intl.getCanonicalLocales(tag))

const timeZone = (name: string) => new Intl.DateTimeFormat("en", { timeZone: name })

const isAccepted = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch {
    return false
  }
}
