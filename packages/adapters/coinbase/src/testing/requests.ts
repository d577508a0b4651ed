/** What Coinbase takes, strictly: a field that is not documented is refused. */
import { Schema } from "effect"

const Decimal = Schema.String.check(Schema.isPattern(/^\d+(\.\d{1,6})?$/))
const Metadata = Schema.Record(
  Schema.String.check(Schema.isMaxLength(40)),
  Schema.String.check(Schema.isMaxLength(500))
).check(Schema.makeFilter((entries) => Object.keys(entries).length <= 10))
const Account = Schema.Struct({ accountId: Schema.String, asset: Schema.Literals(["usdc", "usd", "eurc", "eur"]) })

const Buyer = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(
    Schema.Struct({
      line1: Schema.String,
      line2: Schema.optionalKey(Schema.String),
      city: Schema.optionalKey(Schema.String),
      state: Schema.optionalKey(Schema.String),
      postCode: Schema.optionalKey(Schema.String),
      countryCode: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/))
    })
  )
})

export const CreateSession = Schema.Struct({
  amount: Decimal,
  asset: Schema.Literals(["usdc", "eurc"]),
  target: Schema.Union([
    Account,
    Schema.Struct({ address: Schema.String, network: Schema.Literals(["base", "base-sepolia"]) })
  ]),
  autoCapture: Schema.Boolean,
  externalReferenceId: Schema.String.check(Schema.isMaxLength(256)),
  expiries: Schema.Struct({
    authorizationExpiresAt: Schema.String,
    captureExpiresAt: Schema.optionalKey(Schema.String),
    refundExpiresAt: Schema.optionalKey(Schema.String)
  }),
  redirect: Schema.optionalKey(Schema.Struct({ successUrl: Schema.String, failureUrl: Schema.String })),
  compliance: Schema.optionalKey(
    Schema.Struct({ requesterIpAddress: Schema.optionalKey(Schema.String), buyer: Schema.optionalKey(Buyer) })
  ),
  metadata: Metadata
})
export type CreateSession = typeof CreateSession.Type

export const Cancel = Schema.Struct({ cancellationReason: Schema.optionalKey(Schema.String) })
export const CreateVoid = Schema.Struct({ metadata: Schema.optionalKey(Metadata) })
export const CreateCapture = Schema.Struct({ amount: Decimal, finalCapture: Schema.Literal(true), metadata: Metadata })
export const CreateRefund = Schema.Struct({
  source: Schema.Union([Account, Schema.Struct({ address: Schema.String })]),
  amount: Decimal,
  reason: Schema.optionalKey(Schema.String),
  metadata: Metadata
})

/** Throws what is wrong. */
export const decode = <A>(schema: Schema.Decoder<A>, json: unknown): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(json)
