/**
 * Six worlds in which the draft sends payments to a provider that never had any of their kind. Its true rate there is of
 * no use to an estimator: the report has to say that nothing is known of it.
 */
import type { World } from "./World.ts"

const split = (alpha: number, beta: number) => ({ split: { alpha, beta }, sticky_by: "customer.email" }) as const

/** Good where the provider was used, and bad where it was not. */
const usual = { insufficient_funds: 3, do_not_honor: 4 } as const
const bad = { insufficient_funds: 8, not_permitted: 60 } as const

export const neverHadWorlds: ReadonlyArray<World> = [
  {
    name: "never had these countries",
    seed: 101,
    groups: [{ method: "card", country: { DE: 60, IN: 40 } }],
    truth: ({ country }) => ({
      at: { alpha: { insufficient_funds: 12, do_not_honor: 3 }, beta: country === "IN" ? bad : usual }
    }),
    old: {
      version: 1,
      rules: [{ name: "india", when: { "card.country": "IN" }, choose: { priority: ["alpha"] } }],
      default: { priority: ["beta"] }
    },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "a new provider gets everything",
    seed: 102,
    groups: [{ method: "card" }],
    truth: () => ({ at: { alpha: usual, beta: { insufficient_funds: 5 }, gamma: { not_permitted: 20 } } }),
    old: { version: 1, default: split(50, 50) },
    draft: { version: 1, default: { priority: ["gamma"] } }
  },
  {
    name: "never had UPI intents, only collect requests",
    seed: 103,
    groups: [{ method: "upi", flow: { intent: 60, collect: 40 }, amounts: [10_000, 400_000] }],
    truth: ({ flow }) => ({
      at: { alpha: { expired: 10 }, beta: flow === "intent" ? { expired: 45 } : { expired: 8 } }
    }),
    old: {
      version: 1,
      rules: [{ name: "collect", when: { flow: "collect" }, choose: split(50, 50) }],
      default: { priority: ["alpha"] }
    },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "never had cards of this network",
    seed: 104,
    groups: [{ method: "card", network: { visa: 65, amex: 35 } }],
    truth: ({ network }) => ({ at: { alpha: usual, beta: network === "amex" ? bad : { insufficient_funds: 2 } } }),
    old: {
      version: 1,
      rules: [{ name: "amex", when: { "card.network": "amex" }, choose: { priority: ["alpha"] } }],
      default: split(40, 60)
    },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "never had prepaid cards",
    seed: 105,
    groups: [{ method: "card", funding: { credit: 70, prepaid: 30 } }],
    truth: ({ funding }) => ({ at: { alpha: usual, beta: funding === "prepaid" ? bad : { insufficient_funds: 2 } } }),
    old: {
      version: 1,
      rules: [{ name: "prepaid", when: { "card.funding": "prepaid" }, choose: { priority: ["alpha"] } }],
      default: split(40, 60)
    },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  },
  {
    name: "never had this currency",
    seed: 106,
    groups: [
      { share: 65, method: "card" },
      { share: 35, method: "card", currency: "GBP" }
    ],
    truth: ({ currency }) => ({ at: { alpha: usual, beta: currency === "GBP" ? bad : { insufficient_funds: 2 } } }),
    old: {
      version: 1,
      rules: [{ name: "pounds", when: { currency: "GBP" }, choose: { priority: ["alpha"] } }],
      default: split(40, 60)
    },
    draft: { version: 1, default: { priority: ["beta", "alpha"] } }
  }
]
