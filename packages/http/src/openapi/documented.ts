/** The documentation of an operation beyond its schemas: headers, query, problems, examples. */
import { Record } from "effect"
import type { OpenApi } from "effect/http-api"
import type { ProblemCode } from "../problems/Problem.ts"
import { bodyProblems, commonProblems, openProblems, problemResponses, requestIdHeader } from "./problemDocs.ts"
import type { Json } from "./problemDocs.ts"

/** The OpenAPI object of a query parameter. */
export const inQuery = (name: string, schema: Json, description: string): Json => ({
  name,
  in: "query",
  required: false,
  description,
  schema
})

/** The header that marks a replayed response. */
export const replayedHeader: Json = {
  description: "The response of an earlier request with the same key.",
  schema: { type: "string", const: "true" }
}

/** The documentation that all operations with a method share. */
export interface MethodDocs {
  readonly parameters: ReadonlyArray<Json>
  /** The headers of all responses of the operation except problems. */
  readonly headers: Json
  readonly problems: ReadonlyArray<ProblemCode>
}

export const getDocs: MethodDocs = { parameters: [], headers: {}, problems: [] }

export const postDocs: MethodDocs = {
  parameters: [
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "A repeated request with the same key returns the first response and is executed once. Keys are scoped by account, mode and endpoint.",
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]{1,255}$" }
    }
  ],
  headers: { "Idempotent-Replayed": replayedHeader },
  problems: bodyProblems
}

/**
 * The documentation of one operation. `problems` lists its problem codes in addition to those of its method and those
 * of all operations.
 */
export interface Additions extends Partial<MethodDocs> {
  readonly summary: string
  readonly description?: string
  readonly requestExamples?: Json
  readonly example?: unknown
}

/** Adds the documentation to an operation of the generated OpenAPI document. */
export const documented = (
  { operationId, parameters, requestBody, responses, security, tags }: OpenApi.OpenAPISpecOperation,
  ofMethod: MethodDocs,
  { description, example, headers, problems = [], requestExamples, summary, ...more }: Additions
): Json => ({
  tags,
  operationId,
  parameters: [...parameters, ...ofMethod.parameters, ...(more.parameters ?? [])],
  security,
  responses: {
    ...withHeaders(responses, { ...headers, ...ofMethod.headers }, example),
    ...problemResponses([...(security.length > 0 ? commonProblems : openProblems), ...ofMethod.problems, ...problems])
  },
  ...(description !== undefined && { description }),
  summary,
  ...(requestBody !== undefined && { requestBody: withExamples(requestBody, requestExamples) })
})

const withExamples = (body: OpenApi.OpenAPISpecRequestBody, examples: Json | undefined): Json => ({
  ...body,
  content: examples === undefined ? body.content : Record.map(body.content, (media) => ({ ...media, examples }))
})

/** Adds headers and an example to the successful responses of an operation. */
const withHeaders = (responses: OpenApi.OpenAPISpecResponses, headers: Json, example: unknown): Json =>
  Record.map(responses, (response) => ({
    ...response,
    headers: { "Request-Id": requestIdHeader, ...headers },
    ...(example !== undefined && { content: withExample(response["content"], example) })
  }))

const withExample = (content: unknown, example: unknown): Json =>
  Object.fromEntries(Object.entries(content ?? {}).map(([type, media]) => [type, { ...media, example }]))
