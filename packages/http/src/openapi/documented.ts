/** How an operation of the OpenAPI document gets what its schemas do not say: headers, query, problems, examples. */
import { OpenApi } from "effect/http-api"
import type { ProblemCode } from "../problems/Problem.ts"
import { problemResponses, requestIdHeader } from "./problemDocs.ts"
import type { Json } from "./problemDocs.ts"

/** Of every POST. */
export const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A repeated request with the same key returns the first response and is executed once. Keys are scoped by account, mode and endpoint.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]{1,255}$" }
}

/** The header of an answer that was given before. */
export const replayedHeader: Json = {
  description: "The response of an earlier request with the same key.",
  schema: { type: "string", const: "true" }
}

export interface Additions {
  readonly summary: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Json>
  readonly requestExamples?: Json
  readonly headers?: Json
  readonly example?: unknown
  readonly problems: ReadonlyArray<ProblemCode>
}

export const documented = (additions: Additions) => {
  const { description, example, headers = {}, parameters = [], problems, requestExamples, summary } = additions
  return OpenApi.annotations({
    summary,
    ...(description !== undefined && { description }),
    transform: (operation) => ({
      ...operation,
      parameters: [...operation["parameters"], ...parameters],
      ...(requestExamples !== undefined && { requestBody: withExamples(operation["requestBody"], requestExamples) }),
      responses: {
        ...withHeaders(operation["responses"], headers, example),
        ...problemResponses(problems)
      }
    })
  })
}

const withExamples = (body: { readonly content: { readonly [type: string]: Json } }, examples: Json) => ({
  ...body,
  content: Object.fromEntries(Object.entries(body.content).map(([type, media]) => [type, { ...media, examples }]))
})

/** What an answer that is no problem carries, beside its schema. */
const withHeaders = (responses: { readonly [status: string]: Json }, headers: Json, example: unknown): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      {
        ...response,
        headers: { "Request-Id": requestIdHeader, ...headers },
        ...(example !== undefined && { content: withExample(response["content"], example) })
      }
    ])
  )

const withExample = (content: unknown, example: unknown): Json =>
  Object.fromEntries(Object.entries(content ?? {}).map(([type, media]) => [type, { ...media, example }]))
