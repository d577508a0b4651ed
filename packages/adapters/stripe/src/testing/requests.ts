/** What Stripe takes, as strictly as the types of its SDK say. Everything in a form is text. */
import { Schema } from "effect"

const Int = Schema.String.check(Schema.isPattern(/^\d{1,16}$/))
const Currency = Schema.String.check(Schema.isPattern(/^[a-z]{3}$/))
const Metadata = Schema.Record(
  Schema.String.check(Schema.isMaxLength(40)),
  Schema.String.check(Schema.isMaxLength(500))
).check(Schema.isMaxProperties(50))
/** A list is read by its indexes. */
const Cards = Schema.Struct({ "0": Schema.Literal("card") })
const CaptureMethod = Schema.Literals(["automatic", "automatic_async", "manual"])
const Text = Schema.NonEmptyString
const Shipping = Schema.Struct({
  name: Text,
  address: Schema.Struct({
    line1: Text,
    line2: Schema.optionalKey(Text),
    city: Schema.optionalKey(Text),
    state: Schema.optionalKey(Text),
    postal_code: Schema.optionalKey(Text),
    country: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/))
  })
})

export const CreateIntent = Schema.Struct({
  amount: Int,
  currency: Currency,
  allowed_payment_method_types: Cards,
  automatic_payment_methods: Schema.optionalKey(
    Schema.Struct({ enabled: Schema.Literal("true"), allow_redirects: Schema.Literals(["always", "never"]) })
  ),
  capture_method: CaptureMethod,
  confirm: Schema.Literal("true"),
  confirmation_token: Schema.optionalKey(Text),
  customer: Schema.optionalKey(Text),
  description: Schema.optionalKey(Text),
  error_on_requires_action: Schema.optionalKey(Schema.Literal("true")),
  metadata: Metadata,
  payment_method: Schema.optionalKey(Text),
  return_url: Schema.optionalKey(Text),
  shipping: Schema.optionalKey(Shipping)
})
export const CaptureIntent = Schema.Struct({ amount_to_capture: Int })
export const CancelIntent = Schema.Struct({
  cancellation_reason: Schema.optionalKey(
    Schema.Literals(["abandoned", "duplicate", "fraudulent", "requested_by_customer"])
  )
})
export const Nothing = Schema.Struct({})
export const CreateSession = Schema.Struct({
  mode: Schema.Literal("payment"),
  allowed_payment_method_types: Cards,
  adaptive_pricing: Schema.Struct({ enabled: Schema.Literal("false") }),
  billing_address_collection: Schema.optionalKey(Schema.Literals(["auto", "required"])),
  line_items: Schema.Struct({
    "0": Schema.Struct({
      quantity: Schema.Literal("1"),
      price_data: Schema.Struct({ currency: Currency, unit_amount: Int, product_data: Schema.Struct({ name: Text }) })
    })
  }),
  payment_intent_data: Schema.Struct({
    capture_method: CaptureMethod,
    description: Schema.optionalKey(Text),
    metadata: Metadata,
    shipping: Schema.optionalKey(Shipping)
  }),
  client_reference_id: Schema.String.check(Schema.isMaxLength(200)),
  customer_email: Schema.optionalKey(Text),
  metadata: Metadata,
  expires_at: Int,
  success_url: Text,
  cancel_url: Text
})
export const CreateRefund = Schema.Struct({ payment_intent: Text, amount: Int, metadata: Metadata })

/** Strictly: what is not named is refused, as Stripe does (`parameter_unknown`). */
export const decode = <A>(schema: Schema.Decoder<A>, form: string): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(
    nested([...new URLSearchParams(form)].map(([name, value]) => [name.split("[").map(withoutEnd), value]))
  )

/** By the names in brackets, which may have any other character. The last of equal names counts. */
const nested = (fields: ReadonlyArray<readonly [path: ReadonlyArray<string>, value: string]>): object => {
  const names = new Set(fields.map(([[name = ""]]) => name))
  return Object.fromEntries(
    [...names].map((name) => {
      const inside = fields.filter(([[first]]) => first === name).map(([[, ...rest], value]) => [rest, value] as const)
      const [rest, value] = inside.at(-1) ?? [[], ""]
      return [name, rest.length === 0 ? value : nested(inside)]
    })
  )
}

const withoutEnd = (name: string): string => name.replace(/\]$/, "")
