/** The payers of the corpus, and what they pay with. */

/** Approves at once in the sandbox. */
export const asha = { email: "asha@example.com", phone: "+919999999999" }

const card = (token: string) => ({
  payment_method: "card",
  payment_method_details: { card: { token } },
  customer: asha
})

export const euros = (amount: number, token = "tok_success") => ({ amount, currency: "EUR", ...card(token) })

export const upi = (amount: number, vpa: string) => ({
  amount,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "collect", vpa } },
  customer: { email: "ravi@example.com", phone: "+918888888888" }
})

export const stablecoin = (amount: number, transfer: string) => ({
  amount,
  currency: "USD",
  payment_method: "stablecoin",
  customer: asha,
  metadata: { sandbox_transfer: transfer }
})
