/**
 * A primary and its standby. Every link is a proxy: between the two servers, and from each process of Paymux to each of
 * them.
 */
import { rmSync } from "node:fs"
import { startTcpProxy } from "../crash/TcpProxy.ts"
import type { ProxyMode, TcpProxy } from "../crash/TcpProxy.ts"
import { freePort } from "../support/freePort.ts"
import { install } from "../support/PostgresServer.ts"
import { makeNode, query } from "./PostgresNode.ts"
import type { PostgresNode } from "./PostgresNode.ts"

/** Whether commits wait for the standby. */
export type StandbyMode = "sync" | "async"

export interface Cluster {
  readonly primary: () => PostgresNode
  readonly standby: () => PostgresNode
  /** Of `database`, for process number `process`: both servers, each through a link of its own. */
  readonly urlFor: (process: number, database: string) => string
  /** Of `database`, without links that can be cut. */
  readonly directUrl: (database: string) => string
  readonly replication: (mode: ProxyMode) => void
  /** The link from a process to a server. */
  readonly link: (process: number, node: PostgresNode, mode: ProxyMode) => void
  /** The standby becomes the primary, whatever the other one does; returns the ms that it took. */
  readonly promote: () => Promise<number>
  /** The server that is no primary follows the primary again, with its data copied anew. */
  readonly rebuild: () => Promise<void>
  readonly close: () => Promise<void>
}

export const startCluster = async (mode: StandbyMode, processes: number): Promise<Cluster> => {
  const installation = await install()
  const nodes = [
    makeNode(installation, "first", await freePort()),
    makeNode(installation, "second", await freePort())
  ] as const
  const linkTo = ({ port }: PostgresNode) => startTcpProxy({ host: "127.0.0.1", port })
  const replicationLinks = new Map<PostgresNode, TcpProxy>()
  const links: Array<ReadonlyMap<PostgresNode, TcpProxy>> = []
  for (const node of nodes) replicationLinks.set(node, await linkTo(node))
  for (let process = 0; process < processes; process++) {
    links.push(new Map(await Promise.all(nodes.map(async (node) => [node, await linkTo(node)] as const))))
  }
  let [primary, standby]: ReadonlyArray<PostgresNode> = nodes
  const roles = () => {
    if (primary === undefined || standby === undefined) throw new Error("A cluster has two servers")
    return { primary, standby }
  }
  const portOf = (all: ReadonlyMap<PostgresNode, TcpProxy> | undefined, node: PostgresNode): number =>
    all?.get(node)?.port ?? node.port
  const urlThrough = (all: ReadonlyMap<PostgresNode, TcpProxy> | undefined, database: string) =>
    `postgres://paymux:paymux@${nodes.map((node) => `127.0.0.1:${portOf(all, node)}`).join(",")}/${database}`

  const follow = async () => {
    const { primary, standby } = roles()
    await standby.rebuild(primary, portOf(replicationLinks, primary))
    await untilStreaming(primary)
    if (mode === "async") return
    await primary.waitFor("*")
    // Once this is acknowledged, the standby has everything.
    await query(primary.url, "SELECT pg_logical_emit_message(true, 'failover', '')::text")
  }

  try {
    await nodes[0].begin()
    await follow()
  } catch (cause) {
    await Promise.all(nodes.map((node) => node.kill().catch(() => undefined)))
    rmSync(installation.directory, { recursive: true, force: true })
    throw cause
  }

  return {
    primary: () => roles().primary,
    standby: () => roles().standby,
    urlFor: (process, database) => urlThrough(links[process], database),
    directUrl: (database) => urlThrough(undefined, database),
    replication: (mode) => {
      for (const link of replicationLinks.values()) link.set(mode)
    },
    link: (process, node, mode) => links[process]?.get(node)?.set(mode),
    promote: async () => {
      const { primary: former, standby: next } = roles()
      primary = next
      standby = former
      return await next.promote()
    },
    rebuild: follow,
    close: async () => {
      await Promise.all(nodes.map((node) => node.kill().catch(() => undefined)))
      await Promise.all(
        [...replicationLinks.values(), ...links.flatMap((all) => [...all.values()])].map((link) => link.close())
      )
      rmSync(installation.directory, { recursive: true, force: true })
    }
  }
}

const untilStreaming = async ({ url }: PostgresNode): Promise<void> => {
  while (true) {
    const found = await query(url, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")
    if (found.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
