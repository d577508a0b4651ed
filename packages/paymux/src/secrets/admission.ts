/** Which secrets a server may use a database with, beside all others that do. Secrets are named by their digests. */
import { Data } from "effect"

/**
 * `reads`: no server has used it as its first one, so nothing is encrypted by it. `writes`: one has. `replaced`: a rotation has begun, so
 * it encrypts nothing from then on. `retired`: the rotation has ended, and nothing is encrypted by it any longer.
 */
export type SecretState = "reads" | "writes" | "replaced" | "retired"

/** A server that runs on the database. */
export interface RunningServer {
  readonly host: string
  readonly pid: number
  /** The first one encrypts. */
  readonly secrets: ReadonlyArray<string>
}

/**
 * Says why, and how to go on. A start and a rotation that is refused at its beginning have written nothing.
 *
 * @public The declarations of other files name it.
 */
export class SecretsRefused extends Data.TaggedError("SecretsRefused")<{ readonly sentence: string }> {
  override get message(): string {
    return this.sentence
  }
}

/** `running`: the other servers. `null`: the secrets may be used. */
export const refusalOf = (
  given: readonly [string, ...ReadonlyArray<string>],
  known: ReadonlyMap<string, SecretState>,
  running: ReadonlyArray<RunningServer>
): SecretsRefused | null => {
  const [first] = given
  const state = known.get(first)
  if (state === "replaced" || state === "retired") return refused(isReplaced)
  if (lacksSecret(given, known)) return refused(lacksOne)
  if (state === "writes") return null
  const unaware = running.find(({ secrets }) => !secrets.includes(first))
  return unaware === undefined
    ? null
    : refused(
        `${nameOf(unaware)} does not have the first of these secrets and could not read what it encrypts: give it to all servers behind the former secret before one has it first. ${endedText}`
      )
}

/** The database may have texts that none of the secrets decrypts. */
export const lacksSecret = (given: ReadonlyArray<string>, known: ReadonlyMap<string, SecretState>): boolean =>
  [...known].some(([digest, state]) => isInUse(state) && !given.includes(digest))

/** Before a rotation to `first`. */
export const rotationRefusal = (first: string, running: ReadonlyArray<RunningServer>): SecretsRefused | null => {
  const other = running.find(({ secrets }) => secrets[0] !== first)
  return other === undefined
    ? null
    : refused(
        `${nameOf(other)} still encrypts with another secret: restart all servers with the new secret first in their list, and rotate then. ${endedText}`
      )
}

export const refused = (sentence: string): SecretsRefused => new SecretsRefused({ sentence })

/** Something in the database may be encrypted by it. */
const isInUse = (state: SecretState): boolean => state === "writes" || state === "replaced"

const nameOf = ({ host, pid }: RunningServer): string => `The server on ${host} (process ${pid})`

const endedText = "A server that ended without a shutdown counts for 30 seconds."

const isReplaced =
  "The first of these secrets was replaced by `paymux secret rotate` and encrypts nothing any longer: put the secret that replaced it first."

const lacksOne =
  "This database also has data that is encrypted by another secret: give that one as well (PAYMUX_SECRET, or the option secret), in the same order as all servers, until `paymux secret rotate` has re-encrypted the data."
