/** Signs as the sender does; for tests that have no Effect. */
import { Effect, Redacted } from "effect"
import { readSecret, sign } from "../src/index.ts"

export const signer = (secret: string) => {
  const key = Effect.runSync(readSecret(Redacted.make(secret)))
  return (id: string, timestampSeconds: number, body: string) => ({ ...sign({ id, timestampSeconds, body, key }) })
}
