/**
 * Tries the Coinbase adapter on the sandbox of CDP: `pnpm sandbox coinbase`, with `COINBASE_API_KEY_ID`,
 * `COINBASE_API_KEY_SECRET` and `COINBASE_ACCOUNT_ID` (`account_…`) of the sandbox in the environment. Its host is the
 * sandbox's, whatever the key. Pages are shown and closed, since no shopper uses them. With `COINBASE_WAIT_SECONDS`
 * one is left open so long: pay it with a wallet, and it is held, captured in part and refunded.
 */
import {
  Currency,
  type IdempotencyKey,
  type InquiryOutcome,
  type OperationId,
  type PaymentId,
  type ProviderOperation
} from "@paymux/core"
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { coinbase } from "../../packages/adapters/coinbase/src/index.ts"

const {
  COINBASE_ACCOUNT_ID: accountId = "",
  COINBASE_API_KEY_ID: apiKeyId = "",
  COINBASE_API_KEY_SECRET: apiKeySecret = "",
  COINBASE_WAIT_SECONDS: waitSeconds = "0"
} = process.env

const refused = (): string | null =>
  apiKeyId === "" || apiKeySecret === "" || accountId === ""
    ? "Not run: COINBASE_API_KEY_ID, COINBASE_API_KEY_SECRET and COINBASE_ACCOUNT_ID of the sandbox not in the environment."
    : null

const program = Effect.gen(function* () {
  const instance = coinbase({
    environment: "sandbox",
    apiKeyId,
    apiKeySecret,
    webhookSecrets: ["none"],
    target: { accountId, asset: "usdc" }
  })
  const { cancel, capture, create, inquire, refund } = yield* instance.make({
    id: instance.id,
    publicUrl: "https://pay.example",
    checkpoint: () => Effect.void,
    state: {
      get: () => Effect.succeed(null),
      compareAndSet: () => Effect.succeed(true),
      next: () => Effect.succeed(1)
    },
    emit: () => Effect.void
  })
  if (cancel === undefined || capture === undefined || inquire === undefined || refund === undefined) {
    return yield* Effect.die(new Error("they are declared"))
  }

  const results: Array<boolean> = []
  const check = (what: string, holds: boolean, seen: InquiryOutcome) => {
    results.push(holds)
    console.log(`${holds ? "as expected" : "DIFFERS    "}  ${what}: ${JSON.stringify(seen)}`)
  }
  /** Until it is decided, or a minute is over. */
  const decided = Effect.fnUntraced(function* (operation: ProviderOperation) {
    let seen = yield* inquire(operation)
    for (let look = 0; look < 30 && seen._tag === "Pending"; look++) {
      yield* Effect.sleep("2 seconds")
      seen = yield* inquire(operation)
    }
    return seen
  })

  const shown = yield* newOperation()
  const page = yield* create(shown)
  check("a page is shown", page._tag === "Pending" && page.nextAction?.type === "redirect", page)
  const again = yield* create(shown)
  check("sent again, it is the same page", again.reference === page.reference, again)
  const asked = yield* inquire({ ...shown, reference: page.reference ?? null })
  check("and found by its reference", asked._tag === "Pending" && asked.nextAction?.type === "redirect", asked)
  const found = yield* inquire(shown)
  check("and found by our id", found.reference === page.reference, found)
  const other = yield* create({ ...shown, amount: dollars(170) })
  check("the same key with another body says nothing", other._tag === "Unknown", other)
  const early = yield* refund(yield* laterOperation("refund", shown, page))
  check("an unpaid session is not refunded", early._tag === "Declined", early)
  const closed = yield* cancel(yield* laterOperation("cancel", shown, page))
  check("the page is closed", closed._tag === "Succeeded", closed)
  const over = yield* inquire({ ...shown, reference: page.reference ?? null })
  check("and its session canceled", over._tag === "Canceled", over)
  const twice = yield* cancel(yield* laterOperation("cancel", shown, page))
  check("closed again, it is closed", twice._tag === "Succeeded", twice)
  const nothing = yield* inquire(yield* newOperation())
  check("of what was never sent nothing is known", nothing._tag === "NotFound", nothing)

  if (Number(waitSeconds) > 0) {
    const held = yield* newOperation({ captureMethod: "manual" })
    const open = yield* create(held)
    const reference = open.reference ?? null
    const action = open._tag === "Pending" ? open.nextAction : undefined
    console.log(`Pay within ${waitSeconds} s: ${action?.type === "redirect" ? action.url : "there is no page"}`)
    const until = (yield* Clock.currentTimeMillis) + Number(waitSeconds) * 1000
    let seen = yield* inquire({ ...held, reference })
    while (seen._tag === "Pending" && (yield* Clock.currentTimeMillis) < until) {
      yield* Effect.sleep("3 seconds")
      seen = yield* inquire({ ...held, reference })
    }
    check("it is paid, and held", seen._tag === "Authorized" && seen.amount?.minorUnits === 17_050, seen)
    const part = yield* laterOperation("capture", held, open, 10_000)
    const taken = yield* capture(part)
    check("a part is captured", taken._tag === "Pending" || taken._tag === "Succeeded", taken)
    const captured = yield* decided({ ...part, reference: taken.reference ?? null })
    check("and done", captured._tag === "Succeeded" && captured.amount?.minorUnits === 10_000, captured)
    const back = yield* laterOperation("refund", held, open, 1_005)
    const given = yield* refund(back)
    check("10.05 of it is given back", given._tag === "Pending" || given._tag === "Succeeded", given)
    const refunded = yield* decided({ ...back, reference: given.reference ?? null })
    check("and done", refunded._tag === "Succeeded" && refunded.amount?.minorUnits === 1_005, refunded)
  }
  if (results.includes(false)) process.exitCode = 1
})

const newOperation = (change: Partial<ProviderOperation> = {}): Effect.Effect<ProviderOperation> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    id: `op_${unique()}` as OperationId,
    kind: "create",
    paymentId: `pay_${unique()}` as PaymentId,
    amount: dollars(17_050),
    key: randomUUID() as string as IdempotencyKey,
    reference: null,
    original: null,
    reason: null,
    method: { rail: "stablecoin", asset: "USDC", network: "base" },
    captureMethod: "automatic",
    customer: { email: "test@example.com", phone: "+919999999999", name: null, address: null },
    client: null,
    description: null,
    metadata: {},
    returnUrl: "https://pay.example/return",
    deadlineAt: now + 30_000,
    createdAt: now,
    ...change
  }))

const laterOperation = (
  kind: "capture" | "cancel" | "refund",
  { amount, key }: ProviderOperation,
  { reference = null }: { readonly reference?: string | null },
  minorUnits = amount.minorUnits
) =>
  Effect.map(newOperation({ captureMethod: "manual" }), (made): ProviderOperation => ({
    ...made,
    kind,
    amount: { ...amount, minorUnits },
    original: { reference, key, amount }
  }))

const dollars = (minorUnits: number) => {
  const currency: string = "USD"
  if (!Currency.isCurrency(currency)) throw new Error(`${currency} is no currency`)
  return { minorUnits, currency }
}

const unique = (): string => randomUUID().replaceAll("-", "").slice(0, 26)

const why = refused()
if (why === null) await Effect.runPromise(Effect.scoped(program))
else console.log(why)
