/** What callers compile: also those with TypeScript 5, with the names of a browser, and without any of Node. */
import { assert, describe, it } from "@effect/vitest"
import { resolve } from "node:path"
import ts from "typescript"

const folder = resolve(import.meta.dirname, "..")

/** What a compiler says of a caller's file. */
const faults = (code: string): ReadonlyArray<string> => {
  const file = resolve(folder, "src/caller.ts")
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true
  }
  const host = ts.createCompilerHost(options)
  const withCaller: ts.CompilerHost = {
    ...host,
    fileExists: (name) => resolve(name) === file || host.fileExists(name),
    getSourceFile: (name, ...more) =>
      resolve(name) === file
        ? ts.createSourceFile(name, code, ts.ScriptTarget.ES2022)
        : host.getSourceFile(name, ...more)
  }
  const program = ts.createProgram([file], options, withCaller)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`)
}

const head = `
  import { Paymux, PaymuxError, webhooks } from "./index.ts"
  const paymux = new Paymux({ apiKey: "x", baseUrl: "https://pay.example.com", fetch: globalThis.fetch })
  const customer = { email: "asha@example.com", phone: "+919812345678" }
`

describe("the types", () => {
  it(`are those of the wire, for TypeScript ${ts.version}`, () => {
    const code = `${head}
      export const pay = async (request: Request): Promise<string | null> => {
        const payment = await paymux.payments.create(
          { amount: 1, currency: "INR", payment_method: "upi", customer, metadata: { a: "b" } },
          { idempotencyKey: "k", timeout: 1, signal: request.signal }
        )
        switch (payment.next_action?.type) {
          case "redirect": return payment.next_action.url
          case "upi_intent": return payment.next_action.uri
        }
        for await (const { id, status } of paymux.payments.list({ status: "pending", metadata: { a: ["b"] } })) {
          if (status === "pending") return id
        }
        const event = await webhooks.verify(await request.arrayBuffer(), request.headers, ["a", "b"])
        if (event.type === "refund.failed") return event.data.refund.id
        if (event.type === "payment.review_opened") return event.data.review.reason
        if (event.type === "payment.review_resolved") return event.data.review.resolution ?? null
        const { code, errors, requestId, status }: PaymuxError = new PaymuxError({ code: "new", message: "" })
        return code === "no_route" ? errors[0]?.pointer ?? requestId : String(status)
      }
      export const byToken = paymux.payments.create({
        amount: 1, currency: "EUR", payment_method: "card", customer,
        payment_method_details: { card: { tokens: { stripe: "pm_1", adyen: { type: "scheme", number: 1 } } } }
      })
    `
    assert.deepStrictEqual(faults(code), [])
  })

  it("refuse what the API would refuse", () => {
    const wrong = [
      `paymux.payments.create({ amount: "1", currency: "INR", payment_method: "upi", customer })`,
      `paymux.payments.create({ amount: 1, currency: "INR", payment_method: "cash", customer })`,
      `paymux.payments.create({ amount: 1, currency: "INR", payment_method: "upi" })`,
      `paymux.payments.list({ status: "paid" })`,
      `paymux.payments.get("pay_1", { idempotencyKey: "k" })`,
      `paymux.payments.create({ amount: 1, currency: "INR", payment_method: "upi", customer }, { retries: 1 })`,
      `webhooks.verify({ type: "parsed" }, {}, "whsec_")`,
      `new Paymux({ apiKey: "x" })`
    ]
    assert.lengthOf(faults(`${head}\n${wrong.join("\n")}`), wrong.length)
  })
})
