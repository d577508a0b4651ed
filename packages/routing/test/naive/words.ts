/** What rules and payments are made of: few words, so that they meet, and some that are nearly alike. */

export const railsWithFlows = {
  upi: ["intent", "qr", "collect"],
  card: ["hosted", "token"],
  stablecoin: ["transfer"]
} as const

export const currencies = ["INR", "USD", "EUR", "JPY", "KWD"] as const

/** The decimals of each. */
const decimals: { readonly [code in (typeof currencies)[number]]: number } = { INR: 2, USD: 2, EUR: 2, JPY: 0, KWD: 3 }

/** Minor units as a decimal text, with all of its decimals: `5.00`. */
export const decimalText = (minorUnits: number, currency: (typeof currencies)[number]): string => {
  const digits = String(minorUnits).padStart(decimals[currency] + 1, "0")
  const whole = digits.length - decimals[currency]
  return decimals[currency] === 0 ? digits : `${digits.slice(0, whole)}.${digits.slice(whole)}`
}

export const amounts = [0, 1, 99, 100, 101, 500, 9_999, 10_000, 50_000, 500_000, Number.MAX_SAFE_INTEGER]

export const phones: { readonly [code: string]: string } = {
  "+1": "+14155550100",
  "+7": "+79161234567",
  "+44": "+447700900000",
  "+91": "+919999999999",
  "+353": "+353861234567",
  "+971": "+971501234567"
}

/** The last two are equal to the eye and not to the computer. */
export const textsOf: { readonly [fact: string]: ReadonlyArray<string> } = {
  "customer.email": [
    "vip@example.com",
    "vip@example.org",
    "a.payer@shop.example",
    "VIP@example.com",
    "ann@example.com.au"
  ],
  "card.bin": ["411111", "41111111", "424242", "4242429", "555555", "55555544", "601100"],
  "card.network": ["visa", "mastercard", "amex", "visas", "visa_electron"],
  "card.funding": ["credit", "debit", "prepaid"],
  "stablecoin.asset": ["USDC", "USDT", "USD"],
  "stablecoin.network": ["base", "ethereum", "base-sepolia"],
  account: ["default", "shop", "shop-2"],
  "metadata.channel": ["app", "web", "app-ios", ""],
  "metadata.plan": ["gold", "silver", "gold-plus"],
  "metadata.toString": ["gold", "caf\u00e9", "cafe\u0301"],
  "metadata.__proto__": ["gold", "app"],
  "metadata.": ["gold", "10", "9"]
}

export const codesOf: { readonly [fact: string]: ReadonlyArray<string> } = {
  capture_method: ["automatic", "manual"],
  "customer.phone_country": Object.keys(phones),
  "card.country": ["IN", "US", "DE", "AU"],
  currency: currencies
}

export const zones = [
  "UTC",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "America/St_Johns"
]

/** Mostly the ends of hours and of the day. */
export const clocks = ["00:00", "00:01", "00:30", "02:00", "02:30", "09:00", "12:59", "17:00", "23:30", "23:59"]

export const providerNames = ["alpha", "beta", "gamma", "delta", "epsilon"]
