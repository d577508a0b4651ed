/**
 * What the fields of the API mean, by component and by the place in it: `customer.email`, `attempts[].seq`. They become the
 * `description`s of the OpenAPI document, and by it those of the reference page and of the client's types.
 */

/** The words of one object, by the place of each field. */
export interface FieldDocs {
  readonly [place: string]: string
}

const amount = "In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000."
const currency = "ISO 4217, in capitals."
const livemode = "`false`: made with a test key; no money moved."
const time = "RFC 3339, UTC."
const ended = `${time} \`null\`: it has not ended.`
const provider = "The provider instance, as it is named in the configuration of the server."

/** Under `details`: what is known of the payer's means of payment. */
const method = {
  "payment_method_details.upi.flow":
    "`intent`: a link that opens a UPI app. `qr`: a code to scan. `collect`: the payer's app asks.",
  "payment_method_details.card.network":
    "In small letters, such as `visa` or `mastercard`. It decides the limit of declines.",
  "payment_method_details.card.country": "Of the issuer: ISO 3166, two capitals. For routing.",
  "payment_method_details.card.funding": "For routing.",
  "payment_method_details.card.bin": "The first six to eight digits. For routing."
} as const

const failure: FieldDocs = {
  failure: "Only where it failed.",
  "failure.code": "The same codes for every provider.",
  "failure.message": "For people; it may change.",
  "failure.retryable": "Whether another try makes sense."
}

const review: FieldDocs = {
  id: "`rev_…`; the same for as long as the review is open.",
  reason:
    "Why it is open: `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization` name money or a hold that the payment does not want, `inquiries_exhausted` an unknown outcome.",
  provider: "The provider instance that has the money.",
  reference:
    "The provider's reference of the charge, capture or refund in question. `null`: the provider reported none.",
  operation: "The operation in question, `op_…`. `null`: no operation of the payment asked for it.",
  amount: "How much is in question, in the smallest unit of its `currency`.",
  currency: "ISO 4217, as the provider reported it: it may differ from the payment's.",
  since: `${time} When the review was opened.`
}

/** The same words at another place. */
const under = (place: string, docs: FieldDocs): FieldDocs =>
  Object.fromEntries(Object.entries(docs).map(([name, words]) => [`${place}.${name}`, words]))

const createPayment: FieldDocs = {
  amount,
  currency: `${currency} UPI takes INR.`,
  payment_method: "How the payer pays.",
  description: "Your own words, kept with the payment; some providers show them to the payer.",
  customer: "Who pays.",
  "customer.email": "The payer's e-mail address.",
  "customer.phone": "International: `+` and the country code, then digits only, such as `+919999999999`.",
  "customer.name": "Some providers need it.",
  metadata:
    "Your own keys (1 to 40 characters) and values, kept with the payment and sent with its events. No card data, no secrets.",
  capture_method: "`manual`: hold the money until it is captured; where the provider can. Default: `automatic`.",
  return_url:
    "Where the payer comes back to from a provider's page, with `payment_id` in its query. `https` and a public host; in test mode `http://localhost`, too.",
  client: "The payer's device as you saw it. Some providers need it, and are left out without it.",
  "client.ip": "IPv4 or IPv6.",
  "client.user_agent": "The header `User-Agent` of the payer's browser.",
  "client.referer": "The page that the payer came from.",
  payment_method_details: "More of the payment method: only what belongs to `payment_method`.",
  "payment_method_details.upi": "Default: an intent link.",
  ...method,
  "payment_method_details.upi.vpa": "The payer's UPI id, such as `name@bank`. It alone means `collect`.",
  "payment_method_details.card": "Without a token the payer enters the card on a page of the provider.",
  "payment_method_details.card.token":
    "What the provider's form in the browser gave you; for every provider that `tokens` does not name.",
  "payment_method_details.card.tokens":
    "By provider instance, each one's own token: what failover between card providers needs.",
  "payment_method_details.card.fingerprint":
    "Your name of this card, the same under all of its tokens: declines are counted by it. Neither a card number nor a digest of one.",
  "payment_method_details.stablecoin": "Default: a coin that a provider has for the currency.",
  "payment_method_details.stablecoin.asset": "In capitals, such as `USDC`.",
  "payment_method_details.stablecoin.network": "In small letters, such as `base` or `ethereum`."
}

