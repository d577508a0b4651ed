/**
 * The book of the simulated providers as a vendor of the conformance suite. Nothing is between it and the adapter that
 * could break: the suite reads the book, and plays the payer as the page and the simulator do.
 */
import { declineCodes } from "@paymux/core"
import type { PaymentId, ServedMethod } from "@paymux/core"
import { SandboxControl, SandboxLedger, SandboxNotifier, transfers } from "@paymux/sandbox"
import type { cardTokens, LedgerEntry, Movement, Sandbox, SandboxEvent, SandboxState, upiIds } from "@paymux/sandbox"
import type {
  Fake,
  LedgerBooking,
  LedgerPayment,
  LedgerStatus,
  NewLedgerBooking,
  ScriptedOutcome,
  Vendor
} from "@paymux/testkit"
import { Clock, Context, Effect, Layer } from "effect"
import { approval, isOpen } from "../src/LedgerEntry.ts"
import { eventOf } from "../src/MagicValues.ts"
import { decideNow } from "../src/SandboxSimulator.ts"

export interface SandboxVendor extends Vendor {
  readonly sandbox: Sandbox
}

export const fake: Fake<SandboxVendor> = {
  // The test may decline with any of them.
  declineCodes,
  prepare: (operation, scripted) => ({ ...operation, method: methodThat(operation.method, scripted) }),
  start: Effect.fnUntraced(function* ({ mode }) {
    const taken = new Set<PaymentId>()
    const context = yield* Layer.build(
      Layer.mergeAll(SandboxNotifier.layer, SandboxControl.layer).pipe(Layer.provideMerge(bookOf(taken)))
    )
    const sandbox: Sandbox = {
      ledger: Context.get(context, SandboxLedger),
      notifier: Context.get(context, SandboxNotifier),
      control: Context.get(context, SandboxControl)
    }
    const entries = Effect.suspend(() =>
      Effect.map(Effect.forEach(taken, sandbox.ledger.findByPayment), (found) => found.flat())
    )
    let scripted: ScriptedOutcome = "approve"
    return {
      mode,
      sandbox,
      network: null,
      webhooks: null,
      payments: entries.pipe(
        Effect.flatMap(
          Effect.forEach((entry) =>
            Effect.map(sandbox.ledger.movements(entry.paymentId), (movements) => paymentOf(entry, movements))
          )
        ),
        Effect.orDie
      ),
      decide: (decided) =>
        Effect.sync(() => {
          scripted = decided
        }),
      payersAct: Effect.gen(function* () {
        for (const entry of (yield* entries).filter(isOpen)) yield* act(sandbox, entry, eventsOf(entry, scripted))
      }).pipe(Effect.orDie),
      statement: {
        types: ["charge", "refund"],
        hasFees: true,
        echoes: ["charge", "refund"],
        pageSize: 1_000,
        bookings: entries.pipe(
          Effect.flatMap(
            Effect.forEach((entry) =>
              Effect.map(sandbox.ledger.movements(entry.paymentId), (movements) => bookingsOf(entry, movements))
            )
          ),
          Effect.map((all) => all.flat().toSorted((one, other) => one.bookedAt - other.bookedAt)),
          Effect.orDie
        ),
        book: (booking) => Effect.orDie(bookOther(sandbox, taken, booking))
      }
    }
  })
}

/** Something that was not requested here: a refund of the first payment, or a movement of a payment of another system. */
const bookOther = Effect.fnUntraced(function* (
  { ledger }: Sandbox,
  taken: Set<PaymentId>,
  { amount: { minorUnits }, bookedAt, payment, type }: NewLedgerBooking
) {
  const [first = other] = taken
  const [like] = yield* ledger.findByPayment(first)
  if (like === undefined) return
  const { currency } = like.amount
  const at = bookedAt ?? (yield* Clock.currentTimeMillis)
  const key = `${other} ${type} ${minorUnits}`
  const kind = type === "refund" ? ("refund" as const) : ("capture" as const)
  const movement = { provider: like.provider, key, operationId: null, kind, minorUnits, currency, at }
  const [foreign] = yield* ledger.findByPayment(other)
  if (payment !== like.reference && foreign === undefined) {
    taken.add(other)
    const entry = { ...like, key: other, reference: other, paymentId: other, steps: [], applied: 0, notified: 0 }
    return yield* ledger.open({ entry, movements: [{ ...movement, paymentId: other }] })
  }
  const entry = payment === like.reference ? like : (foreign ?? like)
  const next = { ...entry, revision: entry.revision + 1 }
  return yield* ledger.advance(entry, { entry: next, movements: [{ ...movement, paymentId: entry.paymentId }] })
})

