import { Effect } from "effect"
import { secretProblems, secretsOf } from "../options/secretOption.ts"
import { configuration } from "./configuration.ts"
import { secretFromEnvironment } from "./secretFromEnvironment.ts"
import { userError } from "./userError.ts"

/**
 * PAYMUX_SECRET, else the secret of the configuration. A database belongs to the first secret it is used with: one that no server
 * starts with is refused. `null`: none is given.
 */
export const givenSecrets = Effect.gen(function* () {
  const secret = (yield* secretFromEnvironment) ?? (yield* configuration(null)).secret
  const [problem] = secretProblems(secret)
  return problem === undefined ? secretsOf(secret) : yield* userError(new Error(problem))
})
