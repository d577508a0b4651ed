import type { PaymentId } from "@paymux/core"

/** Before every id that was made at `time` (ms UTC) or later: ids begin with their time, in 48 of 128 bits. */
export const firstPaymentId = (time: number): PaymentId => {
  const digits = (BigInt(time) << 80n).toString(32).padStart(26, "0")
  // Boundary: it has the shape of an id, and no payment has it.
  return `pay_${digits.replaceAll(/./g, (digit) => CROCKFORD[Number.parseInt(digit, 32)] ?? "0")}` as PaymentId
}

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
