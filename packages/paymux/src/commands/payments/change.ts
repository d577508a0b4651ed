/**
 * `paymux payments capture`, `cancel` and `refund`: calls of the API of a running server, which alone may move money. The
 * key comes from the environment: arguments are visible to other users of the machine.
 */
import { Paymux, PaymuxError } from "@paymux/client"
import type { Payment, Refund } from "@paymux/client"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import { userError } from "../userError.ts"

const call = {
  id: Argument.String("id").pipe(Argument.withDescription("pay_…")),
  idempotencyKey: Flag.String("idempotency-key").pipe(
    Flag.withDescription(
      "A repeated request with the same key is executed once; default: a new key, which an error names"
    ),
    Flag.optional
  ),
  url: Flag.String("url").pipe(
    Flag.withDescription("The address of the server; its API key is read from PAYMUX_API_KEY"),
    Flag.withDefault("http://127.0.0.1:4310")
  )
}
const amount = Flag.Int("amount").pipe(
  Flag.withDescription("Minor units, such as 500 for EUR 5.00; default: the remaining amount"),
  Flag.optional
)

export const capture = Command.make(
  "capture",
  { ...call, amount },
  Effect.fnUntraced(function* ({ amount, id, idempotencyKey, url }) {
    yield* changed(url, (api) => api.payments.capture(id, withAmount(amount), keyed(idempotencyKey)))
  })
).pipe(Command.withDescription("Capture an authorized payment; a partial capture releases the rest"))

export const cancel = Command.make(
  "cancel",
  call,
  Effect.fnUntraced(function* ({ id, idempotencyKey, url }) {
    yield* changed(url, (api) => api.payments.cancel(id, keyed(idempotencyKey)))
  })
).pipe(Command.withDescription("Cancel a payment that is not captured"))

export const refund = Command.make(
  "refund",
  {
    ...call,
    amount,
    reason: Flag.String("reason").pipe(
      Flag.withDescription("At most 200 characters, stored with the refund"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ amount, id, idempotencyKey, reason, url }) {
    const asked = { ...withAmount(amount), ...(Option.isSome(reason) && { reason: reason.value }) }
    yield* changed(url, (api) => api.refunds.create(id, asked, keyed(idempotencyKey)))
  })
).pipe(
  Command.withDescription("Refund a payment, in full or in part"),
  Command.withExamples([
    { command: "PAYMUX_API_KEY=pmx_test_… paymux payments refund pay_… --amount 500", description: "A part of it" }
  ])
)

const withAmount = (amount: Option.Option<number>) => (Option.isSome(amount) ? { amount: amount.value } : {})

const keyed = (key: Option.Option<string>) => (Option.isSome(key) ? { idempotencyKey: key.value } : {})

const changed = Effect.fnUntraced(function* (url: string, send: (api: Paymux) => Promise<Payment | Refund>) {
  const api = yield* apiAt(url)
  const answer = yield* Effect.tryPromise({ try: () => send(api), catch: failed })
  yield* Console.log(JSON.stringify(answer, null, 2))
  if (answer.status === "failed")
    return yield* userError(new Error(`The ${answer.object} failed: ${reasonOf(answer)}.`))
})

const reasonOf = ({ failure }: Payment | Refund): string => failure?.code ?? "without a reason"

const apiAt = (baseUrl: string): Effect.Effect<Paymux, CliError.UserError> => {
  const apiKey = process.env["PAYMUX_API_KEY"] ?? ""
  return apiKey === ""
    ? Effect.fail(userError(new Error("Set PAYMUX_API_KEY to an API key of the server: paymux keys create.")))
    : Effect.try({ try: () => new Paymux({ apiKey, baseUrl }), catch: failed })
}

/** An API key belongs to the merchant's program, which gives no evidence: the API has no override. */
const beyondWhatIsLeft =
  "To refund more, an operator gives evidence that it is right: open the payment in the dashboard, or pass override to paymux.refunds.create."

/** What the server refused, field by field; a request whose outcome is not known can be repeated with its key. */
const failed = (error: unknown): CliError.UserError => {
  if (!(error instanceof PaymuxError)) return userError(new Error(String(error)))
  const { code, errors, idempotencyKey, message, status } = error
  const fields = errors.map(({ message, pointer }) => `${pointer} ${message}`)
  const isUnknown = idempotencyKey !== null && (status === null || status >= 500)
  return userError(
    new Error(
      [
        `${message} (${code})`,
        ...fields,
        ...(code === "refund_exceeds_available" ? [beyondWhatIsLeft] : []),
        ...(isUnknown ? [`It may have been done. To repeat it safely, add --idempotency-key ${idempotencyKey}`] : [])
      ].join("\n")
    )
  )
}
