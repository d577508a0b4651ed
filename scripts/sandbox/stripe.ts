/**
 * Tries the Stripe adapter on Stripe's own sandbox: `pnpm sandbox stripe`, with `STRIPE_SECRET_KEY` (`sk_test_…`) in the
 * environment. Cards are Stripe's test cards; the pages are shown and closed, since no shopper uses them.
 */
import {
  Currency,
  type IdempotencyKey,
  type InquiryOutcome,
  type OperationId,
  Outcome,
  type PaymentId,
  type PaymentMethod,
  type ProviderOperation
} from "@paymux/core"
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { stripe } from "../../packages/adapters/stripe/src/index.ts"

const { STRIPE_SECRET_KEY: secretKey = "" } = process.env

const refused = (): string | null => {
  if (secretKey === "") return "Not run: STRIPE_SECRET_KEY of Stripe's sandbox not in the environment."
  return /^[sr]k_test_/.test(secretKey) ? null : "Not run: this is no key of a sandbox (sk_test_…, rk_test_…)."
}

const program = Effect.gen(function* () {
  const instance = stripe({ secretKey, webhookSecrets: ["whsec_none"] })
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

  const paid = yield* newOperation("pm_card_visa")
  const first = yield* create(paid)
  check("a card is charged 170.50", first._tag === "Succeeded" && first.amount?.minorUnits === 17_050, first)
  const again = yield* create(paid)
  check("sent again, it is the same charge", again.reference === first.reference, again)
  const asked = yield* inquire({ ...paid, reference: first.reference ?? null })
  check("and found by its reference", asked._tag === "Succeeded", asked)
  const found = yield* inquire(paid)
  check("and found by our id", found.reference === first.reference, found)
  const other = yield* create({ ...paid, description: "in other words" })
  check("the same key with another body says nothing", other._tag === "Unknown", other)

  const part = yield* laterOperation("refund", paid, first, 1_005)
  const given = yield* refund(part)
  check("10.05 of it is given back", given._tag === "Succeeded" || given._tag === "Pending", given)
  const seen = yield* inquire(part)
  check("and found again", seen.reference === given.reference, seen)

  for (const [card, code] of [
    ["pm_card_chargeDeclined", "generic_decline"],
    ["pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds"],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card"],
    ["pm_card_chargeDeclinedProcessingError", "processing_error"]
  ] as const) {
    const answer = yield* create(yield* newOperation(card))
    check(`${card} is declined`, answer._tag === "Declined" && answer.code === code, answer)
  }

  const secured = yield* newOperation("pm_card_authenticationRequired")
  const shown = yield* create(secured)
  check("3-D Secure is a page", shown._tag === "Pending" && shown.nextAction?.type === "redirect", shown)
  const left = yield* cancel(yield* laterOperation("cancel", secured, shown))
  check("and canceled", left._tag === "Succeeded", left)
  const alone = yield* create(yield* newOperation("pm_card_authenticationRequired", { returnUrl: null }))
  check("without a way back it is declined", alone._tag === "Declined", alone)

  for (const kind of ["capture", "cancel"] as const) {
    const held = yield* newOperation("pm_card_visa", { captureMethod: "manual" })
    const hold = yield* create(held)
    check("funds are held", hold._tag === "Authorized" && hold.amount?.minorUnits === 17_050, hold)
    const operation = yield* laterOperation(kind, held, hold, 10_000)
    const done = yield* kind === "capture" ? capture(operation) : cancel(operation)
    check(`and their ${kind} is done`, done._tag === "Succeeded", done)
  }

  const page = yield* newOperation(null)
  const open = yield* create(page)
  check("a page is shown", open._tag === "Pending" && open.nextAction?.type === "redirect", open)
  const closed = yield* cancel(yield* laterOperation("cancel", page, open))
  check("and closed", closed._tag === "Succeeded", closed)
  const over = yield* inquire({ ...page, reference: open.reference ?? null })
  check("and has expired", over._tag === "Expired", over)

  const dinars = yield* create(yield* newOperation("pm_card_visa", { amount: money(5_120, "KWD") }))
  check("5.120 KWD are charged", dinars._tag === "Succeeded" && dinars.amount?.minorUnits === 5_120, dinars)
  const yen = yield* create(yield* newOperation("pm_card_visa", { amount: money(500, "JPY") }))
  check("500 JPY are charged", yen._tag === "Succeeded" && yen.amount?.minorUnits === 500, yen)
  const rupiah = yield* create(yield* newOperation("pm_card_visa", { amount: money(150_000_000, "IDR") }))
  check("1,500,000.00 IDR are charged", rupiah._tag === "Succeeded", rupiah)
  const address = { line1: "510 Townsend Street", line2: null, city: "San Francisco", state: "CA", postalCode: "94103" }
  const customer = { email: null, phone: null, name: "Asha Rao", address: { ...address, country: "US" } }
  const resident = yield* create(yield* newOperation("pm_card_visa", { customer, metadata: { 名前: "1", "a.b": "2" } }))
  check("a name, an address and metadata of any script are taken", resident._tag === "Succeeded", resident)
  const cent = yield* Effect.result(create(yield* newOperation("pm_card_visa", { amount: money(1, "EUR") })))
  const refusal = cent._tag === "Failure" ? cent.failure.reason : null
  const isTooSmall = refusal?._tag === "AccountNotEnabled" && refusal.code === "amount_too_small"
  check("0.01 EUR are too little", isTooSmall, cent._tag === "Success" ? cent.success : Outcome.notFound())
  const nothing = yield* inquire(yield* newOperation("pm_card_visa"))
  check("of what was never sent nothing is known", nothing._tag === "NotFound", nothing)
  if (results.includes(false)) process.exitCode = 1
})

const newOperation = (
  token: string | null,
  change: Partial<ProviderOperation> = {}
): Effect.Effect<ProviderOperation> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    id: `op_${unique()}` as OperationId,
    kind: "create",
    paymentId: `pay_${unique()}` as PaymentId,
    amount: money(17_050, "EUR"),
    key: randomUUID() as string as IdempotencyKey,
    reference: null,
    original: null,
    reason: null,
    method: card(token),
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
  Effect.map(newOperation(null), (made): ProviderOperation => ({
    ...made,
    kind,
    amount: { ...amount, minorUnits },
    original: { reference, key, amount }
  }))

const card = (token: string | null): PaymentMethod => ({
  rail: "card",
  token,
  tokens: {},
  network: null,
  country: null,
  funding: null,
  bin: null,
  fingerprint: null
})

const money = (minorUnits: number, currency: string) => {
  if (!Currency.isCurrency(currency)) throw new Error(`${currency} is no currency`)
  return { minorUnits, currency }
}

const unique = (): string => randomUUID().replaceAll("-", "").slice(0, 26)

const why = refused()
if (why === null) await Effect.runPromise(Effect.scoped(program))
else console.log(why)
