/** What the commands about reviews share: their flags and services, and reviews as cells of a table. */
import type { PaymentId, Tenant } from "@paymux/core"
import type { Review } from "@paymux/core/store"
import { isPaymentId } from "@paymux/core/wire"
import { Argument } from "effect/cli"
import { accountFlag, databaseFlag, liveFlag } from "../database.ts"
import { amountText } from "../amountText.ts"

export const where = { database: databaseFlag, account: accountFlag, live: liveFlag }

export const paymentArgument = Argument.String("payment").pipe(Argument.withDescription("pay_…"))

export const paymentNotFound = (id: string, { account, livemode }: Tenant): Error =>
  new Error(`Payment ${id} not found in account ${account} (${livemode ? "live" : "test"} mode).`)

export const asPaymentId = (text: string): PaymentId | null => (isPaymentId(text) ? text : null)

/** `rev_… (duplicate_capture, EUR 25.99)`, so that a sentence can name it. */
export const reviewText = ({ currency, id, minorUnits, reason }: Review): string =>
  `${id} (${reason}, ${amountText(minorUnits, currency)})`
