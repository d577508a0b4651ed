/** Configurations that use all of the language. Beside the providers of the fixtures they need `coinbase`, for stablecoins. */
import { defineRouting } from "../src/RoutingConfig.ts"
import type { RoutingConfigInput } from "../src/RoutingConfig.ts"

/** The configuration of the language's description. */
export const wholeLanguage: RoutingConfigInput = defineRouting({
  version: 1,
  rules: [
    {
      name: "high-value upi",
      when: { payment_method: "upi", amount: { gte: 500000 } },
      choose: { priority: ["razorpay", "cashfree"] }
    },
    {
      name: "domestic cards",
      when: {
        payment_method: "card",
        "card.network": ["visa", "mastercard"],
        "card.country": "IN",
        any: [{ "metadata.channel": "app" }, { "customer.email": { ends_with: "@example.com" } }],
        not: { time: { between: ["23:30", "00:30"], zone: "Asia/Kolkata" } }
      },
      choose: { split: { stripe: 70, adyen: 30 }, sticky_by: "customer.email", experiment: "adyen in euros" }
    },
    {
      name: "best acceptance",
      when: { payment_method: "card", currency: ["EUR", "USD"] },
      choose: {
        best: "success_rate",
        among: ["stripe", "adyen"],
        window: "30m",
        segments: ["account", "amount", "metadata.shop", "metadata.plan"],
        learn_from: "rule",
        min_samples: 50,
        explore: "5%"
      }
    },
    {
      name: "cheapest chain",
      when: { payment_method: "stablecoin" },
      choose: { best: "cost", among: ["evm_base", "coinbase"] }
    }
  ],
  default: { priority: ["stripe"] },
  fees: { stripe: { card: { percent: 2.9, fixed: { USD: 30 } } } },
  failover: { max_attempts: 3, deadline: "45s", on: ["not_executed", "soft_decline"] }
})

/** Each fact, each operator and each choice in another way than above. */
export const severalWays: ReadonlyArray<readonly [what: string, config: RoutingConfigInput]> = [
  [
    "every fact",
    defineRouting({
      version: 1,
      rules: [
        {
          name: "cards",
          when: {
            payment_method: ["card", "upi"],
            flow: "hosted",
            currency: "INR",
            amount: [100, 200],
            capture_method: "automatic",
            "customer.email": "payer@example.com",
            "customer.phone_country": ["+91", "+1"],
            "card.bin": "41111111",
            "card.network": "visa",
            "card.country": ["IN", "US"],
            "card.funding": "credit",
            "metadata.plan": ["gold", "silver"],
            livemode: false,
            account: "default",
            time: { between: ["09:00", "17:30"] }
          },
          choose: { priority: ["stripe"] }
        },
        {
          name: "coins",
          when: { "stablecoin.asset": "USDC", "stablecoin.network": ["base", "ethereum"], flow: ["transfer"] },
          choose: { priority: ["evm_base"] }
        }
      ],
      default: { split: { stripe: 12.5, adyen: 87.5 }, sticky_by: "metadata.user", seed: "2026" }
    })
  ],
  [
    "every operator",
    defineRouting({
      version: 1,
      rules: [
        { name: "gt", when: { currency: "EUR", amount: { gt: 1, lt: 10 } }, choose: { priority: ["stripe"] } },
        { name: "gte", when: { currency: "EUR", amount: { gte: 20, lte: 30 } }, choose: { priority: ["stripe"] } },
        { name: "between", when: { currency: "EUR", amount: { between: [40, 50] } }, choose: { priority: ["stripe"] } },
        { name: "prefix", when: { "card.bin": { starts_with: "4111" } }, choose: { priority: ["stripe"] } },
        { name: "prefixes", when: { "card.bin": { in_prefixes: ["42", "5"] } }, choose: { priority: ["stripe"] } },
        {
          name: "suffix",
          when: { "customer.email": { starts_with: "a", ends_with: ".org" } },
          choose: { priority: ["stripe"] }
        },
        {
          name: "exists",
          when: { "metadata.user": { exists: true }, "card.network": { exists: false } },
          choose: { priority: ["stripe"] }
        }
      ],
      default: { priority: ["stripe"] }
    })
  ],
  [
    "conditions in conditions",
    defineRouting({
      version: 1,
      rules: [
        {
          name: "nested",
          when: { all: [{ any: [{ not: { currency: "EUR" } }, { all: [{ livemode: true }] }] }, {}] },
          choose: { best: "cost", among: ["stripe", "adyen"] }
        }
      ],
      default: { best: "success_rate", among: ["stripe", "adyen"] },
      fees: { adyen: { card: { fixed: { EUR: 25, JPY: 30 } } } },
      failover: { on: [] }
    })
  ]
]
