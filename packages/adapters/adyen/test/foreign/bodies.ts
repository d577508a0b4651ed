/**
 * Bodies of Adyen's that others published, with what was expected of each before the adapter read it. Ids of payments are
 * neutral where they named one; what the test has to fill in (references, account, signature) is left out.
 */
import type { AccountNotEnabled } from "@paymux/core"
import type { Item } from "../../src/testing/signed.ts"

export interface ForeignAnswer {
  readonly id: string
  readonly source: string
  readonly call: "create_token" | "create_hosted" | "capture" | "complete"
  readonly status: number
  readonly body: object
  readonly expected: object
}

export interface AccountFaultBody extends ForeignAnswer {
  readonly expected: Pick<AccountNotEnabled, "_tag" | "code" | "about">
}

export interface ForeignWebhook {
  readonly id: string
  readonly source: string
  readonly of: "create" | "capture" | "cancel" | "refund"
  readonly item: Item & { readonly [field: string]: unknown }
  readonly expected: object
}

const fault = (code: string, about: AccountNotEnabled["about"]) => ({ _tag: "AccountNotEnabled", code, about }) as const

/** `ServiceError` of the specification, with `pspReference` where it had one. */
const refusal = (status: number, errorCode: string, errorType: string, message: string, pspReference?: string) => ({
  status,
  body: { status, errorCode, message, errorType, ...(pspReference !== undefined && { pspReference }) }
})

const published = "docs.adyen.com/development-resources/error-codes (code and text; status and type assumed)"

/** The account may not take the payment. The first six were seen; the others are published codes in the specified envelope. */
export const accountFaults: ReadonlyArray<AccountFaultBody> = [
  {
    id: "ad-01-no-acquirer-brand",
    source: "wikimedia SmashPig, tests of its Adyen provider",
    call: "create_token",
    ...refusal(
      500,
      "905_1",
      "configuration",
      "Could not find an acquirer account for the provided txvariant (uatp), currency (NOK), and action (AUTH).",
      "NEUTRAL000000001"
    ),
    expected: fault("905_1", "payment")
  },
  {
    id: "ad-02-no-acquirer-method",
    source: "a public test fixture that quotes Adyen's documentation",
    call: "create_token",
    ...refusal(
      500,
      "905_1",
      "configuration",
      "Could not find an acquirer account for the provided txvariant (alipay), currency (EUR), and action (AUTH).",
      "NEUTRAL000000002"
    ),
    expected: fault("905_1", "payment")
  },
  {
    id: "ad-03-no-acquirer-currency",
    source: "activemerchant/active_merchant#4926 (message; code and status assumed)",
    call: "create_token",
    ...refusal(
      500,
      "905_1",
      "configuration",
      "Could not find an acquirer account for the provided currency (USD).",
      "NEUTRAL000000003"
    ),
    expected: fault("905_1", "payment")
  },
  {
    id: "ad-04-details-not-supported",
    source: "Checkout API v72, example generic-500",
    call: "create_token",
    ...refusal(500, "905", "configuration", "Payment details are not supported", "8516091485743033"),
    expected: fault("905", "payment")
  },
  {
    id: "ad-05-billing-address",
    source: "Adyen/adyen-magento#1019",
    call: "create_token",
    ...refusal(422, "117", "validation", "Invalid billing addresss"),
    expected: fault("117", "customer.address")
  },
  {
    id: "ad-06-undecryptable",
    source: "Adyen/adyen-php-api-library#138; its cause: #44 there",
    call: "create_token",
    ...refusal(422, "174", "validation", "Unable to decrypt data"),
    expected: fault("174", "payment")
  },
  {
    id: "ad-07-pay-by-link",
    source: published,
    call: "create_hosted",
    ...refusal(422, "14_0428", "validation", "Merchant account is missing Pay by Link permission(s)."),
    expected: fault("14_0428", "kind")
  },
  {
    id: "ad-08-country-mcc",
    source: published,
    call: "create_token",
    ...refusal(500, "907", "configuration", "Payment details are not supported for this country/ MCC combination"),
    expected: fault("907", "payment")
  },
  {
    id: "ad-09-currency",
    source: published,
    call: "create_token",
    ...refusal(422, "138", "validation", "Unsupported currency specified"),
    expected: fault("138", "kind")
  },
  {
    id: "ad-10-holder-name",
    source: published,
    call: "create_token",
    ...refusal(422, "128", "validation", "Required field 'card.holderName' is not provided."),
    expected: fault("128", "customer.name")
  },
  {
    id: "ad-11-street",
    source: published,
    call: "create_token",
    ...refusal(422, "132", "validation", "Required field 'billingAddress.street' is not provided."),
    expected: fault("132", "customer.address")
  },
  {
    id: "ad-12-phone",
    source: published,
    call: "create_token",
    ...refusal(422, "122", "validation", "Required field 'telephoneNumber' is not provided."),
    expected: fault("122", "customer.phone")
  },
  {
    id: "ad-13-3ds-configuration",
    source: published,
    call: "create_token",
    ...refusal(422, "15_008", "validation", "Invalid merchant configuration for 3DS 2.0"),
    expected: fault("15_008", "kind")
  },
  {
    id: "ad-14-browser-depth",
    source: published,
    call: "create_token",
    ...refusal(422, "15_018", "validation", "colorDepth must be 1, 4, 8, 15, 16, 24, 32 or 48 bit"),
    expected: fault("15_018", "client.screen")
  }
]

