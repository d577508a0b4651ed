/** The primary is killed under load, and its standby promoted, again and again; processes of Paymux are killed as well. */
import { newDatabase } from "../crash/PostgresAt.ts"
import { mulberry32 } from "../crash/Random.ts"
import { requestOf } from "../crash/Scenarios.ts"
import { pause, withHarness } from "../crash/TestHarness.ts"
import type { HarnessReport, TestHarness } from "../crash/TestHarness.ts"
import { startTraffic } from "../crash/Traffic.ts"
import type { LedgerEntry } from "../crash/vendor/Ledger.ts"
import { startCluster } from "./Cluster.ts"
import type { Cluster, StandbyMode } from "./Cluster.ts"
import { compareBooks, comparedBooks } from "./comparedBooks.ts"
import type { Compared } from "./comparedBooks.ts"
import { watchEvents } from "./EventWatch.ts"
import { formerPurchases, noteFormerNames } from "./formerPurchases.ts"
import type { FormerPurchases } from "./formerPurchases.ts"
import { firstSecrets, removeFormerSecret, replaceSecret } from "./secretRotation.ts"

export interface FailoverOptions {
  readonly standby: StandbyMode
  readonly times: number
  /** Processes of Paymux. */
  readonly engines: number
  /** Simple payments under way at the same time, besides those of all scenarios. */
  readonly flood: number
  readonly seed: number
  /**
   * The version of the processes until the first failover, but for the last one: `former` derives names by the place of a provider.
   * Default: this one. Only for `async`.
   */
  readonly begunBy?: "former" | "this"
  /**
   * Whether the secret of the installation is replaced: the standby of `async` does not have that at the first failover, and
   * the former secret is removed before the second one.
   */
  readonly rotates?: boolean
  readonly progress?: (text: string) => void
}

interface Failover {
  /** ms that `pg_ctl promote` took. */
  readonly promotion: number
  /** ms from then until a payment was answered 201 that was requested after the kill. */
  readonly back: number
  /** ms until the one was that was requested at once: it waits in the queue of all that were requested in the outage. */
  readonly queued: number
}

export interface FailoverReport extends HarnessReport {
  readonly failovers: ReadonlyArray<Failover>
  /** Payments that were answered 201 for each second before the failovers. */
  readonly perSecond: number
  readonly events: { readonly read: number; readonly faults: ReadonlyArray<string> }
  /** Of an asynchronous standby: what has become of what the vendor moved, after the books were compared with its statement. */
  readonly compared: Compared | null
  /** Of payments that the former version has begun; `null`: there was none. */
  readonly former: FormerPurchases | null
}

/** ms that the standby of `async` is behind when the primary is killed. */
const LAG = 1_200
/** ms that it is behind, besides, when the former version ends. */
const FORMER_LAG = 15_000

export const failovers = async (options: FailoverOptions): Promise<FailoverReport> => {
  const {
    begunBy = "this",
    engines,
    flood,
    progress = () => undefined,
    rotates = false,
    seed,
    standby,
    times
  } = options
  const isFormer = (engine: number) => begunBy === "former" && engine < engines - 1
  const cluster = await startCluster(standby, engines)
  try {
    const name = new URL(await newDatabase(cluster.primary().url)).pathname.slice(1)
    const database = cluster.directUrl(name)
    const done: Array<Failover> = []
    const random = mulberry32(seed)
    const events = watchEvents(database)
    const load = { answered: 0, ms: 0 }
    const report = await withHarness(
      {
        name: `failover-${seed}`,
        // Where a request may have several former names, all are looked up within its deadline.
        ...(begunBy === "former" && { rate: 4 }),
        database,
        engines,
        reach: (engine) => cluster.urlFor(engine, name),
        ...(rotates && { secrets: firstSecrets }),
        version: (engine) => (isFormer(engine) ? "former" : "this"),
        // Reports about payments that are lost wait for days.
        ...(standby === "async" && {
          settling: 60_000,
          afterwards: (ledger: ReadonlyArray<LedgerEntry>) => compareBooks(database, ledger)
        })
      },
      async (harness) => {
        if (begunBy === "former") await noteFormerNames(database)
        const more = startTraffic({
          merchant: harness.merchant,
          prefix: `flood-${seed}`,
          concurrency: flood,
          of: [{ rail: "upi" }]
        })
        for (let time = 1; time <= times; time++) {
          const answered = created(harness)
          const started = performance.now()
          await pause(LOAD + random() * LOAD)
          load.answered += created(harness) - answered
          load.ms += performance.now() - started
          const killing = random() < 0.5 ? killOne(harness, random) : Promise.resolve()
          if (begunBy === "former" && time === 1) await upgradeBehind(cluster, harness)
          if (rotates && time === 1) {
            if (standby === "async") cluster.replication({ kind: "black_hole" })
            await replaceSecret(harness.engines, database)
          }
          if (rotates && time === 2) await removeFormerSecret(harness.engines, database)
          const failover = await failOver(cluster, harness, standby, `${seed}-${time}`)
          done.push(failover)
          // Clients repeat requests whose payments are lost, too.
          const repeated = begunBy === "former" || rotates ? harness.merchant.replay() : null
          await Promise.all([cluster.rebuild(), killing, repeated])
          progress(
            `failover ${time} of ${times}: promoted in ${Math.round(failover.promotion)} ms, 201 after ${Math.round(failover.back)} ms, to the payment requested at once after ${Math.round(failover.queued)} ms; ${created(harness)} payments`
          )
        }
        await more.stop()
      }
    )
    return {
      ...report,
      failovers: done,
      perSecond: (load.answered * 1000) / load.ms,
      events: await events.end(),
      compared: standby === "async" ? await comparedBooks(database, report.ledger) : null,
      former: begunBy === "former" ? await formerPurchases(database, report.ledger) : null
    }
  } finally {
    await cluster.close()
  }
}

/** ms of undisturbed load before each failover, at least. */
const LOAD = 1_000

const created = ({ merchant }: TestHarness): number => {
  let count = 0
  for (const { path, status } of merchant.answers.values()) if (path === "/v1/payments" && status === 201) count++
  return count
}

/** At any moment before the failover, in it or after it. */
const killOne = async ({ engines }: TestHarness, random: () => number): Promise<void> => {
  await pause(random() * 1_500)
  await engines[Math.floor(random() * engines.length)]?.restart("SIGKILL")
}

/** The processes of the former version end, and the standby does not have what they began last. */
const upgradeBehind = async (cluster: Cluster, { engines }: TestHarness): Promise<void> => {
  cluster.replication({ kind: "black_hole" })
  await pause(FORMER_LAG)
  await Promise.all(engines.map((host) => host.upgrade()))
}

const failOver = async (
  cluster: Cluster,
  { merchant }: TestHarness,
  standby: StandbyMode,
  key: string
): Promise<Failover> => {
  if (standby === "async") {
    cluster.replication({ kind: "black_hole" })
    await pause(LAG)
  }
  await cluster.primary().kill()
  const answered = merchant.nextCreated()
  const promotion = await cluster.promote()
  const promoted = performance.now()
  const since = (time: number) => time - promoted
  const name = `first-after-${key}`
  const first = merchant.post("/v1/payments", name, requestOf({ rail: "upi" }, name)).then(() => performance.now())
  const [back, queued] = await Promise.all([answered.then(since), first.then(since)])
  cluster.replication({ kind: "pass" })
  return { promotion, back, queued }
}