// Boundary: the brand of an id that no payment here has.
const other = "pay_of_another_system" as PaymentId

const bookingsOf = (entry: LedgerEntry, movements: ReadonlyArray<Movement>): ReadonlyArray<LedgerBooking> => {
  const isForeign = entry.paymentId === other
  return movements
    .filter(({ kind }) => kind !== "cancel")
    .map(({ at, currency, key, kind, minorUnits }) => {
      const isRefund = kind === "refund"
      const fee = isRefund ? 0 : Math.floor((minorUnits * 2) / 100)
      return {
        id: key,
        type: isRefund ? "refund" : "charge",
        payment: isForeign ? null : paymentOf(entry, movements),
        refund: isRefund && !isForeign ? { id: key, minorUnits, reference: key } : null,
        capture: null,
        amount: { minorUnits, currency },
        fee,
        net: (isRefund ? -minorUnits : minorUnits) - fee,
        bookedAt: at
      }
    })
}

/** Records the payments that it took. No payer pays before the suite says so: automatic payments are left out. */
const bookOf = (taken: Set<PaymentId>): Layer.Layer<SandboxLedger> =>
  Layer.effect(
    SandboxLedger,
    Effect.map(SandboxLedger, (book) =>
      SandboxLedger.of({
        ...book,
        open: ({ entry, movements }) => {
          taken.add(entry.paymentId)
          return book.open({ entry: { ...entry, steps: entry.steps.slice(0, entry.applied) }, movements })
        }
      })
    )
  ).pipe(Layer.provide(SandboxLedger.layerMemory))

/** By a magic value where one decides at once. Otherwise it is pending, and the payers act. */
const methodThat = (method: ServedMethod, scripted: ScriptedOutcome): ServedMethod => {
  switch (method.rail) {
    case "card":
      return method.token === null ? method : { ...method, token: tokenOf(scripted) }
    case "upi":
      return method.flow === "collect" ? { ...method, vpa: vpaOf(scripted) } : method
    case "stablecoin":
      return method
  }
}

const tokenOf = (scripted: ScriptedOutcome): keyof typeof cardTokens | "tok_unknown" => {
  if (scripted === "approve") return "tok_success"
  if (scripted === "wait") return "tok_3ds"
  switch (scripted.decline) {
    case "generic_decline":
      return "tok_declined"
    case "insufficient_funds":
      return "tok_insufficient_funds"
    case "invalid_number":
      return "tok_unknown"
    default:
      return "tok_3ds"
  }
}

const vpaOf = (scripted: ScriptedOutcome): keyof typeof upiIds => {
  if (scripted === "approve") return "success@paymux"
  return scripted !== "wait" && scripted.decline === "generic_decline" ? "failure@paymux" : "pending@paymux"
}

const eventsOf = (entry: LedgerEntry, scripted: ScriptedOutcome): ReadonlyArray<SandboxEvent> => {
  if (scripted === "wait") return []
  if (scripted !== "approve") {
    const code = declineCodes.find((known) => known === scripted.decline)
    if (code === undefined) throw new Error(`no simulated payer can decline with ${scripted.decline}`)
    return [{ kind: "declined", code, retry: "same_later" }]
  }
  const terms = { minorUnits: entry.amount.minorUnits, asset: null, approval: approval(entry) }
  return entry.method.startsWith("stablecoin") ? transfers.exact.map((plot) => eventOf(plot, terms)) : [terms.approval]
}

const act = Effect.fnUntraced(function* (
  { ledger, notifier }: Sandbox,
  entry: LedgerEntry,
  events: ReadonlyArray<SandboxEvent>
) {
  if (events.length === 0) return
  const decided = yield* decideNow(ledger, entry, events, yield* Clock.currentTimeMillis)
  if (decided !== null) yield* notifier.notify(decided)
})

const paymentOf = (entry: LedgerEntry, movements: ReadonlyArray<Movement>): LedgerPayment => {
  const of = (kind: Movement["kind"]) => movements.filter((each) => each.kind === kind)
  return {
    id: entry.reference,
    reference: entry.operationId,
    amount: entry.amount,
    capture: entry.captureMethod,
    status: statuses[entry.state],
    code: entry.decline?.code ?? null,
    captured: of("capture").reduce((sum, { minorUnits }) => sum + minorUnits, 0),
    refunds: of("refund").map(({ key, minorUnits }) => ({ id: key, minorUnits, reference: key }))
  }
}

const statuses: { readonly [state in SandboxState]: LedgerStatus } = {
  pending: "pending",
  detected: "pending",
  authorized: "authorized",
  approved: "captured",
  declined: "declined",
  expired: "expired",
  canceled: "canceled"
}
