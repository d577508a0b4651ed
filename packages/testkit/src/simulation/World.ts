/**
 * What surrounds the engine in a run: time, the ledger of all providers, the history, the process that is up, and the
 * troubles that are on at the moment. The parts of the simulation meet here and nowhere else.
 */
import type { OperationId, PaymentStore } from "@paymux/core"
import { Effect } from "effect"
import * as History from "./History.ts"
import * as Ledger from "./Ledger.ts"
import type { Act, InquiryAct, PaymentPlan, Plan, Point, Trouble } from "./Plan.ts"
import type { Process } from "./Process.ts"
import * as VirtualTime from "./VirtualTime.ts"

export interface World {
  readonly plan: Plan
  readonly time: VirtualTime.VirtualTime
  readonly history: History.History
  readonly ledger: Ledger.Ledger
  /** The store itself, with no fault in front of it. */
  readonly store: PaymentStore["Service"]
  readonly payment: (n: number) => PaymentPlan | undefined
  /** What befalls the next create of this payment, at any provider. */
  readonly nextAct: (n: number) => Act
  readonly nextInquiry: (n: number) => InquiryAct
  /** How many captures, cancels and refunds of it came before. */
  readonly nextAsk: (n: number) => number
  /** Runs `task` so much later; the run is not over before. */
  readonly later: (ms: number, task: () => void) => void
  /** Tasks of `later` that have not run. */
  readonly waiting: () => number
  /** Up and ready to serve; `null`: nobody is. */
  readonly serving: { process: Process | null; receive: Receive | null }
  /** Kills the process if the plan wants it at this point of this payment. `true`: it is dead. */
  readonly reach: (process: Process, n: number | null, point: Point) => boolean
  /** Whether the reply of this commit is lost; once for each trouble. */
  readonly losesReply: (n: number | null, call: "begin" | "advance" | "keepAnswer") => boolean
  /** The trouble of this kind that is on now, if any. */
  readonly current: <Kind extends Lasting["kind"]>(kind: Kind, provider?: string) => OfKind<Kind> | null
  /** Set by who starts processes. */
  readonly kill: { process: (process: Process, downFor: number) => void }
}

/** Takes a webhook's bytes; done when they are kept. */
export type Receive = (provider: string, body: Uint8Array) => Effect.Effect<unknown, unknown>

export type Lasting = Extract<Trouble, { readonly lasts: number }>
type OfKind<Kind extends Lasting["kind"]> = Extract<Lasting, { readonly kind: Kind }>

export const make = (plan: Plan, store: PaymentStore["Service"]): World => {
  const time = VirtualTime.make(EPOCH)
  const history = History.make(time.elapsed)
  const payments = new Map(plan.payments.map((payment) => [payment.n, payment]))
  const lasting = plan.troubles.filter((trouble): trouble is Lasting => "lasts" in trouble)
  const atPayments = new Map<number, Array<Trouble>>()
  for (const trouble of plan.troubles) {
    if (!("n" in trouble)) continue
    const group = atPayments.get(trouble.n)
    if (group === undefined) atPayments.set(trouble.n, [trouble])
    else group.push(trouble)
  }
  /** Each of these happens once. */
  const take = (n: number | null, matches: (trouble: Trouble) => boolean): Trouble | null => {
    const group = n === null ? undefined : atPayments.get(n)
    const index = group?.findIndex(matches) ?? -1
    const [trouble = null] = group === undefined || index === -1 ? [] : group.splice(index, 1)
    if (trouble !== null) history.note(n, { kind: "trouble", trouble, text: describe(trouble) })
    return trouble
  }
  const creates = new Map<number, number>()
  const inquiries = new Map<number, number>()
  const asks = new Map<number, number>()
  let waiting = 0
  const world: World = {
    plan,
    time,
    history,
    ledger: Ledger.make(),
    store,
    payment: (n) => payments.get(n),
    nextAct: (n) => payments.get(n)?.acts[counted(creates, n)] ?? uneventful,
    nextAsk: (n) => counted(asks, n),
    nextInquiry: (n) => payments.get(n)?.inquiries[counted(inquiries, n)] ?? "truth",
    later: (ms, task) => {
      waiting++
      time.at(time.elapsed() + ms, () => {
        waiting--
        task()
      })
    },
    waiting: () => waiting,
    serving: { process: null, receive: null },
    reach: (process, n, point) => {
      if (!process.isAlive()) return true
      const crash = take(n, (trouble) => trouble.kind === "crash" && trouble.point === point)
      if (crash?.kind !== "crash") return false
      world.kill.process(process, crash.downFor)
      return true
    },
    losesReply: (n, call) => take(n, (trouble) => trouble.kind === "reply_lost" && trouble.call === call) !== null,
    current: (kind, provider) => {
      const now = time.elapsed()
      const isOn = (trouble: Lasting) =>
        now >= trouble.at &&
        now < trouble.at + trouble.lasts &&
        (!("provider" in trouble) || trouble.provider === provider)
      return lasting.find((trouble): trouble is OfKind<typeof kind> => trouble.kind === kind && isOn(trouble)) ?? null
    },
    kill: { process: (process) => process.kill() }
  }
  return world
}

const counted = (counts: Map<number, number>, n: number): number => {
  const count = counts.get(n) ?? 0
  counts.set(n, count + 1)
  return count
}

/** What befalls a request of which the plan says nothing. */
export const uneventful: Act = {
  arrivesAfter: 20,
  answer: "truth",
  answersAfter: 100,
  fate: { kind: "taken", by: 0, otherCurrency: false },
  tells: [],
  tellsByReference: false
}

/** 2026-03-01T00:00:00Z */
const EPOCH = 1_772_323_200_000

/** What the store holds of an operation at this moment. */
export const committed = ({ store }: World, id: OperationId) => {
  const record = Effect.runSync(Effect.orDie(store.findByOperation(id)))
  return { record, operation: record?.operations.find((operation) => operation.id === id) ?? null }
}

/** The payment of the plan that a record is of. */
export const planned = (metadata: { readonly [key: string]: string }): number | null => {
  const n = metadata["n"]
  return n === undefined ? null : Number(n)
}

export const describe = (trouble: Trouble): string => {
  const { kind, ...rest } = trouble
  return `${kind} ${Object.entries(rest)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")}`
}
