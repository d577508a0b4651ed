/** What Cashfree takes, as strictly as its documentation says. Numbers are read as the text they came in. */
import { Schema } from "effect"

/** A number, and not a text that looks like one. */
const Amount = Schema.String.check(Schema.isPattern(/^#\d+(\.\d{1,2})?$/))
const text = (minimum: number, maximum: number) => Schema.String.check(Schema.isBetweenLength(minimum, maximum))

const Tags = Schema.Record(Schema.String, text(1, 255))

export const CreateOrder = Schema.Struct({
  order_id: Schema.String.check(Schema.isPattern(/^[\w-]{3,45}$/)),
  order_amount: Amount,
  order_currency: Schema.Literal("INR"),
  customer_details: Schema.Struct({
    customer_id: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{3,50}$/)),
    customer_phone: text(10, 10),
    customer_email: Schema.optionalKey(text(3, 100)),
    customer_name: Schema.optionalKey(text(3, 100))
  }),
  order_expiry_time: Schema.String,
  order_meta: Schema.optionalKey(Schema.Struct({ return_url: Schema.String })),
  order_note: Schema.optionalKey(text(3, 200)),
  order_tags: Schema.optionalKey(Tags)
})
const Unused = Schema.Literal(false)
export const CreateLink = Schema.Struct({
  link_id: Schema.String.check(Schema.isPattern(/^[\w-]{1,50}$/)),
  link_amount: Amount,
  link_currency: Schema.Literal("INR"),
  link_purpose: text(1, 500),
  customer_details: Schema.Struct({
    customer_phone: text(10, 10),
    customer_email: Schema.optionalKey(text(3, 100)),
    customer_name: Schema.optionalKey(text(3, 100))
  }),
  link_partial_payments: Unused,
  link_expiry_time: Schema.String,
  link_notify: Schema.Struct({ send_sms: Unused, send_email: Unused }),
  link_auto_reminders: Unused,
  link_notes: Tags.check(Schema.isMaxProperties(5)),
  link_meta: Schema.Struct({
    payment_methods: Schema.Literal("upi"),
    return_url: Schema.optionalKey(text(1, 250).check(Schema.isStartingWith("https://")))
  })
})
export const SessionRequest = Schema.Struct({
  payment_session_id: Schema.String,
  payment_method: Schema.Struct({
    upi: Schema.Struct({
      channel: Schema.Literals(["link", "qrcode"]),
      authorize_only: Schema.optionalKey(Schema.Boolean)
    })
  })
})
export const Termination = Schema.Struct({ order_status: Schema.Literal("TERMINATED") })
export const Authorize = Schema.Struct({
  action: Schema.Literals(["CAPTURE", "VOID"]),
  amount: Schema.optionalKey(Amount)
})
export const CreateRefund = Schema.Struct({
  refund_id: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{3,40}$/)),
  refund_amount: Amount,
  refund_speed: Schema.Literal("STANDARD"),
  refund_note: Schema.optionalKey(text(3, 100))
})
const Seconds = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/))
export const Recon = Schema.Struct({
  pagination: Schema.Struct({
    limit: Schema.String.check(Schema.isPattern(/^#([1-9]\d{0,2}|1000)$/)),
    cursor: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[A-Za-z0-9+/]+=*$/)))
  }),
  filters: Schema.Struct({ start_date: Seconds, end_date: Seconds })
})
export const Simulate = Schema.Struct({
  entity: Schema.Literal("PAYMENTS"),
  entity_id: Schema.String,
  entity_simulation: Schema.Struct({
    payment_status: Schema.Literals(["SUCCESS", "FAILED", "PENDING", "USER_DROPPED"]),
    payment_error_code: Schema.optionalKey(Schema.String)
  })
})

/** Strictly, with the text of each number. */
export const decode = <A>(schema: Schema.Decoder<A>, body: string): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(JSON.parse(body, numberText))

/** `#170.50`: no text of a request begins so. */
const numberText = (_key: string, value: unknown, context?: { readonly source?: string }) =>
  typeof value === "number" ? `#${context?.source ?? ""}` : value
