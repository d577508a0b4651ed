/** The SQL of the payment store on PostgreSQL, but for its commits and pages. */
import type { OperationId, PaymentId, Tenant } from "@paymux/core"
import type { AnswerToKeep, CardDeclineQuery, Claim, EventId, Operation, RoutedQuery } from "@paymux/core/store"
import { mostCounted } from "@paymux/core/store"
import { columnNames, eventColumns, evidenceColumns, keyColumns } from "../columns.ts"
import { distinctSpellings, spellingsWithCapitals } from "../emailSpellings.ts"
import { hasFingerprint, pgFingerprint, withoutUnicodeEscapes } from "../migrations/cards.ts"
import { rescheduledAt } from "../dueCorrection.ts"
import { canClaimOperation, countOpenOperations, selectDueProviders, selectOpenProviders } from "../dueProviders.ts"
import { claimableAt, isOpen } from "../migrations/due.ts"
import { pgBeyondAscii } from "../migrations/emails.ts"
import { isReplaced } from "../newReferences.ts"
import { isTaken, remember } from "./commitTexts.ts"
import { statementOf } from "./Fragments.ts"
import type { Fragments } from "./Fragments.ts"
import { recordColumns, routedColumns } from "./records.ts"

const selectRecord = `SELECT ${recordColumns} FROM payments p WHERE p.id =`

export const selectPayment = (id: PaymentId) => statementOf(({ bind }) => `${selectRecord} ${bind(id, "text")}`)

/**
 * Waits for a commit that is under way, and until a synchronous standby has all that was visible before. A row that is locked
 * is written to the log, so the statement is acknowledged as a commit is.
 */
export const confirmPayment = (id: PaymentId) =>
  statementOf(({ bind }) => `SELECT id FROM payments WHERE id = ${bind(id, "text")} FOR KEY SHARE`)

export const selectPaymentOfTenant = ({ account, livemode }: Tenant, id: PaymentId) =>
  statementOf(
    ({ bind }) => `${selectRecord} ${bind(id, "text")}
      AND p.account = ${bind(account, "text")} AND p.livemode = ${bind(livemode, "boolean")}`
  )

export const selectVersions = (ids: ReadonlyArray<PaymentId>) =>
  statementOf(({ bind }) => `SELECT id, version FROM payments WHERE id = ANY (${bind(ids, "text[]")})`)

export const selectPaymentByOperation = (id: OperationId) =>
  statementOf(({ bind }) => `${selectRecord} (SELECT payment_id FROM operations WHERE id = ${bind(id, "text")})`)

/** At any provider. */
export const selectPaymentIdsByReferences = (references: ReadonlyArray<string>) =>
  statementOf(
    ({ bind }) => `SELECT DISTINCT payment_id FROM operations WHERE reference = ANY (${bind(references, "text[]")})`
  )

/** What earlier code wrote: all with characters beyond ASCII, and with capitals those that are one of `emails`. */
export const selectEmailSpellings = ({ account, livemode }: Tenant, emails: ReadonlyArray<string>) =>
  statementOf(({ bind }) => {
    const own = `account = ${bind(account, "text")} AND livemode = ${bind(livemode, "boolean")}`
    const withCapitals = spellingsWithCapitals("payments", own, "given.email")
    return `SELECT beyond.spelling FROM (${distinctSpellings("payments", own, pgBeyondAscii)}) AS beyond UNION ALL
      SELECT cased.spelling FROM unnest(${bind(emails, "text[]")}) AS given (email)
      CROSS JOIN LATERAL (${withCapitals}) AS cased`
  })

/** The open or paid payment that has the order. */
export const selectOrderHolder = ({ account, livemode }: Tenant, order: string) =>
  statementOf(
    ({ bind }) => `SELECT id AS payment_id FROM payments WHERE account = ${bind(account, "text")}
      AND livemode = ${bind(livemode, "boolean")} AND order_held = ${bind(order, "text")}`
  )

