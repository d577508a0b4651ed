/** Option `webhooks`: of the endpoints that events are sent to. */
import { allowListProblem } from "@paymux/webhooks"

export interface WebhooksOption {
  /** Private hosts or networks (CIDR) that endpoints may be at. */
  readonly allow?: ReadonlyArray<string>
  /** Days for which every try to an endpoint must have failed before it is disabled. Default: 5. */
  readonly disableAfterDays?: number
}

export const webhookProblems = (webhooks: WebhooksOption | undefined): ReadonlyArray<string> => {
  if (webhooks === undefined) return []
  if (typeof webhooks !== "object" || webhooks === null) return ["webhooks must be an object."]
  const { allow = [], disableAfterDays = 5, ...others } = webhooks
  const isDays = typeof disableAfterDays === "number" && disableAfterDays >= 1 && disableAfterDays <= 365
  const isList = Array.isArray(allow) && allow.every((entry) => typeof entry === "string")
  const unread = isList ? allowListProblem(allow) : "webhooks.allow must be a list of addresses, ranges or host names"
  return [
    ...Object.keys(others).map((key) => `There is no option "webhooks.${key}".`),
    ...(unread === null ? [] : [`${unread}.`]),
    ...(isDays ? [] : ["webhooks.disableAfterDays must be from 1 to 365."])
  ]
}
