/** Formats the message that informs operators about a restored database and its restore marker. */
import type { RestoredMark } from "../../domain/restoredMark.ts"
import { iso } from "../../wire/fields.ts"

export const restoredText = ({ until, wentBackTo }: RestoredMark): string =>
  `The database is marked as restored to ${iso(wentBackTo)}. Until ${iso(until)}, requests with unknown idempotency keys are looked up at the providers before they are sent, and refused where a second charge is possible. "paymux doctor" lists the provider instances; "paymux database restored" corrects or ends the mark.`
