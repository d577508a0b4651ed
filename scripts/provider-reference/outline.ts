/** The content of the page, in the order in which an author of an adapter needs it. */

export interface Section {
  readonly title: string
  readonly file: string
  /** Takes the place of the module's own words. */
  readonly intro?: string
  readonly items: ReadonlyArray<Item>
}

export type Item =
  /** A heading of its own, with what its members are. */
  | string
  /** One table for them all. */
  | { readonly title: string; readonly functions: ReadonlyArray<string> }
  /** A constant's list of words, each with its sentence from another constant of the file. */
  | { readonly title: string; readonly codes: string; readonly sentences: string }
  /** One table for small types of other files, each with a sentence where the source has none. */
  | { readonly title: string; readonly types: ReadonlyArray<SmallType> }

interface SmallType {
  readonly name: string
  readonly file: string
  readonly says?: string
}

const provider = "packages/core/src/provider/"
const domain = "packages/core/src/domain/"

/** The module whose words open the page. */
export const opening = `${provider}Provider.ts`

/**
 * Every export of these files stands on the page.
 *
 * @internal Exported for the test of the page.
 */
export const contractFiles = [
  ...["Provider", "Capabilities", "Statement", "ProviderError", "defineProvider"].map(
    (name) => `${provider}${name}.ts`
  ),
  ...["Outcome", "Evidence", "NextAction"].map((name) => `${domain}${name}.ts`)
]

