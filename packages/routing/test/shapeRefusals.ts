/** Rules that are not of the language, each with its problems: path and message. */
import type { Place } from "./fixtures.ts"
import { byStripe, choose, failover, fees, top, when } from "./written.ts"

export type ShapeRefusal = readonly [
  what: string,
  config: unknown,
  problems: ReadonlyArray<readonly [Place, string]>,
  /** JSON Schema has no words for it. */
  jsonSchema?: "taken by the JSON Schema"
]

const learning = (more: object): unknown => choose({ best: "success_rate", among: ["stripe"], ...more })

export const shapeRefusals: ReadonlyArray<ShapeRefusal> = [
  // Not a configuration.
  ["nothing", null, [[[], "the routing configuration: must be a mapping"]]],
  ["a list", [], [[[], "the routing configuration: must be a mapping"]]],
  ["text", "version: 1", [[[], "the routing configuration: must be a mapping"]]],
  [
    "an empty mapping",
    {},
    [
      [["version"], "`version` is missing"],
      [["default"], "`default` is missing"]
    ]
  ],
  ["another version", { version: 2, default: byStripe }, [[["version"], "`version` must be 1"]]],
  ["a version as text", { version: "1", default: byStripe }, [[["version"], "`version` must be 1, and not text"]]],
  ["no version", { default: byStripe }, [[["version"], "`version` is missing"]]],

  // Unknown keys.
  ["an unknown key at the top", top({ rule: [] }), [[["rule"], '`rule` is not known; did you mean "rules"?']]],
  [
    "an unknown condition",
    when({ paymnet_method: "card" }),
    [
      [
        ["rules", 0, "when", "paymnet_method"],
        'rule "x": `when.paymnet_method` is not known; did you mean "payment_method"?'
      ]
    ]
  ],
  [
    "an unknown operator",
    when({ currency: "INR", amount: { gtee: 5 } }),
    [[["rules", 0, "when", "amount", "gtee"], 'rule "x": `when.amount.gtee` is not known; did you mean "gte"?']]
  ],
  [
    "an operator that a fact does not have",
    when({ "card.country": { starts_with: "I" } }),
    [[["rules", 0, "when", "card.country", "starts_with"], 'rule "x": `when.card.country.starts_with` is not known']]
  ],
  [
    "an unknown condition deep inside",
    when({ any: [{ not: { curency: "INR" } }] }),
    [
      [
        ["rules", 0, "when", "any", 0, "not", "curency"],
        'rule "x": `when.any[0].not.curency` is not known; did you mean "currency"?'
      ]
    ]
  ],
  [
    "an unknown key of time",
    when({ time: { between: ["09:00", "10:00"], zon: "UTC" } }),
    [[["rules", 0, "when", "time", "zon"], 'rule "x": `when.time.zon` is not known; did you mean "zone"?']]
  ],
  [
    "an unknown key of a choice",
    choose({ split: { stripe: 100 }, stickyby: "account" }),
    [[["rules", 0, "choose", "stickyby"], 'rule "x": `choose.stickyby` is not known; did you mean "sticky_by"?']]
  ],
  [
    "a key of another choice",
    choose({ priority: ["stripe"], explore: "5%" }),
    [[["rules", 0, "choose", "explore"], 'rule "x": `choose.explore` is not known']]
  ],
  [
    "an unknown key of failover",
    failover({ maxattempts: 2 }),
    [[["failover", "maxattempts"], '`failover.maxattempts` is not known; did you mean "max_attempts"?']]
  ],
  [
    "a condition of a fee that is none",
    fees({ stripe: { card: { percent: 2.9, except: [{ "card.contry": "IN", percent: 2 }] } } }),
    [
      [
        ["fees", "stripe", "card", "except", 0, "card.contry"],
        '`fees.stripe.card.except[0].card.contry` is not known; did you mean "card.country"?'
      ]
    ]
  ],
  [
    "an exception without a condition",
    fees({ stripe: { card: { percent: 2.9, except: [{ percent: 2 }] } } }),
    [
      [
        ["fees", "stripe", "card", "except", 0],
        "`fees.stripe.card.except[0]` must have `card.network` or `card.country` or `card.funding`, and `percent` or `fixed`"
      ]
    ],
    "taken by the JSON Schema"
  ],
  [
    "an exception without an amount",
    fees({ stripe: { card: { percent: 2.9, except: [{ "card.network": "amex" }] } } }),
    [
      [
        ["fees", "stripe", "card", "except", 0],
        "`fees.stripe.card.except[0]` must have `card.network` or `card.country` or `card.funding`, and `percent` or `fixed`"
      ]
    ],
    "taken by the JSON Schema"
  ],
  [
    "a condition of another method",
    fees({ stripe: { card: { except: [{ "stablecoin.network": "base", percent: 1 }] } } }),
    [
      [
        ["fees", "stripe", "card", "except", 0, "stablecoin.network"],
        "`fees.stripe.card.except[0].stablecoin.network` is not known"
      ]
    ]
  ],
  [
    "a country that is none",
    fees({ stripe: { card: { except: [{ "card.country": "ZZ", percent: 1 }] } } }),
    [
      [
        ["fees", "stripe", "card", "except", 0, "card.country"],
        "`fees.stripe.card.except[0].card.country` must be an ISO 3166 country in capitals, such as IN"
      ]
    ],
    "taken by the JSON Schema"
  ],
  ...(["margin", "floor", "within"] as const).flatMap((key): ReadonlyArray<ShapeRefusal> => [
    [
      `a number for \`${key}\``,
      choose({ best: "value", among: ["stripe"], [key]: 5 }),
      [[["rules", 0, "choose", key], `rule "x": \`choose.${key}\` must be text`]]
    ],
    [
      `more than all for \`${key}\``,
      choose({ best: "value", among: ["stripe"], [key]: "101%" }),
      [[["rules", 0, "choose", key], `rule "x": \`choose.${key}\` must be a percentage such as "5%"`]]
    ]
  ]),
  [
    "a weight that is no percentage",
    choose({ best: "success_rate", among: ["stripe"], weights: { expired: "half" } }),
    [
      [
        ["rules", 0, "choose", "weights", "expired"],
        'rule "x": `choose.weights.expired` must be a percentage such as "5%"'
      ]
    ]
  ],
  [
    "a prior that is a number",
    choose({ best: "success_rate", among: ["stripe"], prior: { stripe: 92 } }),
    [[["rules", 0, "choose", "prior", "stripe"], 'rule "x": `choose.prior.stripe` must be text']]
  ],
  [
    "no exception",
    fees({ stripe: { card: { percent: 2.9, except: [] } } }),
    [[["fees", "stripe", "card", "except"], "`fees.stripe.card.except` must not be empty"]]
  ],
  [
    "a network that no payment can have",
    fees({ stripe: { card: { except: [{ "card.network": "Amex", percent: 2 }] } } }),
    [
      [
        ["fees", "stripe", "card", "except", 0, "card.network"],
        "`fees.stripe.card.except[0].card.network` must be a card network in small letters, such as visa"
      ]
    ]
  ],
  [
    "fees of an unknown method",
    fees({ stripe: { crad: { percent: 1 } } }),
    [[["fees", "stripe", "crad"], '`fees.stripe.crad` is not known; did you mean "card"?']]
  ],
  [
    "an unknown key of a fee",
    fees({ stripe: { card: { percnt: 1 } } }),
    [[["fees", "stripe", "card", "percnt"], '`fees.stripe.card.percnt` is not known; did you mean "percent"?']]
  ],
  [
    "a fee in an unknown currency",
    fees({ stripe: { card: { fixed: { EURO: 1 } } } }),
    [[["fees", "stripe", "card", "fixed", "EURO"], "`fees.stripe.card.fixed.EURO` is not known"]]
  ],
  [
    "an unknown key of a rule",
    top({ rules: [{ name: "x", when: {}, choose: byStripe, chose: 1 }] }),
    [[["rules", 0, "chose"], 'rule "x": `chose` is not known; did you mean "choose"?']]
  ],

  // Words of a closed list.
  [
    "an unknown method",
    when({ payment_method: "crad" }),
    [
      [
        ["rules", 0, "when", "payment_method"],
        'rule "x": `when.payment_method` must be one of upi, card, stablecoin, not "crad"; did you mean "card"?'
      ]
    ]
  ],
  [
    "an unknown method in a list",
    when({ payment_method: ["card", "wire"] }),
    [
      [
        ["rules", 0, "when", "payment_method", 1],
        'rule "x": `when.payment_method[1]` must be one of upi, card, stablecoin, not "wire"'
      ]
    ]
  ],
  [
    "an unknown flow",
    when({ flow: "hostd" }),
    [
      [
        ["rules", 0, "when", "flow"],
        'rule "x": `when.flow` must be one of intent, qr, collect, hosted, token, transfer, not "hostd"; did you mean "hosted"?'
      ]
    ]
  ],
  [
    "an unknown capture method",
    when({ capture_method: "manul" }),
    [
      [
        ["rules", 0, "when", "capture_method"],
        'rule "x": `when.capture_method` must be one of automatic, manual, not "manul"; did you mean "manual"?'
      ]
    ]
  ],
  [
    "an unknown kind of best",
    choose({ best: "succes_rate", among: ["stripe"] }),
    [
      [
        ["rules", 0, "choose", "best"],
        'rule "x": `choose.best` must be one of success_rate, cost, value, not "succes_rate"; did you mean "success_rate"?'
      ]
    ]
  ],
  [
    "an unknown fact to stick to",
    choose({ split: { stripe: 100 }, sticky_by: "customer.mail" }),
    [
      [
        ["rules", 0, "choose", "sticky_by"],
        'rule "x": `choose.sticky_by` must be one of customer.email, customer.phone_country, card.bin, card.network, card.country, card.funding, stablecoin.asset, stablecoin.network, account, metadata.<key>, not "customer.mail"; did you mean "customer.email"?'
      ]
    ]
  ],
  [
    "failover on an unknown outcome; there is no such word",
    failover({ on: ["unknown"] }),
    [
      [
        ["failover", "on", 0],
        '`failover.on[0]` must be one of not_executed, soft_decline, do_not_honor, generic_decline, issuer_unavailable, not_permitted, processing_error, suspected_fraud, unsupported, not "unknown"'
      ]
    ]
  ],
  [
    "a currency that is none",
    when({ currency: "euro" }),
    [
      [
        ["rules", 0, "when", "currency"],
        'rule "x": `when.currency` must be an ISO 4217 currency in capitals, such as EUR'
      ]
    ]
  ],
  [
    "a currency in a list that is none",
    when({ currency: ["EUR", "XYZ"] }),
    [
      [
        ["rules", 0, "when", "currency", 1],
        'rule "x": `when.currency[1]` must be an ISO 4217 currency in capitals, such as EUR'
      ]
    ]
  ],
  [
    "a country by its name",
    when({ "card.country": "India" }),
    [
      [
        ["rules", 0, "when", "card.country"],
        'rule "x": `when.card.country` must be an ISO 3166 country in capitals, such as IN'
      ]
    ]
  ],
  [
    "a country where a calling code stands",
    when({ "customer.phone_country": "IN" }),
    [
      [
        ["rules", 0, "when", "customer.phone_country"],
        'rule "x": `when.customer.phone_country` must be a country calling code such as "+91"'
      ]
    ]
  ],

  // Values of another kind.
  [
    "text for true or false",
    when({ livemode: "yes" }),
    [[["rules", 0, "when", "livemode"], 'rule "x": `when.livemode` must be true or false or a list or a mapping']]
  ],
  [
    "a number for text",
    when({ "card.bin": 411111 }),
    [[["rules", 0, "when", "card.bin"], 'rule "x": `when.card.bin` must be text or a list or a mapping']]
  ],
  [
    "text for a number",
    when({ currency: "EUR", amount: { gt: "1" } }),
    [[["rules", 0, "when", "amount", "gt"], 'rule "x": `when.amount.gt` must be a number']]
  ],
  ["conditions that are a list", when([]), [[["rules", 0, "when"], 'rule "x": `when` must be a mapping']]],
  [
    "text for a mapping of conditions",
    when("payment_method: card"),
    [[["rules", 0, "when"], 'rule "x": `when` must be a mapping']]
  ],
  ["a mapping for a list", when({ all: {} }), [[["rules", 0, "when", "all"], 'rule "x": `when.all` must be a list']]],
  ["text for a list", when({ any: "card" }), [[["rules", 0, "when", "any"], 'rule "x": `when.any` must be a list']]],
  [
    "a list for a mapping",
    when({ not: [] }),
    [[["rules", 0, "when", "not"], 'rule "x": `when.not` must be a mapping']]
  ],
  [
    "text for a window",
    when({ time: "09:00" }),
    [[["rules", 0, "when", "time"], 'rule "x": `when.time` must be a mapping']]
  ],
  [
    "one provider for a list of them",
    choose({ priority: "stripe" }),
    [[["rules", 0, "choose", "priority"], 'rule "x": `choose.priority` must be a list']]
  ],
  [
    "a number for a provider",
    choose({ priority: [1] }),
    [[["rules", 0, "choose", "priority", 0], 'rule "x": `choose.priority[0]` must be text']]
  ],
  [
    "a percentage for a weight",
    choose({ split: { stripe: "70%" } }),
    [[["rules", 0, "choose", "split", "stripe"], 'rule "x": `choose.split.stripe` must be a number']]
  ],
  [
    "a list of shares",
    choose({ split: ["stripe"] }),
    [[["rules", 0, "choose", "split"], 'rule "x": `choose.split` must be a mapping']]
  ],
  ["a choice that is text", choose("stripe"), [[["rules", 0, "choose"], 'rule "x": `choose` must be a mapping']]],
  [
    "a number for a percentage",
    choose({ best: "success_rate", among: ["stripe"], explore: 5 }),
    [[["rules", 0, "choose", "explore"], 'rule "x": `choose.explore` must be text']]
  ],
  [
    "a number for a duration",
    failover({ deadline: 45 }),
    [[["failover", "deadline"], "`failover.deadline` must be text"]]
  ],
  [
    "one cause for a list of them",
    failover({ on: "soft_decline" }),
    [[["failover", "on"], "`failover.on` must be a list"]]
  ],
  ["rules that are a mapping", top({ rules: {} }), [[["rules"], "`rules` must be a list"]]],
  ["a rule that is a number", top({ rules: [1] }), [[["rules", 0], "rule 1: must be a mapping"]]],
  ["fees that are a list", fees([]), [[["fees"], "`fees` must be a mapping"]]],
  ["no default", { version: 1 }, [[["default"], "`default` is missing"]]],
  ["a default that is nothing", { version: 1, default: null }, [[["default"], "`default` must be a mapping"]]],

  // Empty lists, mappings and texts.
  [
    "an empty list of values",
    when({ account: [] }),
    [[["rules", 0, "when", "account"], 'rule "x": `when.account` must not be empty']]
  ],
  [
    "no operator",
    when({ account: {} }),
    [[["rules", 0, "when", "account"], 'rule "x": `when.account` must name an operator']]
  ],
  [
    "an empty list of prefixes",
    when({ "card.bin": { in_prefixes: [] } }),
    [[["rules", 0, "when", "card.bin", "in_prefixes"], 'rule "x": `when.card.bin.in_prefixes` must not be empty']]
  ],
  ["an empty all", when({ all: [] }), [[["rules", 0, "when", "all"], 'rule "x": `when.all` must not be empty']]],
  ["an empty any", when({ any: [] }), [[["rules", 0, "when", "any"], 'rule "x": `when.any` must not be empty']]],
  [
    "an empty all in a not",
    when({ not: { all: [] } }),
    [[["rules", 0, "when", "not", "all"], 'rule "x": `when.not.all` must not be empty']]
  ],
  [
    "an empty text",
    when({ "customer.email": "" }),
    [[["rules", 0, "when", "customer.email"], 'rule "x": `when.customer.email` must not be empty']]
  ],
  [
    "an empty suffix",
    when({ "customer.email": { ends_with: "" } }),
    [
      [
        ["rules", 0, "when", "customer.email", "ends_with"],
        'rule "x": `when.customer.email.ends_with` must not be empty'
      ]
    ]
  ],
  [
    "an empty prefix in a list",
    when({ "metadata.plan": { in_prefixes: [""] } }),
    [
      [
        ["rules", 0, "when", "metadata.plan", "in_prefixes", 0],
        'rule "x": `when.metadata.plan.in_prefixes[0]` must not be empty'
      ]
    ]
  ],
  [
    "an empty list of providers",
    choose({ priority: [] }),
    [[["rules", 0, "choose", "priority"], 'rule "x": `choose.priority` must name at least one provider']]
  ],
  [
    "an empty list of providers by default",
    { version: 1, default: { priority: [] } },
    [[["default", "priority"], "default: `priority` must name at least one provider"]]
  ],
  [
    "an empty split",
    choose({ split: {} }),
    [[["rules", 0, "choose", "split"], 'rule "x": `choose.split` must name at least one provider']]
  ],
  [
    "an empty best",
    choose({ best: "cost", among: [] }),
    [[["rules", 0, "choose", "among"], 'rule "x": `choose.among` must name at least one provider']]
  ],
  [
    "an empty seed",
    choose({ split: { stripe: 100 }, seed: "" }),
    [[["rules", 0, "choose", "seed"], 'rule "x": `choose.seed` must not be empty']]
  ],

  // What is missing of a rule, or too much of it.
  [
    "a rule without a name",
    top({ rules: [{ when: {}, choose: byStripe }] }),
    [[["rules", 0, "name"], "rule 1: `name` is missing"]]
  ],
  [
    "a rule without conditions",
    top({ rules: [{ name: "x", choose: byStripe }] }),
    [[["rules", 0, "when"], 'rule "x": `when` is missing']]
  ],
  [
    "a rule without a choice",
    top({ rules: [{ name: "x", when: {} }] }),
    [[["rules", 0, "choose"], 'rule "x": `choose` is missing']]
  ],
  [
    "an empty name",
    top({ rules: [{ name: "", when: {}, choose: byStripe }] }),
    [
      [
        ["rules", 0, "name"],
        "rule 1: `name` must be 1 to 100 visible characters on one line, without a space at either end"
      ]
    ]
  ],
  [
    "a name that begins with a space",
    top({ rules: [{ name: " x", when: {}, choose: byStripe }] }),
    [
      [
        ["rules", 0, "name"],
        "rule 1: `name` must be 1 to 100 visible characters on one line, without a space at either end"
      ]
    ]
  ],
  [
    "a name of two lines",
    top({ rules: [{ name: "x\ny", when: {}, choose: byStripe }] }),
    [
      [
        ["rules", 0, "name"],
        "rule 1: `name` must be 1 to 100 visible characters on one line, without a space at either end"
      ]
    ]
  ],
  [
    "a name that clears the screen",
    top({ rules: [{ name: "x\u001b[2J", when: {}, choose: byStripe }] }),
    [
      [
        ["rules", 0, "name"],
        "rule 1: `name` must be 1 to 100 visible characters on one line, without a space at either end"
      ]
    ]
  ],
  [
    "a choice of no kind",
    choose({}),
    [[["rules", 0, "choose"], 'rule "x": `choose` must have one of `priority`, `split`, `best`']]
  ],
  [
    "a choice of a misspelt kind",
    choose({ priorty: ["stripe"] }),
    [
      [
        ["rules", 0, "choose"],
        'rule "x": `choose` must have one of `priority`, `split`, `best`; did you mean "priority"?'
      ]
    ]
  ],
  [
    "a choice of two kinds",
    choose({ priority: ["stripe"], split: { adyen: 100 } }),
    [[["rules", 0, "choose"], 'rule "x": `choose` must have only one of `priority`, `split`, `best`']]
  ],
  [
    "a default of no kind",
    { version: 1, default: {} },
    [[["default"], "`default` must have one of `priority`, `split`, `best`"]]
  ],
  [
    "a best among an unknown list",
    choose({ best: "cost" }),
    [[["rules", 0, "choose", "among"], 'rule "x": `choose.among` is missing']]
  ],
  [
    "a window without its end",
    when({ time: { between: ["09:00"] } }),
    [[["rules", 0, "when", "time", "between", 1], 'rule "x": `when.time.between[1]` is missing']]
  ],
  [
    "a range with one end",
    when({ currency: "EUR", amount: { between: [1] } }),
    [[["rules", 0, "when", "amount", "between", 1], 'rule "x": `when.amount.between[1]` is missing']]
  ],
  [
    "a range with three ends",
    when({ currency: "EUR", amount: { between: [1, 2, 3] } }),
    [[["rules", 0, "when", "amount", "between", 2], 'rule "x": `when.amount.between[2]` is not known']]
  ],

  // Values out of their range.
  [
    "an amount with decimals",
    when({ currency: "EUR", amount: 9.99 }),
    [[["rules", 0, "when", "amount"], 'rule "x": `when.amount` must be a whole number of the smallest unit']]
  ],
  [
    "an amount below nothing",
    when({ currency: "EUR", amount: -1 }),
    [[["rules", 0, "when", "amount"], 'rule "x": `when.amount` must be a whole number of the smallest unit']]
  ],
  [
    "an amount that a number cannot hold",
    when({ currency: "EUR", amount: 2 ** 53 }),
    [[["rules", 0, "when", "amount"], 'rule "x": `when.amount` must be a whole number of the smallest unit']]
  ],
  [
    "a BIN that is too short",
    when({ "card.bin": "41111" }),
    [[["rules", 0, "when", "card.bin"], 'rule "x": `when.card.bin` must be 6 to 8 digits, as text']]
  ],
  [
    "a BIN that is no number",
    when({ "card.bin": ["411111", "visa"] }),
    [[["rules", 0, "when", "card.bin", 1], 'rule "x": `when.card.bin[1]` must be 6 to 8 digits, as text']]
  ],
  [
    "an hour without its zero",
    when({ time: { between: ["9:00", "17:00"] } }),
    [
      [
        ["rules", 0, "when", "time", "between", 0],
        'rule "x": `when.time.between[0]` must be a time of day such as "23:30"'
      ]
    ]
  ],
  [
    "an hour that no clock shows",
    when({ time: { between: ["09:00", "24:00"] } }),
    [
      [
        ["rules", 0, "when", "time", "between", 1],
        'rule "x": `when.time.between[1]` must be a time of day such as "23:30"'
      ]
    ]
  ],
  [
    "a window that begins and ends at once",
    when({ time: { between: ["09:00", "09:00"] } }),
    [
      [["rules", 0, "when", "time", "between"], 'rule "x": `when.time.between` must not begin and end at the same time']
    ],
    "taken by the JSON Schema"
  ],
  [
    "a time zone that is not there",
    when({ time: { between: ["09:00", "17:00"], zone: "Asia/Calcuta" } }),
    [
      [
        ["rules", 0, "when", "time", "zone"],
        'rule "x": `when.time.zone` must be a time zone of the IANA database, such as Asia/Kolkata'
      ]
    ],
    "taken by the JSON Schema"
  ],
  ...["+05:30", "IST"].map((zone): ShapeRefusal => [
    `a time zone that is none: ${zone}`,
    when({ time: { between: ["09:00", "17:00"], zone } }),
    [
      [
        ["rules", 0, "when", "time", "zone"],
        'rule "x": `when.time.zone` must be a time zone of the IANA database, such as Asia/Kolkata'
      ]
    ],
    "taken by the JSON Schema"
  ]),
  [
    "a weight above 100",
    choose({ split: { stripe: 101 } }),
    [[["rules", 0, "choose", "split", "stripe"], 'rule "x": `choose.split.stripe` must be from 0 to 100']]
  ],
  [
    "a weight below 0",
    choose({ split: { stripe: -1, adyen: 101 } }),
    [
      [["rules", 0, "choose", "split", "stripe"], 'rule "x": `choose.split.stripe` must be from 0 to 100'],
      [["rules", 0, "choose", "split", "adyen"], 'rule "x": `choose.split.adyen` must be from 0 to 100']
    ]
  ],
  [
    "an experiment with one arm",
    choose({ split: { stripe: 100 }, experiment: "euros" }),
    [
      [
        ["rules", 0, "choose", "experiment"],
        'rule "x": `choose.experiment` needs two or more providers with a share: they are its arms'
      ]
    ],
    "taken by the JSON Schema"
  ],
  [
    "an experiment with one arm that has a share",
    choose({ split: { stripe: 100, adyen: 0 }, experiment: "euros" }),
    [
      [
        ["rules", 0, "choose", "experiment"],
        'rule "x": `choose.experiment` needs two or more providers with a share: they are its arms'
      ]
    ],
    "taken by the JSON Schema"
  ],
  [
    "an experiment whose arms get different kinds of payments",
    choose({ split: { stripe: 50, adyen: 50 }, experiment: "euros", sticky_by: "card.network" }),
    [
      [
        ["rules", 0, "choose", "sticky_by"],
        'rule "x": `choose.sticky_by` must be customer.email or metadata.<key> in an experiment: otherwise its arms get different kinds of payments'
      ]
    ],
    "taken by the JSON Schema"
  ],
  [
    "an experiment without a name",
    choose({ split: { stripe: 50, adyen: 50 }, experiment: "" }),
    [
      [
        ["rules", 0, "choose", "experiment"],
        'rule "x": `choose.experiment` must be 1 to 100 visible characters on one line, without a space at either end'
      ]
    ]
  ],
  [
    "an experiment of success rates",
    choose({ best: "success_rate", among: ["stripe", "adyen"], experiment: "euros" }),
    [[["rules", 0, "choose", "experiment"], 'rule "x": `choose.experiment` is not known']]
  ],
  [
    "a duration in words",
    choose({ best: "success_rate", among: ["stripe"], window: "30 min" }),
    [[["rules", 0, "choose", "window"], 'rule "x": `choose.window` must be a duration from 1m to 7d, such as "1h"']]
  ],
  ...["0s", "0m", "0d"].map((window): ShapeRefusal => [
    `a window of ${window}`,
    learning({ window }),
    [[["rules", 0, "choose", "window"], 'rule "x": `choose.window` must be a duration from 1m to 7d, such as "1h"']]
  ]),
  [
    "a duration of nothing",
    failover({ deadline: "0s" }),
    [[["failover", "deadline"], '`failover.deadline` must be a duration such as "45s" (ms, s, m, h or d)']]
  ],
  [
    "a window of less than a minute",
    choose({ best: "success_rate", among: ["stripe"], window: "59s" }),
    [[["rules", 0, "choose", "window"], 'rule "x": `choose.window` must be at least 1m']],
    "taken by the JSON Schema"
  ],
  [
    "a window of more than a week",
    choose({ best: "success_rate", among: ["stripe"], window: "8d" }),
    [[["rules", 0, "choose", "window"], 'rule "x": `choose.window` must be at most 7d']],
    "taken by the JSON Schema"
  ],
  [
    "a deadline of more than a day",
    failover({ deadline: "25h" }),
    [[["failover", "deadline"], "`failover.deadline` must be at most 24h"]],
    "taken by the JSON Schema"
  ],
  [
    "a percentage above 100",
    choose({ best: "success_rate", among: ["stripe"], explore: "101%" }),
    [[["rules", 0, "choose", "explore"], 'rule "x": `choose.explore` must be a percentage such as "5%"']]
  ],
  [
    "a prior that no attempt could change",
    choose({ best: "success_rate", among: ["stripe"], prior: { stripe: "0%" } }),
    [[["rules", 0, "choose", "prior", "stripe"], 'rule "x": `choose.prior.stripe` must be more than 0%']],
    "taken by the JSON Schema"
  ],
  [
    "a prior without a doubt",
    choose({ best: "success_rate", among: ["stripe"], prior: { stripe: "100%" } }),
    [[["rules", 0, "choose", "prior", "stripe"], 'rule "x": `choose.prior.stripe` must be less than 100%']],
    "taken by the JSON Schema"
  ],
  [
    "a misspelt segment, and one that is no fact",
    learning({ segments: ["acount", "constructor", "metadata.shop"] }),
    [
      [
        ["rules", 0, "choose", "segments", 0],
        'rule "x": `choose.segments[0]` must be one of account, amount, metadata.<key>, not "acount"; did you mean "account"?'
      ],
      [
        ["rules", 0, "choose", "segments", 1],
        'rule "x": `choose.segments[1]` must be one of account, amount, metadata.<key>, not "constructor"'
      ]
    ]
  ],
  ...[
    "payment_method",
    "flow",
    "currency",
    "card.network",
    "card.country",
    "card.funding",
    "card.bin",
    "stablecoin.network"
  ].map((fact): ShapeRefusal => [
    `a segment by ${fact}, which every segment has`,
    learning({ segments: ["amount", fact] }),
    [
      [
        ["rules", 0, "choose", "segments", 1],
        `rule "x": \`choose.segments[1]\` must be one of account, amount, metadata.<key>: attempts are always distinguished by ${fact}`
      ]
    ]
  ]),
  ...["capture_method", "customer.email", "customer.phone_country", "stablecoin.asset", "livemode", "time"].map(
    (fact): ShapeRefusal => [
      `a segment by ${fact}, which no attempt is counted by`,
      learning({ segments: [fact] }),
      [
        [
          ["rules", 0, "choose", "segments", 0],
          `rule "x": \`choose.segments[0]\` must be one of account, amount, metadata.<key>: attempts cannot be distinguished by ${fact}`
        ]
      ]
    ]
  ),
  [
    "no segment",
    learning({ segments: [] }),
    [[["rules", 0, "choose", "segments"], 'rule "x": `choose.segments` must not be empty']]
  ],
  [
    "more than four segments",
    learning({ segments: ["account", "amount", "metadata.a", "metadata.b", "metadata.c"] }),
    [[["rules", 0, "choose", "segments"], 'rule "x": `choose.segments` must have at most 4 entries']]
  ],
  [
    "segments that are no list",
    learning({ segments: "account" }),
    [[["rules", 0, "choose", "segments"], 'rule "x": `choose.segments` must be a list']]
  ],
  [
    "a segment that is no text",
    learning({ segments: [5] }),
    [
      [
        ["rules", 0, "choose", "segments", 0],
        'rule "x": `choose.segments[0]` must be one of account, amount, metadata.<key>'
      ]
    ]
  ],
  [
    "attempts of an unknown word",
    learning({ learn_from: "acount" }),
    [
      [
        ["rules", 0, "choose", "learn_from"],
        'rule "x": `choose.learn_from` must be one of all, account, rule, not "acount"; did you mean "account"?'
      ]
    ]
  ],
  [
    "a weight of what is no outcome",
    choose({ best: "success_rate", among: ["stripe"], weights: { expierd: "5%" } }),
    [
      [
        ["rules", 0, "choose", "weights", "expierd"],
        'rule "x": `choose.weights.expierd` is not known; did you mean "expired"?'
      ]
    ]
  ],
  [
    "no samples",
    choose({ best: "success_rate", among: ["stripe"], min_samples: 0 }),
    [[["rules", 0, "choose", "min_samples"], 'rule "x": `choose.min_samples` must be a whole number from 1 on']]
  ],
  [
    "no attempt",
    failover({ max_attempts: 0 }),
    [[["failover", "max_attempts"], "`failover.max_attempts` must be a whole number from 1 on"]]
  ],
  [
    "half an attempt",
    failover({ max_attempts: 2.5 }),
    [[["failover", "max_attempts"], "`failover.max_attempts` must be a whole number from 1 on"]]
  ],
  [
    "more than ten attempts",
    failover({ max_attempts: 11 }),
    [[["failover", "max_attempts"], "`failover.max_attempts` must be at most 10"]]
  ],
  [
    "a fee above 100 percent",
    fees({ stripe: { card: { percent: 101 } } }),
    [[["fees", "stripe", "card", "percent"], "`fees.stripe.card.percent` must be from 0 to 100"]]
  ],
  [
    "a fee in a fraction of the smallest unit",
    fees({ stripe: { card: { fixed: { EUR: 0.3 } } } }),
    [
      [
        ["fees", "stripe", "card", "fixed", "EUR"],
        "`fees.stripe.card.fixed.EUR` must be a whole number of the smallest unit"
      ]
    ]
  ],

  // Exclusions and outages.
  ["no exclusion", top({ exclude: [] }), [[["exclude"], "`exclude` must not be empty"]]],
  ["no outage", top({ outages: [] }), [[["outages"], "`outages` must not be empty"]]],
  [
    "an outage without a provider, of no method",
    top({ outages: [{ from: "2026-01-26T12:00:00Z", methods: [] }] }),
    [
      [["outages", 0, "provider"], "`outages[0].provider` is missing"],
      [["outages", 0, "methods"], "`outages[0].methods` must not be empty"]
    ]
  ],
  [
    "an unknown key of an outage",
    top({ outages: [{ provider: "stripe", since: "2026-01-26T12:00:00Z" }] }),
    [
      [["outages", 0, "since"], "`outages[0].since` is not known"],
      [["outages", 0, "from"], "`outages[0].from` is missing"]
    ]
  ],
  ...["2026-01-26T12:00:00", "2026-01-26", "2026-01-26 12:00Z", "2026-01-26T24:00Z", "2026-01-26T12:00+19:00"].map(
    (from): ShapeRefusal => [
      `the time ${from}`,
      top({ outages: [{ provider: "stripe", from }] }),
      [[["outages", 0, "from"], '`outages[0].from` must be a time with an offset, such as "2026-01-26T23:30:00+05:30"']]
    ]
  ),
  [
    "a day that does not exist",
    top({ outages: [{ provider: "stripe", from: "2026-02-30T12:00:00Z", to: "2027-02-29T12:00:00Z" }] }),
    [
      [["outages", 0, "from"], "`outages[0].from` must be on a day that the calendar has"],
      [["outages", 0, "to"], "`outages[0].to` must be on a day that the calendar has"]
    ],
    "taken by the JSON Schema"
  ],

  // Days.
  [
    "a time that asks for nothing",
    when({ time: { zone: "Asia/Kolkata" } }),
    [
      [
        ["rules", 0, "when", "time"],
        'rule "x": `when.time` must have one of `between`, `weekdays`, `dates`, `holidays`'
      ]
    ],
    "taken by the JSON Schema"
  ],
  [
    "a weekday in full",
    when({ time: { weekdays: ["mon", "tues"] } }),
    [
      [
        ["rules", 0, "when", "time", "weekdays", 1],
        'rule "x": `when.time.weekdays[1]` must be one of mon, tue, wed, thu, fri, sat, sun, not "tues"; did you mean "tue"?'
      ]
    ]
  ],
  [
    "no weekday, no date, no calendar",
    when({ time: { weekdays: [], dates: [], holidays: [] } }),
    ["weekdays", "dates", "holidays"].map((key) => [
      ["rules", 0, "when", "time", key],
      `rule "x": \`when.time.${key}\` must not be empty`
    ])
  ],
  ["a calendar without days", top({ holidays: { in: [] } }), [[["holidays", "in"], "`holidays.in` must not be empty"]]],
  [
    "days in other forms",
    when({ time: { dates: ["24.12.2026", "2026-1-1", { from: "2026-12-24" }, 20261224] } }),
    [
      [["rules", 0, "when", "time", "dates", 0], 'rule "x": `when.time.dates[0]` must be a day such as "2026-12-24"'],
      [["rules", 0, "when", "time", "dates", 1], 'rule "x": `when.time.dates[1]` must be a day such as "2026-12-24"'],
      [["rules", 0, "when", "time", "dates", 2, "to"], 'rule "x": `when.time.dates[2].to` is missing'],
      [["rules", 0, "when", "time", "dates", 3], 'rule "x": `when.time.dates[3]` must be text or a mapping']
    ]
  ],
  [
    "days that do not exist, or are in the wrong order",
    when({ time: { dates: ["2026-02-30", { from: "2026-12-26", to: "2026-12-24" }] } }),
    [
      [["rules", 0, "when", "time", "dates", 0], 'rule "x": `when.time.dates[0]` must be a valid date (YYYY-MM-DD)'],
      [["rules", 0, "when", "time", "dates", 1], 'rule "x": `when.time.dates[1]` must not end before it begins']
    ],
    "taken by the JSON Schema"
  ],

  // Failover by decline code.
  [
    "failover after a decline that is about the payer",
    failover({ on: ["not_executed", "insufficient_funds"] }),
    [
      [
        ["failover", "on", 1],
        '`failover.on[1]` must be one of not_executed, soft_decline, do_not_honor, generic_decline, issuer_unavailable, not_permitted, processing_error, suspected_fraud, unsupported, not "insufficient_funds"'
      ]
    ]
  ],
  [
    "a misspelt code",
    failover({ not_on: ["suspect_fraud"] }),
    [
      [
        ["failover", "not_on", 0],
        '`failover.not_on[0]` must be one of do_not_honor, generic_decline, issuer_unavailable, not_permitted, processing_error, suspected_fraud, unsupported, not "suspect_fraud"; did you mean "suspected_fraud"?'
      ]
    ]
  ]
]