/** An operation that has the reference comes first, then one that had it. */
export const selectPaymentByReference = (provider: string, reference: string) =>
  statementOf(({ bind }) => {
    const named = `provider = ${bind(provider, "text")} AND reference = ${bind(reference, "text")}`
    return `${selectRecord} coalesce(
      (SELECT payment_id FROM operations WHERE ${named} ORDER BY created_at DESC, id DESC LIMIT 1),
      (SELECT payment_id FROM former_references WHERE ${named} ORDER BY payment_id DESC LIMIT 1))`
  })

export type KeyName = Omit<AnswerToKeep, "body">

/** Locks the key if it is found, so that a response is repeated only after the standby has it. */
export const selectKey = (key: KeyName) =>
  statementOf(
    (fragments) =>
      `SELECT ${columnNames(keyColumns)}, answer FROM idempotency_keys WHERE ${ofKey(fragments, key)} FOR KEY SHARE`
  )

const ofKey = ({ bind }: Fragments, { account, endpoint, key, livemode }: KeyName): string =>
  `account = ${bind(account, "text")} AND livemode = ${bind(livemode, "boolean")}
    AND endpoint = ${bind(endpoint, "text")} AND key = ${bind(key, "text")}`

/** Answers what is kept afterwards. */
export const keepAnswer = (answer: AnswerToKeep) =>
  statementOf(
    (fragments) => `UPDATE idempotency_keys SET answer = coalesce(answer, ${fragments.bind(answer.body, "text")})
      WHERE ${ofKey(fragments, answer)} RETURNING answer`
  )

/** An operation that already has the reference keeps it. */
export const checkpoint = (id: OperationId, expected: string | null, reference: string) =>
  statementOf(({ bind }) => {
    const kept = bind(reference, "text")
    const former = bind(expected, "text")
    const taken = isTaken("operations.provider", kept, "operations.payment_id")
    const update = `UPDATE operations SET reference = ${kept} WHERE id = ${bind(id, "text")}
      AND status IN ('planned', 'sending', 'pending', 'unknown')
      AND (reference = ${kept} OR reference IS NOT DISTINCT FROM ${former}
        AND NOT (kind = 'create' AND ${taken})) RETURNING`
    if (!isReplaced(expected, reference)) return `${update} 1`
    return `WITH written AS (${update} provider, payment_id),
      remembered AS (${remember} SELECT provider, ${former}, payment_id FROM written ON CONFLICT DO NOTHING)
      SELECT 1 FROM written`
  })

/** The reference finds the payment of a create operation, unless it is the charge of another payment. */
export const rememberReference = (id: OperationId, reference: string) =>
  statementOf(({ bind }) => {
    const other = bind(reference, "text")
    return `${remember} SELECT provider, ${other}, payment_id FROM operations WHERE id = ${bind(id, "text")}
      AND kind = 'create' AND NOT ${isTaken("operations.provider", other, "operations.payment_id")}
      ON CONFLICT DO NOTHING`
  })

export const openProviders = statementOf(() => selectOpenProviders)

export const openOperations = (provider: string) =>
  statementOf(({ bind }) => countOpenOperations(bind(provider, "text"), mostCounted + 1))

export const dueProviders = (now: number) => statementOf(({ bind }) => selectDueProviders(bind(now, "bigint")))

/** What another is claiming at this moment is passed over, so claimers do not wait for each other. */
export const claimDue = ({ limit, now, owner, provider, until }: Claim) =>
  statementOf(({ bind }) => {
    const at = bind(now, "bigint")
    return `WITH due AS (
        SELECT id FROM operations
        WHERE provider = ${bind(provider, "text")} AND ${canClaimOperation(at)}
        ORDER BY ${claimableAt}, id LIMIT ${bind(limit, "bigint")} FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE operations SET claimed_by = ${bind(owner, "text")}, claimed_until = ${bind(until, "bigint")} FROM due
        WHERE operations.id = due.id RETURNING operations.id, operations.payment_id, operations.next_check_at
      ) SELECT claimed.id AS claimed, ${recordColumns} FROM claimed JOIN payments p ON p.id = claimed.payment_id
        ORDER BY claimed.next_check_at, claimed.id`
  })

