/**
 * One vitest test for each row of an adapter's table of vendor codes: the vendor answers a create with the code, over real loopback
 * HTTP and by every status of `refusalStatuses`, and the adapter must report what the row says.
 *
 * @example
 * ```ts
 * // fragment
 * import { codeTableTests } from "@paymux/testkit"
 * import { codes } from "../src/codes.ts"
 * import { acme } from "../src/index.ts"
 * import { fake } from "./fake.ts"
 *
 * codeTableTests("acme", {
 *   fake,
 *   make: ({ credentials, url }) => acme({ apiKey: credentials.apiKey, baseUrl: url }),
 *   requests: [{ flow: "token", codes, answer: (code) => ({ json: { error: { code } } }) }]
 * })
 * ```
 */
import { assert, describe, it } from "@effect/vitest"
import type { AccountNotEnabled, DeclineCode, Flow, Provider, ProviderError, RetryClass } from "@paymux/core"
import { Effect } from "effect"
import type { Ending } from "../conformance/Ending.ts"
import { makeConformanceContext } from "../conformance/ConformanceContext.ts"
import type { FakeAnswer } from "../fake/Fault.ts"
import type { Fake, Vendor } from "../fake/Vendor.ts"

/** What a row says, in the shape of `Codes.Meaning` of `@paymux/provider-kit`. */
export type CodeMeaning =
  | { readonly class: "declined"; readonly code: DeclineCode; readonly retry: RetryClass }
  | { readonly class: "undecided" | "duplicate" | "credentials" | "request" }
  | { readonly class: "account_not_enabled"; readonly about: AccountNotEnabled["about"] }

/** A request of a create that the vendor answers with a code. */
export interface RefusedRequest {
  /** The declared flow that sends it. */
  readonly flow: Flow
  /** How many requests of the create come before it; 0 by default. */
  readonly after?: number
  /** The rows that apply to it. */
  readonly codes: { readonly meanings: ReadonlyMap<string, CodeMeaning> }
  /** The vendor's body for a code. */
  readonly answer: (code: string) => Pick<FakeAnswer, "json" | "text" | "headers">
}

export interface CodeTableOptions<V extends Vendor> {
  readonly fake: Fake<V>
  /** An instance that speaks to this vendor. */
  readonly make: (vendor: V) => Provider
  readonly requests: ReadonlyArray<RefusedRequest>
}

/** Codes decide whatever of these carries them: few vendors publish the status of a code. */
export const refusalStatuses: ReadonlyArray<number> = [400, 403, 409, 422]

/** Registers the tests under `name`. */
export const codeTableTests = <V extends Vendor>(name: string, options: CodeTableOptions<V>): void => {
  describe(`${name} reads each code of its table`, () => {
    for (const request of options.requests) {
      for (const [code, meaning] of request.codes.meanings) {
        it(`${request.flow}${request.after === undefined ? "" : `, request ${request.after + 1}`}: ${code} is ${meaning.class}`, () =>
          Effect.runPromise(
            Effect.forEach(refusalStatuses, (status) => check(options, request, code, meaning, status))
          ))
      }
    }
  })
}

const check = <V extends Vendor>(
  { fake, make }: CodeTableOptions<V>,
  { after = 0, answer, flow }: RefusedRequest,
  code: string,
  meaning: CodeMeaning,
  status: number
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const start = (mode: "test" | "live") => fake.start({ mode })
      const { capabilities } = make(yield* start("test"))
      const { declineCodes, prepare = (operation) => operation } = fake
      const context = makeConformanceContext({ make, start, capabilities, prepare, declineCodes })
      const sample = context.samples.find((each) => each.name.endsWith(` ${flow}`))
      if (sample === undefined) return assert.fail(`The instance declares no flow "${flow}"`)
      const harness = yield* context.begin()
      const { network } = harness.vendor
      if (network === null) return assert.fail("The vendor has no network")
      const operation = yield* harness.create(sample)
      yield* network.failNext({ executed: false, reply: { status, ...answer(code) } }, after)
      const ending = yield* harness.send(operation)
      assert.deepStrictEqual(reported(ending, meaning), expected(code, meaning), `HTTP ${status}`)
      if (meaning.class === "account_not_enabled") {
        const isHelped = Object.hasOwn(capabilities.accountHelp ?? {}, code)
        assert.isTrue(isHelped, `Declare what an operator does about "${code}": accountHelp: Codes.accountHelp(codes)`)
      }
    })
  )

/** A duplicate may be looked up, and its first send has then another outcome than unknown: it must not end the payment. */
const reported = (ending: Ending, meaning: CodeMeaning): unknown => {
  if (ending._tag === "Failed") return members(ending.error.reason)
  if (ending._tag !== "Answered") return ending
  const { _tag, vendorCode } = ending.answer
  if (meaning.class === "duplicate") return { isOpen: _tag === "Unknown" || _tag === "Pending" }
  switch (ending.answer._tag) {
    case "Declined":
      return { _tag, code: ending.answer.code, retry: ending.answer.retry, vendorCode }
    case "Unknown":
      return { _tag, reason: ending.answer.reason }
    default:
      return ending.answer
  }
}

/** Without its class: an adapter may have its own copy of the core. */
const members = (reason: ProviderError["reason"]): object =>
  reason._tag === "AccountNotEnabled"
    ? { _tag: reason._tag, code: reason.code, about: reason.about }
    : reason._tag === "RateLimited"
      ? { _tag: reason._tag }
      : { _tag: reason._tag, detail: reason.detail }

const expected = (vendorCode: string, meaning: CodeMeaning): unknown => {
  switch (meaning.class) {
    case "declined":
      return { _tag: "Declined", code: meaning.code, retry: meaning.retry, vendorCode }
    case "undecided":
      return { _tag: "Unknown", reason: "in_progress" }
    case "duplicate":
      return { isOpen: true }
    case "account_not_enabled":
      return { _tag: "AccountNotEnabled", code: vendorCode, about: meaning.about }
    case "credentials":
      return { _tag: "Misconfigured", detail: vendorCode }
    case "request":
      return { _tag: "InvalidRequest", detail: vendorCode }
  }
}
