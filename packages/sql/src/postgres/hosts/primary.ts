/** Selects, from the servers in a database URL, the server that accepts writes, by the reports of all servers. Pure. */
import { Result } from "effect"
import { nameOf, namesOf } from "./PostgresUrl.ts"
import type { Server, Target } from "./PostgresUrl.ts"

/** The report of one server about itself. */
export type Report =
  | Writable
  | { readonly _tag: "Standby"; readonly server: Server; readonly system: string }
  /** A primary whose transactions are read-only. */
  | { readonly _tag: "ReadOnly"; readonly server: Server; readonly system: string; readonly timeline: number }
  | { readonly _tag: "Unreachable"; readonly server: Server; readonly reason: string; readonly isUnknownHost: boolean }

interface Writable {
  readonly _tag: "Writable"
  readonly server: Server
  /** The identifier of the cluster, which a primary shares with its standbys. */
  readonly system: string
  /** The number of the server's timeline, which each promotion increases. */
  readonly timeline: number
}

export interface Chosen {
  readonly server: Server
  /** The number of the timeline; 0: unknown, for a standby. */
  readonly timeline: number
}

/**
 * The server for a new session: the one with the newest timeline, because a promotion begins a new one. A former primary
 * that still accepts writes is never used again once a newer primary was seen.
 *
 * @param newest the highest timeline that this process has seen
 */
export const choose = (
  reports: ReadonlyArray<Report>,
  target: Target,
  newest: number
): Result.Result<Chosen, string> => {
  const foreign = twoClusters(reports)
  if (foreign !== null) return Result.fail(foreign)
  const fit = reports.flatMap((report) => candidateOf(report, target))
  const highest = Math.max(0, ...fit.map(({ timeline }) => timeline))
  const [first, second] = target === "any" ? fit.slice(0, 1) : fit.filter(({ timeline }) => timeline === highest)
  if (first === undefined) return Result.fail(noneFit(reports, target))
  if (second !== undefined) return Result.fail(twoPrimaries([first, second]))
  return target === "any" || first.timeline >= newest
    ? Result.succeed(first)
    : Result.fail(
        `${nameOf(first.server)} accepts writes on timeline ${first.timeline}, but another server was promoted to timeline ${newest}: it is a former primary. Stop it, and rebuild it as a standby.`
      )
}

/**
 * Replaces the report of a server that belongs to another cluster by `Unreachable`. A standby that is being set up
 * again may belong to another cluster for a while, and must not prevent sessions on the primary. `system`: the known
 * cluster; `null`: no cluster is known yet.
 */
export const ofCluster = (reports: ReadonlyArray<Report>, system: string | null): ReadonlyArray<Report> =>
  reports.map((report) =>
    system === null || report._tag === "Unreachable" || report.system === system
      ? report
      : {
          _tag: "Unreachable",
          server: report.server,
          reason: `it belongs to another cluster, with the system identifier ${report.system}`,
          isUnknownHost: false
        }
  )

/** The most important problem for an operator, from the reports of all servers at the start; `null`: no problem. */
export const problemOf = (reports: ReadonlyArray<Report>, target: Target): string | null => {
  const unknown = reports.find((report) => report._tag === "Unreachable" && report.isUnknownHost)
  if (unknown !== undefined) {
    return `The host ${nameOf(unknown.server)} was not found: correct its name in the address of the database.`
  }
  const writable = reports.filter((report) => report._tag === "Writable")
  if (target !== "any" && writable.length > 1) return twoClusters(reports) ?? twoPrimaries(writable)
  return Result.match(choose(reports, target, 0), { onSuccess: () => null, onFailure: (sentence) => sentence })
}

const candidateOf = (report: Report, target: Target): ReadonlyArray<Chosen> => {
  switch (report._tag) {
    case "Writable":
      return [report]
    case "ReadOnly":
      return target === "read-write" ? [] : [report]
    case "Standby":
      return target === "any" ? [{ server: report.server, timeline: 0 }] : []
    case "Unreachable":
      return []
  }
}

const twoClusters = (reports: ReadonlyArray<Report>): string | null => {
  const reached = reports.filter((report) => report._tag !== "Unreachable")
  const [first] = reached
  const other = reached.find(({ system }) => system !== first?.system)
  return first === undefined || other === undefined
    ? null
    : `${nameOf(first.server)} and ${nameOf(other.server)} belong to different clusters (system identifiers ${first.system} and ${other.system}): name the servers of one cluster.`
}

const twoPrimaries = (writable: ReadonlyArray<Chosen>): string => {
  const each = writable.map(({ server, timeline }) => `${nameOf(server)} on timeline ${timeline}`).join(", ")
  return `More than one server accepts writes: ${each}. Stop the former primary, and rebuild it as a standby.`
}

const noneFit = (reports: ReadonlyArray<Report>, target: Target): string => {
  const wanted = target === "any" ? "answers" : target === "primary" ? "is a primary" : "accepts writes"
  const servers = namesOf(reports.map(({ server }) => server))
  return `No server of ${servers} ${wanted}: ${reports.map(stateOf).join("; ")}.`
}

const stateOf = (report: Report): string => {
  switch (report._tag) {
    case "Writable":
      return `${nameOf(report.server)} accepts writes`
    case "ReadOnly":
      return `${nameOf(report.server)} is read-only`
    case "Standby":
      return `${nameOf(report.server)} is a standby`
    case "Unreachable":
      return `${nameOf(report.server)} cannot be reached (${report.reason})`
  }
}
