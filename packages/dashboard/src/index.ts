/**
 * `@paymux/dashboard`: the control plane. Who did what, and the services behind every administrative action.
 *
 * @module
 */
export { dashboardMigrations } from "./server/Migrations.ts"

// access
export { Authenticator, noSignIn, roleIn } from "./server/access/Identity.ts"
export type { Identity, Membership } from "./server/access/Identity.ts"

export { CurrentCaller, CurrentTenant } from "./server/access/AccessControl.ts"
export type { AccessOptions, Caller } from "./server/access/AccessControl.ts"
export type { Permission } from "./server/access/Permission.ts"

// control API
export { ControlApi } from "./server/api/ControlApi.ts"
export { controlApiLayer, controlRoutes } from "./server/api/controlApiLayer.ts"
export { findEvent } from "./server/api/events/findEvent.ts"
export { controlApiDocument, controlEndpoints } from "./server/api/controlApiDocument.ts"
export type { ControlEndpoint } from "./server/api/controlApiDocument.ts"

// pages
export { pagesLayer, pagesRoutes } from "./server/pages/pagesLayer.ts"
export type { PagesOptions } from "./server/pages/pagesLayer.ts"

// payments
export { TimelineCursorInvalid, timelinePage } from "./server/payments/paymentTimeline.ts"
export type { TimelinePage, TimelineParts, TimelinePlace, TimelineQuery } from "./server/payments/paymentTimeline.ts"
export type { TimelineItem } from "./server/payments/TimelineItem.ts"
export { defaultOfTimeline, mostOfTimeline, readTimeline } from "./server/payments/readTimeline.ts"
export { SimulatedPayer } from "./server/payments/SimulatedPayer.ts"
export type { SimulatedDecision, SimulatedPayerService } from "./server/payments/SimulatedPayer.ts"
export { refundPage } from "./server/payments/refundPage.ts"
export type { RefundPageJson } from "./server/payments/refundPage.ts"

// providers
export { Providers } from "./server/providers/Providers.ts"
export type { Finding, HelpedRefusal, ProviderInstance } from "./server/providers/Providers.ts"

// audit
export { CurrentActor, roles, theProgram } from "./server/audit/Actor.ts"
export type { Actor, Role } from "./server/audit/Actor.ts"
export { auditActions, AuditCursorInvalid, AuditLog, auditOutcomes } from "./server/audit/AuditLog.ts"
export type {
  AuditAction,
  AuditEntry,
  AuditFields,
  AuditOutcome,
  AuditPage,
  AuditQuery,
  NewAuditEntry
} from "./server/audit/AuditLog.ts"
export { pruneAudit } from "./server/audit/pruneAudit.ts"
export { auditedReports } from "./server/audit/auditedReports.ts"
export { auditedErasure, auditedPayments, auditedReviews } from "./server/audit/auditedPayments.ts"
export { auditedApiKeys, auditedDeliveries, auditedEndpoints } from "./server/audit/auditedSettings.ts"

// operations
export { InputRefused } from "./server/operations/Operation.ts"
export type { AnyEndpoint, InputOf, Operation } from "./server/operations/Operation.ts"
export { breakerHistory } from "./server/operations/breakers/breakerHistory.ts"
export { listBreakers } from "./server/operations/breakers/listBreakers.ts"
export { recordDispute } from "./server/operations/disputes/recordDispute.ts"
export { listEvents } from "./server/operations/events/listEvents.ts"
export { listRefunds } from "./server/operations/refunds/listRefunds.ts"
export { dismissReport } from "./server/operations/reports/dismissReport.ts"
export { getReport } from "./server/operations/reports/getReport.ts"
export { listReports } from "./server/operations/reports/listReports.ts"
export { matchReport } from "./server/operations/reports/matchReport.ts"
export { listRequests } from "./server/operations/requests/listRequests.ts"
export { getReviews } from "./server/operations/reviews/getReviews.ts"
export { listReviews } from "./server/operations/reviews/listReviews.ts"
export { resolveReview } from "./server/operations/reviews/resolveReview.ts"
export { reviewConsequences } from "./server/operations/reviews/reviewConsequences.ts"

