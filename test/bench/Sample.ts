/** The one request that every contender answers, and the tenant it is for. */

export const tenant = { account: "default", livemode: false } as const

/** As it comes in: the minimal request of the API with what most merchants add to it. */
export const request = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  description: "Order 1234",
  customer: { email: "asha@example.com", phone: "+919999999999", name: "Asha Rao", address: null },
  metadata: { order_id: "1234" }
} as const

export type SampleRequest = typeof request
