/** The versions of the routing rules in the example data, oldest first. */

const cards = `version: 1

# Agreed with the payments team.
rules:
  - name: cards
    when: { payment_method: card }
    choose: { priority: [sandbox_card_a, sandbox_card_b] }
`

const rest = `
default: { priority: [sandbox_upi_a, sandbox_upi_b, sandbox_stablecoin_a] }
`

const largeUpi = `
  # Bank B has the higher limit.
  - name: large upi
    when: { payment_method: upi, amount: { gte: 500000 } }
    choose: { priority: [sandbox_upi_b, sandbox_upi_a] }
`

const yen = `
  - name: yen
    when: { payment_method: card, currency: JPY }
    choose: { split: { sandbox_card_a: 70, sandbox_card_b: 30 } }
`

export const firstRules = `${cards}${rest}`

export interface PublishedRules {
  readonly text: string
  readonly note: string
}

export const laterRules: ReadonlyArray<PublishedRules> = [
  { text: `${cards}${largeUpi}${rest}`, note: "Large UPI payments to bank B, whose limit is higher" },
  {
    text: `${cards.replace("  - name: cards", `${yen.slice(1)}\n  - name: cards`)}${largeUpi}${rest}`,
    note: "Split yen, to compare the two acquirers"
  },
  {
    text: `${cards.replace("[sandbox_card_a, sandbox_card_b]", "[sandbox_card_b, sandbox_card_a]")}${largeUpi}${rest}`,
    note: "Cards to B first while A is being migrated — قواعد مؤقتة"
  }
]