export const outline: ReadonlyArray<Section> = [
  {
    title: "Defining a provider",
    file: `${provider}defineProvider.ts`,
    items: [
      "defineProvider",
      "ProviderDefinition",
      "ProviderFactory",
      "ProviderOptionsInvalid",
      "ProviderCapabilitiesInvalid"
    ]
  },
  {
    title: "The functions, and what they are given",
    file: `${provider}Provider.ts`,
    intro:
      "`make` gets a `ProviderContext` and gives `ProviderOperations`; each of these functions gets one `ProviderOperation`.",
    items: ["ProviderOperations", "ProviderOperation", "ProviderContext", "ProviderState"]
  },
  {
    title: "What a provider can do",
    file: `${provider}Capabilities.ts`,
    items: [
      "Capabilities",
      "MethodCapability",
      "AmountLimit",
      "FlowCapability",
      "RequiredFact",
      "requiredFacts",
      "OperationCapability",
      "CreateCapability",
      "IdempotencyCapability",
      "InquiryCapability",
      "StatementCapability"
    ]
  },
  {
    title: "What it answers",
    file: `${domain}Outcome.ts`,
    items: [
      "SendOutcome",
      "InquiryOutcome",
      "Outcome",
      "Details",
      "NotExecutedReason",
      "UnknownReason",
      {
        title: "Making outcomes",
        functions: [
          "succeeded",
          "authorized",
          "pending",
          "declined",
          "notExecuted",
          "unknown",
          "notFound",
          "expired",
          "canceled",
          "detected",
          "retracted",
          "captured",
          "captureFailed",
          "refundPending",
          "refundSucceeded",
          "refundFailed",
          "unreadable",
          "disputed",
          "notBooked",
          "details",
          "ofInquiry",
          "ofRefund"
        ]
      }
    ]
  },
  {
    title: "How it fails",
    file: `${provider}ProviderError.ts`,
    items: [
      "ProviderError",
      "Misconfigured",
      "AccountNotEnabled",
      "RateLimited",
      "InvalidRequest",
      "WebhookRefused",
      {
        title: "Making and knowing errors",
        functions: [
          "misconfigured",
          "accountNotEnabled",
          "rateLimited",
          "invalidRequest",
          "isProviderError",
          "isWebhookRefused"
        ]
      }
    ]
  },
  {
    title: "Reports",
    file: `${domain}Evidence.ts`,
    items: ["Evidence", "EvidenceSource", "EvidenceSubject", { title: "Making evidence", functions: ["fromAnswer"] }]
  },
  {
    title: "Webhooks as of their receipt",
    file: `${provider}asOfReceipt.ts`,
    items: ["AsOfReceipt", { title: "Declaring it", functions: ["asOfReceipt"] }]
  },
  {
    title: "The provider's statement",
    file: `${provider}Statement.ts`,
    items: ["StatementQuery", "StatementPage", "StatementMovement", "SignedMoney", "MovementType", "MovementDirection"]
  },
  {
    title: "What the payer does next",
    file: `${domain}NextAction.ts`,
    intro: "The `nextAction` of a `Pending` is shown to the payer by the merchant's own page.",
    items: ["NextAction"]
  },
  {
    title: "How the payer pays",
    file: `${domain}PaymentMethod.ts`,
    items: [
      "PaymentMethod",
      "ServedMethod",
      "ServedUpi",
      "Upi",
      "Card",
      "Stablecoin",
      "Rail",
      "Flow",
      "UpiFlow",
      "CardToken",
      { title: "Reading a payment method", functions: ["cardToken", "flow"] }
    ]
  },
  {
    title: "Why a payment was declined",
    file: `${domain}Decline.ts`,
    intro:
      "An adapter maps each of its vendor's codes to one of these words. The merchant and the payer read the sentence.",
    items: [{ title: "DeclineCode", codes: "declineCodes", sentences: "messages" }, "RetryClass"]
  },
  {
    title: "With promises",
    file: `${provider}defineProvider.ts`,
    intro: "The same contract without Effect. Everything above holds; only the functions have other shapes.",
    items: ["definePromiseProvider", "PromiseProviderDefinition", "PromiseProviderOperations", "PromiseProviderContext"]
  },
  {
    title: "An instance",
    file: `${provider}Provider.ts`,
    intro: "What a factory makes, and the engine is given. An adapter made by `defineProvider` need not look at it.",
    items: ["Provider", "ProviderMode", "SPEC_VERSION", "SPEC_VERSIONS"]
  },
  {
    title: "Small words",
    file: `${domain}Money.ts`,
    intro: "Types that the tables above name.",
    items: [
      {
        title: "Facts of a payment",
        types: [
          { name: "Money", file: `${domain}Money.ts` },
          {
            name: "Currency",
            file: `${domain}Money.ts`,
            says: "A code of ISO 4217 in capitals, such as `INR`. `Currency.exponent` returns its number of decimals, `Currency.isCurrency` whether a text is a currency."
          },
          {
            name: "OperationKind",
            file: `${domain}Operation.ts`,
            says: "What can be asked of a provider. A capture, a cancel and a refund are about an earlier create."
          },
          {
            name: "CaptureMethod",
            file: `${domain}Payment.ts`,
            says: "`automatic`: the money is taken at once. `manual`: it is held, and captured later."
          },
          {
            name: "Customer",
            file: `${domain}Payment.ts`,
            says: "The payer. At least one of `email` and `phone` is known; UPI payments have both. `phone` is E.164, such as `+919999999999`."
          },
          {
            name: "Address",
            file: `${domain}Payment.ts`,
            says: "The payer's billing address. `country` is ISO 3166-1, two capitals, such as `IN`; `state` is the state, province or region."
          },
          {
            name: "Client",
            file: `${domain}Payment.ts`,
            says: "The payer's device, as the merchant saw it. What is not known is `null`. `acceptHeader` is the `Accept` header of the browser, `language` is BCP 47, such as `en-IN`, and `timeZone` IANA, such as `Asia/Kolkata`."
          },
          {
            name: "Screen",
            file: `${domain}Payment.ts`,
            says: "The payer's screen: `width` and `height` in CSS pixels, `colorDepth` in bits per pixel."
          },
          { name: "PaymentId", file: `${domain}Ids.ts`, says: "`pay_` and 26 characters, in the order of time." },
          { name: "OperationId", file: `${domain}Ids.ts`, says: "`op_` and 26 characters, in the order of time." },
          { name: "IdempotencyKey", file: `${domain}Ids.ts`, says: "A random UUID." }
        ]
      }
    ]
  }
]
