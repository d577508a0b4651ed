/**
 * Follows a rules file while the server runs. It is read by name every second: editors rename, ConfigMaps swap
 * symbolic links, and mounts send no events. It is used once two reads were equal, so that a half-written file is not.
 *
 * An invalid file changes nothing, and is reported once. No fault ends the watching.
 */
import { Effect, Result } from "effect"
import { stat } from "node:fs/promises"
import type { RulesWorkFailed } from "@paymux/dashboard"
import type { RulesRefused } from "./reloading.ts"
import { read } from "./RulesFile.ts"
import type { RulesBytes, RulesPlace } from "./RulesFile.ts"

/** @internal Exported for the test of `make`. */
export interface RulesWatch {
  /** Looks once. Never fails. */
  readonly look: Effect.Effect<void>
}

export interface RulesWatchOptions extends RulesPlace {
  /** Of what is in force. */
  readonly digest: string
  /** Puts the content in force, or fails and changes nothing. It is done before the next look: none overtakes another. */
  readonly use: (content: RulesBytes) => Effect.Effect<void, RulesRefused | RulesWorkFailed>
  /** Reports what is wrong: once for each content, or for each reason why it cannot be read. */
  readonly report: (problem: string) => Effect.Effect<void>
}

/** Looks every second until it is interrupted, also where what is wrong cannot even be reported. */
export const follow = (options: RulesWatchOptions): Effect.Effect<never> => {
  const { look } = make(options)
  const safely = Effect.catchDefect(look, () => Effect.void)
  return Effect.forever(Effect.andThen(Effect.sleep("1 second"), safely))
}

/** @internal Exported for its own test. */
export const make = ({ digest, file, path, report, use }: RulesWatchOptions): RulesWatch => {
  /** What the last look saw, and what was read last. */
  const state: Seen = { traits: null, read: null, known: digest }

  const look = Effect.gen(function* () {
    const traits = yield* traitsOf(path)
    const settled = traits === state.traits
    state.traits = traits
    if (settled && traits !== state.read) yield* readAgain(traits)
  }).pipe(Effect.catchDefect((defect) => tell(`${file}: ${String(defect)}`)))

  const readAgain = Effect.fnUntraced(function* (traits: string) {
    const found = yield* Effect.result(read({ file, path }))
    // What cannot be read looks the same when it can be read again: it is tried at every look.
    if (Result.isFailure(found)) return yield* tell(found.failure.message)
    if ((yield* traitsOf(path)) !== traits) return
    state.read = traits
    const { digest } = found.success
    if (digest === state.known) return
    state.known = digest
    const used = yield* Effect.result(use(found.success))
    if (Result.isSuccess(used)) return
    // Not known to be invalid: saved again without a change, it is tried again.
    if (used.failure._tag === "RulesWorkFailed") state.known = used.failure.message
    yield* report(used.failure.message)
  })

  /** What is known is then that there is nothing: the same content that comes back is good news. */
  const tell = (problem: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (state.known === problem) return Effect.void
      state.known = problem
      return report(problem)
    })

  return { look }
}

interface Seen {
  traits: string | null
  read: string | null
  /** The digest of what was taken or refused, or why it could not be read. */
  known: string
}

/** Of what the name leads to. A change that leaves all of these as they are is not seen. */
const traitsOf = (path: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    try {
      const { ctimeNs, dev, ino, mtimeNs, size } = await stat(path, { bigint: true })
      return [dev, ino, size, mtimeNs, ctimeNs].join(" ")
    } catch (error) {
      return String(error)
    }
  })
