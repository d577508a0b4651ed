/**
 * Thousands of rules that overlap: bands of amounts that cross, countries, BIN prefixes, alternatives, exceptions and every
 * way to choose. All of them are valid, and none is never reached.
 */
const currencies = ["USD", "EUR", "GBP", "AUD", "CAD", "CHF", "SEK", "NOK", "DKK", "PLN"]
const countries = ["DE", "FR", "NL", "IT", "ES", "IN", "US", "GB", "PL", "SE", "BR", "JP"]
const networks = ["visa", "mastercard", "amex", "discover"]
const providers = ["one", "two", "three"]

/** The text of a rules file (YAML). `edition`: another one is another content. */
export const tangledRules = (count: number, edition: number): string => {
  const rules = Array.from({ length: count }, (_, index) => ruleOf(index))
  return `# edition ${edition}\nversion: 1\nrules:\n${rules.join("")}default: { priority: [${order(edition)}] }\n`
}

const ruleOf = (index: number): string => {
  // Each band reaches a little higher than all before it, so that each rule is reached, however many there are.
  const from = 100 + index * 7
  return `  - name: rule ${index}
    when:
      payment_method: card
      currency: ${pick(currencies, index)}
      amount: { between: [${from}, ${from + 25_000}] }
      ${branches(index)}
    choose: ${choice(index)}
`
}

/** What the check has to try one after the other. */
const branches = (index: number): string => {
  const country = pick(countries, Math.floor(index / 10))
  const other = pick(countries, index * 5 + 3)
  switch (index % 4) {
    case 0:
      return `any: [{ card.country: ${country} }, { card.bin: { starts_with: "${400_000 + (index % 9_000)}" } }]`
    case 1:
      return `not: { card.country: [${country}, ${other}] }`
    case 2:
      return `metadata.merchant: [merchant-${index}, merchant-${index + 1}]`
    default:
      return `any: [{ card.network: ${pick(networks, index)}, metadata.shop: shop-${index % 50} }, { not: { card.country: ${other} } }]`
  }
}

const choice = (index: number): string => {
  switch (index % 5) {
    case 0:
      return "{ split: { one: 60, two: 40 } }"
    case 1:
      return `{ best: success_rate, among: [${order(index)}] }`
    default:
      return `{ priority: [${order(index)}] }`
  }
}

const order = (turn: number): string => providers.map((_, place) => pick(providers, turn + place)).join(", ")

const pick = (list: ReadonlyArray<string>, index: number): string => list[index % list.length] ?? ""
