/** The documentation of an operation beyond its schemas: headers, query, problems, examples. */
import type { OpenApi } from "effect/http-api"
import type { ProblemCode } from "../problems/Problem.ts"
import { problemResponses, requestIdHeader } from "./problemDocs.ts"
import type { Json } from "./problemDocs.ts"

/** The header of every POST. */
export const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A repeated request with the same key returns the first response and is executed once. Keys are scoped by account, mode and endpoint.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]{1,255}$" }
}

/** The header of a replayed response. */
export const replayedHeader: Json = {
  description: "The response of an earlier request with the same key.",
  schema: { type: "string", const: "true" }
}

/** A parameter of a query. */
export const inQuery = (name: string, schema: Json, description: string): Json => ({
  name,
  in: "query",
  required: false,
  description,
  schema
})

export interface Additions {
  readonly summary: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Json>
  readonly requestExamples?: Json
  readonly headers?: Json
  readonly example?: unknown
  readonly problems: ReadonlyArray<ProblemCode>
}

/** An operation of the generated document with its documentation. */
export const documented = (
  { parameters, requestBody, responses, ...operation }: OpenApi.OpenAPISpecOperation,
  { description, example, headers = {}, problems, requestExamples, summary, ...more }: Additions
): Json => ({
  tags: operation.tags,
  operationId: operation.operationId,
  parameters: [...parameters, ...(more.parameters ?? [])],
  security: operation.security,
  responses: { ...withHeaders(responses, headers, example), ...problemResponses(problems) },
  ...(description !== undefined && { description }),
  summary,
  ...(requestBody !== undefined && { requestBody: withExamples(requestBody, requestExamples) })
})

const withExamples = (body: OpenApi.OpenAPISpecRequestBody, examples: Json | undefined): Json => ({
  ...body,
  content: Object.fromEntries(
    Object.entries(body.content).map(([type, media]) => [type, examples === undefined ? media : { ...media, examples }])
  )
})

/** The responses that are not problems, with headers and an example. */
const withHeaders = (responses: OpenApi.OpenAPISpecResponses, headers: Json, example: unknown): Json =>
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
