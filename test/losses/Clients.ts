/** The merchants: they request, poll, try again after errors, and after the loss repeat what they had requested. */
import { decodeCreatePayment } from "@paymux/core"
import type { NewPayment, PaymentError, PaymentRecord, Payments } from "@paymux/core"
import { Effect, Exit } from "effect"
import type { Fiber } from "effect"
import { keyOf } from "./LossPlan.ts"
import type { FollowUpPlan, OrderPlan } from "./LossPlan.ts"
import type { VirtualWorld } from "./VirtualWorld.ts"

export interface Server {
  readonly payments: Payments["Service"]
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
}

/** What one client knows of its order. */
export interface ClientView {
  readonly order: OrderPlan
  /** ms UTC of its first request; `null`: it has sent none. */
  askedAt: number | null
  /** ms UTC of the first answer. */
  answeredAt: number | null
  /** Of the latest answer. */
  paymentId: PaymentRecord["payment"]["id"] | null
  /** Minor units of its latest request. */
  minorUnits: number
}

export const tenant = { account: "default", livemode: false } as const

const TRIES = 8

/** ms */
const AGAIN = 15_000

export const makeClients = (
  orders: ReadonlyArray<OrderPlan>,
  { later, now }: VirtualWorld,
  server: () => Server | null
) => {
  const views = orders.map((order): ClientView => {
    const { minorUnits } = order
    return { order, askedAt: null, answeredAt: null, paymentId: null, minorUnits }
  })
  /** What was planned before it is not done any more. */
  let epoch = 0
  const inThisEpoch = (task: () => void) => {
    const planned = epoch
    return () => {
      if (planned === epoch) task()
    }
  }

  const ask = <A>(
    request: (payments: Payments["Service"]) => Effect.Effect<A, PaymentError>,
    next: (answer: A) => void,
    tries = TRIES
  ): void => {
    const again = inThisEpoch(() => ask(request, next, tries - 1))
    const running = server()
    if (running === null) return tries > 0 ? later(AGAIN, again) : undefined
    const planned = epoch
    running.fork(request(running.payments)).addObserver((exit) => {
      if (planned !== epoch) return
      if (Exit.isSuccess(exit)) return next(exit.value)
      if (tries > 0) later(AGAIN, again)
    })
  }

  const create = (view: ClientView): void => {
    const { manual, n } = view.order
    view.askedAt ??= now()
    const asked = newPayment(view.minorUnits, manual, n)
    const idempotency = requestOf(view.order, "create", view.order.minorUnits)
    // Without a key a client does not try again: it would order twice.
    const tries = idempotency === null ? 0 : TRIES
    ask(
      (payments) => payments.create(asked, { tenant, idempotency }),
      ({ record }) => {
        view.answeredAt ??= now()
        view.paymentId = record.payment.id
        for (const each of view.order.followUps) followUp(view, record.payment.id, each)
      },
      tries
    )
  }

  const followUp = (
    view: ClientView,
    id: PaymentRecord["payment"]["id"],
    { after, kind, minorUnits }: FollowUpPlan
  ) => {
    const idempotency = requestOf(view.order, kind, minorUnits)
    const request = (payments: Payments["Service"]) =>
      kind === "capture"
        ? payments.capture(id, { minorUnits }, { tenant, idempotency })
        : payments.refund(id, { minorUnits, reason: null }, { tenant, idempotency })
    later(
      after,
      inThisEpoch(() => ask(request, () => undefined, idempotency === null ? 0 : TRIES))
    )
  }

  /** After the loss, each client as it was planned. */
  const comeBack = (view: ClientView): void => {
    const { afterLoss, keyed, repeatsAfter } = view.order
    if (view.askedAt === null) return later(repeatsAfter, () => create(view))
    if (afterLoss === "gone" || (!keyed && view.answeredAt !== null)) return
    if (afterLoss === "changes") view.minorUnits += 500
    later(repeatsAfter, () => create(view))
  }

  return {
    views,
    start: () => {
      for (const view of views) {
        later(
          view.order.at,
          inThisEpoch(() => create(view))
        )
      }
    },
    lose: () => void epoch++,
    comeBack: () => {
      for (const view of views) comeBack(view)
    }
  }
}

export type Clients = ReturnType<typeof makeClients>

const requestOf = (order: OrderPlan, call: string, minorUnits: number) =>
  order.keyed ? { endpoint: `POST ${call}`, key: keyOf(order, call, minorUnits) } : null

const template = Effect.runSync(
  Effect.orDie(
    decodeCreatePayment({
      amount: 100,
      currency: "EUR",
      payment_method: "card",
      customer: { email: "payer@example.com", phone: "+491701234567" }
    })
  )
)

const newPayment = (minorUnits: number, manual: boolean, n: number): NewPayment => ({
  ...template,
  amount: { ...template.amount, minorUnits },
  captureMethod: manual ? "manual" : "automatic",
  metadata: { n: String(n) }
})
