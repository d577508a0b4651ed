/** The OpenAPI 3.1 document of the control API: with each operation's problems, and who may call it (`x-roles`, `x-every-account`, `x-every-mode`). */
import { operationProblems, problemCodes, problemResponses, problemSchema, replayedHeader } from "@paymux/http"
import type { ProblemCode, ProblemExtensions } from "@paymux/http"
import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import { EndpointPermission } from "../access/Permission.ts"
import type { Permission } from "../access/Permission.ts"
import { ControlApi } from "./ControlApi.ts"
import { ChangesVersion, OwnProblems, SendsVersion } from "./described.ts"
import { keyParameter, RequiredKey } from "./requiredKey.ts"

type Json = { readonly [key: string]: unknown }

export const controlApiDocument = (basePath: string): Json => {
  const { components, paths, ...document } = OpenApi.fromApi(ControlApi)
  const described: { [path: string]: { [method: string]: Json } } = {}
  for (const endpoint of controlEndpoints()) {
    const { method, path } = endpoint
    const pattern = path.replaceAll(/:([A-Za-z_]+)/g, "{$1}")
    const name = method.toLowerCase()
    // Boundary: the document has an operation for each method of a path.
    const operation = paths[pattern]?.[name as OpenApi.OpenAPISpecMethodName]
    if (operation !== undefined) (described[pattern] ??= {})[name] = withAccess(operation, endpoint)
  }
  return {
    ...document,
    ...(basePath !== "" && { servers: [{ url: basePath }] }),
    paths: described,
    components: {
      ...components,
      schemas: { ...components.schemas, Problem: problemSchema(problemCodes, problemMembers) }
    }
  }
}

const problemMembers: ProblemExtensions = {
  members: {
    current: {
      type: "object",
      description:
        "Of `version_conflict`: what the object is now. Of rules, their `version` and the `diff`. Of a `conflict` about a report: the report as it is now."
    }
  },
  errorMembers: {
    line: { type: "integer", minimum: 1, description: "Of a fault in the text of rules." },
    column: { type: "integer", minimum: 1, description: "Of a fault in the text of rules, in UTF-16 units." }
  }
}

export interface ControlEndpoint {
  readonly group: string
  readonly name: string
  readonly method: string
  /** As the router has it: `/dashboard/api/:account/:mode/keys`. */
  readonly path: string
  /** `undefined`: it has no rule. */
  readonly permission: Permission | undefined
  /** It changes a version that the request names. */
  readonly isVersioned: boolean
  /** Its response has the version of the object. */
  readonly sendsVersion: boolean
  /** It acts once for each `Idempotency-Key`. */
  readonly requiresKey: boolean
  readonly ownProblems: ReadonlyArray<ProblemCode>
}

/** Every endpoint, in the order of the API. */
export const controlEndpoints = (): ReadonlyArray<ControlEndpoint> =>
  Object.values(ControlApi.groups).flatMap((group) =>
    Object.values(group.endpoints).map(({ annotations, identifier, method, path }) => ({
      group: group.identifier,
      name: identifier,
      method,
      path,
      permission: Context.get(annotations, EndpointPermission),
      isVersioned: Context.get(annotations, ChangesVersion),
      sendsVersion: Context.get(annotations, SendsVersion),
      requiresKey: Context.get(annotations, RequiredKey),
      ownProblems: Context.get(annotations, OwnProblems)
    }))
  )

const withAccess = (operation: OpenApi.OpenAPISpecOperation, endpoint: ControlEndpoint) => ({
  ...operation,
  ...(endpoint.permission !== undefined && accessOf(endpoint.permission)),
  parameters: [
    ...operation.parameters,
    ...(endpoint.isVersioned ? [ifMatch] : []),
    ...(endpoint.requiresKey ? [keyParameter] : [])
  ],
  responses: {
    ...successes(operation.responses, headersOf(endpoint)),
    ...problemResponses([...new Set(problemsOf(endpoint))])
  }
})

const ifMatch = {
  name: "If-Match",
  in: "header",
  required: true,
  schema: { type: "string" },
  description: 'The `ETag` of what the change is based on, such as `"7"`.'
}

const accessOf = (permission: Permission) =>
  permission._tag === "Public"
    ? {}
    : {
        ...(permission._tag === "Member" && { "x-roles": permission.roles }),
        ...(permission._tag === "Member" && permission.scope !== "account" && { "x-every-account": true }),
        ...(permission._tag === "Member" && permission.scope === "every_mode" && { "x-every-mode": true }),
        ...(permission.recent && { "x-recent-sign-in": true })
      }

const successes = (responses: OpenApi.OpenAPISpecResponses, headers: Json): Json =>
  Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) =>
      Number(status) < 400 ? [[status, { ...response, headers }]] : []
    )
  )

const headersOf = ({ requiresKey, sendsVersion }: ControlEndpoint): Json => ({
  ...(sendsVersion && { ETag: etag }),
  ...(requiresKey && { "Idempotent-Replayed": replayedHeader })
})

const etag = {
  description: 'The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none.',
  schema: { type: "string" }
} as const

const problemsOf = ({
  isVersioned,
  method,
  ownProblems,
  permission,
  requiresKey
}: ControlEndpoint): ReadonlyArray<ProblemCode> => [
  "invalid_request",
  "not_found",
  "internal",
  "service_unavailable",
  ...(method === "GET"
    ? []
    : (["invalid_json", "origin_not_allowed", "payload_too_large", "unsupported_media_type", "conflict"] as const)),
  ...(isVersioned ? (["precondition_required", "version_conflict"] as const) : []),
  ...(requiresKey ? operationProblems : []),
  ...(permission === undefined || permission._tag === "Public" ? [] : (["sign_in_required"] as const)),
  ...(permission?._tag === "Public" ? (["sign_in_failed", "rate_limited", "overloaded"] as const) : []),
  ...(permission?._tag === "Member" ? (["forbidden", "overloaded"] as const) : []),
  ...(permission?._tag === "Member" && method === "GET" ? (["rate_limited"] as const) : []),
  ...(permission !== undefined && permission._tag !== "Public" && permission.recent
    ? (["reauthentication_required"] as const)
    : []),
  ...ownProblems
]
