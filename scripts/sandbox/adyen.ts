/**
 * Tries the Adyen adapter on Adyen's own test environment: `pnpm sandbox adyen`, with `ADYEN_API_KEY` and
 * `ADYEN_MERCHANT_ACCOUNT` of a test account in the environment. Cards are Adyen's test cards; captures, cancels and refunds
 * end at `received`, for no server here receives their webhooks.
 */
import type {
  CardToken,
  Currency,
  IdempotencyKey,
  InquiryOutcome,
  OperationId,
  PaymentId,
  ProviderOperation
} from "@paymux/core"
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { adyen } from "../../packages/adapters/adyen/src/index.ts"

const { ADYEN_API_KEY: apiKey = "", ADYEN_MERCHANT_ACCOUNT: merchantAccount = "" } = process.env

const refused = (): string | null => {
  const keys = Object.entries({ ADYEN_API_KEY: apiKey, ADYEN_MERCHANT_ACCOUNT: merchantAccount })
  const missing = keys.filter(([, value]) => value === "").map(([name]) => name)
  return missing.length > 0
    ? `Not run: ${missing.join(" and ")} of Adyen's test environment not in the environment.`
    : null
}

const program = Effect.gen(function* () {
  // No webhook is received here, so any key will do. The host is that of the test environment: a live key is refused there.
  const instance = adyen({ environment: "test", apiKey, merchantAccount, hmacKeys: ["00".repeat(32)] })
  const { cancel, capture, create, refund } = yield* instance.make({
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
  if (cancel === undefined || capture === undefined || refund === undefined) {
    return yield* Effect.die(new Error("they are declared"))
  }

  const results: Array<boolean> = []
  const check = (what: string, holds: boolean, seen: InquiryOutcome) => {
    results.push(holds)
    console.log(`${holds ? "as expected" : "DIFFERS    "}  ${what}: ${JSON.stringify(seen)}`)
  }

  const paid = yield* newOperation(testCard("Asha Rao"), 1_234)
  const success = yield* create(paid)
  check("a test card pays 12.34", success._tag === "Succeeded", success)
  const again = yield* create(paid)
  check("sent again, it is the same payment", again.reference === success.reference, again)
  const part = yield* refund(yield* laterOperation("refund", paid, success, 234))
  check("2.34 of it is taken on to be given back", part._tag === "Pending", part)

  for (const [holder, code] of [
    ["NOT_ENOUGH_BALANCE", "12"],
    ["ISSUER_UNAVAILABLE", "9"],
    ["CARD_EXPIRED", "6"]
  ] as const) {
    const declined = yield* create(yield* newOperation(testCard(holder), 1_000))
    check(`${holder} is declined by ${code}`, declined._tag === "Declined" && declined.vendorCode === code, declined)
  }

  const held = yield* newOperation(testCard("Asha Rao"), 2_000, "manual")
  const hold = yield* create(held)
  check("20.00 are held", hold._tag === "Authorized", hold)
  const captured = yield* capture(yield* laterOperation("capture", held, hold, 1_500))
  check("15.00 of them are taken on to be captured", captured._tag === "Pending", captured)
  const released = yield* newOperation(testCard("Asha Rao"), 2_000, "manual")
  const canceled = yield* cancel(yield* laterOperation("cancel", released, yield* create(released), 2_000))
  check("the cancel of another hold is accepted", canceled._tag === "Pending", canceled)

  const shown = yield* newOperation(null, 1_000)
  const link = yield* create(shown)
  check("a link is shown", link._tag === "Pending" && link.nextAction?.type === "redirect", link)
  const closed = yield* cancel(yield* laterOperation("cancel", shown, link, 1_000))
  check("and closed", closed._tag === "Succeeded", closed)
  if (results.includes(false)) process.exitCode = 1
})

/** Adyen's test card, unencrypted as its test environment takes it; the holder decides what becomes of it. */
const testCard = (holderName: string): CardToken => ({
  encryptedCardNumber: "test_4111111111111111",
  encryptedExpiryMonth: "test_03",
  encryptedExpiryYear: "test_2030",
  encryptedSecurityCode: "test_737",
  holderName
})

const newOperation = (
  token: CardToken | null,
  minorUnits: number,
  captureMethod: "automatic" | "manual" = "automatic"
): Effect.Effect<ProviderOperation> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    id: `op_${unique()}` as OperationId,
    kind: "create",
    paymentId: `pay_${unique()}` as PaymentId,
    amount: { minorUnits, currency: "EUR" as string as Currency.Currency },
    key: randomUUID() as string as IdempotencyKey,
    reference: null,
    original: null,
    reason: null,
    method: {
      rail: "card",
      token: null,
      tokens: token === null ? {} : { adyen: token },
      network: null,
      country: null,
      funding: null,
      bin: null,
      fingerprint: null
    },
    captureMethod,
    customer: { email: "test@example.com", phone: "+4915112345678", name: null, address: null },
    client: null,
    description: null,
    metadata: {},
    returnUrl: "https://pay.example/return/1",
    deadlineAt: now + 30_000,
    createdAt: now
  }))

const laterOperation = (
  kind: "cancel" | "capture" | "refund",
  created: ProviderOperation,
  { reference = null }: { readonly reference?: string | null },
  minorUnits: number
) =>
  Effect.map(newOperation(null, minorUnits), (made): ProviderOperation => ({
    ...created,
    id: made.id,
    key: made.key,
    kind,
    amount: made.amount,
    original: { reference, key: created.key, amount: created.amount }
  }))

const unique = (): string => randomUUID().replaceAll("-", "").slice(0, 26)

const why = refused()
if (why === null) await Effect.runPromise(Effect.scoped(program))
else console.log(why)
