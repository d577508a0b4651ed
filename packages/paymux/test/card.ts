/** A payment that the sandbox takes at once. */
export const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } },
  customer: { email: "asha@example.com", phone: "+4915112345678" }
} as const