export const answers: ReadonlyArray<ForeignAnswer> = [
  {
    id: "ad-15-not-allowed",
    source: "Adyen/adyen-php-api-library#20; Adyen/adyen-java-api-library, mock authorise-error-010.json",
    call: "create_token",
    ...refusal(403, "010", "security", "Not allowed", "8614834610386710"),
    expected: { _tag: "Misconfigured", detail: "010" }
  },
  {
    id: "ad-16-merchant",
    source: "Checkout API v72, example generic-403",
    call: "create_token",
    ...refusal(403, "901", "security", "Invalid Merchant Account", "881611827877203B"),
    expected: { _tag: "Misconfigured", detail: "901" }
  },
  {
    id: "ad-17-unauthorized",
    source: "Checkout API v72, example generic-401",
    call: "create_hosted",
    ...refusal(401, "000", "security", "HTTP Status Response - Unauthorized"),
    expected: { _tag: "Misconfigured", detail: "000" }
  },
  {
    id: "ad-18-merchant-not-permitted",
    source: "Adyen/adyen-java-api-library, mock paymentsapp/boardingToken-error-403.json (another API)",
    call: "create_hosted",
    ...refusal(403, "PA001", "security", "Merchant not permitted for this action."),
    expected: { _tag: "Misconfigured", detail: "PA001" }
  },
  {
    id: "ad-19-merchant-500",
    source: "Adyen/adyen-java-api-library, mock binlookup/getcostestimate-error-merchant.json (another API)",
    call: "create_token",
    ...refusal(500, "901", "internal", "Invalid Merchant Account"),
    expected: { _tag: "Unknown", reason: "server_error", vendorCode: "901" }
  },
  {
    id: "ad-20-internal",
    source: "Adyen/adyen-ios#23",
    call: "create_token",
    ...refusal(500, "701", "internal", "Internal Error: initiate 8515235507403867"),
    expected: { _tag: "Unknown", reason: "server_error", vendorCode: "701" }
  },
  {
    id: "ad-21-card-data-old",
    source: "saleor/saleor#11555",
    call: "create_token",
    ...refusal(422, "172", "validation", "Encrypted data used outside of valid time period"),
    expected: { _tag: "Declined", code: "customer_timeout", retry: "same_later" }
  },
  {
    id: "ad-22-return-url",
    source: "Checkout API v72, example generic-422",
    call: "create_token",
    ...refusal(422, "14_030", "validation", "Return URL is missing.", "8816118280275544"),
    expected: { _tag: "InvalidRequest", detail: "14_030" }
  },
  {
    id: "ad-23-reference",
    source: "Adyen/adyen-java-api-library, mock response-validation-error.json",
    call: "create_token",
    ...refusal(422, "130", "validation", "Required field 'reference' is not provided.", "ABCDEFGHIJKLMNO"),
    expected: { _tag: "InvalidRequest", detail: "130" }
  },
  {
    id: "ad-24-unparsable",
    source: "Checkout API v72, example generic-400",
    call: "create_token",
    ...refusal(400, "702", "validation", 'Unexpected input: ", expected: }'),
    expected: { _tag: "InvalidRequest", detail: "702" }
  },
  {
    id: "ad-25-3ds-failed",
    source:
      "Adyen/adyen-java-api-library, mock checkout/paymentDetailsResponseThreeDSRequestorChallengeInd.json (trimmed)",
    call: "complete",
    status: 200,
    body: {
      resultCode: "Refused",
      pspReference: "NEUTRAL000000025",
      refusalReason: "3D Not Authenticated",
      refusalReasonCode: "11"
    },
    expected: { _tag: "Declined", code: "authentication_failed", retry: "same_later" }
  },
  {
    id: "ad-26-reason-zero",
    source: "Adyen/adyen-java-api-library#345 (reason code)",
    call: "complete",
    status: 200,
    body: { resultCode: "Refused", pspReference: "NEUTRAL000000026", refusalReason: "Refused", refusalReasonCode: "0" },
    expected: { _tag: "Declined", code: "generic_decline", retry: "same_later" }
  },
  {
    id: "ad-27-cvc-without-code",
    source: "Adyen/adyen-java-api-library, mock authorise-error-cvc-declined.json (trimmed)",
    call: "create_token",
    status: 200,
    body: { pspReference: "7924836078655376", resultCode: "Refused", refusalReason: "CVC Declined" },
    expected: { _tag: "Declined", code: "generic_decline", retry: "same_later" }
  },
  {
    id: "ad-28-fraud-cancelled",
    source: "Adyen/adyen-shopware6#209 (values)",
    call: "create_token",
    status: 200,
    body: {
      pspReference: "NEUTRAL000000028",
      resultCode: "Cancelled",
      refusalReason: "FRAUD-CANCELLED",
      refusalReasonCode: "22"
    },
    expected: { _tag: "Declined", code: "suspected_fraud", retry: "same_later" }
  },
  {
    id: "ad-29-capture-merchant",
    source: "alphagov/pay-connector, test of a capture",
    call: "capture",
    ...refusal(403, "901", "security", "Invalid Merchant Account", "capture-psp-reference"),
    expected: { _tag: "Misconfigured", detail: "901" }
  }
]

