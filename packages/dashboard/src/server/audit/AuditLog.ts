/**
 * The audit log: one entry for each administrative write, never changed. It says who did what, when, from where, and what
 * changed. Secrets and customers' data are not in it.
 */
import type { Tenant } from "@paymux/core"
import { logCursor, readLogCursor, StoreUnavailable } from "@paymux/core/store"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { CurrentActor } from "./Actor.ts"
import type { Actor, Role } from "./Actor.ts"

/** The object that was acted on, and the verb. */
export const auditActions = [
  "api_key.create",
  "api_key.rotate",
  "api_key.revoke",
  "webhook_endpoint.create",
  "webhook_endpoint.update",
  "webhook_endpoint.enable",
  "webhook_endpoint.disable",
  "webhook_endpoint.rotate_secret",
  "webhook_endpoint.delete",
  "webhook_delivery.resend",
  "payment.capture",
  "payment.cancel",
  "payment.refund",
  "payment.simulate",
  "review.resolve",
  "dispute.record",
  "report.match",
  "report.dismiss",
  "customer.erase",
  "user.invite",
  "user.revoke_invitation",
  "user.join",
  "user.role",
  "user.remove",
  "user.reset",
  "user.password",
  "user.totp",
  "routing.publish",
  "routing.rollback",
  "database.mark_restored",
  "secret.rotate"
] as const
export type AuditAction = (typeof auditActions)[number]

/**
 * `done`: written in the transaction of the change itself. `requested`: written before something that also happens outside
 * of this database, such as a refund; the payment shows what became of it. `refused`: what was requested was refused.
 * `repeated`: it had been requested before under the same idempotency key, and was not done again.
 */
export const auditOutcomes = ["done", "requested", "refused", "repeated"] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** Plain values that may be shown to everyone who can read the log. */
export type AuditFields = { readonly [name: string]: string | number | boolean | null | ReadonlyArray<string> }

export interface NewAuditEntry {
  readonly tenant: Tenant
  readonly action: AuditAction
  /** The id of the object; `null`: several, or none. */
  readonly target: string | null
  readonly outcome: AuditOutcome
  readonly before: AuditFields | null
  readonly after: AuditFields | null
}

export interface AuditEntry extends Omit<NewAuditEntry, "tenant" | "action">, Tenant {
  /** Ascending, in the order in which they were written. */
  readonly id: number
  /** ms UTC */
  readonly at: number
  readonly actor: Actor
  /** One of `AuditAction`, or of a later version. */
  readonly action: string
}

/** Conditions that are left out exclude nothing. */
export interface AuditQuery {
  readonly action?: AuditAction
  readonly actorId?: string
  readonly target?: string
  readonly outcome?: AuditOutcome
  /** ms UTC, inclusive. */
  readonly from?: number
  /** ms UTC, exclusive. */
  readonly until?: number
  /** The `next` of the page before. */
  readonly after?: string
  /** 1 to 1000. */
  readonly limit: number
}

export interface AuditPage {
  readonly entries: ReadonlyArray<AuditEntry>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** The cursor is not one that the audit log returned. */
export class AuditCursorInvalid extends Schema.TaggedError<AuditCursorInvalid>()("AuditCursorInvalid", {}) {
  override get message() {
    return "The cursor must be the `next` of a former page of the audit log."
  }
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** In the name of `CurrentActor`. Within a transaction it is written if and only if the transaction commits. */
    readonly append: (entry: NewAuditEntry) => Effect.Effect<void, SqlError>
    /** Newest first. */
    readonly list: (
      tenant: Tenant,
      query: AuditQuery
    ) => Effect.Effect<AuditPage, AuditCursorInvalid | StoreUnavailable>
    /** Deletes entries from before a time (ms UTC), at most `limit`. Returns their number. */
    readonly prune: (before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@paymux/dashboard/AuditLog") {
  static readonly layer: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
    AuditLog,
    Effect.map(SqlClient.SqlClient, (sql) => AuditLog.of({ append: append(sql), list: list(sql), prune: prune(sql) }))
  )
}

const append = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ action, after, before, outcome, target, tenant }: NewAuditEntry) {
    const now = yield* Clock.currentTimeMillis
    const actor = yield* CurrentActor
    yield* sql`INSERT INTO paymux_audit (at, account, livemode, actor_kind, actor_id, actor_name, role, address, action,
        target, outcome, before_json, after_json)
      VALUES (${now}, ${tenant.account}, ${tenant.livemode}, ${actor.kind}, ${actor.id}, ${actor.name}, ${actor.role},
        ${actor.address}, ${action}, ${target}, ${outcome}, ${jsonOf(before)}, ${jsonOf(after)})`
  })

const jsonOf = (fields: AuditFields | null): string | null => (fields === null ? null : JSON.stringify(fields))

const list = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ account, livemode }: Tenant, query: AuditQuery) {
    const { action, actorId, after, from, limit, outcome, target, until } = query
    const place = after === undefined ? null : readLogCursor(after)
    if (after !== undefined && place === null) return yield* new AuditCursorInvalid()
    const conditions = [
      sql`account = ${account} AND livemode = ${livemode}`,
      ...(action === undefined ? [] : [sql`action = ${action}`]),
      ...(actorId === undefined ? [] : [sql`actor_id = ${actorId}`]),
      ...(target === undefined ? [] : [sql`target = ${target}`]),
      ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
      ...(from === undefined ? [] : [sql`at >= ${from}`]),
      ...(until === undefined ? [] : [sql`at < ${until}`]),
      ...(place === null ? [] : [sql`(at, id) < (${place.at}, ${place.row})`])
    ]
    const rows = yield* orUnavailable(
      sql<Row>`SELECT * FROM paymux_audit WHERE ${sql.and(conditions)} ORDER BY at DESC, id DESC LIMIT ${limit + 1}`
        .unprepared
    )
    const entries = rows.slice(0, limit).map(entryOf)
    const last = entries.at(-1)
    const next = last === undefined || rows.length <= limit ? null : logCursor({ at: last.at, row: last.id })
    return { entries, next }
  })

const prune = (sql: SqlClient.SqlClient) => (before: number, limit: number) =>
  orUnavailable(sql`
    DELETE FROM paymux_audit WHERE id IN (
      SELECT id FROM (SELECT id, at FROM paymux_audit ORDER BY id LIMIT ${limit}) AS oldest WHERE at < ${before})
    RETURNING id`).pipe(Effect.map((rows) => rows.length))

const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>) =>
  Effect.catchTag(effect, "SqlError", (cause) => Effect.fail(new StoreUnavailable({ cause })))

interface Row {
  /** PostgreSQL returns a bigint as text. */
  readonly id: number | string
  readonly at: number | string
  readonly account: string
  readonly livemode: boolean | number
  readonly actor_kind: Actor["kind"]
  readonly actor_id: string
  readonly actor_name: string | null
  readonly role: Role | null
  readonly address: string | null
  readonly action: string
  readonly target: string | null
  readonly outcome: AuditOutcome
  readonly before_json: string | null
  readonly after_json: string | null
}

const entryOf = (row: Row): AuditEntry => ({
  id: Number(row.id),
  at: Number(row.at),
  account: row.account,
  livemode: Boolean(row.livemode),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name, role: row.role, address: row.address },
  action: row.action,
  target: row.target,
  outcome: row.outcome,
  before: fieldsOf(row.before_json),
  after: fieldsOf(row.after_json)
})

// Boundary: `append` wrote the column from such fields.
const fieldsOf = (json: string | null): AuditFields | null => (json === null ? null : (JSON.parse(json) as AuditFields))
