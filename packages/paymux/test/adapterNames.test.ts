import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Names, namesOf } from "../src/adapter/Names.ts"
import { renamed } from "../src/adapter/sources.ts"
import { repository } from "./adapterFolder.ts"

const refusalOf = (name: string): string =>
  Result.match(namesOf(name), { onFailure: ({ message }) => message, onSuccess: () => "" })

const names = (name: string): Names => Result.getOrThrow(namesOf(name))

describe("the name of an adapter", () => {
  it("is written as each place wants it", () => {
    assert.deepStrictEqual(names("my-pay"), { id: "my-pay", factory: "myPay", vendor: "MyPay", constant: "MY_PAY" })
    assert.deepStrictEqual(names("a1"), { id: "a1", factory: "a1", vendor: "A1", constant: "A1" })
    assert.strictEqual(names("pay-2-go").factory, "pay2Go")
  })

  for (const [name, why] of [
    ["", "lower-case letters"],
    ["My-pay", "lower-case letters"],
    ["my_pay", "lower-case letters"],
    ["my pay", "lower-case letters"],
    ["-my", "lower-case letters"],
    ["my-", "lower-case letters"],
    ["my--pay", "lower-case letters"],
    ["2pay", "lower-case letters"],
    ["münze", "lower-case letters"],
    ["my\npay", "lower-case letters"],
    ["mypay\n", "lower-case letters"],
    ["..", "lower-case letters"],
    ["../my-pay", "lower-case letters"],
    ["a/b", "lower-case letters"],
    ["/my-pay", "lower-case letters"],
    ["a\\b", "lower-case letters"],
    ["@paymux/my-pay", "lower-case letters"],
    ["x", "2 to 30 characters"],
    ["x".repeat(31), "2 to 30 characters"],
    ["paymux", "a package of Paymux itself"],
    ["provider-kit", "a package of Paymux itself"],
    ["new", "a reserved word"],
    ["await", "a reserved word"],
    ["define-provider", "every adapter imports"],
    ["create-paymux", "every adapter imports"],
    // The parameters of the made test shadow them.
    ["url", "every adapter imports"],
    ["credentials", "every adapter imports"]
  ] as const) {
    it(`is not ${JSON.stringify(name)}`, () => {
      const refusal = refusalOf(name)
      assert.include(refusal, why)
      assert.notInclude(refusal, "\n")
    })
  }

  it("is none that a file which names the factory imports already", () => {
    const template = join(repository, "packages/paymux/templates/adapter")
    const imported = ["src/index.ts", "test/codes.test.ts", "test/conformance.test.ts"].flatMap((path) =>
      [...readFileSync(join(template, path), "utf8").matchAll(/^import \{(.*)\}/gm)].flatMap(([, list = ""]) =>
        list.split(",").map((each) => each.trim())
      )
    )
    const lower = imported.filter((name) => /^[a-z]/.test(name) && name !== "acme")
    assert.includeMembers(lower, ["fake", "methods"])
    for (const name of lower) {
      const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      assert.include(refusalOf(dashed), "every adapter imports", name)
    }
  })

  it("takes the place of Acme's, also where it holds that name itself", () => {
    const text = 'acme({}), const acme = { acme }, import { acme } from "acme" /^acme_(test)/ "acme-x" Acme\'s ACME_KEY'
    assert.strictEqual(
      renamed(text, names("acme-pay")),
      'acmePay({}), const acmePay = { acmePay }, import { acmePay } from "acme-pay" /^acme-pay_(test)/ "acme-pay-x" AcmePay\'s ACME_PAY_KEY'
    )
  })
})
