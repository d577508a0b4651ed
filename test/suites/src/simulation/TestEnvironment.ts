/**
 * What surrounds the engine in a run: time, the ledger of all vendors, the history, the process that is up, and the
 * incidents of the moment. The parts of the simulation meet here and nowhere else.
 */
import type { Effect } from "effect"
import type { Database } from "./engine/Database.ts"
import type { Process } from "./engine/Process.ts"
import * as History from "./History.ts"
import type { CreateScript, FollowUpScript, Incident, InquiryScript, PaymentPlan, Plan, Point } from "./Plan.ts"
import * as Ledger from "./vendor/Ledger.ts"
import type * as VirtualTime from "./VirtualTime.ts"

export interface TestEnvironment {
  readonly plan: Plan
  readonly time: VirtualTime.VirtualTime
  readonly history: History.History
  readonly ledger: Ledger.Ledger
  readonly database: Database
  readonly payment: (n: number) => PaymentPlan | undefined
  /** What happens to the next create of this payment, at any vendor. */
  readonly nextCreate: (n: number) => CreateScript
  /** What happens to its next capture, cancel or refund. */
  readonly nextFollowUp: (n: number) => FollowUpScript
  readonly nextInquiry: (n: number) => InquiryScript
  /** Whether the next inquiry about this charge is answered with a denial; once for each charge. */
  readonly denies: (charge: Ledger.Charge) => boolean
  /** Runs `task` so much later; the run is not over before. */
  readonly later: (ms: number, task: () => void) => void
  /** Tasks of `later` that have not run. */
  readonly waiting: () => number
  /** ms since the start: when a vendor last reported anything. */
  readonly lastReport: () => number
  readonly noteReport: () => void
  /** Up and ready to serve; `null`: no process is. */
  readonly serving: { process: Process | null; receive: Receive | null }
  /** Kills the process if the plan wants it at this point of this payment. `true`: it is dead. */
  readonly reach: (process: Process, n: number | null, point: Point) => boolean
  /** Whether the reply of this commit is lost; once for each incident. */
  readonly losesReply: (n: number | null, call: "begin" | "advance" | "keepAnswer") => boolean
  /** The incident of this kind that is on now, if any. */
  readonly current: <Kind extends Lasting["kind"]>(kind: Kind, provider?: string) => OfKind<Kind> | null
  /** Set by the host, which starts processes. */
  readonly kill: { process: (process: Process, downFor: number) => void }
}

/** Takes a webhook's bytes; done when they are kept. */
type Receive = (provider: string, body: Uint8Array) => Effect.Effect<unknown, unknown>

type Lasting = Extract<Incident, { readonly lasts: number }>
type OfKind<Kind extends Incident["kind"]> = Extract<Lasting, { readonly kind: Kind }>

export const make = (plan: Plan, database: Database, time: VirtualTime.VirtualTime): TestEnvironment => {
  const history = History.make(time.elapsed)
  const payments = new Map(plan.payments.map((payment) => [payment.n, payment]))
  const lasting = plan.incidents.filter((incident): incident is Lasting => "lasts" in incident)
  const take = incidentsOfPayments(plan, history)
  const creates = counter()
  const inquiries = counter()
  const followUps = counter()
  const denied = new Set<string>()
  let waiting = 0
  let lastReport = 0
  const environment: TestEnvironment = {
    plan,
    time,
    history,
    ledger: Ledger.make(),
    database,
    payment: (n) => payments.get(n),
    nextCreate: (n) => payments.get(n)?.creates[creates(n)] ?? plainCreate,
    nextFollowUp: (n) => payments.get(n)?.followUps[followUps(n)] ?? plainFollowUp,
    nextInquiry: (n) => payments.get(n)?.inquiries[inquiries(n)] ?? "truth",
    denies: ({ reference, script }) => {
      if (script.breaks !== "denies" || denied.has(reference)) return false
      denied.add(reference)
      return true
    },
    later: (ms, task) => {
      waiting++
      time.at(time.elapsed() + ms, () => {
        waiting--
        task()
      })
    },
    waiting: () => waiting,
    lastReport: () => lastReport,
    noteReport: () => void (lastReport = time.elapsed()),
    serving: { process: null, receive: null },
    reach: (process, n, point) => {
      if (!process.isAlive()) return true
      const crash = take(n, (incident) => incident.kind === "crash" && incident.point === point)
      if (crash?.kind !== "crash") return false
      environment.kill.process(process, crash.downFor)
      return true
    },
    losesReply: (n, call) => take(n, (incident) => incident.kind === "reply_lost" && incident.call === call) !== null,
    current: (kind, provider) => {
      const now = time.elapsed()
      const isOn = (incident: Lasting) =>
        now >= incident.at &&
        now < incident.at + incident.lasts &&
        (!("provider" in incident) || incident.provider === provider)
      return (
        lasting.find((incident): incident is OfKind<typeof kind> => incident.kind === kind && isOn(incident)) ?? null
      )
    },
    kill: { process: (process) => process.kill() }
  }
  return environment
}

/** The first incident of a payment that matches; each happens once. */
const incidentsOfPayments = (plan: Plan, history: History.History) => {
  const groups = new Map<number, Array<Incident>>()
  for (const incident of plan.incidents) {
    if (!("n" in incident)) continue
    const group = groups.get(incident.n)
    if (group === undefined) groups.set(incident.n, [incident])
    else group.push(incident)
  }
  return (n: number | null, matches: (incident: Incident) => boolean): Incident | null => {
    const group = n === null ? undefined : groups.get(n)
    const index = group?.findIndex(matches) ?? -1
    const [incident = null] = group === undefined || index === -1 ? [] : group.splice(index, 1)
    if (incident !== null) history.note(n, { kind: "incident", text: describe(incident) })
    return incident
  }
}

/** How often each payment was counted before. */
const counter = () => {
  const counts = new Map<number, number>()
  return (n: number): number => {
    const count = counts.get(n) ?? 0
    counts.set(n, count + 1)
    return count
  }
}

const plainReports = {
  webhooksAfter: [],
  byReference: false,
  ownEventIds: false,
  misreportsBy: 0,
  reportedAfter: 60_000,
  forgottenFor: 0
} as const

/** A capture, cancel or refund that goes through. */
export const plainFollowUp: FollowUpScript = {
  ...plainReports,
  arrivesAfter: 20,
  answer: "truth",
  answersAfter: 300,
  refuses: false,
  breaks: null
}

/** A create that goes through. */
export const plainCreate: CreateScript = {
  ...plainReports,
  arrivesAfter: 20,
  answer: "truth",
  answersAfter: 100,
  outcome: { kind: "taken", by: 0, otherCurrency: false },
  breaks: null
}

/** 2026-03-01T00:00:00Z */
export const EPOCH = 1_772_323_200_000

/** The payment of the plan that metadata belongs to. */
export const planned = (metadata: { readonly [key: string]: string }): number | null => {
  const n = metadata["n"]
  return n === undefined ? null : Number(n)
}

export const describe = (incident: Incident): string => {
  const { kind, ...rest } = incident
  return `${kind} ${Object.entries(rest)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")}`
}

/** Writes a charge as it stands into the history of the run. */
export const noteCharge = ({ history }: TestEnvironment, charge: Ledger.Charge): void =>
  history.note(charge.n, {
    kind: "charge",
    provider: charge.provider,
    charge: charge.reference,
    operation: charge.merchantReference,
    status: charge.status,
    ...Ledger.balanceOf(charge),
    currency: charge.currency,
    breaksPromises: charge.breaksPromises
  })
