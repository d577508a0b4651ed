/** Encrypts endpoint secrets in the database, each for its own endpoint. */
import { Effect, Redacted, Schema } from "effect"
import { sealedText } from "../SealedText.ts"

/** The stored secret does not decrypt: the server's secret has changed, or the row was modified. */
export class EndpointSecretUnreadable extends Schema.TaggedError<EndpointSecretUnreadable>()(
  "EndpointSecretUnreadable",
  { endpointId: Schema.String }
) {
  override get message() {
    return (
      `The secret of webhook endpoint ${this.endpointId} cannot be decrypted: the server's secret is not the one it was ` +
      "stored under. Start with that one, or remove the endpoint and add it again"
    )
  }
}

export interface SecretBox {
  readonly seal: (endpointId: string, secret: Redacted.Redacted<string>) => Effect.Effect<string>
  readonly open: (
    endpointId: string,
    sealed: string
  ) => Effect.Effect<Redacted.Redacted<string>, EndpointSecretUnreadable>
}

export const make = (serverSecret: Redacted.Redacted<string>): SecretBox => {
  const box = sealedText(serverSecret, "paymux webhook endpoint secrets v1")
  return {
    seal: (endpointId, secret) => Effect.sync(() => box.seal(endpointId, Redacted.value(secret))),
    open: (endpointId, sealed) =>
      Effect.suspend(() => {
        const text = box.open(endpointId, sealed)
        return text === null
          ? Effect.fail(new EndpointSecretUnreadable({ endpointId }))
          : Effect.succeed(Redacted.make(text))
      })
  }
}
