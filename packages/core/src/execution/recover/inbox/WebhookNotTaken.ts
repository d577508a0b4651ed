import { Data } from "effect"

/** The error if a provider instance takes no webhooks, or is not configured and has no operations. */
export class WebhookNotTaken extends Data.TaggedError("WebhookNotTaken")<{ readonly provider: string }> {}
