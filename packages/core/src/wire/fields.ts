/** Fields that several objects of the public JSON have, with their descriptions. */
import { Schema } from "effect"
import { failureCodes } from "../domain/Decline.ts"

export const Time = Schema.String.annotate({ description: "RFC 3339, UTC.", format: "date-time" })

export const EndTime = Schema.NullOr(Time).annotate({ description: "RFC 3339, UTC. `null`: not ended." })

export const Livemode = Schema.Boolean.annotate({ description: "`false`: created with a test key; no money moves." })

export const Provider = Schema.String.annotate({
  description: "The provider instance, by its name in the server's configuration."
})

const smallestUnit = "In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000."
export const amountDescription = { description: smallestUnit } as const
export const MinorUnits = Schema.Int.annotate(amountDescription)

/** `retryable`: what the field of that name says. */
export const failureJson = (retryable: string) =>
  Schema.NullOr(
    Schema.Struct({
      code: Schema.Literals(failureCodes).annotate({ description: "The same codes for every provider." }),
      message: Schema.String.annotate({ description: "For people; it may change." }),
      retryable: Schema.Boolean.annotate({ description: retryable })
    })
  ).annotate({ description: "`null` unless it failed." })

/** What a request and a payment both say of the payment method, in schemas of their own. */
export const methodDescriptions = {
  flow: {
    description:
      "`intent`: a link that opens a UPI app. `qr`: a QR code to scan. `collect`: a payment request in the payer's UPI app."
  },
  cardNetwork: { description: "In lower case, such as `visa` or `mastercard`. It determines the limit of declines." },
  country: { description: "The issuer's country: ISO 3166, two capitals. Used for routing." },
  funding: { description: "Used for routing." },
  bin: { description: "The first six to eight digits. Used for routing." }
} as const
