/** The configuration of a sandbox whose statement is a file in CSV. */
export const csvConfig = {
  sandbox: true,
  statements: {
    sandbox_card_a: {
      columns: { id: "id", type: "type", amount: "amount", currency: "currency", bookedAt: "date", operation: "op" },
      types: { sale: "payment" },
      dates: { format: "iso" },
      amounts: { unit: "minor" }
    }
  }
}
