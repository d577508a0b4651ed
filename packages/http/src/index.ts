/**
 * `@paymux/http`: the HTTP API over core's `Payments`, as routes for `effect/http` and as a web handler.
 *
 * The groups below are in the order in which a request passes through them.
 *
 * @module
 */

// Exports of the server, which responds to malformed HTTP requests with problems.
export * as Listening from "./server/Listening.ts"
export { hardenedServer } from "./server/NodeServer.ts"
export type { HardenedServerOptions } from "./server/NodeServer.ts"

// Exports of the request handler, and of the context of every request.
export * as HttpApp from "./HttpApp.ts"
export { HttpHandler } from "./HttpApp.ts"
export type { HttpAppOptions, HttpAppServices } from "./HttpApp.ts"
export { CurrentBasePath } from "./request/BasePath.ts"
export { cellPath, inCell } from "./server/CellPath.ts"
export { CurrentRequestId, newRequestId } from "./request/RequestId.ts"

// Exports of the metrics.
export { countProblem, httpMetricDescriptions } from "./request/RequestTelemetry.ts"
export type { MetricsOptions } from "./routes/metricsRoute.ts"

// Exports of the authentication.
export { accountNameRule, isAccountName } from "./auth/AccountName.ts"
export * as ApiKey from "./auth/ApiKey.ts"
export { apiKeyMigrations } from "./Migrations.ts"
export { ApiKeys } from "./auth/ApiKeys.ts"
export type {
  ActiveApiKeys,
  ApiKeysOptions,
  MadeApiKey,
  NewApiKey,
  RotateApiKey,
  RotatedApiKey
} from "./auth/ApiKeys.ts"
export type { ApiKeyRecord } from "./auth/ApiKeyRow.ts"
export type { Principal } from "./request/RequestNote.ts"
export {
  ApiKeyNameInvalid,
  ApiKeyNotFound,
  ApiKeyNotRotated,
  ApiKeyOfOtherCell,
  ApiKeysUnavailable,
  TooManyApiKeys,
  Unauthorized
} from "./auth/ApiKeyErrors.ts"
export { Authentication, CurrentPrincipal } from "./auth/Authentication.ts"
export { rateLimitDefaults, RateLimits } from "./auth/RateLimits.ts"
export type { RateLimitSettings } from "./auth/RateLimits.ts"
export { CurrentLoopClock, ReadShare } from "./server/ReadShare.ts"
export type { LoopClock } from "./server/ReadShare.ts"

// Exports of the request log.
export { mostRequestsOfPage, RequestCursorInvalid, RequestLog, statusClasses } from "./requestLog/RequestLog.ts"
export type {
  LoggedRequest,
  RequestDetails,
  RequestPage,
  RequestQuery,
  ShownProblem,
  StatusClass
} from "./requestLog/RequestLog.ts"
export { requestRecorder } from "./requestLog/RequestRecorder.ts"
export { requestRetention } from "./requestLog/requestRetention.ts"

// Exports of the API.
export { Api } from "./routes/Api.ts"
export { listPayments, PaymentListJson } from "./routes/PaymentList.ts"
export { EventListJson, readEvents } from "./routes/EventList.ts"
export { listQuery, paymentFilters } from "./request/ListParameters.ts"
export type { QueryValues } from "./request/QueryParameters.ts"
export { refundList, RefundListJson } from "./routes/RefundList.ts"
export { cursors, eventCursors } from "./request/Cursor.ts"
export { openApiDocument } from "./openapi/OpenApiDocument.ts"
export * as StrictJson from "./request/StrictJson.ts"
export { JsonRefusal } from "./request/StrictJson.ts"
export type { Extension, ExtensionAnswer, ExtensionRequest } from "./routes/Extension.ts"

// Exports of the return addresses of payers.
export { returnAddress, returnKey } from "./request/ReturnAddress.ts"
export type { ReturnAddressOptions, ReturnKey } from "./request/ReturnAddress.ts"

// Exports for packages that add routes of their own.
export { readJsonObject } from "./request/RequestBody.ts"
export { pageForm } from "./routes/pageForm.ts"
export { keyScope } from "./request/IdempotencyKey.ts"
export { jsonResponse } from "./routes/jsonResponse.ts"
export { replayHeaders } from "./server/Exchange.ts"
export { paymentId } from "./routes/paymentHandlers.ts"
export { replayedHeader } from "./openapi/documented.ts"
export { operationProblems, problemResponses, problemSchema } from "./openapi/problemDocs.ts"
export type { ProblemExtensions } from "./openapi/problemDocs.ts"
export { bodyLimitDefaults } from "./request/BodyLimit.ts"
export type { BodyLimit, BodyLimits } from "./request/BodyLimit.ts"
export type { KeepNotice, Notice } from "./request/Notices.ts"
export { untrustedProxyText } from "./server/proxyNotice.ts"
export type { AddedRoute } from "./server/ExactRouter.ts"
export { bodyOfAtMost, endpointRoute, isWithin } from "./server/KnownRoute.ts"
export type { KnownRoute } from "./server/KnownRoute.ts"

// Exports of problems.
export { ApiProblem } from "./problems/ApiProblem.ts"
export { answered } from "./auth/RouteError.ts"
export type { RouteError } from "./auth/RouteError.ts"
export { problem, problemCodes, problemJson, toAnswer } from "./problems/Problem.ts"
export type { Problem, ProblemCode, ProblemIssue, ProblemOptions } from "./problems/Problem.ts"
export type { Answer } from "./problems/Answer.ts"
