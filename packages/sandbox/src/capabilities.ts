/** What the simulated providers of each rail can do. */
import type { Capabilities, Flow, MethodCapability, OperationCapability, Rail } from "@paymux/core"
import { stablecoins } from "./Stablecoins.ts"

const asked: OperationCapability = {
  idempotency: { by: "header", lifetime: "24 hours" },
  inquiry: { by: "reference" }
}

/** Captures and refunds: each has a reference of its own, and is reported with its own amount. */
const moving: OperationCapability = { ...asked, partial: true, reports: "movement" }

/** The book is written before anything is answered, so that "not found" could be final at once; real ones are slower. */
const created: OperationCapability = {
  ...asked,
  inquiry: { by: "reference", notFoundIsFinalAfter: "30 seconds" }
}

const lenient: { readonly [rail in Rail]: Capabilities } = {
  upi: {
    methods: {
      upi: {
        currencies: ["INR"],
        flows: { intent: {}, qr: {}, collect: {} },
        // NPCI's limit of ₹1,00,000 for payments to a merchant.
        amounts: [{ currency: "INR", max: "100000.00" }]
      }
    },
    operations: {
      create: { ...created, declineIsFinal: false },
      // An unpaid intent or QR code can be closed. (An address on a chain cannot: it stays payable for ever.)
      cancel: asked,
      refund: moving
    }
  },
  card: {
    methods: { card: { currencies: "any", flows: { token: {}, hosted: {} }, captureMethods: ["automatic", "manual"] } },
    operations: {
      create: { ...created, declineIsFinal: true },
      capture: moving,
      cancel: asked,
      refund: moving
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
    operations: { create: { ...created, declineIsFinal: false } }
  }
}

/** What another provider takes: a simulated one that has it as its model takes the same, and requires the same. */
export interface ProviderModel {
  readonly id: string
  readonly methods: Capabilities["methods"]
}

/** The flows that can be played. A UPI page is, where the model has one. */
const simulated: { readonly [rail in Rail]: ReadonlyArray<Flow> } = {
  upi: ["intent", "qr", "collect", "hosted"],
  card: ["token", "hosted"],
  stablecoin: ["transfer"]
}

/** Without a model on the rail: as lenient as can be. */
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
  // Without captures, nothing is held.
  const capturing = lenient[rail].operations.capture === undefined ? { captureMethods: ["automatic"] as const } : {}
  return {
    ...model,
    ...capturing,
    flows: Object.fromEntries(flows.map(([flow, conditions]) => [flow, { ...conditions, ...capturing }])),
    // The chains of the model are not those of the book.
    ...(own.assets !== undefined && { assets: assets.length === 0 ? own.assets : assets })
  }
}

/** The first instance of a rail is as the first of the models that has it, the second as the next one, if there is one. */
export const modelOf = (rail: Rail, letter: "a" | "b", models: ReadonlyArray<ProviderModel>): ProviderModel | null => {
  const [first = null, second = first] = models.filter(({ methods }) => methods[rail] !== undefined)
  return letter === "a" ? first : second
}
