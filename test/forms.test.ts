/**
 * The forms of a payment on the way of a create: the types into which its data is converted, in order. A type that extends a
 * form is the same form. The rows and statements of a database driver are not counted.
 *
 * A new exported type in the rooms of the engine is a form, or stands `beside` the way with a reason; so the way cannot grow
 * without this test.
 */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync } from "vite"

const packages = join(import.meta.dirname, "../packages")

/** From the body of the request to the provider. */
const into: ReadonlyArray<readonly [form: string, file: string]> = [
  ["CreatePaymentJson", "core/src/wire/CreatePaymentJson.ts"],
  ["NewPayment", "core/src/domain/Payment.ts"],
  ["Plan", "core/src/routing/Plan.ts"],
  ["Routed", "core/src/execution/begin/routePayment.ts"],
  ["PaymentRecord", "core/src/domain/Payment.ts"],
  ["BeginCommit", "core/src/store/PaymentStore.ts"],
  ["Sending", "core/src/execution/send/Sender.ts"],
  ["ProviderOperation", "core/src/provider/Provider.ts"]
]

/** From the provider to the answer of the request. */
const out: ReadonlyArray<readonly [form: string, file: string]> = [
  ["InquiryOutcome", "core/src/domain/Outcome.ts"],
  ["Ended", "core/src/resilience/Ended.ts"],
  ["Report", "core/src/execution/conclude/Report.ts"],
  ["LastDecision", "core/src/execution/conclude/Failover.ts"],
  ["Changed", "core/src/domain/transition/change.ts"],
  ["AdvanceCommit", "core/src/store/PaymentStore.ts"],
  ["PaymentResult", "core/src/execution/PaymentResult.ts"],
  ["Answer", "http/src/problems/Answer.ts"]
]

/** Exported types of the rooms that are no form of a payment. */
const beside: { readonly [reason: string]: ReadonlyArray<string> } = {
  "the parts of a request besides its payment": [
    "Creation",
    "LiveId",
    "LivePayment",
    "OperationOptions",
    "RequestDeadline",
    "RequestDeadlines",
    "RequestKey",
    "RequestOptions",
    "ReturnSchemesOf",
    "Wait",
    "Waits"
  ],
  "one case of a result": ["Begun", "NotBegun", "NextAttempt", "OrderTaken", "Written"],
  "the inputs of a pure function": ["Decision", "FailoverFacts", "Start", "WriteContext"],
  "of captures, refunds, disputes and reports, which no create has": [
    "Advanced",
    "BegunOperation",
    "CheckResult",
    "DisputeStatement",
    "OperationOffer",
    "Origin"
  ]
}

interface ExportedType {
  readonly name: string
  readonly file: string
  readonly extends: ReadonlyArray<string>
}

const exportedTypes = (file: string): ReadonlyArray<ExportedType> =>
  parseSync(file, readFileSync(join(packages, file), "utf8")).program.body.flatMap((node) => {
    const declared = node.type === "ExportNamedDeclaration" ? node.declaration : null
    if (declared?.type === "TSTypeAliasDeclaration") return [{ name: declared.id.name, file, extends: [] }]
    if (declared?.type !== "TSInterfaceDeclaration") return []
    const parents = declared.extends.flatMap(({ expression }) =>
      expression.type === "Identifier" ? [expression.name] : []
    )
    return [{ name: declared.id.name, file, extends: parents }]
  })

const isOfServices = ({ name }: ExportedType): boolean => name.endsWith("Services")

describe("the forms of a payment", () => {
  it("are at most eight on the way in and eight on the way out", () => {
    assert.isAtMost(into.length, 8)
    assert.isAtMost(out.length, 8)
  })

  it.each([...into, ...out])("%s is exported by %s", (form, file) => {
    const text = readFileSync(join(packages, file), "utf8")
    assert.match(text, new RegExp(`^export (?:interface|type|class|const) ${form}\\b`, "m"))
  })

  it("are all exported types of the rooms, but those that stand beside the way", () => {
    const files = globSync(`core/src/execution/{begin,send,conclude}/*.ts`, { cwd: packages }).toSorted()
    assert.isAbove(files.length, 20)
    const results = exportedTypes("core/src/execution/PaymentResult.ts")
    const types = [...results, ...files.flatMap(exportedTypes)].filter((each) => !isOfServices(each))
    const forms = new Set([...into, ...out].map(([form]) => form))
    for (const each of types) if (each.extends.some((parent) => forms.has(parent))) forms.add(each.name)
    const known = new Set([...forms, ...Object.values(beside).flat()])
    const unknown = types.filter(({ name }) => !known.has(name))
    assert.deepStrictEqual(
      unknown.map(({ file, name }) => `${file}: ${name}`),
      []
    )
    const names = new Set(types.map(({ name }) => name))
    assert.deepStrictEqual(
      Object.values(beside)
        .flat()
        .filter((name) => !names.has(name)),
      []
    )
  })
})
