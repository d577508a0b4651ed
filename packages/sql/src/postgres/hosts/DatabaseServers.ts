/**
 * The servers of a database address, and the server that gets new sessions. With several servers, each new session
 * queries all of them, so a process finds the new primary after a failover without a restart.
 */
import { PgConnection } from "@effect/sql-pg"
import { Clock, Deferred, Effect, Redacted, Result } from "effect"
import type { Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Duplex } from "node:stream"
import { numeral, text } from "../../rows/ReadRow.ts"
import type { Row } from "../../rows/ReadRow.ts"
import { CannotConnect, connectTo } from "./connectTo.ts"
import { nameOf } from "./PostgresUrl.ts"
import type { PostgresUrl, Server } from "./PostgresUrl.ts"
import { choose, ofCluster, problemOf } from "./primary.ts"
import type { Chosen, Report } from "./primary.ts"
import { FormerPrimary, sessionStream } from "./sessionStream.ts"

export interface DatabaseServers {
  /**
   * Queries every server. Returns one sentence with the problem to resolve before the servers are used for payments;
   * `null`: no problem.
   */
  readonly problem: Effect.Effect<string | null>
  /** The byte stream of a new session. `readOnly`: the session itself refuses to write. */
  readonly open: (readOnly: boolean) => Duplex
}

export interface ServersOptions {
  /** The time limit for a server's answer, ms. */
  readonly patience: number
  /** The interval between two queries of all servers while the scope is open, ms. */
  readonly watchEvery: number
}

export const databaseServers = Effect.fnUntraced(function* (
  address: PostgresUrl,
  { patience, watchEvery }: ServersOptions
): Effect.fn.Return<DatabaseServers, never, Scope.Scope> {
  const { servers, target, tls } = address
  const [only] = servers
  const isPlain = servers.length === 1 && target === "any"
  const sessions = new Map<Duplex, Chosen>()
  let newest = 0
  let cluster: string | null = null
  let asking: Promise<Chosen> | null = null

  const ask = (server: Server) => askServer(address, server, patience)

  /**
   * Records the newest timeline, and ends sessions on a former primary. Such a session would fail later, or keep
   * commits that the new primary does not have.
   */
  const remember = (chosen: Chosen): Chosen => {
    newest = Math.max(newest, chosen.timeline)
    if (target === "any") return chosen
    for (const [session, { server, timeline }] of sessions) {
      if (timeline < newest) session.destroy(new FormerPrimary(nameOf(server), nameOf(chosen.server)))
    }
    return chosen
  }

  const find: Effect.Effect<Chosen, CannotConnect> = Effect.flatMap(survey(servers, ask), (reports) =>
    Result.match(choose(ofCluster(reports, cluster), target, newest), {
      onSuccess: (chosen) =>
        Effect.sync(() => {
          cluster ??= clusterOf(reports, chosen)
          return remember(chosen)
        }),
      onFailure: (message) => Effect.fail(new CannotConnect({ message, isUnknownHost: false }))
    })
  )

  /** Sessions that open at the same time share one query of the servers. */
  const findTogether = Effect.tryPromise({
    try: () => {
      asking ??= Effect.runPromise(onMachineTime(find)).finally(() => {
        asking = null
      })
      return asking
    },
    catch: (cause) =>
      cause instanceof CannotConnect ? cause : new CannotConnect({ message: String(cause), isUnknownHost: false })
  })

  const open = (readOnly: boolean): Duplex => {
    let chosen: Chosen = { server: only, timeline: 0 }
    const stream = sessionStream({
      open: Effect.flatMap(isPlain ? Effect.succeed(chosen) : findTogether, (found) => {
        chosen = found
        sessions.set(stream, found)
        return connectTo(found.server, tls)
      }),
      needs: target === "any" ? "nothing" : target === "primary" || readOnly ? "primary" : "writes",
      name: () => nameOf(chosen.server)
    })
    stream.once("close", () => sessions.delete(stream))
    return stream
  }

  if (servers.length > 1) {
    yield* Effect.forkScoped(onMachineTime(Effect.forever(Effect.delay(Effect.ignore(find), watchEvery))))
  }
  return {
    open,
    problem: isPlain
      ? Effect.succeed(null)
      : onMachineTime(
          Effect.map(Effect.forEach(servers, ask, { concurrency: "unbounded" }), (reports) => {
            newest = Math.max(newest, ...reports.map((report) => ("timeline" in report ? report.timeline : 0)))
            return problemOf(reports, target)
          })
        )
  }
})

const clusterOf = (reports: ReadonlyArray<Report>, { server }: Chosen): string | null => {
  const report = reports.find((each) => each.server === server)
  return report === undefined || report._tag === "Unreachable" ? null : report.system
}

/**
 * Queries all servers and returns their reports. After the first report of a server that accepts writes, it waits only
 * a short time for the others.
 */
const survey = Effect.fnUntraced(function* (
  servers: PostgresUrl["servers"],
  ask: (server: Server) => Effect.Effect<Report>
) {
  const reports = new Map<Server, Report>()
  const first = yield* Deferred.make<void>()
  const asked = Effect.forEach(
    servers,
    (server) =>
      Effect.flatMap(ask(server), (report) => {
        reports.set(server, report)
        return report._tag === "Writable" ? Deferred.succeed(first, undefined) : Effect.void
      }),
    { concurrency: "unbounded", discard: true }
  )
  yield* Effect.raceFirst(asked, Effect.andThen(Deferred.await(first), Effect.sleep(OTHERS_HAVE)))
  return servers.map((server) => reports.get(server) ?? unreachable(server, "no answer yet"))
})

/** The time that other servers have to report after the first server that accepts writes, ms. */
const OTHERS_HAVE = 250

/** Queries the state of one server. Never fails: for an unreachable server it returns a report `Unreachable`. */
const askServer = ({ login, tls }: PostgresUrl, server: Server, patience: number): Effect.Effect<Report> =>
  Effect.scoped(
    Effect.flatMap(
      PgConnection.make({
        url: Redacted.make(login),
        ssl: false,
        stream: () => sessionStream({ open: connectTo(server, tls), needs: "nothing", name: () => nameOf(server) }),
        connectTimeout: patience,
        applicationName: "paymux servers"
      }),
      (session) => session.query(selectState)
    )
  ).pipe(
    Effect.map(({ rows: [row = {}] }) => reportOf(server, row)),
    Effect.catch((error) => Effect.succeed(unreachable(server, reasonOf(error), isUnknownHost(error)))),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.succeed(unreachable(server, `no answer within ${patience} ms`))
    })
  )

/**
 * The SQL for the state of a server. It reads the timeline from the first eight digits of the WAL file name, because
 * the control file is updated late after a promotion.
 */
const selectState = `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS read_only,
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer END AS timeline`

const reportOf = (server: Server, row: Row): Report => {
  const system = text(row, "system")
  if (row["standby"] === true) return { _tag: "Standby", server, system }
  const timeline = numeral(row, "timeline")
  return { _tag: row["read_only"] === "on" ? "ReadOnly" : "Writable", server, system, timeline }
}

const unreachable = (server: Server, reason: string, isUnknownHost = false): Report => ({
  _tag: "Unreachable",
  server,
  reason,
  isUnknownHost
})

const isUnknownHost = ({ reason: { cause } }: SqlError): boolean =>
  cause instanceof CannotConnect && cause.isUnknownHost

const reasonOf = ({ reason: { cause, message } }: SqlError): string =>
  cause instanceof Error ? cause.message : message

/** The timers of sockets use the machine's clock, even if a test has another clock. */
export const onMachineTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Clock.Clock, Clock.Clock.defaultValue())
