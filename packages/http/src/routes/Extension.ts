/**
 * Extensions: routes that other packages add to the API. They require an API key and have the same authentication,
 * strict parsing of bodies, problems and headers as the other routes.
 *
 * @example
 * ```ts
 * const ping: Extension = {
 *   method: "GET",
 *   path: "/v1/ping/:name",
 *   handle: ({ params }) => Effect.succeed({ status: 200, body: { pong: params["name"] } })
 * }
 * ```
 */
import type { PaymentError, Tenant } from "@paymux/core"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { ApiProblem } from "../problems/ApiProblem.ts"
import { authenticated, currentTenant, principals } from "../auth/Authentication.ts"
import type { ProblemCode } from "../problems/Problem.ts"
import type { KnownRoute } from "../server/KnownRoute.ts"
import { readJsonObject } from "../request/RequestBody.ts"
import { jsonResponse } from "./jsonResponse.ts"

export interface ExtensionRequest {
  readonly tenant: Tenant
  /** The parameters of the path, by name. */
  readonly params: { readonly [name: string]: string | undefined }
  /** The decoded JSON object of a POST; `undefined` on GET. */
  readonly body: unknown
}

export interface ExtensionAnswer {
  readonly status: number
  /** The response body, a JSON value. */
  readonly body: unknown
}

export interface Extension {
  readonly method: "GET" | "POST"
  /** The path `/v1/…`, with `:name` for parameters. */
  readonly path: `/v1/${string}`
  readonly handle: (request: ExtensionRequest) => Effect.Effect<ExtensionAnswer, ApiProblem | PaymentError>
  /**
   * The OpenAPI operation of the route. The generated document also adds the API key and the problems that every
   * extension can return.
   */
  readonly operation?: { readonly [key: string]: unknown }
  /** The problem codes of the extension, in addition to the common ones. */
  readonly problems?: ReadonlyArray<ProblemCode>
  /** The schemas of the document to which `operation` refers, by name. */
  readonly schemas?: { readonly [name: string]: unknown }
}

/** The route of an extension. A POST reads a body of the default limit. */
export const extensionRoute = ({ method, path }: Extension): KnownRoute => ({
  method,
  path,
  body: method === "POST" ? "default" : "none"
})

export const extensionRoutes = (extensions: ReadonlyArray<Extension>) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const guarded = authenticated(yield* principals)
      for (const extension of extensions) {
        yield* router.add(extension.method, extension.path, guarded(answer(extension)))
      }
    })
  )

const answer = Effect.fnUntraced(function* ({ handle, method }: Extension) {
  const request = yield* HttpServerRequest
  const tenant = yield* currentTenant
  const params = yield* HttpRouter.params
  const body = method === "POST" ? yield* readJsonObject(request) : undefined
  const answer = yield* handle({ tenant, params, body })
  return jsonResponse(JSON.stringify(answer.body), { status: answer.status })
})
