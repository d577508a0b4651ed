/** The estimates for kinds of payments that were asked for lately: read as they are, and made anew away from payments. */
import type { Learned } from "../CompiledRouting.ts"
import type { Kind } from "./Kind.ts"

/** Kinds beyond it are estimated whenever they are asked for. */
const MOST_ASKED = 10_000

interface Asked<A> {
  readonly kind: Kind
  isAsked: boolean
  found: A
}

export const askedKinds = <A>(find: (learned: Learned, kind: Kind) => A) => {
  const asked = new Map<Learned, Map<string, Asked<A>>>()
  let size = 0
  return {
    /** `key`: equal for equal kinds. */
    of: (learned: Learned, key: string, kindOf: () => Kind): A => {
      const byKind = asked.get(learned) ?? new Map<string, Asked<A>>()
      const known = byKind.get(key)
      if (known !== undefined) {
        known.isAsked = true
        return known.found
      }
      const kind = kindOf()
      const made = { kind, isAsked: true, found: find(learned, kind) }
      if (size < MOST_ASKED) {
        asked.set(learned, byKind.set(key, made))
        size++
      }
      return made.found
    },
    /** Those that were asked for since the last time, one in each step. All others are forgotten. */
    renew: function* (): Iterable<void> {
      for (const [learned, byKind] of asked) {
        for (const [key, one] of byKind) {
          if (!one.isAsked && byKind.delete(key)) size--
          else one.found = find(learned, one.kind)
          one.isAsked = false
          yield
        }
        if (byKind.size === 0) asked.delete(learned)
      }
    },
    forget: (): void => {
      asked.clear()
      size = 0
    }
  }
}
