/** How Cashfree says that a payment took nothing: written from what is published, and not from the adapter. */

/** Response codes of the UPI network, in `error_code_raw`. */
const network = "59 B1 B3 B6 U28 U30 U69 XB XC XH XI YE YF Z6 Z7 Z8 Z9 ZA ZE ZG ZH ZM".split(" ")
/** `error_reason` */
const reasons = ["auth_declined", "bank_rejected"]
/** `error_code` */
const wide = ["TRANSACTION_DECLINED", "ISSUER_NOT_AVAILABLE"]
/** `payment_status` */
const statuses = ["USER_DROPPED", "CANCELLED"]

export const codes = [...network, ...reasons, ...wide, ...statuses]

/** The parts of a payment that say so. */
export const errorDetails = (code: string): object => {
  if (statuses.includes(code)) return { payment_status: code }
  const failed = { payment_status: "FAILED" }
  if (network.includes(code)) {
    return {
      ...failed,
      error_details: {
        error_code: "TRANSACTION_DECLINED",
        error_description: "declined by the bank",
        error_reason: "auth_declined",
        error_source: "customer",
        error_code_raw: code,
        error_description_raw: "IN THE BANK'S WORDS",
        error_subcode_raw: ""
      }
    }
  }
  return {
    ...failed,
    error_details: reasons.includes(code)
      ? { error_code: "TRANSACTION_DECLINED", error_reason: code, error_source: "bank" }
      : { error_code: code }
  }
}
