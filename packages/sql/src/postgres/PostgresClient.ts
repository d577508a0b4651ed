/**
 * Provides `effect/sql` on PostgreSQL: a pool of sessions in the time zone UTC, and a deadline for each statement.
 *
 * The deadline detects a server that disappears silently, for example behind a cut cable or a firewall. The statement
 * fails, its session is discarded, and the pool opens another session as soon as a server is reachable again.
 */
import { PgClient, PgPool } from "@effect/sql-pg"
import { Context, Data, Effect, Layer, Redacted, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../rows/ReadRow.ts"
import { parameters, registry } from "./codecs.ts"
import { withinDeadline } from "./deadline.ts"
import { databaseServers, onMachineTime } from "./hosts/DatabaseServers.ts"
import { parsePostgresUrl } from "./hosts/PostgresUrl.ts"
import { commit, rollback, statementConnection, transactionConnection } from "./PostgresConnection.ts"

type Query = (sql: string, params: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, SqlError>

/** The pool below the `SqlClient`, for code that runs single statements itself. */
export class PostgresDatabase extends Context.Service<
  PostgresDatabase,
  {
    /** Runs one statement, prepared under its text, in a transaction of its own. */
    readonly query: Query
    /**
     * Runs one statement that only reads: on sessions of its own, planned for its parameters, for `searchDeadlineMs` at
     * most. After that the server ends the statement, with `StatementTimeoutError`.
     */
    readonly search: Query
    /**
     * Like `search`, for a statement that may read many rows: such statements leave half of the sessions to other
     * statements.
     */
    readonly scan: Query
    /** The maximum duration of a statement, in milliseconds, including the wait for its turn. */
    readonly deadlineMs: number
    /** The maximum duration of a search, in milliseconds. */
    readonly searchDeadlineMs: number
  }
>()("@paymux/sql/postgres/PostgresDatabase") {}

export interface PostgresClientOptions {
  /**
   * `postgres://user:password@host:5432/database?sslmode=require`. With several hosts, as for libpq
   * (`postgres://user:password@host1:5432,host2:5432/database`), sessions go to the one that accepts writes.
   */
  readonly url: Redacted.Redacted
  /** The maximum number of sessions. Default 10. Lists have four more sessions of their own. */
  readonly maxConnections?: number
  /** The application name of these sessions in the views of the server. Default `paymux`. */
  readonly applicationName?: string
  /**
   * The maximum duration of a statement, in milliseconds, including the wait for a free session. Default 8,000. The
   * server itself ends a statement after two thirds of it, and a wait for a lock after one third.
   */
  readonly deadlineMs?: number
  /**
   * The maximum duration of a search in lists, and of a whole page of a list. Default 2,000, and never more than
   * `deadlineMs`.
   */
  readonly searchDeadlineMs?: number
  /** Whether the sessions refuse writes. Default: false. */
  readonly readOnly?: boolean
}

/** Error: the server's configuration is not safe for payments. One sentence for the operator. */
export class PostgresUnfit extends Data.TaggedError("PostgresUnfit")<{ readonly message: string }> {}

/**
 * Opens the pool, and closes it with the scope. Fails with `SqlError` where the server does not answer, with
 * `PostgresUnfit` where its sessions are not in UTC, isolate transactions in another way, lose acknowledged commits, or
 * cannot hold every character.
 *
 * @example
 * ```ts
 * const client = PostgresClient.layer({ url: Redacted.make("postgres://paymux@localhost/payments") })
 * ```
 */
export const layer = (
  options: PostgresClientOptions
): Layer.Layer<SqlClient.SqlClient | PostgresDatabase, SqlError | PostgresUnfit> =>
  Layer.effectContext(make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fnUntraced(function* (options: PostgresClientOptions) {
  const deadlineMs = options.deadlineMs ?? 8_000
  const searchDeadlineMs = Math.min(deadlineMs, options.searchDeadlineMs ?? 2_000)
  const address = yield* Effect.mapError(
    Effect.fromResult(parsePostgresUrl(Redacted.value(options.url))),
    (message) => new PostgresUnfit({ message })
  )
  const servers = yield* databaseServers(address, { patience: Math.min(deadlineMs / 2, 4_000), watchEvery: 5_000 })
  const problem = yield* servers.problem
  if (problem !== null) return yield* new PostgresUnfit({ message: problem })
  const connection = { url: Redacted.make(address.login), stream: () => servers.open(options.readOnly === true) }
  // The pool and its sockets use the machine's clock for their time limits, even if a test has another clock.
  const poolOf = (config: PgPool.Config) => onMachineTime(PgPool.make({ ...config, ...connection }))
  const pool = yield* poolOf(poolConfig(options, deadlineMs))
  const query: Query = (sql, params) => withinDeadline(queryOn(pool, sql, params), deadlineMs)
  yield* refuseUnfit(query)
  const searchers = yield* poolOf(searchConfig(options, searchDeadlineMs))
  const scans = yield* Semaphore.make(mostSearches / 2)
  const search: Query = (sql, params) => withinDeadline(queryOn(searchers, sql, params), searchDeadlineMs)
  const scan: Query = (sql, params) =>
    withinDeadline(scans.withPermit(queryOn(searchers, sql, params)), searchDeadlineMs)
  const reserved = Effect.map(withinDeadline(pool.reserve, deadlineMs), (session) =>
    transactionConnection(pool, session, deadlineMs)
  )
  const client = yield* SqlClient.make({
    acquirer: reserved,
    borrower: (use) =>
      withinDeadline(
        pool.use((session) => use(statementConnection(session))),
        deadlineMs
      ),
    transactionAcquirer: reserved,
    compiler: PgClient.makeCompiler(),
    driver: "paymux-pg",
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    commit,
    rollback,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  return Context.make(PostgresDatabase, { query, search, scan, deadlineMs, searchDeadlineMs }).pipe(
    Context.add(SqlClient.SqlClient, client)
  )
})

const queryOn = (pool: PgPool.PgPool, sql: string, params: ReadonlyArray<unknown>) =>
  pool.use((session) => Effect.map(session.query(sql, parameters(params)), ({ rows }) => rows))

const poolConfig = (options: PostgresClientOptions, deadlineMs: number): PgPool.Config => ({
  // The driver does not set up TLS, because the session stream already has.
  ssl: false,
  maxConnections: options.maxConnections ?? 10,
  applicationName: options.applicationName ?? "paymux",
  connectTimeout: Math.min(deadlineMs, 5_000),
  preparedStatementCacheSize: 500,
  types: registry(),
  startupParameters: {
    timezone: "UTC",
    default_transaction_isolation: "read committed",
    // Requests warnings, because PostgreSQL reports only by a warning that a wait for the standby was canceled.
    client_min_messages: "warning",
    ...(options.readOnly === true ? { default_transaction_read_only: "on" } : {}),
    statement_timeout: String(Math.round((deadlineMs * 2) / 3)),
    lock_timeout: String(Math.round(deadlineMs / 3)),
    idle_in_transaction_session_timeout: String(deadlineMs * 2)
  }
})

/** The sessions that searches share: they are opened on the first search, and never used for payments. */
const mostSearches = 4

const searchConfig = (options: PostgresClientOptions, deadlineMs: number): PgPool.Config => {
  const config = poolConfig(options, deadlineMs)
  return {
    ...config,
    maxConnections: mostSearches,
    startupParameters: {
      ...config.startupParameters,
      // This is earlier than the deadline of the client, so that the server itself reports the timeout.
      statement_timeout: String(Math.round((deadlineMs * 9) / 10)),
      // Disables generic plans: the best index depends on the values, so a plan for any value may be wrong for most
      // values.
      plan_cache_mode: "force_custom_plan",
      jit: "off"
    }
  }
}

// Checks the settings of a session, because a connection pooler between client and server may have dropped the startup
// parameters.
const refuseUnfit = Effect.fnUntraced(function* (query: Query) {
  const [session] = yield* query(
    `SELECT current_setting('TimeZone') AS zone, current_setting('server_encoding') AS encoding,
      current_setting('synchronous_commit') AS synchronous,
      current_setting('default_transaction_isolation') AS isolation,
      current_setting('client_min_messages') AS messages`,
    []
  )
  const { encoding, isolation, messages, synchronous, zone } = session ?? {}
  const faults: ReadonlyArray<readonly [isFault: boolean, message: string]> = [
    [
      zone !== "UTC" && zone !== "Etc/UTC",
      `PostgreSQL sessions are in the time zone ${String(zone)} although UTC was asked for: let the pooler in between pass TimeZone on, or set it for the role.`
    ],
    [encoding !== "UTF8", `The PostgreSQL database has the encoding ${String(encoding)}: make one with UTF8.`],
    [
      isolation !== "read committed",
      `PostgreSQL sessions begin transactions as ${String(isolation)} although read committed was asked for: let the pooler in between pass default_transaction_isolation on, or set it for the role.`
    ],
    [
      messages === "error",
      "PostgreSQL sessions do not report warnings although they were asked for, so a payment that no standby has would not be noticed: let the pooler in between pass client_min_messages on, or set it for the role to warning."
    ],
    [
      synchronous === "off",
      "PostgreSQL would acknowledge payments before they are on the disk: set synchronous_commit to on."
    ]
  ]
  const fault = faults.find(([isFault]) => isFault)
  if (fault !== undefined) return yield* new PostgresUnfit({ message: fault[1] })
})
