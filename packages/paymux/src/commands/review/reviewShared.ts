/** What the commands about reviews share: their flags and services, and reviews as cells of a table. */
import { Currency, Ids, Money, Reviews } from "@paymux/core"
import type { PaymentId, Tenant } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import type { Review } from "@paymux/core/store"
import { isPaymentId } from "@paymux/core/wire"
import { Layer } from "effect"
import { Argument } from "effect/cli"
import { accountFlag, databaseFlag, liveFlag } from "../database.ts"

export const where = { database: databaseFlag, account: accountFlag, live: liveFlag }

export const paymentArgument = Argument.String("payment").pipe(Argument.withDescription("pay_…"))

export const reviews = Reviews.layer.pipe(Layer.provide(PaymentWriter.layer), Layer.provide(Ids.layer))

export const paymentNotFound = (id: string, { account, livemode }: Tenant): Error =>
  new Error(`Payment ${id} not found in account ${account} (${livemode ? "live" : "test"} mode).`)

export const asPaymentId = (text: string): PaymentId | null => (isPaymentId(text) ? text : null)

/** In units of its currency; one that is not known is shown in its smallest unit. */
export const amountText = (minorUnits: number, currency: string): string =>
  Currency.isCurrency(currency)
    ? Money.format({ minorUnits, currency }, Currency.exponent(currency))
    : `${printable(currency)} ${minorUnits} (smallest unit)`

/** A provider's text must not control the terminal. */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** `rev_… (duplicate_capture, EUR 25.99)`, so that a sentence can name it. */
export const reviewText = ({ currency, id, minorUnits, reason }: Review): string =>
  `${id} (${reason}, ${amountText(minorUnits, currency)})`
