import { Data } from "effect"

/** There is no such instance, and no operation of one; or it takes no webhooks. */
export class WebhookNotTaken extends Data.TaggedError("WebhookNotTaken")<{ readonly provider: string }> {}
