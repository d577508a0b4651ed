/**
 * A run: the real engine over the in-memory store, processes that come and go as the plan says, clients, vendors, an
 * operator; and after the last fault as much quiet as the engine needs to settle everything, eight days at most.
 */
import type { PaymentId, PaymentRecord } from "@paymux/core"
import { isOpen } from "@paymux/core/store"
import { Effect } from "effect"
import { collectFacts, readApi } from "./collectFacts.ts"
import type { ApiView } from "./collectFacts.ts"
import * as Database from "./engine/Database.ts"
import * as Host from "./engine/Host.ts"
import type { Entry } from "./History.ts"
import type { Facts } from "./judge/index.ts"
import * as Traffic from "./merchant/Traffic.ts"
import * as Operator from "./Operator.ts"
import type { Incident, Plan } from "./Plan.ts"
import * as PlatformDigest from "./PlatformDigest.ts"
import * as TestEnvironment from "./TestEnvironment.ts"
import type { Charge } from "./vendor/Ledger.ts"
import * as VirtualTime from "./VirtualTime.ts"

export interface Run {
  readonly plan: Plan
  /** What the judge reads. */
  readonly facts: Facts
  /** What the invariants and reports read. */
  readonly entries: ReadonlyArray<Entry>
  /** Every payment as it stands at the end. */
  readonly records: ReadonlyArray<PaymentRecord>
  readonly charges: ReadonlyArray<Charge>
  /** ms of virtual time */
  readonly lasted: number
}

export const run = (plan: Plan, variation: Host.Variation = {}): Promise<Run> =>
  PlatformDigest.inPlace(async () => {
    const time = VirtualTime.make(TestEnvironment.EPOCH)
    const hasRollback = plan.incidents.some(({ kind }) => kind === "rollback")
    const environment = TestEnvironment.make(plan, Database.make(time, hasRollback, time.fail), time)
    const host = Host.make(environment, variation)
    const traffic = Traffic.make(environment, host.server)
    host.start(traffic.connectionsLost)
    traffic.send()
    scheduleIncidents(environment, host)
    if (plan.operator !== null) Operator.work(environment, plan.operator, host.server)
    await time.run(() => time.elapsed() >= plan.calmAt)
    host.calm()
    await time.run(settled(environment, host))
    const view = await readAtTheEnd(environment, host)
    return {
      plan,
      facts: collectFacts(environment, view),
      entries: environment.history.entries,
      records: view.records,
      charges: environment.ledger.charges,
      lasted: time.elapsed()
    }
  })

const scheduleIncidents = (environment: TestEnvironment.TestEnvironment, host: Host.Host): void => {
  for (const incident of environment.plan.incidents) {
    if (!("at" in incident)) continue
    environment.later(incident.at, () => {
      environment.history.note(null, { kind: "incident", text: TestEnvironment.describe(incident) })
      happen(environment, host, incident)
    })
  }
}

const happen = (environment: TestEnvironment.TestEnvironment, host: Host.Host, incident: Incident): void => {
  switch (incident.kind) {
    case "kill":
      return host.kill(incident.downFor)
    case "restart":
      return host.restart()
    case "stall":
      return host.stall(incident.lasts)
    case "clock":
      return host.stepClock(incident.by)
    case "rollback":
      environment.database.rollBackTo(incident.at - incident.loses)
      return host.reportSince(incident.at - incident.loses - MARGIN)
    case "crash":
    case "reply_lost":
    case "store_away":
    case "store_slow":
    case "outage":
    case "brown_out":
      // Whatever they happen to looks them up itself.
      return
  }
}

/** ms before the lost commits: what moved then may have been committed in the lost time. */
const MARGIN = 10 * 60_000

/** Nothing is under way any more, and nothing was for as long as the plan wants it quiet; or eight days have passed. */
const settled = (environment: TestEnvironment.TestEnvironment, host: Host.Host) => {
  const { database, history, plan, time, waiting } = environment
  let nextLook = 0
  let begun: ReadonlyArray<PaymentId> | null = null
  const isOver = (id: PaymentId): boolean => {
    const record = Effect.runSync(Effect.orDie(database.store.get(id)))
    // A lost database may have lost the payment.
    return record === null || (record.payment.state.status !== "pending" && !record.operations.some(isOpen))
  }
  return (): boolean => {
    const now = time.elapsed()
    if (now >= plan.calmAt + EIGHT_DAYS) return host.server() !== null
    if (now < nextLook) return false
    nextLook = now + LOOK_EVERY
    const quietSince = Math.max(plan.calmAt, environment.lastReport())
    if (now < quietSince + plan.quietFor || waiting() > 0 || host.server() === null) return false
    begun ??= history.entries.flatMap((entry) =>
      entry.kind === "committed" && entry.before === null ? [entry.after.payment.id] : []
    )
    return begun.every(isOver)
  }
}

const LOOK_EVERY = 3_600_000
const EIGHT_DAYS = 8 * 24 * 3_600_000

const readAtTheEnd = async ({ time }: TestEnvironment.TestEnvironment, host: Host.Host): Promise<ApiView> => {
  const server = host.server()
  if (server === null) throw new Error("No process serves at the end of the run")
  let view: ApiView | null = null
  server.process.enter(() => {
    Effect.runForkWith(server.process.context)(
      Effect.map(readApi(server.payments, server.reviews), (read) => void (view = read))
    )
  })
  await time.run(() => view !== null)
  if (view === null) throw new Error("The API could not be read")
  return view
}
