/**
 * A request's body: its encoding is checked before a byte is read, and the content type before one is parsed. At most
 * `CurrentBodyLimit` bytes are read; the edge has refused what announced more.
 */
import { ByteSize, Context, Effect, Result } from "effect"
import { HttpIncomingMessage } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { CurrentRequestNote, longestNotedBody } from "./RequestNote.ts"
import type { RequestNote } from "./RequestNote.ts"
import { CurrentBodyLimit } from "./BodyLimit.ts"
import { nodeBody } from "./NodeBody.ts"
import * as StrictJson from "./StrictJson.ts"
import { tooLarge } from "./tooLarge.ts"
import { webBody } from "./WebBody.ts"

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** A strict JSON object. */
export const readJsonObject = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!isJson(request.headers["content-type"]) || isEncoded(request.headers)) {
    return yield* new ApiProblem({ code: "unsupported_media_type" })
  }
  return yield* parsed(yield* read(request))
})

/** A strict JSON object, or no body at all, which is an empty one. */
export const readOptionalJsonObject = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const bytes = yield* readBytes(request)
  if (bytes.length === 0) return {}
  if (!isJson(request.headers["content-type"])) return yield* new ApiProblem({ code: "unsupported_media_type" })
  return yield* parsed(bytes)
})

const parsed = (bytes: Uint8Array) =>
  Effect.withFiber<{ readonly [key: string]: unknown }, StrictJson.JsonRefusal>((fiber) => {
    return Effect.fromResult(parseNoted(bytes, Context.get(fiber.context, CurrentRequestNote)))
  })

/** A strict JSON object, which is noted for the request log. */
export const parseNoted = (bytes: Uint8Array, note: RequestNote | null): ReturnType<typeof StrictJson.parseObject> => {
  const body = StrictJson.parseObject(bytes)
  if (note !== null && Result.isSuccess(body) && bytes.length <= longestNotedBody) note.body = bytes
  return body
}

/** The bytes, of any type. */
export const readBytes = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (isEncoded(request.headers)) {
    return yield* new ApiProblem({
      code: "unsupported_media_type",
      detail: "A body with a Content-Encoding is not accepted."
    })
  }
  return yield* read(request)
})

/** Of the header `Content-Type`. */
export const isJson = (type: string | undefined): boolean => JSON_TYPE.test(type ?? "")

const isEncoded = (headers: HttpServerRequest.HttpServerRequest["headers"]): boolean => {
  const [content = "identity", transfer = "chunked"] = [headers["content-encoding"], headers["transfer-encoding"]]
  return content !== "identity" || (transfer !== "chunked" && transfer.toLowerCase() !== "chunked")
}

const read = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Uint8Array, ApiProblem> =>
  Effect.withFiber((fiber) => {
    const limit = Context.get(fiber.context, CurrentBodyLimit)
    const { source } = request
    if (source instanceof IncomingMessage) return nodeBody(source, limit)
    if (source instanceof Request) return webBody(source, limit)
    return otherBody(request, limit)
  })

/** Of a server that is neither Node's nor speaks `fetch`. */
const otherBody = (request: HttpServerRequest.HttpServerRequest, limit: number) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(limit)),
    // Over the limit, or the connection broke: then no client reads the answer.
    Effect.mapError(() => tooLarge),
    Effect.flatMap((bytes) =>
      bytes.byteLength > limit ? Effect.fail(tooLarge) : Effect.succeed(new Uint8Array(bytes))
    )
  )
