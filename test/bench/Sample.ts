/** The requests that every contender answers, and the tenant they are for. */

export const tenant = { account: "default", livemode: false } as const

/** A request, as it comes in. */
export interface SampleRequest {
  readonly amount: number
  readonly currency: string
  readonly payment_method: "upi" | "card"
  readonly payment_method_details?: {
    readonly upi?: { readonly vpa?: string | null }
    readonly card?: SampleCard
  }
  readonly description?: string | null
  readonly customer: {
    readonly email: string
    readonly phone: string
    readonly name?: string | null
    readonly address?: null
  }
  readonly metadata?: { readonly [key: string]: string }
  readonly return_url?: string | null
}

export interface SampleCard {
  readonly token?: string | null
  readonly network?: string | null
  readonly country?: string | null
  readonly funding?: string | null
  readonly bin?: string | null
}

/** The minimal request of the API with what most merchants add to it. */
export const request = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  description: "Order 1234",
  customer: { email: "asha@example.com", phone: "+919999999999", name: "Asha Rao", address: null },
  metadata: { order_id: "1234" }
} as const satisfies SampleRequest

const { customer, description, metadata } = request

interface Sample {
  readonly body: SampleRequest
  /** Each request has an idempotency key of its own. */
  readonly keyed: boolean
}

const minimal: SampleRequest = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
}

/** What clients send to `POST /v1/payments`. */
export const samples = {
  /** The one that README shows. */
  minimal: { body: minimal, keyed: false },
  card: {
    body: {
      amount: 10_000,
      currency: "INR",
      payment_method: "card",
      payment_method_details: {
        card: { token: "tok_1234", network: "visa", country: "IN", funding: "credit", bin: "411111" }
      },
      description,
      customer,
      metadata,
      return_url: "https://shop.example/done"
    },
    keyed: false
  },
  collect: { body: { ...request, payment_method_details: { upi: { vpa: "asha@okbank" } } }, keyed: false },
  keyed: { body: minimal, keyed: true }
} as const satisfies { readonly [name: string]: Sample }

export type SampleName = keyof typeof samples
