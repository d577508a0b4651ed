/** What is written in the language and means nothing with these providers. */
import { assert, describe, it } from "@effect/vitest"
import type { Place } from "../fixtures.ts"
import { problems, withRule } from "../fixtures.ts"
import { byStripe, choose, fees, top, when } from "../written.ts"

const byAccount = (segments: ReadonlyArray<string>) => ({
  version: 1,
  default: { best: "success_rate", among: ["stripe"], segments, learn_from: "account" }
})

const refusals: ReadonlyArray<readonly [what: string, config: unknown, ReadonlyArray<readonly [Place, string]>]> = [
  // Names of providers.
  [
    "an unknown provider, with the nearest that is there",
    choose({ priority: ["strpe"] }),
    [[["rules", 0, "choose", "priority", 0], 'rule "x": provider "strpe" is not configured; did you mean "stripe"?']]
  ],
  [
    "an unknown provider that is like no other",
    { version: 1, default: { priority: ["worldpay"] } },
    [[["default", "priority", 0], 'default: provider "worldpay" is not configured']]
  ],
  [
    "an unknown provider of a split",
    choose({ split: { stripe: 50, adyn: 50 } }),
    [[["rules", 0, "choose", "split", "adyn"], 'rule "x": provider "adyn" is not configured; did you mean "adyen"?']]
  ],
  [
    "an unknown provider among others",
    choose({ best: "success_rate", among: ["stripe", "adyn"] }),
    [[["rules", 0, "choose", "among", 1], 'rule "x": provider "adyn" is not configured; did you mean "adyen"?']]
  ],
  [
    "an unknown provider whose name may be a secret",
    { version: 1, default: { split: { "Not A Provider!": 100 } } },
    [[["default", "split", "Not A Provider!"], "default: this provider is not configured"]]
  ],
  [
    "a provider that is named twice",
    choose({ priority: ["stripe", "adyen", "stripe"] }),
    [[["rules", 0, "choose", "priority", 2], 'rule "x": provider "stripe" is named twice']]
  ],
  [
    "fees of an unknown provider",
    fees({ strpe: { card: { percent: 1 } } }),
    [[["fees", "strpe"], 'provider "strpe" is not configured; did you mean "stripe"?']]
  ],
  [
    "fees for a method that the provider does not take",
    fees({ razorpay: { upi: {}, card: {}, stablecoin: {} } }),
    [[["fees", "razorpay", "stablecoin"], 'provider "razorpay" does not take stablecoin']]
  ],

  // Sums.
  [
    "a split that does not add up",
    choose({ split: { stripe: 70, adyen: 20 } }),
    [[["rules", 0, "choose", "split"], 'rule "x": `choose.split` must add up to 100, not 90']]
  ],
  [
    "a split that adds up to too much",
    choose({ split: { stripe: 70, adyen: 30.5 } }),
    [[["rules", 0, "choose", "split"], 'rule "x": `choose.split` must add up to 100, not 100.5']]
  ],
  [
    "a split of nothing",
    choose({ split: { stripe: 0, adyen: 0 } }),
    [[["rules", 0, "choose", "split"], 'rule "x": `choose.split` must add up to 100, not 0']]
  ],
  [
    "a default split that does not add up",
    { version: 1, default: { split: { stripe: 99.5 } } },
    [[["default", "split"], "default: `split` must add up to 100, not 99.5"]]
  ],

  // What goes with success rates only.
  [
    "learning by cost",
    choose({
      best: "cost",
      among: ["stripe"],
      window: "30m",
      segments: ["amount"],
      learn_from: "rule",
      min_samples: 5,
      prior: { stripe: "90%" },
      weights: { expired: "50%" },
      explore: "5%"
    }),
    [
      [
        ["rules", 0, "choose", "window"],
        'rule "x": `choose.window` goes with `best: success_rate`, `best: value`, `floor` or `within` only'
      ],
      [
        ["rules", 0, "choose", "segments"],
        'rule "x": `choose.segments` goes with `best: success_rate`, `best: value`, `floor` or `within` only'
      ],
      [
        ["rules", 0, "choose", "learn_from"],
        'rule "x": `choose.learn_from` goes with `best: success_rate`, `best: value`, `floor` or `within` only'
      ],
      [
        ["rules", 0, "choose", "min_samples"],
        'rule "x": `choose.min_samples` goes with `best: success_rate`, `best: value`, `floor` or `within` only'
      ],
      [
        ["rules", 0, "choose", "prior"],
        'rule "x": `choose.prior` goes with `best: success_rate`, `best: value`, `floor` or `within` only'
      ],
      [
        ["rules", 0, "choose", "weights"],
        'rule "x": `choose.weights` goes with `best: success_rate`, `best: value`, `floor` or `within` only'
      ],
      [["rules", 0, "choose", "explore"], 'rule "x": `choose.explore` goes with `best: success_rate` only']
    ]
  ],
  [
    "a segment that is named twice",
    choose({ best: "success_rate", among: ["stripe"], segments: ["amount", "metadata.shop", "amount"] }),
    [[["rules", 0, "choose", "segments", 2], 'rule "x": `choose.segments[2]` repeats `segments[0]`']]
  ],
  [
    "accounts that are distinguished already, also of the default",
    {
      ...byAccount(["amount", "account"]),
      rules: [{ name: "x", when: {}, choose: byAccount(["account"]).default }]
    },
    [
      [
        ["rules", 0, "choose", "segments", 0],
        'rule "x": `choose.segments[0]` is redundant: with `learn_from: account`, accounts are always distinguished'
      ],
      [
        ["default", "segments", 1],
        "default: `segments[1]` is redundant: with `learn_from: account`, accounts are always distinguished"
      ]
    ]
  ],
  [
    "a prior of a provider that is not compared",
    choose({ best: "success_rate", among: ["stripe"], prior: { stripe: "90%", strype: "90%" } }),
    [
      [
        ["rules", 0, "choose", "prior", "strype"],
        'rule "x": provider "strype" is not in `among`; did you mean "stripe"?'
      ]
    ]
  ],
  [
    "value without a margin",
    choose({ best: "value", among: ["stripe"] }),
    [
      [
        ["rules", 0, "choose", "best"],
        'rule "x": `choose.best` needs `margin`, which is what a paid payment earns, such as `margin: 8%`'
      ]
    ]
  ],
  [
    "options of other comparisons",
    choose({ best: "success_rate", among: ["stripe"], margin: "8%", floor: "80%", within: "1%" }),
    [
      [["rules", 0, "choose", "margin"], 'rule "x": `choose.margin` goes with `best: value` only'],
      [["rules", 0, "choose", "floor"], 'rule "x": `choose.floor` goes with `best: cost` or `best: value` only'],
      [["rules", 0, "choose", "within"], 'rule "x": `choose.within` goes with `best: cost` only']
    ]
  ],
  [
    "a tolerance of a value",
    choose({ best: "value", among: ["stripe"], margin: "8%", within: "1%", explore: "5%" }),
    [
      [["rules", 0, "choose", "explore"], 'rule "x": `choose.explore` goes with `best: success_rate` only'],
      [["rules", 0, "choose", "within"], 'rule "x": `choose.within` goes with `best: cost` only']
    ]
  ],
  [
    "exploring by cost by default",
    { version: 1, default: { best: "cost", among: ["stripe"], explore: "5%" } },
    [[["default", "explore"], "default: `explore` goes with `best: success_rate` only"]]
  ],

  // Names of rules.
  [
    "a name that an earlier rule has",
    top({ rules: ["a", "b", "a"].map((name, n) => ({ name, when: { "metadata.n": `${n}` }, choose: byStripe })) }),
    [[["rules", 2, "name"], 'rule "a": `name` is that of an earlier rule']]
  ],
  [
    "the name of the default",
    top({ rules: [{ name: "default", when: {}, choose: byStripe }] }),
    [[["rules", 0, "name"], 'rule "default": `name` is kept for the rule that holds where no other does']]
  ],

  // Providers that can take nothing of the rule.
  [
    "a method that the provider does not take",
    when({ payment_method: "upi" }),
    [[["rules", 0, "choose", "priority", 0], 'rule "x": provider "stripe" does not take upi']]
  ],
  [
    "methods of which it takes none",
    when({ payment_method: ["upi", "stablecoin"] }),
    [[["rules", 0, "choose", "priority", 0], 'rule "x": provider "stripe" does not take upi or stablecoin']]
  ],
  [
    "a method that a fact of it implies",
    withRule({ "card.network": "visa" }, { priority: ["stripe", "cashfree"] }),
    [[["rules", 0, "choose", "priority", 1], 'rule "x": provider "cashfree" does not take card']]
  ],
  [
    "a method that another fact implies",
    withRule({ "stablecoin.asset": { exists: true } }, { priority: ["evm_base", "stripe"] }),
    [[["rules", 0, "choose", "priority", 1], 'rule "x": provider "stripe" does not take stablecoin']]
  ],
  [
    "a method that a flow implies",
    when({ flow: "qr" }),
    [[["rules", 0, "choose", "priority", 0], 'rule "x": provider "stripe" does not take upi']]
  ],
  [
    "methods that flows imply",
    withRule({ flow: ["hosted", "transfer"] }, { priority: ["stripe", "cashfree"] }),
    [[["rules", 0, "choose", "priority", 1], 'rule "x": provider "cashfree" does not take card or stablecoin']]
  ],
  [
    "a method by what it is not",
    when({ not: { payment_method: "card" } }),
    [[["rules", 0, "choose", "priority", 0], 'rule "x": provider "stripe" does not take upi or stablecoin']]
  ],
  [
    "a method that is left of three",
    withRule({ not: { payment_method: ["card", "stablecoin"] } }, { priority: ["razorpay", "evm_base"] }),
    [[["rules", 0, "choose", "priority", 1], 'rule "x": provider "evm_base" does not take upi']]
  ],
  [
    "a method that a fact implies by not being absent",
    withRule({ not: { "card.bin": { exists: false } } }, { priority: ["stripe", "cashfree"] }),
    [[["rules", 0, "choose", "priority", 1], 'rule "x": provider "cashfree" does not take card']]
  ],
  [
    "a method that every alternative implies",
    withRule({ any: [{ "card.country": "IN" }, { "card.bin": "411111" }] }, { priority: ["stripe", "cashfree"] }),
    [[["rules", 0, "choose", "priority", 1], 'rule "x": provider "cashfree" does not take card']]
  ],
  [
    "methods of the alternatives",
    withRule(
      { any: [{ payment_method: "card" }, { payment_method: "upi" }] },
      { split: { stripe: 50, cashfree: 25, evm_base: 25 } }
    ),
    [[["rules", 0, "choose", "split", "evm_base"], 'rule "x": provider "evm_base" does not take upi or card']]
  ],
  [
    "a method deep inside",
    when({ all: [{ any: [{ payment_method: "upi" }] }] }),
    [[["rules", 0, "choose", "priority", 0], 'rule "x": provider "stripe" does not take upi']]
  ],
  [
    "a currency that the provider does not take",
    withRule({ payment_method: "card", currency: ["EUR", "USD"] }, { split: { stripe: 50, razorpay: 50 } }),
    [[["rules", 0, "choose", "split", "razorpay"], 'rule "x": provider "razorpay" does not take EUR or USD']]
  ],
  [
    "a currency without a method",
    withRule({ currency: "EUR" }, { priority: ["stripe", "razorpay"] }),
    [[["rules", 0, "choose", "priority", 1], 'rule "x": provider "razorpay" does not take EUR']]
  ],
  [
    "a currency by what it is not",
    withRule({ not: { currency: "INR" } }, { priority: ["stripe", "razorpay"] }),
    [[["rules", 0, "choose", "priority", 1], 'rule "x": provider "razorpay" does not take a currency of this rule']]
  ],
  [
    "currencies of the alternatives",
    withRule({ any: [{ currency: "USD" }, { currency: "EUR" }] }, { best: "cost", among: ["razorpay"] }),
    [[["rules", 0, "choose", "among", 0], 'rule "x": provider "razorpay" does not take a currency of this rule']]
  ],

  // Amounts of no currency.
  [
    "an amount alone",
    when({ amount: 500 }),
    [
      [
        ["rules", 0, "when", "amount"],
        'rule "x": `when.amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "an amount with methods of which one implies no currency",
    withRule({ amount: 500, payment_method: ["upi", "card"] }, { priority: ["razorpay"] }),
    [
      [
        ["rules", 0, "when", "amount"],
        'rule "x": `when.amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "an amount with some currency",
    when({ amount: { gte: 500 }, currency: { exists: true } }),
    [
      [
        ["rules", 0, "when", "amount"],
        'rule "x": `when.amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "an amount in all",
    when({ all: [{ amount: { gt: 1 } }] }),
    [
      [
        ["rules", 0, "when", "all", 0, "amount"],
        'rule "x": `when.all[0].amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "an amount in any, with a currency in another alternative",
    when({ any: [{ amount: { gt: 1 } }, { currency: "EUR" }] }),
    [
      [
        ["rules", 0, "when", "any", 0, "amount"],
        'rule "x": `when.any[0].amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "an amount in not",
    when({ not: { amount: 1 } }),
    [
      [
        ["rules", 0, "when", "not", "amount"],
        'rule "x": `when.not.amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "an amount beside alternatives with currencies",
    when({ any: [{ currency: "EUR" }, { "card.network": "visa" }], amount: { gt: 1 } }),
    [
      [
        ["rules", 0, "when", "amount"],
        'rule "x": `when.amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "an amount beside a currency that it is not",
    when({ not: { currency: "EUR" }, amount: { gt: 1 } }),
    [
      [
        ["rules", 0, "when", "amount"],
        'rule "x": `when.amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "an amount beside a not with a currency",
    when({ all: [{ not: { currency: "EUR" } }, { amount: 2 }] }),
    [
      [
        ["rules", 0, "when", "all", 1, "amount"],
        'rule "x": `when.all[1].amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ],
  [
    "the one of two amounts that has no currency",
    when({ any: [{ all: [{ amount: 1 }, { currency: "EUR" }] }, { amount: 2 }] }),
    [
      [
        ["rules", 0, "when", "any", 1, "amount"],
        'rule "x": `when.any[1].amount` needs a `currency` beside it, or a method that implies one (upi)'
      ]
    ]
  ]
]

describe("a configuration that means nothing with its providers", () => {
  for (const [what, config, expected] of refusals) {
    it(`refuses ${what}`, () => assert.deepStrictEqual(problems(config), expected))
  }
})

describe("a configuration that means something", () => {
  const taken: ReadonlyArray<readonly [what: string, config: unknown]> = [
    ["fractions that add up to 100 on paper only", choose({ split: { stripe: 33.3, adyen: 33.4, razorpay: 33.3 } })],
    ["a default of mixed methods", { version: 1, default: { priority: ["stripe", "cashfree", "evm_base"] } }],
    [
      "success rates with all that goes with them",
      choose({ best: "success_rate", among: ["stripe"], window: "7d", min_samples: 1, explore: "0%" })
    ],
    ["success rates of a minute", choose({ best: "success_rate", among: ["stripe"], window: "60s" })],
    ["fees without an amount", fees({ razorpay: { upi: {}, card: { fixed: { INR: 0 } } } })],
    [
      "providers of which each takes another alternative",
      withRule(
        { any: [{ payment_method: "upi" }, { payment_method: "card", currency: "EUR" }] },
        { priority: ["razorpay", "stripe", "cashfree"] }
      )
    ],
    [
      "a provider of another method where a fact is absent",
      withRule({ "card.network": { exists: false } }, { priority: ["cashfree", "stripe"] })
    ],
    [
      "a provider of another method where a fact is not something",
      withRule({ not: { "card.network": "visa" } }, { priority: ["cashfree"] })
    ],
    [
      "an amount of upi, which is in INR only",
      withRule({ amount: 500, payment_method: "upi" }, { priority: ["razorpay"] })
    ],
    ["an amount beside currencies", when({ amount: { gte: 500 }, currency: ["EUR", "USD"] })],
    [
      "an amount in all, any or not, inside of a currency",
      when({
        currency: "EUR",
        all: [{ amount: { gt: 1 } }],
        any: [{ amount: { lt: 9 } }, { "card.network": "visa" }],
        not: { amount: 5 }
      })
    ],
    [
      "an amount deep inside of a currency",
      when({ currency: "EUR", all: [{ any: [{ not: { amount: 1 } }, { "card.network": "visa" }] }] })
    ],
    ["an amount beside a currency in all", when({ all: [{ currency: "EUR" }, { amount: { gt: 1 } }] })],
    [
      "an amount beside alternatives of which each names a currency",
      when({ any: [{ currency: "EUR" }, { all: [{ currency: "USD" }] }], amount: { gt: 1 } })
    ],
    ["an amount with a currency in all", when({ all: [{ currency: "EUR" }], amount: { gt: 1 } })],
    ["an amount with its currency in not", when({ not: { amount: 1, currency: "EUR" } })],
    ["ten attempts", top({ failover: { max_attempts: 10 } })],
    ["no failover", top({ failover: { on: [] } })],
    ["no rules", top({ rules: [] })]
  ]
  for (const [what, config] of taken) it(`takes ${what}`, () => assert.deepStrictEqual(problems(config), []))
})
