import { Effect } from "effect"
import { canonicalJson, sha256 } from "../domain/sha256.ts"

/**
 * Computes the name of a ruleset: equal rules have equal names, regardless of the order of their keys. `config` is a
 * JSON value.
 */
export const rulesetHash = (config: unknown): Effect.Effect<string> =>
  Effect.map(sha256(canonicalJson(config)), (digest) => `sha256:${digest}`)
