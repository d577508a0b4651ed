import type { ProviderError } from "@paymux/core"
import { Effect } from "effect"
import { describeFault, type FakeAnswer, type Fault } from "../../fake/Fault.ts"
import type { SeenRequest, StatementContent, VendorNetwork } from "../../fake/Vendor.ts"
import { anyOf, withoutNetwork } from "../exemptions.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { TestHarness } from "../ConformanceContext.ts"
import { failing, noAnswers } from "./faults.ts"
import { describePage, pageOf, pagesOf, wholeWindow, withoutStatement, type PageEnding } from "./statementPages.ts"
import { statementVendor } from "./statementVendor.ts"

export const statementFaults: ConformanceCheck = {
  id: "statement-faults",
  title: "a page of a statement that is not answered, or cannot be read, is an error and never a page",
  why:
    "An empty page without a cursor is the end of the statement. If an error of the vendor becomes one, everything after it " +
    "is reported as missing. The engine reads a page again later only after `RateLimited`, or if the call throws.",
  howToFix:
    "End with `HttpOutcome.statement` and `HttpOutcome.statementRefusal` of @paymux/provider-kit. If an amount or a currency " +
    "cannot be read, fail with `invalidRequest` and the movement's id. Leave out only what is surely of another system.",
  exempt: anyOf(withoutStatement, withoutNetwork),
  check: (context) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { harness, statement } = yield* statementVendor(context)
        const { network } = harness.vendor
        if (network === null) return
        const window = yield* wholeWindow
        const [first] = yield* pagesOf(harness, window)
        for (const cursor of first === undefined || first.next === null ? [null] : [null, first.next]) {
          const read = pageOf(harness, { ...window, cursor })
          const requests = yield* requestsOf(network, read)
          for (const request of requests.keys()) {
            for (const { fault, isRight, name } of cases(network)) {
              yield* isReported(harness, { fault, request, read, name, isRight })
            }
          }
          yield* isUnreadable(harness, statement, read, requests)
        }
      })
    )
}

const requestsOf = Effect.fnUntraced(function* (
  { requests }: Pick<VendorNetwork<unknown>, "requests">,
  read: Effect.Effect<PageEnding>
) {
  const before = (yield* requests).length
  yield* read
  return (yield* requests).slice(before)
})

interface Case {
  readonly fault: Fault
  /** What the engine expects. */
  readonly name: string
  readonly isRight: (error: ProviderError) => boolean
}

const cases = ({ rateLimited }: Pick<VendorNetwork<unknown>, "rateLimited">): ReadonlyArray<Case> => [
  ...noAnswers
    .filter(({ executed }) => executed)
    .map((fault): Case =>
      isTransient(fault)
        ? { fault, name: "RateLimited: the page is read again later", isRight: isOf("RateLimited") }
        : { fault, name: "a ProviderError", isRight: () => true }
    ),
  ...[401, 403].map((status): Case => ({
    fault: { executed: false, reply: { status } },
    name: "Misconfigured",
    isRight: isOf("Misconfigured")
  })),
  {
    fault: { executed: false, reply: rateLimited(7) },
    name: "RateLimited, with 7000 ms",
    isRight: ({ reason }) => reason._tag === "RateLimited" && Math.abs((reason.retryAfterMs ?? 0) - 7_000) <= 1_000
  }
]

const isOf =
  (tag: ProviderError["reason"]["_tag"]) =>
  ({ reason }: ProviderError): boolean =>
    reason._tag === tag

/** No answer, or one of a gateway. */
const isTransient = ({ reply }: Fault): boolean => typeof reply === "string" || reply.status >= 500

const isReported = Effect.fnUntraced(function* (
  harness: TestHarness,
  { fault, isRight, name, read, request }: Case & { readonly request: number; readonly read: Effect.Effect<PageEnding> }
) {
  const seen = yield* failing(harness, fault, request, read)
  // A page may need fewer requests than before.
  if (seen === null) return
  yield* harness.expect(seen._tag === "Failed" && isRight(seen.error), {
    tried: `a page of the statement, its request ${request + 1}: ${describeFault(fault)}`,
    expected: name,
    seen: describePage(seen)
  })
})

/**
 * The same answers in a currency that does not exist, of a page with something of ours: an adapter may leave out what is surely of
 * another system, and has no amount in minor units.
 */
const isUnreadable = Effect.fnUntraced(function* (
  harness: TestHarness,
  { currencyNames }: StatementContent,
  read: Effect.Effect<PageEnding>,
  requests: ReadonlyArray<SeenRequest>
) {
  const page = yield* read
  if (page._tag !== "Page" || page.page.movements.every(({ operation }) => operation === null)) return
  const codes = (yield* harness.vendor.payments).map(({ amount }) => amount.currency)
  const written = new RegExp(`"(${[...new Set(currencyNames ?? codes)].join("|")})"`, "gi")
  for (const [request, { answer, status }] of requests.entries()) {
    const text = answer.replaceAll(written, '"XQQ"')
    if (status === null || text === answer) continue
    const reply: FakeAnswer = { status, text, headers: { "content-type": "application/json" } }
    const seen = yield* failing(harness, { executed: false, reply }, request, read)
    yield* harness.expect(seen === null || seen._tag === "Failed", {
      tried: `a page of the statement, its request ${request + 1}: each currency is replaced by "XQQ"`,
      expected: "a ProviderError, because no amount can be read",
      seen: seen === null ? "" : describePage(seen)
    })
  }
})
