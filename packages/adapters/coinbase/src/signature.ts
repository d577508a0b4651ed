/**
 * `X-Hook0-Signature`: `t=<unix s>,v0=<hex>,h=<names of headers>,v1=<hex>`, verified over the raw bytes.
 *
 * `v1` is over the time, the names of headers, their values and the body; `v0`, which comes beside it or alone, over the
 * time and the body. Where there is a `v1` it counts, and a right `v0` does not save a wrong one.
 */
import { WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect } from "effect"

export const verify = Effect.fnUntraced(function* (webhook: {
  readonly secrets: ReadonlyArray<WebhookSignature.Secret>
  readonly body: Uint8Array
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** ms UTC */
  readonly receivedAt: number
}): Effect.fn.Return<void, WebhookRefused> {
  const { body, headers, receivedAt, secrets } = webhook
  const fields = yield* WebhookSignature.readFields(headers["x-hook0-signature"])
  const all = (wanted: string) => fields.filter(([name]) => name === wanted).map(([, value]) => value)
  const [[time, ...otherTimes], [names, ...otherNames], v1] = [all("t"), all("h"), all("v1")]
  if (time === undefined || otherTimes.length > 0 || otherNames.length > 0) return yield* malformed
  // A forger who removes one of the two wants the other to be overlooked.
  if ((names === undefined) !== (v1.length === 0)) return yield* malformed
  yield* WebhookSignature.readTimestamp(time, "s")
  yield* names === undefined
    ? WebhookSignature.checkAny("hex", secrets, [time, ".", body], all("v0"))
    : WebhookSignature.checkAny("hex", secrets, [time, ".", names, ".", yield* valuesOf(names, headers), ".", body], v1)
  yield* WebhookSignature.fresh(time, "s", receivedAt)
})

/** In the order in which they are named. One that did not come is not empty: it is missing. */
const valuesOf = (
  names: string,
  headers: { readonly [name: string]: string }
): Effect.Effect<string, WebhookRefused> => {
  const values = names.split(" ").map((name) => {
    const key = name.toLowerCase()
    return Object.hasOwn(headers, key) ? headers[key] : undefined
  })
  return values.includes(undefined)
    ? Effect.fail(new WebhookRefused({ reason: "missing_signature" }))
    : Effect.succeed(values.join("."))
}

const malformed = Effect.fail(new WebhookRefused({ reason: "malformed" }))
