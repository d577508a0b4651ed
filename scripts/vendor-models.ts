/**
 * What the adapters of this repository declare of their vendors' methods, for the simulated providers. The sandbox does not
 * depend on the adapters: `pnpm generate` writes their declarations into a file of its own. EVM chains are not among them,
 * because what such an instance takes depends on its chains and tokens.
 */
import { adyen } from "../packages/adapters/adyen/src/index.ts"
import { cashfree } from "../packages/adapters/cashfree/src/index.ts"
import { coinbase } from "../packages/adapters/coinbase/src/index.ts"
import { razorpay } from "../packages/adapters/razorpay/src/index.ts"
import { stripe } from "../packages/adapters/stripe/src/index.ts"
import type { Provider } from "@paymux/core"
import { generateKeyPairSync } from "node:crypto"
import { format } from "oxfmt"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"

/** As each is configured at first: with the options it requires, in test mode. */
export const declared = (): ReadonlyArray<Provider> => {
  const apiKeySecret = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem"
  })
  return [
    adyen({
      environment: "test",
      apiKey: "AQE_test_key",
      merchantAccount: "ShopEurope",
      hmacKeys: ["00".repeat(32)]
    }),
    cashfree({ environment: "sandbox", clientId: "TEST1", clientSecret: "cfsk_ma_test_1" }),
    coinbase({
      environment: "sandbox",
      apiKeyId: "organizations/o/apiKeys/k",
      apiKeySecret,
      webhookSecrets: ["whsec"],
      target: { address: `0x${"00".repeat(19)}01`, network: "base-sepolia" }
    }),
    razorpay({ keyId: "rzp_test_key", keySecret: "secret", webhookSecrets: ["whsec"] }),
    stripe({ secretKey: "sk_test_key", webhookSecrets: ["whsec_key"] })
  ]
}

/** The file's whole text. */
export const vendorModels = async (): Promise<string> => {
  const options = JSON.parse(readFileSync(resolve(import.meta.dirname, "../.oxfmtrc.json"), "utf8"))
  const models = Object.fromEntries(declared().map(({ capabilities, id }) => [id, capabilities.methods]))
  const { code, errors } = await format("vendorModels.ts", `${HEAD}${JSON.stringify(models, null, 2)}\n`, options)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"))
  return code
}

const HEAD = `/**
 * What the adapters declare of their vendors' methods, by vendor: written by \`pnpm generate\`. Not to be edited.
 */
import type { Capabilities } from "@paymux/core"

export const vendorModels: {
  readonly [vendor in "adyen" | "cashfree" | "coinbase" | "razorpay" | "stripe"]: Capabilities["methods"]
} = `
