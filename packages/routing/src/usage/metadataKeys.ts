/** Compares the metadata keys in rules with those of payments. */
import { valueAt } from "../check/RoutingInvalid.ts"
import type { Path } from "../check/RoutingInvalid.ts"
import { looksLikeName } from "../check/suggestion.ts"
import type { CompiledRouting } from "../CompiledRouting.ts"
import type { Condition } from "../match/Condition.ts"

export interface NamedKey {
  readonly key: string
  /** The path of the key in the configuration: a condition, a `sticky_by`, or an entry of `segments`. */
  readonly path: Path
  /** The index of the rule; `null` for `default`. */
  readonly rule: number | null
}

export interface MetadataKeys {
  readonly count: (metadata: { readonly [key: string]: string }) => void
  /** Returns the keys that rules name and that no counted payment has, in the order of the rules. */
  readonly absent: () => ReadonlyArray<NamedKey>
  /** Returns the keys of payments that look like names, as suggestions for misspelt keys. */
  readonly seen: () => ReadonlyArray<string>
}

/** The maximum number of other keys that are kept as suggestions, since a merchant may use ids as keys. */
const MOST_OTHERS = 1_000

export const metadataKeys = (written: unknown, routing: CompiledRouting): MetadataKeys => {
  const named = namedKeys(written, routing)
  const wanted = new Set(named.map(({ key }) => key))
  const missing = new Set(wanted)
  const others = new Set<string>()
  return {
    count: (metadata) => {
      if (missing.size === 0) return
      for (const key of Object.keys(metadata)) {
        if (wanted.has(key)) missing.delete(key)
        else if (others.size < MOST_OTHERS && looksLikeName(key)) others.add(key)
      }
    },
    absent: () => named.filter(({ key }) => missing.has(key)),
    seen: () => [...[...wanted].filter((key) => !missing.has(key) && looksLikeName(key)), ...others]
  }
}

const METADATA = "metadata."

const namedKeys = (written: unknown, { rules }: CompiledRouting): ReadonlyArray<NamedKey> => [
  ...rules.flatMap(({ condition }, rule) => [
    ...inConditions(condition).map(({ key, path }) => ({ key, path: ["rules", rule, "when", ...path], rule })),
    ...inChoose(written, ["rules", rule, "choose"], rule)
  ]),
  ...inChoose(written, ["default"], null)
]

const inChoose = (written: unknown, choose: Path, rule: number | null): ReadonlyArray<NamedKey> => {
  const segments = valueAt(written, [...choose, "segments"])
  const places = Array.isArray(segments) ? segments.map((_, index) => ["segments", index]) : []
  return [["sticky_by"], ...places].flatMap((place) => {
    const path = [...choose, ...place]
    const fact = valueAt(written, path)
    return typeof fact === "string" && fact.startsWith(METADATA)
      ? [{ key: fact.slice(METADATA.length), path, rule }]
      : []
  })
}

const inConditions = (condition: Condition): ReadonlyArray<Pick<NamedKey, "key" | "path">> => {
  switch (condition._tag) {
    case "Fact": {
      const { fact, path } = condition
      // The part of the path after the fact's name is the operator.
      return fact.startsWith(METADATA)
        ? [{ key: fact.slice(METADATA.length), path: path.slice(0, path.lastIndexOf(fact) + 1) }]
        : []
    }
    case "Time":
      return []
    case "Not":
      // Skips the metadata key of `exists: false`, since such a condition requires payments without the key.
      return condition.of._tag === "Fact" && condition.of.test.op === "exists" ? [] : inConditions(condition.of)
    case "All":
    case "Any":
      return condition.of.flatMap(inConditions)
    default:
      return condition satisfies never
  }
}
