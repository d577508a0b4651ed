/** Encrypts endpoint secrets for the database. Each ciphertext is bound to its endpoint. */
import type { ServerSecrets } from "@paymux/core/wire"
import { Effect, Redacted, Schema } from "effect"
import { sealedText } from "../SealedText.ts"
import type { SealedText } from "../SealedText.ts"

/** The error for a stored secret that does not decrypt: the server's secret was changed, or the row was modified. */
export class EndpointSecretUnreadable extends Schema.TaggedError<EndpointSecretUnreadable>()(
  "EndpointSecretUnreadable",
  { endpointId: Schema.String }
) {
  override get message() {
    return (
      `The secret of webhook endpoint ${this.endpointId} cannot be decrypted: the server does not have the secret it was ` +
      "encrypted with. Give that one as well, or remove the endpoint and add it again"
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

export const boxOf = (secrets: ServerSecrets): SealedText => sealedText(secrets, "paymux webhook endpoint secrets v1")

export const make = (secrets: ServerSecrets): SecretBox => {
  const box = boxOf(secrets)
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
