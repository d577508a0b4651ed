import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { capabilityTable } from "../../src/conformance/capabilityTable.ts"
import { keepTable } from "../../src/conformance/readme.ts"

describe("the capability table", () => {
  const table = capabilityTable(
    {
      methods: {
        card: {
          currencies: ["EUR", "JPY"],
          flows: { token: {}, hosted: { requires: ["return_url"] } },
          amounts: [
            { currency: "EUR", min: "0.50" },
            { currency: "JPY", min: "50", max: "9999" },
            { currency: "USD", min: "0.50" }
          ]
        }
      },
      operations: {
        create: {
          idempotency: { by: "header", lifetime: "24 hours" },
          inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" },
          proof: ["not_started"]
        },
        refund: { partial: true, rateLimitIsNotExecuted: true }
      },
      statement: { bookedWithin: "6 hours", paymentsInParts: true }
    },
    {
      skipped: [{ id: "inquiry-agrees", reason: "It forgets after an hour" }],
      exempt: [
        { id: "webhook-batch", reason: "it sends none" },
        { id: "webhook-refused", reason: "it sends none" }
      ]
    }
  )

  it("has a line for each flow, and one for each operation", () => {
    assert.include(table, "| card | token | EUR, JPY | from 0.50 (EUR, USD); 50 to 9999 (JPY) | automatic | no |  |")
    assert.include(
      table,
      "| card | hosted | EUR, JPY | from 0.50 (EUR, USD); 50 to 9999 (JPY) | automatic | no | `return_url` |"
    )
    assert.include(
      table,
      "| create | returns the first result, for 1d (header) | by our reference | after 15m |  |  | `not_started` |"
    )
  })

  it("says the worst case of what is not declared", () => {
    assert.include(table, "| refund | not sent | never | never | yes | of each alone | 429 |")
    assert.include(table, "A declined payment may still be captured.")
  })

  it("says when a booking is in the statement, and whether a payment is booked in parts", () => {
    assert.include(table, "Its statement has each booking after 6h. A payment may be booked in several movements.")
  })

  it("lists the checks that were not tried, each with its reason", () => {
    assert.include(
      table,
      "Its tests run every check of the conformance suite, except:\n" +
        "- `inquiry-agrees`, skipped: It forgets after an hour\n" +
        "- `webhook-batch`, `webhook-refused`: it sends none"
    )
  })
})

describe("a README", () => {
  const inFile = (text: string, act: (readme: URL, read: () => string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), "paymux-readme-"))
    try {
      const path = join(folder, "README.md")
      writeFileSync(path, text)
      act(pathToFileURL(path), () => readFileSync(path, "utf8"))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const empty = "# A\n<!-- paymux:capabilities -->\n<!-- /paymux:capabilities -->\nend\n"

  it("without a table gets it, but not in CI", () => {
    inFile(empty, (readme, read) => {
      assert.match(keepTable(readme, "| a |", "none") ?? "", /-u/)
      assert.strictEqual(read(), empty)
      assert.isNull(keepTable(readme, "| a |", "new"))
      assert.strictEqual(read(), "# A\n<!-- paymux:capabilities -->\n\n| a |\n\n<!-- /paymux:capabilities -->\nend\n")
      assert.isNull(keepTable(readme, "| a |", "none"))
    })
  })

  it("with another table is changed only where that is asked for", () => {
    inFile(empty, (readme, read) => {
      keepTable(readme, "| a |", "new")
      const before = read()
      assert.match(keepTable(readme, "| b |", "new") ?? "", /not what the adapter declares/)
      assert.strictEqual(read(), before)
      assert.isNull(keepTable(readme, "| b |", "all"))
      assert.include(read(), "| b |")
    })
  })

  it("without the markers fails with an error that says where to put them", () => {
    inFile("# A\n", (readme) => assert.match(keepTable(readme, "| a |", "all") ?? "", /<!-- paymux:capabilities -->/))
  })
})
