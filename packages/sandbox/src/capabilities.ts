/** The capabilities of the simulated providers by rail. */
import type { Capabilities, Flow, MethodCapability, OperationCapability, Rail } from "@paymux/core"
import { stablecoins } from "./Stablecoins.ts"

const idempotent: OperationCapability = {
  idempotency: { by: "header", lifetime: "24 hours" },
  inquiry: { by: "reference" }
}

/**
 * The capability for partial captures and refunds: each has a reference of its own, and is reported with its own
 * amount.
 */
const partialMovement: OperationCapability = { ...idempotent, partial: true, reports: "movement" }

/**
 * The time after which "not found" is final. It is that of a real provider, although the ledger is written before the
 * reply and 0 would be correct.
 */
const create: OperationCapability = {
  ...idempotent,
  inquiry: { by: "reference", notFoundIsFinalAfter: "30 seconds" }
}

const lenient: { readonly [rail in Rail]: Capabilities } = {
  upi: {
    methods: {
      upi: {
        currencies: ["INR"],
        flows: { intent: {}, qr: {}, collect: {} },
        // The maximum of ₹1,00,000 is NPCI's limit for payments to a merchant.
        amounts: [{ currency: "INR", max: "100000.00" }]
      }
    },
    operations: {
      create: { ...create, declineIsFinal: false },
      // An unpaid intent or QR code can be closed. An address on a chain cannot: it stays payable for ever.
      cancel: idempotent,
      refund: partialMovement
    }
  },
  card: {
    methods: { card: { currencies: "any", flows: { token: {}, hosted: {} }, captureMethods: ["automatic", "manual"] } },
    operations: {
      create: { ...create, declineIsFinal: true },
      capture: partialMovement,
      cancel: idempotent,
      refund: partialMovement
    }
  },
  stablecoin: {
    methods: {
      stablecoin: {
        currencies: "any",
        flows: { transfer: {} },
        assets: stablecoins.map(({ asset, network }) => ({ asset, network }))
      }
    },
    operations: { create: { ...create, declineIsFinal: false } }
  }
}

/** The payment methods of a real provider, for a simulated provider with the same capabilities and requirements. */
export interface ProviderModel {
  readonly id: string
  readonly methods: Capabilities["methods"]
}

/** The flows that can be simulated. The hosted page of UPI needs a model that has this flow. */
const simulated: { readonly [rail in Rail]: ReadonlyArray<Flow> } = {
  upi: ["intent", "qr", "collect", "hosted"],
  card: ["token", "hosted"],
  stablecoin: ["transfer"]
}

/** The capabilities of the model on this rail; without a model, all payments that can be simulated. */
export const capabilitiesOf = (rail: Rail, model: ProviderModel | null): Capabilities => ({
  ...modeledCapabilities(rail, model),
  statement: { bookedWithin: "1 minute" }
})

const modeledCapabilities = (rail: Rail, model: ProviderModel | null): Capabilities => {
  const { methods, operations } = lenient[rail]
  const own = methods[rail]
  const given = model?.methods[rail]
  return own === undefined || given === undefined
    ? lenient[rail]
    : { methods: { [rail]: modeled(rail, own, given) }, operations }
}

const modeled = (rail: Rail, own: MethodCapability, model: MethodCapability): MethodCapability => {
  const flows = Object.entries(model.flows).filter(([flow]) => simulated[rail].some((each) => each === flow))
  const assets = (own.assets ?? []).filter(({ asset, network }) =>
    model.assets?.some((each) => each.asset === asset && each.network === network)
  )
  // On a rail without captures, a payment cannot be authorized only.
  const capturing = lenient[rail].operations.capture === undefined ? { captureMethods: ["automatic"] as const } : {}
  return {
    ...model,
    ...capturing,
    flows: Object.fromEntries(flows.map(([flow, conditions]) => [flow, { ...conditions, ...capturing }])),
    // The stablecoins of the model that can be simulated; if none of them can, all stablecoins that can.
    ...(own.assets !== undefined && { assets: assets.length === 0 ? own.assets : assets })
  }
}

/**
 * The model that an instance simulates: provider `a` gets the first model with its rail, `b` the second, or the first
 * if it is the only one.
 */
export const modelOf = (rail: Rail, letter: "a" | "b", models: ReadonlyArray<ProviderModel>): ProviderModel | null => {
  const [first = null, second = first] = models.filter(({ methods }) => methods[rail] !== undefined)
  return letter === "a" ? first : second
}
