/**
 * Removes members that are `undefined`, which an embedded call may contain, unlike JSON. Only in plain objects; a value
 * without such members is returned unchanged.
 */
export const definedOnly = <A>(input: A): A => {
  const found = without(input, deepest)
  // Boundary: only `undefined` members are removed, which the types of optional members allow.
  return found as A
}

/** The depth limit of the search, since an object may contain itself. No valid request is as deep. */
const deepest = 8

const without = (input: unknown, levels: number): unknown => {
  if (levels === 0 || !isPlain(input)) return input
  const entries = Object.entries(input)
  const kept = entries.flatMap(([key, value]) =>
    value === undefined ? [] : [[key, without(value, levels - 1)] as const]
  )
  const isSame = kept.length === entries.length && kept.every(([, value], index) => value === entries[index]?.[1])
  return isSame ? input : Object.fromEntries(kept)
}

const isPlain = (input: unknown): input is object => {
  if (typeof input !== "object" || input === null) return false
  const prototype: unknown = Object.getPrototypeOf(input)
  return prototype === Object.prototype || prototype === null
}
