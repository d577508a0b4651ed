/** The clients: they send requests, repeat them under the same key, hang up, and try again after an error. */
import { decodeCreatePayment } from "@paymux/core"
import type { Created, NewPayment, PaymentError, Rail } from "@paymux/core"
import { Effect, Exit, Option } from "effect"
import type { Process } from "../engine/Process.ts"
import type { ClientAnswer } from "../History.ts"
import { currencies } from "../Plan.ts"
import type { PaymentPlan } from "../Plan.ts"
import type { TestEnvironment } from "../TestEnvironment.ts"
import { tenant } from "./Clients.ts"
import type { Clients, Request, Server } from "./Clients.ts"
import { perform } from "./MerchantActions.ts"

export interface Traffic {
  readonly send: () => void
  /** The process is gone, and with it the connections of the clients that waited. */
  readonly connectionsLost: (process: Process) => void
}

export const make = (environment: TestEnvironment, server: () => Server | null): Traffic => {
  const open = new Map<Process, Set<() => void>>()
  let requests = 0

  const ask = <A>(request: Request<A>, tries = 0): void => {
    const { abortAfter, call, key, n, wants = null } = request
    const id = `r${requests++}`
    let ended = false
    const end = (answer: ClientAnswer) => {
      ended = true
      environment.history.note(n, { kind: "client", request: id, call, key, wants, answer })
    }
    const again = (after: number) => {
      if (key !== null && tries < MOST_TRIES) environment.later(after, () => ask(request, tries + 1))
    }
    const lost = () => {
      if (ended) return
      end({ kind: "connection_lost" })
      again(1_000 * 2 ** Math.min(tries, 5))
    }
    environment.history.note(n, { kind: "asked", request: id, call, key })
    const up = server()
    if (up === null || !up.process.isAlive()) return lost()
    const { process } = up
    const connections = open.get(process) ?? new Set()
    open.set(process, connections.add(lost))
    const answered = (exit: Exit.Exit<A, PaymentError>) => {
      connections.delete(lost)
      if (ended) return
      if (Exit.isSuccess(exit)) {
        end(request.answer(exit.value))
        return request.next?.(exit.value)
      }
      const reason = reasonOf(exit)
      end({ kind: "refused", reason })
      if (worthAnother.has(reason)) again(1_000 * 2 ** Math.min(tries, 5))
    }
    process.enter(() => {
      const fiber = Effect.runForkWith(process.context)(request.run(up.payments))
      fiber.addObserver(answered)
      if (abortAfter === null || tries > 0) return
      environment.later(abortAfter, () => {
        if (ended) return
        end({ kind: "hung_up" })
        connections.delete(lost)
        process.enter(() => fiber.interruptUnsafe())
      })
    })
  }

  return {
    send: () => {
      for (const payment of environment.plan.payments) {
        const first = create({ environment, ask }, payment, payment.abortAfter)
        environment.later(payment.at, () => ask(first))
        for (const after of payment.repeats) {
          environment.later(payment.at + after, () => ask(create({ environment, ask }, payment, null)))
        }
      }
    },
    connectionsLost: (process) => {
      for (const lost of open.get(process) ?? []) lost()
      open.delete(process)
    }
  }
}

const MOST_TRIES = 10

const worthAnother: ReadonlySet<string> = new Set([
  "IdempotencyInFlight",
  "Unavailable",
  "NoProviderAvailable",
  "Overloaded"
])

const reasonOf = (exit: Exit.Exit<unknown, PaymentError>): string => {
  const error = Exit.findErrorOption(exit)
  return Option.isSome(error) ? error.value.reason._tag : "Defect"
}

const create = (clients: Clients, payment: PaymentPlan, abortAfter: number | null): Request<Created> => {
  const { key, n } = payment
  const wanted = newPayment(payment)
  return {
    n,
    call: "create",
    key,
    abortAfter,
    run: (payments) =>
      payments.create(wanted, { tenant, idempotency: key === null ? null : { endpoint: "POST /v1/payments", key } }),
    answer: ({ body, record, replayed }) => ({ kind: "accepted", id: record.payment.id, body, replayed }),
    next: ({ record, replayed }) => {
      if (!replayed) for (const each of payment.actions) perform(clients, record.payment.id, payment, each)
    }
  }
}

const newPayment = (payment: PaymentPlan): NewPayment => {
  const template = templates[payment.rail]
  return {
    ...template,
    amount: { ...template.amount, minorUnits: payment.minorUnits },
    captureMethod: payment.captureMethod,
    metadata: { n: String(payment.n), first: payment.first }
  }
}

const customer = { email: "asha@example.com", phone: "+919999999999" }
const decoded = (request: unknown) => Effect.runSync(Effect.orDie(decodeCreatePayment(request)))
const tokens = Object.fromEntries(["p0", "p1", "p2", "p3"].map((id) => [id, `tok_${id}`]))
const templates: { readonly [rail in Rail]: NewPayment } = {
  card: decoded({
    amount: 100,
    currency: currencies.card,
    payment_method: "card",
    customer,
    payment_method_details: { card: { tokens } }
  }),
  upi: decoded({ amount: 100, currency: currencies.upi, payment_method: "upi", customer }),
  stablecoin: decoded({ amount: 100, currency: currencies.stablecoin, payment_method: "stablecoin", customer })
}
