/**
 * What the adapters declare of their vendors' methods, by vendor: written by `pnpm generate`. Not to be edited.
 */
import type { Capabilities } from "@paymux/core"

export const vendorModels: {
  readonly [vendor in "adyen" | "cashfree" | "coinbase" | "razorpay" | "stripe"]: Capabilities["methods"]
} = {
  adyen: {
    card: {
      currencies: "any",
      flows: {
        token: {},
        hosted: {}
      },
      captureMethods: ["automatic", "manual"]
    }
  },
  cashfree: {
    upi: {
      currencies: ["INR"],
      flows: {
        hosted: {
          captureMethods: ["automatic"]
        }
      },
      amounts: [
        {
          currency: "INR",
          min: "1.00"
        }
      ],
      phoneCodes: ["+91"]
    }
  },
  coinbase: {
    stablecoin: {
      currencies: ["USD"],
      flows: {
        transfer: {}
      },
      captureMethods: ["automatic", "manual"],
      assets: [
        {
          asset: "USDC",
          network: "base"
        },
        {
          asset: "USDC",
          network: "ethereum"
        },
        {
          asset: "USDC",
          network: "arbitrum"
        },
        {
          asset: "USDC",
          network: "optimism"
        },
        {
          asset: "USDC",
          network: "polygon"
        },
        {
          asset: "USDC",
          network: "base-sepolia"
        },
        {
          asset: "USDC",
          network: "ethereum-sepolia"
        },
        {
          asset: "USDC",
          network: "arbitrum-sepolia"
        },
        {
          asset: "USDC",
          network: "optimism-sepolia"
        },
        {
          asset: "USDC",
          network: "polygon-amoy"
        }
      ]
    }
  },
  razorpay: {
    upi: {
      currencies: ["INR"],
      amounts: [
        {
          currency: "INR",
          min: "1.00"
        }
      ],
      flows: {
        hosted: {
          captureMethods: ["automatic"]
        },
        intent: {
          requires: ["client.ip", "client.user_agent", "client.referer"],
          cancelable: false
        },
        qr: {
          requires: ["client.ip", "client.user_agent", "client.referer"],
          cancelable: false
        }
      },
      captureMethods: ["automatic", "manual"]
    }
  },
  stripe: {
    card: {
      currencies: [
        "AED",
        "AFN",
        "ALL",
        "AMD",
        "AOA",
        "ARS",
        "AUD",
        "AWG",
        "AZN",
        "BAM",
        "BBD",
        "BDT",
        "BHD",
        "BIF",
        "BMD",
        "BND",
        "BOB",
        "BRL",
        "BSD",
        "BWP",
        "BYN",
        "BZD",
        "CAD",
        "CDF",
        "CHF",
        "CLP",
        "CNY",
        "COP",
        "CRC",
        "CVE",
        "CZK",
        "DJF",
        "DKK",
        "DOP",
        "DZD",
        "EGP",
        "ETB",
        "EUR",
        "FJD",
        "FKP",
        "GBP",
        "GEL",
        "GIP",
        "GMD",
        "GNF",
        "GTQ",
        "GYD",
        "HKD",
        "HNL",
        "HTG",
        "HUF",
        "IDR",
        "ILS",
        "INR",
        "JMD",
        "JOD",
        "JPY",
        "KES",
        "KGS",
        "KHR",
        "KMF",
        "KRW",
        "KWD",
        "KYD",
        "KZT",
        "LAK",
        "LBP",
        "LKR",
        "LRD",
        "LSL",
        "MAD",
        "MDL",
        "MKD",
        "MMK",
        "MNT",
        "MOP",
        "MUR",
        "MVR",
        "MWK",
        "MXN",
        "MYR",
        "MZN",
        "NAD",
        "NGN",
        "NIO",
        "NOK",
        "NPR",
        "NZD",
        "OMR",
        "PAB",
        "PEN",
        "PGK",
        "PHP",
        "PKR",
        "PLN",
        "PYG",
        "QAR",
        "RON",
        "RSD",
        "RUB",
        "RWF",
        "SAR",
        "SBD",
        "SCR",
        "SEK",
        "SGD",
        "SHP",
        "SLE",
        "SOS",
        "SRD",
        "SZL",
        "THB",
        "TJS",
        "TND",
        "TOP",
        "TRY",
        "TTD",
        "TWD",
        "TZS",
        "UAH",
        "USD",
        "UYU",
        "UZS",
        "VND",
        "VUV",
        "WST",
        "XAF",
        "XCD",
        "XCG",
        "XOF",
        "XPF",
        "YER",
        "ZAR",
        "ZMW"
      ],
      flows: {
        token: {},
        hosted: {}
      },
      captureMethods: ["automatic", "manual"]
    }
  }
}