const payment: FieldDocs = {
  id: "`pay_` and 26 characters that sort by time.",
  object: "What this is.",
  livemode,
  status:
    "`succeeded`, `failed` and `canceled` are the end, but for money that comes late. `authorized`: the money is held, and waits for a capture.",
  pending_reason:
    "Only while it is pending. `outcome_unknown`: a provider has not said what became of it; it is asked until it is known.",
  amount,
  amount_captured: "What was taken of it.",
  amount_refunded: "What was given back of it.",
  amount_received: "What arrived, where that can differ from the amount (stablecoin).",
  currency,
  payment_method: "How the payer pays.",
  payment_method_details: "Under the name of the payment method, what is known of it. Tokens are not shown.",
  "payment_method_details.upi": "Of a UPI payment.",
  ...method,
  "payment_method_details.upi.vpa": "The payer's UPI id.",
  "payment_method_details.card": "Of a card payment.",
  "payment_method_details.stablecoin": "Of a stablecoin payment.",
  "payment_method_details.stablecoin.asset": "The coin, such as `USDC`.",
  "payment_method_details.stablecoin.network": "The chain, such as `base`.",
  capture_method: "As it was asked for.",
  description: "As it was sent.",
  customer: "As it was sent.",
  "customer.email": "The payer's e-mail address.",
  "customer.phone": "The payer's phone, with `+` and country code.",
  "customer.name": "The payer's name.",
  metadata: "As it was sent.",
  return_url: "As it was sent.",
  next_action: "What the payer has to do next; by its `type`. `null`: nothing.",
  "next_action.type":
    "`upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a code, or `image`. `redirect`: send the payer to `url`. `stablecoin_transfer`: have `amount` sent to `address`. `wait`: the payer was asked elsewhere.",
  "next_action.uri": "A link that opens the payer's app or wallet.",
  "next_action.url": "A page of the provider. It sends the payer back to this server, and on to `return_url`.",
  "next_action.payload": "The text of the code.",
  "next_action.image": "A picture of the code: an address, or `data:`.",
  "next_action.address": "Of this payment alone.",
  "next_action.amount": "Decimal text in units of the coin, such as `12.50`.",
  "next_action.expires_at": `${time} \`null\`: the provider sets no time.`,
  ...failure,
  "failure.retryable": "Whether a new payment makes sense.",
  overpayment:
    "Captured in excess of the payment and not returned yet, at all its providers together. Absent: nothing is. It is not part of `amount_captured`.",
  reviews: "What an operator has to resolve: one review for each charge or operation in question. Empty: nothing.",
  ...under("reviews[]", review),
  late: "`true`: the money came after the payment had failed.",
  disputed_at: `${time} When the payer first disputed it.`,
  provider: "The provider instance that took the money, else the latest that was tried.",
  routing: "Why the providers were tried in this order.",
  "routing.rule": "The rule that decided; `default` without one.",
  "routing.ruleset": "The digest of the rules that were in force.",
  "routing.reason": "How the rule chose, such as `priority` or `split`.",
  attempts: "What was tried, first to last: one for each provider that was asked.",
  "attempts[].seq": "From 1.",
  "attempts[].provider": provider,
  "attempts[].status":
    "How the attempt stands. `not_executed`: proven that nothing was done, so the next provider was asked.",
  "attempts[].reason": "Why this provider was the one.",
  "attempts[].code": "Why it failed, by the codes of `failure`.",
  "attempts[].vendor_code": "The provider's own code.",
  "attempts[].reversal": "Its money is not the payment's, and is given back: how far that is.",
  "attempts[].started_at": time,
  "attempts[].ended_at": ended,
  operations: "Captures and cancels that were asked for.",
  "operations[].id": "`op_` and 26 characters that sort by time.",
  "operations[].kind": "What was asked for.",
  "operations[].status": "How it stands.",
  "operations[].amount": amount,
  "operations[].code": "Why it failed, by the codes of `failure`.",
  "operations[].created_at": time,
  "operations[].ended_at": ended,
  version: "Grows with every change: of two copies, the greater is the newer.",
  created_at: time,
  updated_at: time
}

const refund: FieldDocs = {
  id: "`re_` and 26 characters that sort by time.",
  object: "What this is.",
  livemode,
  payment: "The payment it gives back.",
  status: "`failed`: nothing was given back; see `failure`.",
  amount,
  currency: `${currency} The payment's.`,
  reason: "As it was sent.",
  ...failure,
  "failure.retryable": "Whether a new refund makes sense.",
  provider,
  created_at: time,
  ended_at: ended
}

const list = (data: string): FieldDocs => ({ object: "What this is.", data })

/** Every field of every component has words here, or brings its own. The components of an extension bring their own. */
export const fieldDocs: { readonly [component: string]: FieldDocs } = {
  CreatePayment: createPayment,
  Payment: payment,
  PaymentList: list("Newest first."),
  CreateRefund: { reason: "Your own words, kept with the refund; some providers are told." },
  Refund: refund,
  RefundList: {
    ...list("Newest first: all of them."),
    has_more: "`false`: a payment's refunds are one page.",
    next_cursor: "`null`."
  },
  Event: {
    type: "What happened.",
    timestamp: `${time} When it happened.`,
    data: "What it happened to.",
    "data.id": "The event's id, the same on every try: what you have seen before, you have seen.",
    "data.sequence": "Of this payment's events, from 1 and without a gap.",
    "data.payment": "As it stood after the change.",
    "data.refund": "Only of `refund.*`.",
    "data.review":
      "Only of `payment.review_opened` and `payment.review_resolved`: the review, as the payment shows it while it is open.",
    ...under("data.review", review),
    "data.review.resolution":
      "Only of `payment.review_resolved`: how an operator resolved the review. `null`: later reports settled it."
  },
  Health: { status: "It answers." },
  Problem: {
    title: "The same for every problem of this code.",
    status: "That of the answer.",
    detail: "What was wrong this time; for people. It never repeats a value of the request.",
    code: "What programs decide by.",
    errors: "Every fault of the request, where there are several or one with a place.",
    "errors[].message": "What is wrong there; for people.",
    request_id: "Finds the request in the logs; also the header `Request-Id`."
  }
}
