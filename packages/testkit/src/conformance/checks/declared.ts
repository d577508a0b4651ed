import { Currency, rails, SPEC_VERSION } from "@paymux/core"
import type { Capabilities, Flow, OperationCapability, Provider, ProviderOperations, Rail } from "@paymux/core"
import { capabilityProblems } from "@paymux/core/engine"
import { operationKinds } from "@paymux/core/store"
import { Duration, Effect, Fiber, Option } from "effect"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { endsWithin } from "../realTime.ts"
import type { TestHarness, ConformanceContext } from "../ConformanceContext.ts"

export const declared: ConformanceCheck = {
  id: "declared",
  title: "every declared capability is implemented, and every implemented operation is declared",
  why:
    "The engine routes by the declared capabilities and calls nothing else. A capability that is declared but missing " +
    "fails at the first payment that needs it. An operation that is implemented but not declared is never called.",
  howToFix: "Compare `capabilities` with the functions that `make` returns, and with the vendor's documentation.",
  check: (context) =>
    Effect.scoped(
      Effect.gen(function* () {
        const harness = yield* context.begin()
        const problems = [
          ...instanceProblems(harness.provider),
          ...methodProblems(harness.provider.capabilities),
          ...capabilityProblems(harness.provider.capabilities),
          ...operationProblems(harness.provider.capabilities, harness.made),
          ...(harness.vendor.webhooks !== null && harness.made.webhook === undefined
            ? ["the vendor sends webhooks, and there is no webhook function"]
            : []),
          ...(yield* runProblems(context, harness))
        ]
        yield* harness.expect(problems.length === 0, {
          tried: "the declaration against what was made",
          expected: "both say the same",
          seen: problems.join("; ")
        })
      })
    )
}

/** It is restarted when it fails: one that ends without an error observes nothing. */
const runProblems = Effect.fnUntraced(function* ({ samples: [sample] }: ConformanceContext, harness: TestHarness) {
  const { running, vendor } = harness
  if (running === null) return []
  if (sample !== undefined) yield* harness.send(yield* harness.create(sample))
  yield* vendor.payersAct
  return (yield* endsWithin(Fiber.await(running), whileRunning)) ? ["run ended: it has to look for ever"] : []
})

/** ms; what breaks breaks at once, or at what it sees first. */
const whileRunning = 100

const instanceProblems = ({ id, specVersion }: Provider): ReadonlyArray<string> => [
  ...(/^[a-z][a-z0-9_-]{0,63}$/.test(id) ? [] : [`the id "${id}" is not of lower-case letters, digits, _ and -`]),
  ...(specVersion === SPEC_VERSION ? [] : [`it speaks version ${String(specVersion)} of the contract`])
]

const methodProblems = ({ methods, operations }: Capabilities): ReadonlyArray<string> => {
  const found = rails.filter((rail) => methods[rail] !== undefined)
  if (found.length === 0) return ["no method is declared"]
  return found.flatMap((rail) => {
    const { currencies = [], flows = {} } = methods[rail] ?? {}
    const unknown = currencies === "any" ? [] : currencies.filter((code) => !Currency.isCurrency(code))
    return [
      ...(Object.keys(flows).length === 0 ? [`${rail} declares no flow`] : []),
      ...Object.keys(flows)
        .filter((flow) => !flowsOf[rail].some((known) => known === flow))
        .map((flow) => `${rail} has no flow "${flow}"`),
      ...Object.entries(flows)
        .filter(([, conditions]) => conditions?.cancelable === true && operations.cancel === undefined)
        .map(([flow]) => `${rail} declares that ${flow} is cancelable, and no cancel`),
      ...(currencies.length === 0 ? [`${rail} declares no currency`] : []),
      ...unknown.map((code) => `"${code}" is no currency of ISO 4217`)
    ]
  })
}

const flowsOf: { readonly [rail in Rail]: ReadonlyArray<Flow> } = {
  upi: ["intent", "qr", "collect", "hosted"],
  card: ["token", "hosted"],
  stablecoin: ["transfer"]
}

const operationProblems = (
  { operations: declaredOperations }: Capabilities,
  made: ProviderOperations
): ReadonlyArray<string> => {
  const asks = operationKinds.some((kind) => (declaredOperations[kind]?.inquiry?.by ?? "none") !== "none")
  return [
    ...operationKinds.flatMap((kind) => {
      const capability = declaredOperations[kind]
      if (capability === undefined) return made[kind] === undefined ? [] : [`${kind} is there and not declared`]
      return [
        ...(made[kind] === undefined ? [`${kind} is declared and not there`] : []),
        ...keyProblems(kind, capability),
        ...durationProblems(kind, capability)
      ]
    }),
    ...(asks && made.inquire === undefined ? ["an inquiry is declared, and inquire is not there"] : []),
    ...(!asks && made.inquire !== undefined ? ["inquire is there, and no inquiry is declared"] : [])
  ]
}

/** One that cannot be read stops the engine; one of nothing says that a key, or what is not found, holds for no time. */
const durationProblems = (
  kind: string,
  { idempotency, inquiry, ...declaredOperation }: OperationCapability & { readonly abandonedAfter?: Duration.Input }
): ReadonlyArray<string> =>
  Object.entries({
    "idempotency.lifetime": idempotency?.lifetime,
    "inquiry.notFoundIsFinalAfter": inquiry?.notFoundIsFinalAfter,
    abandonedAfter: declaredOperation.abandonedAfter
  }).flatMap(([name, given]) => {
    if (given === undefined) return []
    const read = Option.map(Duration.fromInput(given), Duration.toMillis)
    if (Option.isNone(read)) return [`${name} of ${kind} is no duration: ${JSON.stringify(given)}`]
    return read.value > 0 ? [] : [`${name} of ${kind} is ${read.value} ms: a time above 0, or none is declared`]
  })

/** A key without a lifetime is never relied upon: nothing is sent again. */
const keyProblems = (kind: string, { idempotency, proof = [] }: OperationCapability): ReadonlyArray<string> => [
  ...((idempotency?.by === "header" || idempotency?.by === "body") && idempotency.lifetime === undefined
    ? [`the keys of ${kind} have no lifetime`]
    : []),
  ...(proof.some((code) => code === "") ? [`a proof code of ${kind} is empty`] : [])
]
