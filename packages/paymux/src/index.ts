/**
 * `paymux`: one payments API in front of many payment providers, in your own server.
 *
 * @module
 */
export { createPaymux } from "./createPaymux.ts"
export type { Paymux } from "./createPaymux.ts"
export type { MatchedTo, ReportOperations } from "./ReportOperations.ts"
export type { IntendedReviewStatement, ResolvedPayment, ReviewConsequences, ReviewStatement } from "@paymux/dashboard"
export type { ReviewOperations } from "./ReviewOperations.ts"
export type { DashboardOperations, NewInvitation, PersonLink, UserListQuery } from "./DashboardCalls.ts"
export type { DashboardOption, DashboardOptions } from "./options/dashboardOption.ts"
export type { BreakerOperations } from "./BreakerOperations.ts"
export type { ProviderOperations } from "./ProviderCalls.ts"
export type { Operations, RotatedKey } from "./Operations.ts"
export type { EndpointEdit, NewEndpoint, RotatedSecret } from "./WebhookCalls.ts"
export type { AccountOptions, ActorOption } from "./options/tenantFor.ts"
export { PaymuxOptionsInvalid } from "./options/PaymuxOptionsInvalid.ts"
export type { PaymuxOptions } from "./options/PaymuxOptions.ts"
export type { SandboxOption, SandboxOptions } from "./options/sandboxOption.ts"
export type { CustomerToErase, ErasureReport } from "./Customers.ts"
export type { RetentionSettings } from "./options/retention.ts"
export type { DatabaseRouting } from "./options/databaseRouting.ts"
export type { BacktestOptions, ExplainQuery, RulesOperations } from "./RulesCalls.ts"
export {
  RulesConflict,
  RulesInvalid,
  RulesNotInDatabase,
  RulesUnchanged,
  RulesVersionNotFound
} from "@paymux/dashboard"
export type { BacktestResult, CheckedDraft, CurrentRules, RulesVersion, RulesVersionText } from "@paymux/dashboard"
export { RulesFileInvalid } from "./rules/RulesFile.ts"

// what adapters and rules are written with
export { definePromiseProvider, defineProvider, Outcome, PaymentError } from "@paymux/core"
export type { Provider } from "@paymux/core"
export { defineRouting } from "@paymux/routing"
export type { RoutingConfigInput } from "@paymux/routing"
export type {
  CapturePaymentJson,
  CreatePaymentJson,
  CreateRefundJson,
  EventJson,
  PaymentJson,
  RefundJson
} from "@paymux/core/wire"