// reviews
export type {
  ReportedMoney,
  ReviewDetails,
  ReviewedOperation,
  ReviewedPayment,
  ReviewEvidence
} from "./server/reviews/reviewedPayment.ts"
export { disputeStatementOf } from "./server/reviews/DisputeStatement.ts"
export type { NewDisputeStatement } from "./server/reviews/DisputeStatement.ts"
export type {
  IntendedReviewStatement,
  ResolvedPayment,
  ReviewConsequences,
  ReviewStatement
} from "./server/reviews/ReviewStatement.ts"

// statements
export { providerStatements } from "./server/statements/providerStatements.ts"
export type { ProviderStatement } from "./server/statements/providerStatements.ts"

// unmatched reports

// people
export { addressOf, networkOf } from "./server/people/clientAddress.ts"
export { secondFactorColumns } from "./server/people/secondFactorColumns.ts"
export { cookieInstance, cookiesOf, dashboardUrlProblem, personLink } from "./server/people/cookies.ts"
export type { Cookies } from "./server/people/cookies.ts"
export * from "./server/people/errors.ts"
export { hostAuthenticator } from "./server/people/HostAuthenticator.ts"
export type { HostAuthenticate, HostUser } from "./server/people/HostAuthenticator.ts"
export type { Acceptance, Invitation, Issued } from "./server/people/invitations.ts"
export type { UserPage, UsersQuery } from "./server/people/listUsers.ts"
export type { InvitationRecord, InvitationScope } from "./server/people/openInvitations.ts"
export { Oidc, OidcRefused } from "./server/people/Oidc.ts"
export type { OidcClaims, OidcRoles, OidcSettings } from "./server/people/Oidc.ts"
export type { OidcEntry, OidcPerson } from "./server/people/oidcUsers.ts"
export { CurrentSignIn } from "./server/api/session/SignInSettings.ts"
export type { SignInSettings } from "./server/api/session/SignInSettings.ts"
export type { Manager } from "./server/people/Memberships.ts"
export { Passwords, PasswordSettings } from "./server/people/Passwords.ts"
export { prunePeople } from "./server/people/prunePeople.ts"
export type { PasswordReset } from "./server/people/resets.ts"
export { sessionAuthenticator } from "./server/people/SessionAuthenticator.ts"
export { Sessions } from "./server/people/Sessions.ts"
export type { Session } from "./server/people/sessionRows.ts"
export type { Client, NewSession, SessionsOptions } from "./server/people/Sessions.ts"
export { SignIn } from "./server/people/SignIn.ts"
export type { CodeEntry, PasswordEntry, PasswordResult, Reauthentication, SignedIn } from "./server/people/SignIn.ts"
export { TwoFactor } from "./server/people/TwoFactor.ts"
export type { Confirmation, TotpEnrolment } from "./server/people/TwoFactor.ts"
export type { Issuers } from "./server/people/lastOwner.ts"
export { Users } from "./server/people/Users.ts"
export type { UserRecord } from "./server/people/userRows.ts"

// routing rules
export { RoutingRules } from "./server/rules/RoutingRules.ts"
export type {
  BacktestQuery,
  BacktestResult,
  CheckedDraft,
  CurrentRules,
  ExplainedDecision,
  MovedPayment,
  RulesAuthor,
  RulesDiagnostic,
  RulesHistoryPage,
  RulesHistoryQuery,
  RulesOrigin,
  RulesPublication,
  RulesRollback,
  RulesSubject,
  RulesVersion,
  RulesVersionText,
  RulesVocabulary
} from "./server/rules/RoutingRules.ts"
export {
  BacktestsBusy,
  RulesConflict,
  RulesInvalid,
  RulesNotInDatabase,
  RulesPaymentNotFound,
  RulesRequestInvalid,
  RulesUnchanged,
  RulesVersionNotFound,
  RulesWorkFailed
} from "./server/rules/RulesErrors.ts"
