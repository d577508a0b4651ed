/** Reads rules from the text of a file. Imported where there is one: the parser takes long to load. */
import { Effect, Result } from "effect"
import { readRules } from "./RulesDocument.ts"
import { placeOf, read, RulesFileInvalid, whole } from "./RulesFile.ts"
import type { LoadedRules, ParsedRules, RulesPlace } from "./RulesFile.ts"

/**
 * The rules of a file, relative to the working directory as it is now. Whether they fit the providers is for `Routing` to say.
 *
 * @example
 * ```ts
 * const rules = yield* load("routing.yaml")
 * yield* Effect.mapError(routing.use(rules.config), (invalid) => refused(rules, invalid))
 * ```
 */
export const load = Effect.fnUntraced(function* (file: string): Effect.fn.Return<LoadedRules, RulesFileInvalid> {
  const place = yield* placeOf(file)
  const { bytes, digest } = yield* read(place)
  return { ...(yield* Effect.fromResult(parse(place, bytes))), ...place, digest }
})

export const parse = (
  { file }: Pick<RulesPlace, "file">,
  bytes: Uint8Array
): Result.Result<ParsedRules, RulesFileInvalid> => {
  const text = decode(bytes)
  if (text === null) return Result.fail(new RulesFileInvalid({ file, faults: [whole("is not UTF-8")] }))
  return Result.mapBoth(readRules(text, file), {
    onSuccess: (rules) => ({ ...rules, file, text }),
    onFailure: (faults) => new RulesFileInvalid({ file, faults })
  })
}

const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
