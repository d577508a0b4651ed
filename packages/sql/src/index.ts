/**
 * `@paymux/sql`: payments in SQLite or PostgreSQL, and the migrator for the tables of every package.
 *
 * @module
 */

// SQLite: one file, one connection, one engine
export * as SqliteClient from "./sqlite/SqliteClient.ts"
export { SqliteDatabase } from "./sqlite/SqliteClient.ts"
export { sqliteLogBytes } from "./sqlite/logBytes.ts"
export * as EngineLock from "./sqlite/EngineLock.ts"
export { EngineAlreadyRunning } from "./sqlite/EngineLock.ts"
export * as GroupCommit from "./sqlite/GroupCommit.ts"

// PostgreSQL: a pool of sessions
export * as PostgresClient from "./postgres/PostgresClient.ts"
export { PostgresDatabase, PostgresUnfit } from "./postgres/PostgresClient.ts"
export { parsePostgresUrl } from "./postgres/hosts/PostgresUrl.ts"
export type { PostgresUrl } from "./postgres/hosts/PostgresUrl.ts"

// the standbys that commits wait for
export { synchronousStandbys } from "./queries/standbys.ts"
export type { SynchronousStandbys } from "./queries/standbys.ts"

// the schema
export { MigrationError, pendingMigrations, runMigrations } from "./Migrations.ts"
export type { OwnedMigration } from "./Migrations.ts"
export { coreMigrations } from "./migrations/core.ts"
export { buildMetadataIndexes, missingMetadataIndexes } from "./MetadataIndexes.ts"
export { isIndexableKey } from "./migrations/metadata.ts"

// the store
export * as SqlitePaymentStore from "./sqlite/SqlitePaymentStore.ts"
export * as PostgresPaymentStore from "./postgres/PostgresPaymentStore.ts"
export { RowUnreadable } from "./rows/ReadRow.ts"

// the accounts that have payments
export { accountsWithPayments } from "./queries/accounts.ts"
export type { PaymentAccount } from "./queries/accounts.ts"

// the detection of a database that was restored to an earlier moment
export { storedRestoration } from "./queries/storedRestoration.ts"

// the event log, newest first
export { EventCursorInvalid, findLoggedEvents, listEvents } from "./queries/EventLog.ts"
export type { EventPage, EventQuery, LoggedEvent } from "./queries/EventLog.ts"

// the history of one payment
export { paymentEvents, paymentEvidence } from "./queries/PaymentHistory.ts"
export type { HistoryRange, RecordedEvent, RecordedEvidence } from "./queries/PaymentHistory.ts"

// the reviews that an operator has to resolve
export { listReviews, ReviewQueryInvalid } from "./queries/ReviewQueue.ts"
export type { QueuedReview, ReviewPage, ReviewQuery } from "./queries/ReviewQueue.ts"

// statistics over time
export { openInstances } from "./queries/openInstances.ts"
export { selectNewest } from "./store/selectNewest.ts"
export { statisticsSeries, statisticsTotals, uncountedSince } from "./stats/Statistics.ts"
export type { SeriesPoint, StatisticsSeries, StatisticsTotals } from "./stats/Statistics.ts"
export { countedObjects, periodProblem, statisticsGroups } from "./stats/StatisticsQuery.ts"
export type {
  CountedObject,
  SeriesQuery,
  StatisticsFilter,
  StatisticsGroup,
  TotalsQuery
} from "./stats/StatisticsQuery.ts"
export type { AmountSums, DurationPercentiles, Numbers } from "./stats/Numbers.ts"
export { stepMs, steps } from "./stats/Deltas.ts"
export type { Step } from "./stats/Deltas.ts"
export { rebuildStatistics } from "./stats/rebuild.ts"
export { statisticsTask } from "./stats/StatisticsTask.ts"
export type { StatisticsTaskOptions } from "./stats/StatisticsTask.ts"

// counts of open work
export { accountRefusals, mostAccountRefusals } from "./queries/accountRefusals.ts"
export type { AccountRefusal } from "./queries/accountRefusals.ts"
export { openWork } from "./queries/openWork.ts"
export type { OpenWork } from "./queries/openWork.ts"
// circuit breakers of all processes
export { BreakerCursorInvalid, BreakerLog, breakerStates } from "./breakers/BreakerLog.ts"
export type {
  BreakerChange,
  BreakerFilter,
  BreakerHistoryPage,
  BreakerHistoryQuery,
  ProcessBreaker
} from "./breakers/BreakerLog.ts"
export type { RecordingOptions } from "./breakers/recordBreakers.ts"

// refunds of all payments, newest first
export { listRefunds, RefundCursorInvalid } from "./queries/RefundList.ts"
export type { RefundPage, RefundQuery } from "./queries/RefundList.ts"
export type { ListedRefund } from "./rows/rows.ts"

// provider reports that match no payment
export { UnmatchedReports } from "./reports/UnmatchedReports.ts"
export type { ReportMatch } from "./reports/UnmatchedReports.ts"
export { ReportRefused } from "./reports/ReportRefused.ts"
export type { ReportRefusal } from "./reports/ReportRefused.ts"
export { reportStatuses } from "./reports/UnmatchedReport.ts"
export type { ReportPage, ReportQuery, ReportStatus, UnmatchedReport } from "./reports/UnmatchedReport.ts"

// the comparison of the books with providers' statements
export { Statements } from "./statement/Statements.ts"
export { RunLost, StatementCursorInvalid } from "./statement/StatementRefused.ts"
export { statementRunStates } from "./statement/StatementRun.ts"
export type { StatementCounts, StatementRules, StatementRun, StatementRunState } from "./statement/StatementRun.ts"
export type { NewStatementRun } from "./statement/runRows.ts"
export type { StatementPlace } from "./statement/ourOperations.ts"
export type { EnteredMovement } from "./statement/movementRows.ts"
export type { PayoutPart, PayoutSum, StatementPayout } from "./statement/payouts.ts"
export { differenceStates } from "./statement/statementLists.ts"
export type {
  DifferenceQuery,
  DifferenceState,
  ListedDifference,
  ListedMovement,
  MovementQuery,
  RunQuery,
  StatementList
} from "./statement/statementLists.ts"
