import { Data } from "effect"

/** The provider instance takes no webhooks, or it is not configured and has no operations. */
export class WebhookNotTaken extends Data.TaggedError("WebhookNotTaken")<{ readonly provider: string }> {}
