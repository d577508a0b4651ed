/** Providers and payments for tests of routing. */
import { isCurrency } from "../../src/domain/Money.ts"
import type { PaymentId } from "../../src/domain/Ids.ts"
import type { NewPayment, Tenant } from "../../src/domain/Payment.ts"
import type { Card, PaymentMethod, Stablecoin, Upi } from "../../src/domain/PaymentMethod.ts"
import type { MethodCapability } from "../../src/provider/Capabilities.ts"
import type { RoutableProvider } from "../../src/routing/capabilityFilter.ts"

export const anyCard: MethodCapability = { currencies: "any", flows: { hosted: {}, token: {} } }
export const anyUpi: MethodCapability = { currencies: ["INR"], flows: { intent: {}, qr: {} } }
export const anyCoin: MethodCapability = {
  currencies: "any",
  flows: { transfer: {} },
  assets: [
    { asset: "USDC", network: "base" },
    { asset: "USDT", network: "ethereum" }
  ]
}

export const provider = (
  id: string,
  methods: RoutableProvider["capabilities"]["methods"],
  mode: RoutableProvider["mode"] = "test"
): RoutableProvider => ({ id, mode, capabilities: { methods, operations: { create: {} } } })

export const providers: ReadonlyArray<RoutableProvider> = [
  provider("stripe", { card: anyCard }),
  provider("adyen", { card: anyCard }),
  provider("razorpay", { card: { ...anyCard, currencies: ["INR"] }, upi: anyUpi }),
  provider("cashfree", { upi: anyUpi }),
  provider("evm_base", { stablecoin: anyCoin })
]

export const card = (change: Partial<Card> = {}): Card => ({
  rail: "card",
  token: null,
  tokens: {},
  network: null,
  country: null,
  funding: null,
  bin: null,
  fingerprint: null,
  ...change
})
export const upi = (change: Partial<Upi> = {}): Upi => ({ rail: "upi", flow: "intent", vpa: null, ...change })
export const coin = (change: Partial<Stablecoin> = {}): Stablecoin => ({
  rail: "stablecoin",
  asset: null,
  network: null,
  ...change
})

export const payment = (
  method: PaymentMethod,
  currency: string,
  minorUnits = 10_000,
  change: Partial<NewPayment> = {}
): NewPayment => {
  if (!isCurrency(currency)) throw new Error(`${currency} is not a currency`)
  return {
    amount: { minorUnits, currency },
    method,
    captureMethod: "automatic",
    description: null,
    customer: { email: "payer@example.com", phone: "+919999999999", name: null, address: null },
    metadata: {},
    client: null,
    returnUrl: null,
    order: null,
    ...change
  }
}

export const tenant: Tenant = { account: "default", livemode: false }

// Only the text matters to routing.
export const paymentId = (n: number | string): PaymentId => `pay_${String(n).padStart(26, "0")}` as PaymentId
