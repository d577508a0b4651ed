/** What is dangerous to write six times in provider adapters: sending, signatures, amounts, form bodies. */
export * as ProviderHttp from "./ProviderHttp.ts"
export * as RequestHeaders from "./RequestHeaders.ts"
export * as HttpOutcome from "./HttpOutcome.ts"
export * as Codes from "./Codes.ts"
export * as FormEncoding from "./FormEncoding.ts"
export * as Amount from "./Amount.ts"
export * as WebhookSignature from "./WebhookSignature.ts"
export * as StandardWebhooks from "./StandardWebhooks.ts"
