/** What is accepted of the payer's browser. Pure. */

/** IANA, also an alias such as `Asia/Calcutta`, which browsers still report. An offset is not a time zone. */
export const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && isAccepted(() => timeZone(name))

/** BCP 47. */
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