/** What was settled in the meantime has nothing left to be looked after; a hold has. */
export const reschedule = (
  { id, status }: Pick<Operation, "id" | "status">,
  checks: number,
  nextCheckAt: number | null
) =>
  statementOf(({ bind }) => {
    const next = bind(nextCheckAt, "bigint")
    return `UPDATE operations SET checks = ${bind(checks, "bigint")},
        next_check_at = ${next}, claimed_by = NULL, claimed_until = ${rescheduledAt(next)}
      WHERE id = ${bind(id, "text")} AND status = ${bind(status, "text")}`
  })

export const releaseOrphans = (owner: string, now: number) =>
  statementOf(
    ({ bind }) => `UPDATE operations
      SET next_check_at = ${bind(now, "bigint")}, claimed_by = NULL, claimed_until = NULL
      WHERE ${isOpen} AND status = 'sending' AND owner <> ${bind(owner, "text")} RETURNING 1`
  )

/**
 * From the payments of a card to their attempts, row by row: `OFFSET 0` is a fence, for the planner knows nothing of an
 * expression until the table was analyzed.
 */
export const selectCardDeclines = ({ account, livemode }: Tenant, { fingerprint, limit, since }: CardDeclineQuery) =>
  statementOf(
    ({ bind }) => `SELECT p.id, p.status, p.state, a.code, a.ended_at
      FROM payments p CROSS JOIN LATERAL (
        SELECT code, ended_at FROM attempts
        WHERE payment_id = p.id AND status = 'declined' AND code IS NOT NULL AND ended_at >= ${bind(since, "bigint")}
        OFFSET 0
      ) a
      WHERE account = ${bind(account, "text")} AND livemode = ${bind(livemode, "boolean")}
        AND (${pgFingerprint}) = ${withoutUnicodeEscapes(bind(JSON.stringify(fingerprint), "text"))}
        AND ${hasFingerprint(pgFingerprint)}
      ORDER BY a.ended_at DESC LIMIT ${bind(limit, "bigint")}`
  )

/**
 * A tenant's payments from an id on, oldest first. Adding nothing to the time keeps it from choosing the index: each
 * page then walks on from where the last one ended, and never sorts all that is in the range.
 */
export const selectRouted = (
  { account, livemode }: Tenant,
  { after, createdBefore, createdFrom, limit }: RoutedQuery
) =>
  statementOf(
    ({ bind }) => `SELECT ${routedColumns} FROM (
        SELECT id FROM payments
        WHERE account = ${bind(account, "text")} AND livemode = ${bind(livemode, "boolean")}
          AND id > ${bind(after ?? "", "text")}
          AND created_at + 0 >= ${bind(createdFrom, "bigint")} AND created_at + 0 < ${bind(createdBefore, "bigint")}
        ORDER BY id LIMIT ${bind(limit, "bigint")}
      ) page JOIN payments p ON p.id = page.id ORDER BY p.id`
  )

/** Last first; `null`: all. */
export const selectEvidenceOf = (id: PaymentId, limit: number | null) =>
  statementOf(
    ({ bind }) => `SELECT ${columnNames(evidenceColumns)} FROM evidence
      WHERE payment_id = ${bind(id, "text")} ORDER BY position DESC LIMIT ${bind(limit, "bigint")}`
  )

const selectEvents = `SELECT ${columnNames(eventColumns)} FROM payment_events WHERE`

export const selectUndispatched = (limit: number) =>
  statementOf(({ bind }) => `${selectEvents} dispatched_at IS NULL ORDER BY position LIMIT ${bind(limit, "bigint")}`)

export const selectEvent = (id: EventId) => statementOf(({ bind }) => `${selectEvents} id = ${bind(id, "text")}`)

export const selectEventsById = (ids: ReadonlyArray<EventId>) =>
  statementOf(({ bind }) => `${selectEvents} id = ANY (${bind(ids, "text[]")})`)

export const markDispatched = (ids: ReadonlyArray<EventId>, now: number) =>
  statementOf(
    ({ bind }) => `UPDATE payment_events SET dispatched_at = ${bind(now, "bigint")}
      WHERE id = ANY (${bind(ids, "text[]")}) AND dispatched_at IS NULL`
  )
