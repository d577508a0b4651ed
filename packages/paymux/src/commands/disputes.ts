/** `paymux disputes record`: a dispute that the provider does not report, its amount, or how it ended. */
import { Reviews } from "@paymux/core"
import { disputeStatuses } from "@paymux/core/store"
import { noHostedPage, paymentJson } from "@paymux/core/wire"
import { disputeStatementOf } from "@paymux/dashboard"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { reviews } from "../Audited.ts"
import { onExistingDatabase } from "./database.ts"
import { asPaymentId, paymentArgument, paymentNotFound, where } from "./review/reviewShared.ts"
import { userError } from "./userError.ts"

const record = Command.make(
  "record",
  {
    payment: paymentArgument,
    as: Flag.Literals("as", disputeStatuses).pipe(
      Flag.withDescription(
        "open: the bank has not decided. lost: the payer keeps the money. won: the money is yours again. open and lost reduce what can be refunded"
      )
    ),
    evidence: Flag.String("evidence").pipe(
      Flag.withDescription(
        "What shows it, such as the letter of the bank and who read it; required, and stored with the payment"
      ),
      Flag.optional
    ),
    reference: Flag.String("reference").pipe(
      Flag.withDescription("The provider's reference of the dispute, such as dp_…; default: it is not known"),
      Flag.optional
    ),
    amount: Flag.Int("amount").pipe(
      Flag.withDescription(
        "Minor units, such as 4990 for EUR 49.90; default: what is known of the dispute, or the whole charge"
      ),
      Flag.optional
    ),
    currency: Flag.String("currency").pipe(
      Flag.withDescription("The currency of the amount, which must be the payment's"),
      Flag.optional
    ),
    provider: Flag.String("provider").pipe(
      Flag.withDescription(
        "The provider instance whose charge is disputed; default: the one that has the dispute, or the payment's own"
      ),
      Flag.optional
    ),
    ...where
  },
  Effect.fnUntraced(function* ({ account, as, database, evidence, live, payment, ...asked }) {
    const tenant = { account, livemode: live }
    const id = asPaymentId(payment)
    if (id === null) return yield* userError(paymentNotFound(payment, tenant))
    const statement = disputeStatementOf({
      status: as,
      evidence: Option.getOrElse(evidence, () => ""),
      ...given(asked)
    })
    const changed = yield* onExistingDatabase(
      database,
      reviews,
      Reviews.use((service) => service.recordDispute(tenant, id, statement)).pipe(
        Effect.mapError((error) =>
          error._tag === "DisputeRefused" && error.reason === "not_found" ? paymentNotFound(payment, tenant) : error
        )
      )
    )
    yield* Console.error("Saved.")
    yield* Console.log(JSON.stringify(paymentJson(changed, noHostedPage), null, 2))
  })
).pipe(
  Command.withDescription("Record a dispute of a payment, its amount, or how it ended"),
  Command.withExamples([
    {
      command:
        'paymux disputes record pay_… --reference dp_88 --as lost --evidence "Letter of the acquirer, 3 May, read by Ada"',
      description: "The provider reports no disputes, and this one was lost"
    }
  ])
)

interface Asked {
  readonly reference: Option.Option<string>
  readonly amount: Option.Option<number>
  readonly currency: Option.Option<string>
  readonly provider: Option.Option<string>
}

const given = ({ amount, currency, provider, reference }: Asked) => ({
  ...(Option.isSome(reference) && { reference: reference.value }),
  ...(Option.isSome(amount) && { amount: amount.value }),
  ...(Option.isSome(currency) && { currency: currency.value }),
  ...(Option.isSome(provider) && { provider: provider.value })
})

export const disputes = Command.make("disputes").pipe(
  Command.withDescription("Record disputes that a provider does not report, and how they ended"),
  Command.withSubcommands([record])
)
