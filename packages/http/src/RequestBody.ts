/** A request's body as a strict JSON object: content type, encoding and size are checked before a byte is parsed. */
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import { ApiProblem } from "./ApiProblem.ts"
import { nodeBody } from "./NodeBody.ts"
import * as StrictJson from "./StrictJson.ts"

/** 64 KiB: a request that is larger is no payment. */
export const MAX_BODY_BYTES = 64 * 1024

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

export const readJsonObject = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { headers } = request
  const encoding = headers["content-encoding"]
  if (!JSON_TYPE.test(headers["content-type"] ?? "") || (encoding !== undefined && encoding !== "identity")) {
    return yield* new ApiProblem({ code: "unsupported_media_type" })
  }
  if (Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES) return yield* tooLarge
  const { source } = request
  const bytes = source instanceof IncomingMessage ? yield* nodeBody(source, MAX_BODY_BYTES) : yield* webBody(request)
  return yield* Effect.fromResult(StrictJson.parseObject(bytes))
})

const webBody = (request: HttpServerRequest.HttpServerRequest) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, maxBodySize),
    // Over the limit, or a connection that broke: then nobody reads the answer.
    Effect.mapError(() => tooLarge),
    Effect.flatMap((bytes) =>
      bytes.byteLength > MAX_BODY_BYTES ? Effect.fail(tooLarge) : Effect.succeed(new Uint8Array(bytes))
    )
  )

const maxBodySize = ByteSize.fromInputUnsafe(MAX_BODY_BYTES)
const tooLarge = new ApiProblem({ code: "payload_too_large" })
