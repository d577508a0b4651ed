/** The secrets of an installation: the first one encrypts and signs, and each of them decrypts and verifies. */
import type { Redacted } from "effect"

export type ServerSecrets = readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
