/** The merchant's side: plain HTTP, as any client would speak it. */
import type { PaymentJson } from "@paymux/core/wire"

interface Answer {
  readonly replayed: boolean
  readonly text: string
  readonly payment: PaymentJson
}

interface PaymentPage {
  readonly data: ReadonlyArray<PaymentJson>
  readonly has_more: boolean
}

export interface Api {
  readonly create: (body: object, idempotencyKey?: string) => Promise<Answer>
  readonly get: (id: string) => Promise<PaymentJson>
  readonly list: (query: string) => Promise<PaymentPage>
  /** Every payment that was made, by id. */
  readonly made: ReadonlySet<string>
}

interface Call {
  readonly method?: "POST"
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const connect = (base: string, key: string): Api => {
  const call = (path: string, { headers, ...init }: Call = {}) =>
    fetch(`${base}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers }
    })
  const made = new Set<string>()
  return {
    made,
    create: async (body, idempotencyKey) => {
      const response = await call("/payments", {
        method: "POST",
        body: JSON.stringify(body),
        headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
      })
      const text = await response.text()
      if (response.status !== 201) throw new Error(`${response.status} ${text}`)
      const payment: PaymentJson = JSON.parse(text)
      made.add(payment.id)
      return { replayed: response.headers.get("idempotent-replayed") === "true", text, payment }
    },
    get: async (id): Promise<PaymentJson> => JSON.parse(await (await call(`/payments/${id}`)).text()),
    list: async (query): Promise<PaymentPage> => JSON.parse(await (await call(`/payments?${query}`)).text())
  }
}
