/** The clients: they ask, ask again under the same key, hang up, and come back after an error as good clients do. */
import { decodeCreatePayment } from "@paymux/core"
import type { Created, NewPayment, PaymentError, Rail } from "@paymux/core"
import { Effect, Exit, Option } from "effect"
import { tenant } from "./Clients.ts"
import type { Answer, Clients, Request, Server } from "./Clients.ts"
import type { PaymentPlan } from "./Plan.ts"
import type { Process } from "./Process.ts"
import { wish } from "./Wishes.ts"
import type { World } from "./World.ts"

export interface Traffic {
  readonly send: () => void
  /** The process is gone, and with it the connections of those who waited. */
  readonly connectionsLost: (process: Process) => void
}

export const make = (world: World, server: () => Server | null): Traffic => {
  const open = new Map<Process, Set<() => void>>()
  let requests = 0

  const ask = <A>(request: Request<A>, tries = 0): void => {
    const { abortAfter, call, key, n } = request
    const id = `r${requests++}`
    let ended = false
    const end = (answer: Answer) => {
      ended = true
      world.history.note(n, { kind: "client", request: id, call, key, answer })
    }
    const again = (after: number) => {
      if (key !== null && tries < MOST_TRIES) world.later(after, () => ask(request, tries + 1))
    }
    const lost = () => {
      if (ended) return
      end({ _tag: "ConnectionLost" })
      again(1_000 * 2 ** Math.min(tries, 5))
    }
    world.history.note(n, { kind: "asked", request: id, call, key })
    const up = server()
    if (up === null || !up.process.isAlive()) return lost()
    const { process } = up
    const connections = open.get(process) ?? new Set()
    open.set(process, connections.add(lost))
    const answered = (exit: Exit.Exit<A, PaymentError>) => {
      connections.delete(lost)
      if (ended) return
      if (Exit.isSuccess(exit)) {
        const { answer, next } = request.told(exit.value)
        end(answer)
        next?.()
        return
      }
      const reason = reasonOf(exit)
      end({ _tag: "Refused", reason })
      if (worthAnother.has(reason)) again(1_000 * 2 ** Math.min(tries, 5))
    }
    process.enter(() => {
      const fiber = Effect.runForkWith(process.context)(request.run(up.payments))
      fiber.addObserver(answered)
      if (abortAfter === null || tries > 0) return
      world.later(abortAfter, () => {
        if (ended) return
        end({ _tag: "HungUp" })
        connections.delete(lost)
        process.enter(() => fiber.interruptUnsafe())
      })
    })
  }

  return {
    send: () => {
      for (const payment of world.plan.payments) {
        const first = create({ world, ask }, payment, payment.abortAfter)
        world.later(payment.at, () => ask(first))
        for (const after of payment.repeats) {
          world.later(payment.at + after, () => ask(create({ world, ask }, payment, null)))
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
    told: ({ body, record, replayed }) => ({
      answer: { _tag: "Ok", payment: record.payment.id, body, replayed },
      next: () => {
        if (!replayed) for (const each of payment.wishes) wish(clients, record.payment.id, payment, each)
      }
    })
  }
}

const newPayment = (payment: PaymentPlan): NewPayment => {
  const template = templates[payment.rail]
  return {
    ...template,
    amount: { ...template.amount, minorUnits: payment.minorUnits },
    captureMethod: payment.captureMethod,
    metadata: { n: String(payment.n) }
  }
}

const customer = { email: "asha@example.com", phone: "+919999999999" }
const decoded = (request: unknown) => Effect.runSync(Effect.orDie(decodeCreatePayment(request)))
const tokens = Object.fromEntries(["p0", "p1", "p2", "p3"].map((id) => [id, `tok_${id}`]))
const templates: { readonly [rail in Rail]: NewPayment } = {
  card: decoded({
    amount: 100,
    currency: "EUR",
    payment_method: "card",
    customer,
    payment_method_details: { card: { tokens } }
  }),
  upi: decoded({ amount: 100, currency: "INR", payment_method: "upi", customer }),
  stablecoin: decoded({ amount: 100, currency: "USD", payment_method: "stablecoin", customer })
}
