/**
 * `@paymux/http`: the HTTP API over core's `Payments`, as routes for `effect/http` and as a web handler.
 *
 * The groups below stand in the order in which a request flows through them.
 *
 * @module
 */

// the server: what Node's parser refuses, as problems
export { hardenedServer } from "./NodeServer.ts"
export type { HardenedServerOptions } from "./NodeServer.ts"

// the handler, and what holds for every request
export * as HttpApp from "./HttpApp.ts"
export { HttpHandler } from "./HttpApp.ts"
export type { HttpAppOptions, HttpAppServices } from "./HttpApp.ts"
export { CurrentBasePath } from "./BasePath.ts"
export { CurrentRequestId, newRequestId } from "./RequestId.ts"

// what is counted
export { countProblem, httpMetricDescriptions } from "./RequestTelemetry.ts"
export type { MetricsOptions } from "./metricsRoute.ts"

// who asks
export * as ApiKey from "./ApiKey.ts"
export { apiKeyMigrations } from "./ApiKeyMigrations.ts"
export { ApiKeys } from "./ApiKeys.ts"
export type { ActiveApiKeys, ApiKeysOptions, MadeApiKey, NewApiKey, RotateApiKey, RotatedApiKey } from "./ApiKeys.ts"
export type { ApiKeyRecord, Principal } from "./ApiKeyRow.ts"
export {
  ApiKeyNameInvalid,
  ApiKeyNotFound,
  ApiKeyNotRotated,
  ApiKeysUnavailable,
  TooManyApiKeys,
  Unauthorized
} from "./ApiKeyErrors.ts"
export { Authentication, CurrentPrincipal } from "./Authentication.ts"
export { rateLimitDefaults, RateLimits } from "./RateLimits.ts"
export type { RateLimitSettings } from "./RateLimits.ts"

// what is asked
export { Api } from "./Api.ts"
export { listPayments, PaymentListJson } from "./PaymentList.ts"
export { refundList, RefundListJson } from "./RefundList.ts"
export { cursors } from "./Cursor.ts"
export { openApiDocument } from "./OpenApiDocument.ts"
export * as StrictJson from "./StrictJson.ts"
export { JsonRefusal } from "./StrictJson.ts"
export type { Extension, ExtensionAnswer, ExtensionRequest } from "./Extension.ts"

// who comes back from a provider's page
export { returnAddress } from "./ReturnAddress.ts"
export type { ReturnAddressOptions } from "./ReturnAddress.ts"

// what is refused
export { ApiProblem } from "./ApiProblem.ts"
export { problem, problemCodes, problemJson, toAnswer } from "./Problem.ts"
export type { Problem, ProblemAnswer, ProblemCode, ProblemIssue, ProblemOptions } from "./Problem.ts"