/** As they were posted, without what is signed again. */
export const webhooks: ReadonlyArray<ForeignWebhook> = [
  {
    id: "ad-30-authorisation-false-no-reason",
    source: "BitBagCommerce/SyliusAdyenPlugin_old#17 (values; form encoded there)",
    of: "create",
    item: {
      amount: { currency: "EUR", value: 4990 },
      paymentMethod: "ideal",
      eventCode: "AUTHORISATION",
      success: "false",
      reason: "",
      originalReference: "",
      pspReference: "4755881009859805",
      eventDate: "2020-04-28T19:10:18.42Z"
    },
    expected: { _tag: "Declined", code: "generic_decline", retry: "same_later" }
  },
  {
    id: "ad-31-capture-false",
    source: "BitBagCommerce/SyliusAdyenPlugin#75",
    of: "capture",
    item: {
      amount: { currency: "EUR", value: 3100 },
      paymentMethod: "mc",
      eventCode: "CAPTURE",
      success: "false",
      reason: "Insufficient balance on payment",
      originalReference: "NEUTRAL000000031",
      pspReference: "NEUTRAL000000032",
      eventDate: "2022-11-07T15:59:36+01:00"
    },
    expected: { _tag: "CaptureFailed" }
  },
  {
    id: "ad-32-cancellation-false",
    source: "alphagov/pay-connector, template adyen/cancellation-failed.json",
    of: "cancel",
    item: {
      amount: { currency: "GBP", value: 1130 },
      paymentMethod: "mc",
      eventCode: "CANCELLATION",
      success: "false",
      originalReference: "NEUTRAL000000033",
      pspReference: "7914073381342284",
      eventDate: "2026-06-05T15:54:01+02:00"
    },
    expected: { _tag: "Declined" }
  },
  {
    id: "ad-33-refund-false",
    source:
      "alphagov/pay-connector, template adyen/refund-failed.json; Adyen/adyen-java-api-library, mock notification/refund-false.json",
    of: "refund",
    item: {
      amount: { currency: "GBP", value: 2500 },
      paymentMethod: "visa",
      eventCode: "REFUND",
      success: "false",
      reason: "",
      originalReference: "NEUTRAL000000034",
      pspReference: "NEUTRAL000000035",
      eventDate: "2021-11-01T00:19:34+01:00"
    },
    expected: { _tag: "RefundFailed" }
  }
]
