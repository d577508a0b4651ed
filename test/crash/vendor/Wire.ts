/** What the vendor and its adapter say to one another, as Schemas. */
import { Schema } from "effect"
import { faults } from "./Vendor.ts"

const Status = Schema.Literals(["pending", "held", "captured", "declined", "canceled", "expired", "refunded"])

export const OrderJson = Schema.Struct({ id: Schema.String })

export const OperationJson = Schema.Struct({
  object: Schema.String,
  status: Status,
  minorUnits: Schema.Int,
  currency: Schema.String
})
export type OperationJson = typeof OperationJson.Type

const merchantNames = { merchantPayment: Schema.String, merchantOperation: Schema.String, purchase: Schema.String }

export const CreateBody = Schema.Struct({
  order: Schema.NullOr(Schema.String),
  ...merchantNames,
  minorUnits: Schema.Int,
  currency: Schema.String,
  manual: Schema.Boolean,
  payer: Schema.Literals(["pays_at_once", "pays_later", "walks_away", "says_no"]),
  fault: Schema.Literals(faults)
})

export const OrderBody = Schema.Struct({ ...merchantNames, currency: Schema.String })

export const LaterBody = Schema.Struct({
  merchantOperation: Schema.String,
  minorUnits: Schema.Int,
  fault: Schema.Literals(faults)
})

export const EventBody = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  object: Schema.String,
  type: Status,
  minorUnits: Schema.Int,
  currency: Schema.String
})

/** What the driver sets: where webhooks go (to each in turn), and whether requests may still go wrong. */
export const ControlBody = Schema.Struct({ webhooks: Schema.Array(Schema.String), faults: Schema.Boolean })

/** Asks the vendor to kill the process that sent the request: as it is received, or as it is executed. */
export const KILL_HEADER = "x-crash"
export const KEY_HEADER = "idempotency-key"
export const SIGNATURE_HEADER = "x-signature"

/** Shared with the adapter: a test has nothing to hide. */
export const WEBHOOK_SECRET = "a secret of the crash tests"
