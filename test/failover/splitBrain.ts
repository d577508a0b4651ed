/**
 * Two primaries for a while: the standby is promoted although the former primary runs. The first process reaches only the
 * former one, the last only the promoted one, and those between reach both.
 */
import { newDatabase } from "../crash/PostgresAt.ts"
import { pause, withHarness } from "../crash/TestHarness.ts"
import type { HarnessReport } from "../crash/TestHarness.ts"
import { startTraffic } from "../crash/Traffic.ts"
import { startCluster } from "./Cluster.ts"
import { query } from "./PostgresNode.ts"

export interface SplitBrainReport extends HarnessReport {
  /** Payments that only the former primary had committed: they are lost, so none of them may have been sent. */
  readonly unconfirmed: number
}

const ENGINES = 3

/** `duration`: ms. */
export const splitBrain = async (options: {
  readonly duration: number
  readonly flood: number
  readonly seed: number
}): Promise<SplitBrainReport> => {
  const { duration, flood, seed } = options
  const cluster = await startCluster("sync", ENGINES)
  try {
    const name = new URL(await newDatabase(cluster.primary().url)).pathname.slice(1)
    let unconfirmed = 0
    const report = await withHarness(
      {
        name: `split-${seed}`,
        database: cluster.directUrl(name),
        engines: ENGINES,
        reach: (engine) => cluster.urlFor(engine, name)
      },
      async ({ merchant }) => {
        const more = startTraffic({ merchant, prefix: `more-${seed}`, concurrency: flood, of: [{ rail: "upi" }] })
        await pause(2_000)
        const former = cluster.primary()
        const promoted = cluster.standby()
        cluster.replication({ kind: "black_hole" })
        cluster.link(0, promoted, { kind: "black_hole" })
        cluster.link(ENGINES - 1, former, { kind: "black_hole" })
        await cluster.promote()
        // The worst case: what waits for the standby is canceled, so that the former primary shows it as committed.
        for (const until = performance.now() + duration; performance.now() < until; await pause(300)) {
          await query(former.url, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        }
        const paymentsOf = async (url: string) => {
          const target = new URL(url)
          target.pathname = `/${name}`
          return (await query(target.href, "SELECT id FROM payments")).map((row) => String(row["id"]))
        }
        const kept = new Set(await paymentsOf(promoted.url))
        unconfirmed = (await paymentsOf(former.url)).filter((id) => !kept.has(id)).length
        await former.kill()
        cluster.link(0, promoted, { kind: "pass" })
        cluster.link(ENGINES - 1, former, { kind: "pass" })
        cluster.replication({ kind: "pass" })
        await cluster.rebuild()
        await pause(2_000)
        await more.stop()
      }
    )
    return { ...report, unconfirmed }
  } finally {
    await cluster.close()
  }
}
