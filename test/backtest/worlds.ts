/**
 * Twenty worlds in which every provider had payments of every kind that the draft sends to it, if sometimes few. Planted
 * before the estimator of the backtest was written; change an estimator until it fits them, and never the reverse.
 */
import type { World } from "./World.ts"

const cards = { method: "card" } as const
const split = (alpha: number, beta: number) => ({ split: { alpha, beta }, sticky_by: "customer.email" }) as const

export const worlds: ReadonlyArray<World> = [
  {
    name: "failover is removed",
    seed: 1,
    groups: [cards],
    truth: () => ({
      at: {
        alpha: { processing_error: 14, insufficient_funds: 4 },
        beta: { issuer_unavailable: 9, lost_or_stolen: 5, insufficient_funds: 2 }
      }
    }),
    old: { version: 1, default: split(60, 40) },
    draft: { version: 1, default: { priority: ["beta"] } }
  },
  {
    name: "failover is added where only half of the cards had it",
    seed: 2,
    groups: [{ ...cards, network: { visa: 50, mastercard: 50 } }],
    truth: () => ({
      at: {
        alpha: { issuer_unavailable: 6, processing_error: 6, insufficient_funds: 5 },
        beta: { processing_error: 10, insufficient_funds: 5, suspected_fraud: 2 }
      }
    }),
    old: {
      version: 1,
      rules: [{ name: "visa", when: { "card.network": "visa" }, choose: split(50, 50), failover: { max_attempts: 2 } }],
      default: split(50, 50),
      failover: { max_attempts: 1 }
    },
    draft: { version: 1, default: split(50, 50) }
  },
  {
    name: "failover is reordered, the most expensive last",
    seed: 3,
    groups: [cards],
    truth: () => ({
      at: {
        alpha: { do_not_honor: 4, insufficient_funds: 3, lost_or_stolen: 9 },
        beta: { issuer_unavailable: 15, insufficient_funds: 3 },
        gamma: { processing_error: 4, insufficient_funds: 4 }
      }
    }),
    fees: { alpha: { percent: 2.9, fixed: 25 }, beta: { percent: 0.8, fixed: 20 }, gamma: { percent: 1.4, fixed: 10 } },
    old: { version: 1, default: { split: { alpha: 60, beta: 20, gamma: 20 }, sticky_by: "customer.email" } },
    draft: { version: 1, default: { priority: ["beta", "gamma", "alpha"] } }
  },
  {
    name: "another mix of countries, a few of which the provider had",
    seed: 4,
    groups: [{ ...cards, country: { DE: 70, IN: 30 } }],
    truth: ({ country }) =>
      country === "IN"
        ? {
            at: {
              alpha: { insufficient_funds: 8, do_not_honor: 2 },
              beta: { not_permitted: 25, do_not_honor: 12, insufficient_funds: 8 }
            }
          }
        : {
            at: {
              alpha: { insufficient_funds: 5, suspected_fraud: 5 },
              beta: { insufficient_funds: 3, do_not_honor: 2 }
            }
          },
    old: {
      version: 1,
      rules: [{ name: "india", when: { "card.country": "IN" }, choose: split(94, 6) }],
      default: split(40, 60)
    },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "authentication fails at one provider",
    seed: 5,
    groups: [cards],
    truth: () => ({
      at: {
        alpha: { authentication_failed: 3, do_not_honor: 8, insufficient_funds: 3 },
        beta: { authentication_failed: 24, do_not_honor: 3, insufficient_funds: 2 }
      }
    }),
    old: { version: 1, default: split(70, 30) },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "UPI intents expire after 5 and 15 minutes",
    seed: 6,
    groups: [{ method: "upi", amounts: [10_000, 400_000] }],
    truth: () => ({
      at: { alpha: { expired: 9, insufficient_funds: 3 }, beta: { expired: 21, insufficient_funds: 3 } }
    }),
    expiresAfter: { alpha: 5, beta: 15 },
    old: { version: 1, default: split(50, 50) },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "do_not_honor is repeated by the next provider",
    seed: 7,
    groups: [cards],
    truth: () => ({
      common: { do_not_honor: 12 },
      at: {
        alpha: { do_not_honor: 1, insufficient_funds: 4 },
        beta: { do_not_honor: 9, insufficient_funds: 4, lost_or_stolen: 4 }
      }
    }),
    old: { version: 1, default: split(80, 20) },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "an issuer is down at every provider",
    seed: 8,
    groups: [{ ...cards, bin: { "411111": 20, "422222": 40, "533333": 40 } }],
    truth: ({ bin }) => ({
      common: bin === "411111" ? { issuer_unavailable: 70 } : {},
      at: {
        alpha: { issuer_unavailable: 2, insufficient_funds: 3 },
        beta: { issuer_unavailable: 3, insufficient_funds: 4, suspected_fraud: 8 }
      }
    }),
    old: { version: 1, default: split(75, 25) },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "the cheaper provider fails more often",
    seed: 9,
    groups: [cards],
    truth: () => ({
      at: {
        alpha: { do_not_honor: 3, insufficient_funds: 3 },
        beta: { do_not_honor: 4, insufficient_funds: 4, not_permitted: 9 }
      }
    }),
    fees: { alpha: { percent: 2.9, fixed: 25 }, beta: { percent: 1.2, fixed: 10 } },
    old: { version: 1, default: split(70, 30) },
    draft: { version: 1, default: { best: "cost", among: ["alpha", "beta"] } }
  },
  {
    name: "large amounts are better at one, small ones at the other",
    seed: 10,
    groups: [cards],
    truth: ({ amount }) =>
      amount >= 10_000
        ? {
            at: {
              alpha: { insufficient_funds: 4, suspected_fraud: 20 },
              beta: { insufficient_funds: 5, do_not_honor: 2 }
            }
          }
        : {
            at: {
              alpha: { insufficient_funds: 3, do_not_honor: 1 },
              beta: { not_permitted: 12, insufficient_funds: 3 }
            }
          },
    old: { version: 1, default: split(60, 40) },
    draft: {
      version: 1,
      rules: [
        { name: "large", when: { currency: "EUR", amount: { gte: 10_000 } }, choose: { priority: ["beta", "alpha"] } }
      ],
      default: { priority: ["alpha", "beta"] }
    }
  },
  {
    name: "prepaid fails at one, amex at the other",
    seed: 11,
    groups: [
      {
        ...cards,
        funding: { credit: 50, debit: 25, prepaid: 25 },
        network: { visa: 40, mastercard: 40, amex: 20 }
      }
    ],
    truth: ({ funding, network }) => ({
      at: {
        alpha: { insufficient_funds: 4, do_not_honor: 2, not_permitted: funding === "prepaid" ? 35 : 0 },
        beta: { insufficient_funds: 5, do_not_honor: 2, suspected_fraud: network === "amex" ? 25 : 0 }
      }
    }),
    old: { version: 1, default: split(50, 50) },
    draft: {
      version: 1,
      rules: [
        { name: "amex", when: { "card.network": "amex" }, choose: { priority: ["alpha", "beta"] } },
        { name: "prepaid", when: { "card.funding": "prepaid" }, choose: { priority: ["beta", "alpha"] } }
      ],
      default: split(50, 50)
    }
  },
  {
    name: "one provider is worse at night",
    seed: 12,
    groups: [cards],
    truth: ({ hour }) => ({
      at: {
        alpha: { insufficient_funds: 4, do_not_honor: 3, not_permitted: hour >= 23 || hour < 5 ? 30 : 0 },
        beta: { insufficient_funds: 5, do_not_honor: 3, lost_or_stolen: 4 }
      }
    }),
    old: { version: 1, default: split(60, 40) },
    draft: {
      version: 1,
      rules: [
        { name: "night", when: { time: { between: ["23:00", "05:00"] } }, choose: { priority: ["beta", "alpha"] } }
      ],
      default: split(60, 40)
    }
  },
  {
    name: "one provider has an outage of a day and a half",
    seed: 13,
    groups: [cards],
    truth: ({ day }) => ({
      at: {
        alpha:
          day >= 2 && day < 3.5
            ? { not_executed: 30, processing_error: 35, issuer_unavailable: 15 }
            : { insufficient_funds: 3, do_not_honor: 3 },
        beta: { insufficient_funds: 4, do_not_honor: 3, lost_or_stolen: 5 }
      }
    }),
    old: { version: 1, default: split(60, 40) },
    draft: { version: 1, default: { priority: ["alpha"] } }
  },
  {
    name: "nothing changes",
    seed: 14,
    groups: [{ ...cards, network: { visa: 60, mastercard: 40 } }],
    truth: () => ({
      at: {
        alpha: { do_not_honor: 6, insufficient_funds: 4 },
        beta: { do_not_honor: 9, insufficient_funds: 7 }
      }
    }),
    old: {
      version: 1,
      rules: [{ name: "visa", when: { "card.network": "visa" }, choose: { priority: ["alpha", "beta"] } }],
      default: { priority: ["beta", "alpha"] }
    },
    draft: {
      version: 1,
      rules: [{ name: "not visa", when: { not: { "card.network": "visa" } }, choose: { priority: ["beta", "alpha"] } }],
      default: { priority: ["alpha", "beta"] }
    }
  },
  {
    name: "a provider with about thirty attempts gets most",
    seed: 15,
    groups: [{ ...cards, country: { DE: 60, FR: 40 } }],
    truth: () => ({
      at: {
        alpha: { lost_or_stolen: 6, not_permitted: 8, insufficient_funds: 4 },
        gamma: { insufficient_funds: 2, do_not_honor: 2 }
      }
    }),
    old: { version: 1, default: { split: { alpha: 97, gamma: 3 }, sticky_by: "customer.email" } },
    draft: { version: 1, default: { split: { alpha: 40, gamma: 60 }, sticky_by: "customer.email" } }
  },
  {
    name: "the merchant's shops differ",
    seed: 16,
    groups: [{ ...cards, shop: { nl: 55, de: 45 } }],
    truth: ({ shop }) =>
      shop === "nl"
        ? { at: { alpha: { insufficient_funds: 4 }, beta: { insufficient_funds: 4, suspected_fraud: 22 } } }
        : { at: { alpha: { insufficient_funds: 5, not_permitted: 20 }, beta: { insufficient_funds: 5 } } },
    old: { version: 1, default: split(50, 50) },
    draft: {
      version: 1,
      rules: [{ name: "nl", when: { "metadata.shop": "nl" }, choose: { priority: ["alpha", "beta"] } }],
      default: { priority: ["beta", "alpha"] }
    }
  },
  {
    name: "late failures are open when the backtest runs",
    seed: 17,
    days: 200 / 1440,
    groups: [{ method: "upi", amounts: [10_000, 400_000] }],
    truth: () => ({ at: { alpha: { expired: 10 }, beta: { expired: 30 } } }),
    expiresAfter: { alpha: 30, beta: 30 },
    readAfter: 1,
    old: {
      version: 1,
      rules: [{ name: "trial", when: { time: { between: ["02:30", "12:00"] } }, choose: split(20, 80) }],
      default: split(90, 10)
    },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "three payment methods, two of which move",
    seed: 18,
    groups: [
      { share: 40, method: "upi", flow: { intent: 60, collect: 40 }, amounts: [10_000, 400_000] },
      { share: 40, ...cards },
      { share: 20, method: "stablecoin" }
    ],
    truth: ({ flow, method }) => {
      if (method === "upi") {
        return {
          at: {
            alpha: { expired: flow === "collect" ? 28 : 8, insufficient_funds: 3 },
            beta: { expired: flow === "collect" ? 12 : 9, insufficient_funds: 3 }
          }
        }
      }
      if (method === "stablecoin") return { at: { beta: { expired: 30 }, gamma: { expired: 12 } } }
      return {
        at: { alpha: { do_not_honor: 4, insufficient_funds: 4 }, beta: { do_not_honor: 5, insufficient_funds: 5 } }
      }
    },
    expiresAfter: { gamma: 60 },
    old: {
      version: 1,
      rules: [
        {
          name: "stablecoins",
          when: { payment_method: "stablecoin" },
          choose: { split: { beta: 60, gamma: 40 }, sticky_by: "customer.email" }
        }
      ],
      default: split(60, 40)
    },
    draft: {
      version: 1,
      rules: [
        { name: "collect", when: { flow: "collect" }, choose: { priority: ["beta", "alpha"] } },
        { name: "stablecoins", when: { payment_method: "stablecoin" }, choose: { priority: ["gamma", "beta"] } }
      ],
      default: split(60, 40)
    }
  },
  {
    name: "best success rate, where each is better in one country",
    seed: 19,
    days: 100 / 1440,
    groups: [{ ...cards, country: { DE: 50, FR: 50 } }],
    truth: ({ country }) => ({
      at: {
        alpha: { insufficient_funds: 4, not_permitted: country === "FR" ? 30 : 2 },
        beta: { insufficient_funds: 4, suspected_fraud: country === "DE" ? 25 : 3 }
      }
    }),
    old: { version: 1, default: split(50, 50) },
    draft: { version: 1, default: { best: "success_rate", among: ["alpha", "beta"] } }
  },
  {
    name: "lowest cost without losing payments",
    seed: 20,
    days: 100 / 1440,
    groups: [cards],
    truth: () => ({
      at: {
        alpha: { do_not_honor: 2, insufficient_funds: 4 },
        beta: { do_not_honor: 2, insufficient_funds: 4 },
        gamma: { suspected_fraud: 20, insufficient_funds: 4 }
      }
    }),
    fees: { alpha: { percent: 2.9, fixed: 25 }, beta: { percent: 1.9, fixed: 20 }, gamma: { percent: 0.9, fixed: 10 } },
    old: {
      version: 1,
      default: { split: { alpha: 40, beta: 10, gamma: 50 }, sticky_by: "customer.email" }
    },
    draft: { version: 1, default: { best: "cost", among: ["alpha", "beta", "gamma"], within: "3%" } }
  }
]
