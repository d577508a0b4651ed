import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import type { Extension } from "./Extension.ts"
import { bodyProblems, commonProblems, problemResponses, problemSchema } from "./problemDocs.ts"
import type { Json } from "./problemDocs.ts"
import { problemCodes } from "./Problem.ts"
import { webhookDocs } from "./webhookDocs.ts"

/** The OpenAPI 3.1 document of the API and of what extensions add to it. */
export const openApiDocument = (extensions: ReadonlyArray<Extension> = []): Json => {
  const document = OpenApi.fromApi(Api)
  const paths: { [path: string]: Json } = { ...document.paths }
  for (const extension of extensions) {
    if (extension.operation === undefined) continue
    const path = extension.path.replace(/:([A-Za-z_]+)/g, "{$1}")
    paths[path] = { ...paths[path], [extension.method.toLowerCase()]: operation(extension, extension.operation) }
  }
  return {
    ...document,
    paths,
    webhooks: { event: { post: webhookDocs } },
    components: {
      ...document.components,
      schemas: { ...document.components.schemas, Problem: problemSchema(problemCodes) }
    }
  }
}

const operation = ({ method, path }: Extension, given: Json): Json => ({
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
    ...problemResponses([...commonProblems, ...(method === "POST" ? bodyProblems : []), "not_found"])
  }
})
