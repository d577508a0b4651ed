/** Payments to try an adapter with, from what it declares. */
import { type AmountRange, amountRange } from "@paymux/core/routing"
import { type Capabilities, Currency, type Flow, type MethodCapability, type ServedMethod, rails } from "@paymux/core"

export interface Sample {
  /** For people: `card token`. */
  readonly name: string
  readonly method: ServedMethod
  readonly amount: { readonly minorUnits: number; readonly currency: Currency.Currency }
  readonly captureMethod: "automatic" | "manual"
  /** What its flow supports. */
  readonly captureMethods: ReadonlyArray<"automatic" | "manual">
  /** Whether a payment by its flow can be canceled, if cancels are declared. */
  readonly cancelable: boolean
  readonly capability: MethodCapability
}

/** One for each declared flow, in the first declared currency, captured automatically where that can be. */
export const samplesOf = (capabilities: Capabilities): ReadonlyArray<Sample> =>
  rails.flatMap((rail) => {
    const capability = capabilities.methods[rail]
    if (capability === undefined) return []
    return flowsOf(capability).map((flow) => {
      const captureMethods = capability.flows[flow]?.captureMethods ?? capability.captureMethods ?? ["automatic"]
      return {
        name: `${rail} ${flow}`,
        method: methodOf(rail, flow, capability),
        amount: sampleAmount(capability),
        captureMethod: captureMethods.includes("automatic") ? "automatic" : "manual",
        captureMethods,
        cancelable: capability.flows[flow]?.cancelable !== false,
        capability
      }
    })
  })

/** Two decimals, none and three, where they are taken; where one currency is, that one. */
export const currenciesOf = ({ currencies }: MethodCapability): ReadonlyArray<Currency.Currency> => {
  if (currencies === "any") return ["EUR", "JPY", "KWD"].map(currency)
  const informative = [0, 2, 3].flatMap(
    (decimals) => currencies.find((code) => Currency.isCurrency(code) && Currency.exponent(code) === decimals) ?? []
  )
  const [first] = currencies
  return [...new Set([...(first === undefined ? [] : [first]), ...informative])].map(currency)
}

const sampleAmount = (capability: MethodCapability): Sample["amount"] => {
  const first = currenciesOf(capability)[0] ?? currency("EUR")
  return { minorUnits: nearest(limitsOf(capability, first), 1_000), currency: first }
}

/** An amount that is taken, as near to `minorUnits` as the limits of the currency let it be. */
export const within = (
  { amount, capability }: Pick<Sample, "amount" | "capability">,
  minorUnits: number,
  code: string = amount.currency
): number => nearest(limitsOf(capability, code), minorUnits)

/** What is declared to be taken of a currency, in minor units. */
export const limitsOf = ({ amounts = [] }: MethodCapability, code: string): AmountRange => {
  const { max, min } = amountRange(amounts.find((limit) => limit.currency === code) ?? { currency: code })
  return { min: Math.max(min, 1), max }
}

const nearest = ({ max, min }: AmountRange, minorUnits: number): number => Math.min(Math.max(minorUnits, min), max)

const flowsOf = ({ flows }: MethodCapability): ReadonlyArray<Flow> =>
  // Boundary: the keys of a record by flow.
  (Object.keys(flows) as ReadonlyArray<Flow>).filter((flow) => flows[flow] !== undefined)

const methodOf = (rail: ServedMethod["rail"], flow: Flow, capability: MethodCapability): ServedMethod => {
  switch (rail) {
    case "upi":
      return {
        rail,
        flow: flow === "token" || flow === "transfer" ? "intent" : flow,
        vpa: flow === "collect" ? "asha@example" : null
      }
    case "card":
      return {
        rail,
        token: flow === "token" ? sampleToken : null,
        tokens: {},
        network: capability.networks?.[0] ?? null,
        country: null,
        funding: null,
        bin: null,
        fingerprint: null
      }
    case "stablecoin": {
      const first = capability.assets?.[0]
      return { rail, asset: first?.asset ?? null, network: first?.network ?? null }
    }
  }
}

/** Of no vendor: one that knows its tokens gives its own by `prepare`. */
const sampleToken = "tok_conformance_4c1d9e"

// Boundary: codes that an adapter declares are checked by the check "declared".
const currency = (code: string): Currency.Currency => code as Currency.Currency
