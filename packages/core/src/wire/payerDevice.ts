/** Validates facts about the payer's browser. */

/**
 * An IANA time zone, or an alias such as `Asia/Calcutta`, which browsers still report. An offset is not a time zone.
 */
export const isTimeZone = (name: string): boolean => {
  // Only ASCII: the lower case of some other letters is an ASCII letter.
  if (!/^[A-Za-z][ -~]*$/.test(name)) return false
  const zone = name.toLowerCase()
  if (!knownZones.has(zone) && !isAccepted(() => timeZone(name))) return false
  knownZones.add(zone)
  return true
}

/**
 * A cache of accepted time zones, about 600 at most: a look-up by `Intl` takes ten times as long as all other checks of a
 * request.
 */
const knownZones = new Set<string>()

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
