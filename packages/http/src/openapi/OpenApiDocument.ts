/** Generates the OpenAPI document of the API. */
import { OpenApi } from "effect/http-api"
import { apiProblemCodes } from "../problems/Problem.ts"
import { Api } from "../routes/Api.ts"
import type { Extension } from "../routes/Extension.ts"
import { documented, getDocs, postDocs } from "./documented.ts"
import type { Additions, MethodDocs } from "./documented.ts"
import { eventDocs, webhookDocs } from "./eventDocs.ts"
import { operationDocs } from "./operationDocs.ts"
import { bodyProblems, commonProblems, problemResponses, problemSchema } from "./problemDocs.ts"
import type { Json } from "./problemDocs.ts"

/** The OpenAPI 3.1 document of the API and of its extensions, at the `basePath` of the server. */
export const openApiDocument = (extensions: ReadonlyArray<Extension> = [], basePath = ""): Json => {
  const document = OpenApi.fromApi(Api)
  const paths: { [path: string]: Json } = Object.fromEntries(
    Object.entries(document.paths).map(([path, { get, post }]) => [
      path,
      {
        ...(post !== undefined && { post: complete(post, postDocs) }),
        ...(get !== undefined && { get: complete(get, getDocs) })
      }
    ])
  )
  for (const extension of extensions) {
    if (extension.operation === undefined) continue
    const path = extension.path.replace(/:([A-Za-z_]+)/g, "{$1}")
    paths[path] = { ...paths[path], [extension.method.toLowerCase()]: operation(extension, extension.operation) }
  }
  const whole = {
    ...document,
    paths,
    webhooks: { event: { post: webhookDocs } },
    components: {
      ...document.components,
      schemas: {
        ...mergeDescriptions(document.components.schemas),
        ...Object.fromEntries(extensions.flatMap(({ schemas = {} }) => Object.entries(schemas))),
        Problem: problemSchema(apiProblemCodes)
      }
    }
  }
  return basePath === "" ? whole : under(basePath, whole)
}

type Groups = (typeof Api)["groups"]
type OperationId = {
  [Group in keyof Groups]: `${Group}.${keyof Groups[Group]["endpoints"] & string}`
}[keyof Groups]

/**
 * The documentation of each operation by its id. The operation that serves the files of the API reference is not
 * documented.
 */
const docs: { readonly [id in Exclude<OperationId, "docs.referenceFile">]: Additions } = {
  ...operationDocs,
  ...eventDocs
}

const isDocumented = (id: string): id is keyof typeof docs => Object.hasOwn(docs, id)

const complete = (operation: OpenApi.OpenAPISpecOperation, ofMethod: MethodDocs) =>
  isDocumented(operation.operationId) ? documented(operation, ofMethod, docs[operation.operationId]) : operation

/**
 * Merges an `allOf` of a reference and its description into one object: OpenAPI 3.1 allows both, and generated types
 * are simpler.
 */
const mergeDescriptions = (schemas: Json): Json =>
  JSON.parse(JSON.stringify(schemas), (_, value) =>
    value?.allOf?.length === 2 && value.allOf[0].$ref !== undefined ? { ...value.allOf[0], ...value.allOf[1] } : value
  )

/**
 * Adds the base path of the server to the document. Paths in the document are relative to the server URL, so only the
 * URLs in examples of problems have to be changed.
 */
const under = (basePath: string, document: Json): Json =>
  JSON.parse(
    JSON.stringify({ ...document, servers: [{ url: basePath }] }, (key, value: unknown) =>
      key === "type" && typeof value === "string" && value.startsWith("/docs/") ? `${basePath}${value}` : value
    )
  )

const operation = ({ method, path, problems = [] }: Extension, given: Json): Json => ({
  security: [{ apiKey: [] }],
  parameters: [...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" }
  })),
  ...given,
  responses: {
    ...(typeof given["responses"] === "object" && given["responses"]),
    ...problemResponses([...commonProblems, ...(method === "POST" ? bodyProblems : []), "not_found", ...problems])
  }
})
