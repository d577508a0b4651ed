/** What of a body may be read in the request log. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { openApiDocument } from "../../src/openapi/OpenApiDocument.ts"
import { documentedFields, maskedBody } from "../../src/requestLog/maskedBody.ts"

const shown = (body: unknown): unknown => JSON.parse(maskedBody(body))

describe("a body in the request log", () => {
  it("has its structure and what names no person, and nothing else", () => {
    assert.deepStrictEqual(
      shown({
        amount: 10_000,
        currency: "EUR",
        payment_method: "card",
        capture_method: "manual",
        description: "for Asha",
        customer: {
          email: "asha@example.com",
          phone: "+919999999999",
          name: null,
          address: {
            line1: "1 Main Road",
            line2: null,
            city: "Pune",
            state: "MH",
            postal_code: "411001",
            country: "IN"
          }
        },
        client: { language: "en-IN", screen: { width: 1920, height: 1080, color_depth: 24 } },
        payment_method_details: {
          card: {
            token: "tok_1",
            tokens: { acme: "tok_2" },
            network: "visa",
            country: "IN",
            funding: "credit",
            bin: "411111"
          }
        },
        metadata: { amount: "12", asha: "x" },
        expand: [true, 5, "all", { amount: 5 }]
      }),
      {
        amount: 10_000,
        currency: "EUR",
        payment_method: "card",
        capture_method: "manual",
        description: "[text]",
        customer: {
          email: "[text]",
          phone: "[text]",
          name: null,
          address: {
            line1: "[text]",
            line2: null,
            city: "[text]",
            state: "[text]",
            postal_code: "[text]",
            country: "[text]"
          }
        },
        client: {
          language: "[text]",
          screen: { width: "[number]", height: "[number]", color_depth: "[number]" }
        },
        payment_method_details: {
          card: {
            token: "[text]",
            tokens: { "[name]": "[text]" },
            network: "[text]",
            country: "IN",
            funding: "credit",
            bin: "[text]"
          }
        },
        metadata: "[2 entries]",
        "[name]": [true, "[number]", "[text]", { amount: "[number]" }]
      }
    )
  })

  it("masks a value in a field that is shown otherwise, and a value that stands in place of a name", () => {
    assert.deepStrictEqual(
      shown({ amount: 4_111_111_111_111_111, currency: "asha@example.com", payment_method: "asha", flow: { name: 1 } }),
      { amount: "[number]", currency: "[text]", payment_method: "[text]", flow: { name: "[number]" } }
    )
    for (const name of [
      "asha@example.com",
      "+919999999999",
      "4111 1111 1111 1111",
      "p919999999999",
      "sk_live_0123456789ab",
      "Asha"
    ]) {
      assert.deepStrictEqual(shown({ [name]: true }), { "[name]": true })
    }
  })

  it("is JSON of at most 4,000 characters, in which no text of the body stands, whatever the body is", () => {
    const secret = fc.constantFrom(
      "asha@example.com",
      "+919999999999",
      "tok_9999999999",
      "Asha Rao 7",
      "4111111111111111"
    )
    const body = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "medium" },
        secret,
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 60 }),
        fc.dictionary(
          fc.oneof(fc.constantFrom("amount", "currency", "metadata", "customer", "card"), fc.string(), secret),
          tie("value")
        )
      )
    })).value
    fc.assert(
      fc.property(body, (value) => {
        const text = maskedBody(value)
        assert.isAtMost(text.length, 4_000)
        JSON.parse(text)
        assert.notMatch(text, /asha|9999999999|Asha|4111/)
      })
    )
  })

  it("shows the names of all fields of the API", () => {
    // Boundary: what this test reads of a JSON Schema.
    interface Field {
      readonly properties?: { readonly [name: string]: Field }
    }
    const namesIn = ({ properties = {} }: Field): ReadonlyArray<string> =>
      Object.entries(properties).flatMap(([name, field]) => [name, ...namesIn(field)])
    const { schemas } = JSON.parse(JSON.stringify(openApiDocument())).components
    const names = ["CreatePayment", "CapturePayment", "CreateRefund"].flatMap((body) => namesIn(schemas[body]))
    assert.include(names, "user_agent")
    assert.deepStrictEqual(
      names.filter((name) => !documentedFields.has(name)),
      []
    )
  })

  it("is looked at for 200 members in all, however they are nested", () => {
    const row = Array.from({ length: 40 }, () => true)
    const text = maskedBody({ amount: 5, expand: Array.from({ length: 40 }, () => row), currency: "EUR" })
    JSON.parse(text)
    assert.strictEqual([...text.matchAll(/true/g)].length, 193)
    assert.notInclude(text, "EUR")
  })
})
