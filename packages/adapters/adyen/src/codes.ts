/**
 * Adyen's codes, as data: `errorCode` of a request that was refused, and `refusalReasonCode` of a payment that was tried.
 *
 * Adyen publishes the error codes without their HTTP status. A 4xx with a code of the table was refused before an acquirer was asked:
 * "the request failed because of the information in the request" (docs.adyen.com/errors). `errors.ts` reads a 5xx.
 */
import type { DeclineCode } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"

const never = (code: DeclineCode): Codes.Decline => ({ code, retry: "never" })
const later = (code: DeclineCode): Codes.Decline => ({ code, retry: "same_later" })
/** The acquirer or the issuer could not be reached: a different acquirer might succeed. */
const elsewhere = (code: DeclineCode): Codes.Decline => ({ code, retry: "other_provider" })

/**
 * `refusalReasonCode`: all that Adyen publishes, except 0 and 30, which come with a success. `never` is for a fault of the card
 * itself, at every provider: not for the date that was entered, for this one transaction, or for the rating of a risk engine.
 *
 * @internal Exported for the test that compares it with the published codes.
 */
export const refusals: { readonly [code: string]: Codes.Decline } = {
  "2": later("do_not_honor"),
  "3": later("do_not_honor"),
  "4": elsewhere("processing_error"),
  "5": never("lost_or_stolen"),
  "6": later("expired_card"),
  "7": later("processing_error"),
  "8": never("invalid_number"),
  "9": elsewhere("issuer_unavailable"),
  "10": later("not_permitted"),
  "11": later("authentication_failed"),
  "12": later("insufficient_funds"),
  "14": later("suspected_fraud"),
  "15": later("customer_canceled"),
  "16": later("customer_canceled"),
  "17": later("incorrect_pin"),
  "18": later("limit_exceeded"),
  "19": later("incorrect_pin"),
  "20": later("suspected_fraud"),
  "21": later("processing_error"),
  "22": later("suspected_fraud"),
  "23": later("not_permitted"),
  "24": later("incorrect_cvc"),
  "25": later("not_permitted"),
  // Its holder stopped this merchant's payments at the bank.
  "26": never("not_permitted"),
  "27": later("do_not_honor"),
  "28": later("limit_exceeded"),
  "29": later("limit_exceeded"),
  "31": later("suspected_fraud"),
  "32": later("do_not_honor"),
  "33": later("unsupported"),
  "34": later("not_permitted"),
  "35": later("not_permitted"),
  "36": later("authentication_required"),
  "37": later("unsupported"),
  "38": later("authentication_required"),
  "39": later("authentication_failed"),
  "40": later("unsupported"),
  "41": later("unsupported"),
  "42": later("authentication_failed"),
  "43": later("unsupported"),
  "44": later("unsupported"),
  "45": later("unsupported"),
  "46": later("not_permitted")
}

export const refusalCodes = Codes.table({ declined: refusals })

const list =
  "docs.adyen.com/development-resources/error-codes; a 4xx was refused for its content: docs.adyen.com/errors"

const rows = (codes: string, about: Codes.AccountFault["about"], help: string, source = list) =>
  Object.fromEntries(codes.split(" ").map((code) => [code, { about, help, source }]))

/** What a payment and a payment link can both be refused for. */
const ofEveryCreate = {
  ...rows("138", "kind", "Ask Adyen to enable the currency for the merchant account."),
  ...rows(
    "104 117 131 132 133 134 135 194 15_019 200",
    "customer.address",
    "Send customer.address with city and postal code, and in the US and Canada with the two letters of the state.",
    `${list}; 117 with HTTP 422: Adyen/adyen-magento#1019`
  ),
  ...rows("119", "customer.name", "Send the payer's first and last name in customer.name."),
  ...rows("120 181", "customer.email", "Send customer.email."),
  ...rows("122 124", "customer.phone", "Send customer.phone with its country code.")
}

const ofPayments = {
  ...ofEveryCreate,
  // About one card brand and currency, so nothing is remembered: the account may take all other cards.
  ...rows(
    "905 905_1 905_2 950 951 952 953 954 955 956 957 958 959 960 961 962 966 967",
    "payment",
    "Ask Adyen to add or complete the acquirer account for this card brand and currency.",
    `${list}; 905 with HTTP 500 is the example of the Checkout API specification; 905_1: "Could not find an acquirer account"`
  ),
  ...rows("907", "payment", "Ask Adyen which countries' cards the merchant account may take."),
  ...rows("107", "payment", "Ask Adyen to enable recurring payments, or send encrypted card fields."),
  ...rows("15_008", "kind", "Ask Adyen to complete the 3-D Secure 2 configuration of the merchant account."),
  ...rows(
    "173 199",
    "payment",
    "Ask Adyen for the encryption keys of the merchant account, or send stored payment methods."
  ),
  ...rows(
    "174",
    "payment",
    "Use the client key of this merchant account and environment in the card form.",
    `${list}; HTTP 422: Adyen/adyen-php-api-library#138, and #44 about its cause`
  ),
  ...rows("128", "customer.name", "Send customer.name, or ask for the holder's name in the card form."),
  ...rows("190", "client.ip", "Send client.ip."),
  ...rows("15_016", "client.language", "Send the browser's language in client.language, such as en-IN."),
  ...rows(
    "15_002 15_015 15_018",
    "client.screen",
    "Send all of client.accept_header, language, screen, time_zone and user_agent, or browserInfo with the token."
  )
}

const ofLinks = {
  ...ofEveryCreate,
  // An API credential without the role for links is refused here only: its payments by token must continue.
  ...rows(
    "010 14_0428",
    "kind",
    "Enable Pay by Link at Adyen and give the API credential its role, or send card tokens.",
    `${list}: "The API credential is missing required roles"; "Merchant account is missing Pay by Link permission(s)"`
  )
}

const ofEveryRequest = {
  undecided: ["701", "703", "903", "904"],
  // "Request already processed or in progress": it says nothing about the first request.
  duplicate: ["704"]
}
const credentials = ["901", "931", "14_0430"]

/** `POST /payments`. */
export const paymentCodes = Codes.table({
  ...ofEveryRequest,
  credentials: ["010", ...credentials],
  accountNotEnabled: ofPayments,
  declined: {
    "101": never("invalid_number"),
    // Maybe of a brand that Adyen does not know.
    "102": later("invalid_number"),
    "103": later("incorrect_cvc"),
    "153": later("incorrect_cvc"),
    "820": later("incorrect_cvc"),
    "14_029": later("incorrect_cvc"),
    "129": later("expired_card"),
    "140": later("expired_card"),
    "141": later("expired_card"),
    // The card form was open for longer than its encrypted fields are valid: a new token succeeds.
    "172": later("customer_timeout"),
    "916": later("limit_exceeded")
  }
})

/** `POST /paymentLinks`. */
export const linkCodes = Codes.table({ ...ofEveryRequest, credentials, accountNotEnabled: ofLinks })

/** Every other request. */
export const otherCodes = Codes.withoutDeclines(paymentCodes)

export const accountHelp = { ...Codes.accountHelp(linkCodes), ...Codes.accountHelp(paymentCodes) }
