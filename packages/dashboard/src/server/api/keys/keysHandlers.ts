/** The handlers of API keys. */
import { ApiKeys, ApiProblem } from "@paymux/http"
import type { ApiKeyNotRotated, TooManyApiKeys } from "@paymux/http"
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf, control, invalid, missing } from "../controlHandler.ts"
import { NewKey, Rotation } from "./KeysGroup.ts"

export const keysHandlers = HttpApiBuilder.group(ControlApi, "keys", (handlers) =>
  Effect.map(ApiKeys, (keys) =>
    handlers
      .handle("list", () => control(list(keys)))
      .handleRaw("create", () => control(create(keys)))
      .handleRaw("rotate", ({ params }) => control(rotate(keys, params.id)))
      .handle("revoke", ({ params }) => control(revoke(keys, params.id)))
  )
)

const list = Effect.fnUntraced(function* (keys: ApiKeys["Service"]) {
  const { account, livemode } = yield* CurrentTenant
  const all = yield* keys.list(account)
  return { data: all.filter((key) => key.livemode === livemode) }
})

const create = Effect.fnUntraced(function* (keys: ApiKeys["Service"]) {
  const { name } = yield* bodyOf(NewKey)
  const { account, livemode } = yield* CurrentTenant
  const { key, record } = yield* keys.create({ account, mode: livemode ? "live" : "test", name }).pipe(
    Effect.catchTags({
      ApiKeyNameInvalid: ({ message }) => Effect.fail(invalid({ pointer: "/name", message })),
      TooManyApiKeys: notNow
    })
  )
  return { id: record.keyId, key: Redacted.value(key) }
})

const rotate = Effect.fnUntraced(function* (keys: ApiKeys["Service"], id: string) {
  const { overlapMs } = yield* bodyOf(Rotation)
  const of = yield* CurrentTenant
  const rotation = overlapMs === undefined ? { of } : { of, overlap: overlapMs }
  const { formerExpiresAt, key, record } = yield* keys.rotate(id, rotation).pipe(
    Effect.catchTags({
      ApiKeyNotFound: () => Effect.fail(noSuchKey),
      ApiKeyNotRotated: (refusal) =>
        refusal.reason === "overlap"
          ? Effect.fail(invalid({ pointer: "/overlapMs", message: refusal.message }))
          : notNow(refusal)
    })
  )
  return { id: record.keyId, key: Redacted.value(key), formerExpiresAt }
})

const revoke = Effect.fnUntraced(function* (keys: ApiKeys["Service"], id: string) {
  return yield* Effect.catchTag(keys.revoke(id, yield* CurrentTenant), "ApiKeyNotFound", () => Effect.fail(noSuchKey))
})

const noSuchKey = missing("API key")

const notNow = ({ message }: TooManyApiKeys | ApiKeyNotRotated) =>
  Effect.fail(new ApiProblem({ code: "conflict", detail: message }))
