/** What Coinbase takes, strictly: a field that is not documented is refused. */
import { Schema } from "effect"

const Decimal = Schema.String.check(Schema.isPattern(/^\d+(\.\d{1,6})?$/))
const Metadata = Schema.Record(
  Schema.String.check(Schema.isMaxLength(40)),
  Schema.String.check(Schema.isMaxLength(500))
).check(Schema.makeFilter((entries) => Object.keys(entries).length <= 10))
const Account = Schema.Struct({ accountId: Schema.String, asset: Schema.Literals(["usdc", "usd", "eurc", "eur"]) })

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
