/**
 * The merchant's side: it asks until it is answered, always under the same key, and writes down every answer. What is
 * written here was acknowledged: it must never be found otherwise.
 */
import type { PaymentJson } from "@paymux/core/wire"

export interface Answered {
  readonly path: string
  readonly request: string
  readonly status: number
  readonly body: string
}

export interface Address {
  /** `http://127.0.0.1:port` of an engine that is, or soon will be, there. */
  readonly base: () => string
  readonly key: () => string
}

export interface Merchant {
  /** By idempotency key. */
  readonly answers: ReadonlyMap<string, Answered>
  /** The next payment that is requested from now on and answered 201, by `performance.now()`. */
  readonly nextCreated: () => Promise<number>
  readonly post: (path: string, idempotencyKey: string, body: object) => Promise<Answered>
  /** Answers the payment, or `null` where that is not known within the time (ms). */
  readonly waitFor: (id: string, status: string, patience: number) => Promise<PaymentJson | null>
  /** Every request again, under its key; answers those whose bytes are not the first ones. */
  readonly replay: () => Promise<
    ReadonlyArray<{ readonly key: string; readonly first: Answered; readonly now: string }>
  >
}

export const makeMerchant = (address: Address): Merchant => {
  const answers = new Map<string, Answered>()
  const waiting = new Set<{ readonly since: number; readonly resolve: (time: number) => void }>()
  const created = (requested: number) => {
    for (const each of waiting) {
      if (each.since > requested) continue
      waiting.delete(each)
      each.resolve(performance.now())
    }
  }

  const send = async (path: string, idempotencyKey: string, request: string) => {
    const response = await fetch(`${address.base()}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${address.key()}`,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey
      },
      body: request
    })
    return { status: response.status, body: await response.text() }
  }

  const untilAnswered = async (path: string, idempotencyKey: string, request: string) => {
    const until = Date.now() + LONGEST
    let last = "nothing"
    while (Date.now() < until) {
      // An engine that is gone, or going, answers nothing.
      const requested = performance.now()
      const answer = await send(path, idempotencyKey, request).catch(() => null)
      if (answer?.status === 201 && path === "/v1/payments") created(requested)
      if (answer !== null && !isTransient(answer)) return { path, request, ...answer }
      if (answer !== null) last = `${answer.status} ${answer.body}`
      await pause(answer === null ? 30 : 100)
    }
    throw new Error(`${path} under ${idempotencyKey} was not answered; the last was ${last}`)
  }

  const read = async (id: string): Promise<PaymentJson | null> => {
    try {
      const response = await fetch(`${address.base()}/v1/payments/${id}`, {
        headers: { authorization: `Bearer ${address.key()}` }
      })
      const text = await response.text()
      return response.status === 200 ? JSON.parse(text) : null
    } catch {
      return null
    }
  }

  return {
    answers,
    nextCreated: () => new Promise((resolve) => waiting.add({ since: performance.now(), resolve })),
    post: async (path, idempotencyKey, body) => {
      const answered = await untilAnswered(path, idempotencyKey, JSON.stringify(body))
      answers.set(idempotencyKey, answered)
      return answered
    },
    waitFor: async (id, status, patience) => {
      const until = Date.now() + patience
      while (Date.now() < until) {
        const payment = await read(id)
        if (payment?.status === status) return payment
        if (payment !== null && isOver(payment.status)) return null
        await pause(60)
      }
      return null
    },
    replay: async () => {
      const differing: Array<{ readonly key: string; readonly first: Answered; readonly now: string }> = []
      const left = [...answers].filter(([, { status }]) => status < 300)
      const worker = async () => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) {
          const [key, first] = next
          const { body } = await untilAnswered(first.path, key, first.request)
          if (body !== first.body && !isOpenAnswer(first.body, body)) differing.push({ key, first, now: body })
        }
      }
      await Promise.all(Array.from({ length: 16 }, worker))
      return differing
    }
  }
}

/**
 * While the database takes nothing, what was sent is answered as it was begun, without being stored under its key. Repeated,
 * the request is answered with the same payment or refund as it is now.
 */
export const isOpenAnswer = (first: string, now: string): boolean => {
  const [before, after] = [bodyOf(first), bodyOf(now)]
  const isOlder = before.status === "pending" || (before.version ?? 0) < (after.version ?? 0)
  return before.id !== undefined && before.id === after.id && isOlder
}

// Boundary: a payment or a refund, of which payments alone have a version.
const bodyOf = (text: string) =>
  JSON.parse(text) as { readonly id?: string; readonly status?: string; readonly version?: number }

/** ms: a merchant who gives up has found something. */
const LONGEST = 300_000

/** To be asked again: nothing was done, or it is still being done. */
const isTransient = ({ body, status }: { readonly status: number; readonly body: string }): boolean =>
  status === 503 || status === 429 || (status === 409 && /IdempotencyInFlight|idempotency_in_flight/.test(body))

const isOver = (status: string): boolean => status === "failed" || status === "canceled"

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
