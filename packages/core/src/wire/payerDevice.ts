/** Validates facts about the payer's browser. */

/**
 * An IANA time zone, or an alias such as `Asia/Calcutta`, which browsers still report. An offset is not a time zone.
 */
export const isTimeZone = (name: string): boolean => {
  if (knownZones.has(name)) return true
  if (!/^[A-Za-z]/.test(name) || !isAccepted(() => timeZone(name))) return false
  if (knownZones.size < mostZones) knownZones.add(name)
  return true
}

/** A cache of accepted time zones: a look-up by `Intl` takes ten times as long as the rest of a request's checks. */
const knownZones = new Set<string>()
/** The maximum size of the cache. There are about 600 names, but each may be written in any capitals. */
const mostZones = 1000

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
