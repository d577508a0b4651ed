import { idOf } from "./options.ts"
import type { CallOptions } from "./options.ts"
import { PaymuxError, PaymuxUsageError } from "./PaymuxError.ts"
import { query } from "./query.ts"
import { isRetryable } from "./retry.ts"
import type { Runtime } from "./Runtime.ts"
import type { Transport } from "./transport.ts"
import type { FollowEvents, ListEvents, Page, WebhookEvent } from "./wire.ts"

/** The events that webhooks deliver, with the same ids. Every call fails with `PaymuxError`. */
export interface Events {
  readonly get: (id: string, options?: CallOptions) => Promise<WebhookEvent>
  /** The same as `get`. */
  readonly retrieve: (id: string, options?: CallOptions) => Promise<WebhookEvent>
  /** One page, oldest first. Its `next_cursor` is the `after` of the next page, also if `has_more` is `false`. */
  readonly list: (parameters?: ListEvents, options?: CallOptions) => Promise<Page<WebhookEvent>>
  /**
   * All events after `after`, each once, and those that are still to come: it ends only with a `break`, the `signal` or an error. Once
   * the server has answered, it may restart, or be unreachable for any time: it is asked again until it answers. To continue where an earlier run ended, pass the `data.id` of the last event that you have processed.
   *
   * @example
   * ```ts
   * for await (const event of paymux.events.follow({ after })) {
   *   await processOnce(event)
   *   after = event.data.id
   * }
   * ```
   */
  readonly follow: (parameters?: FollowEvents, options?: CallOptions) => AsyncIterable<WebhookEvent>
}

export const events = ({ get }: Transport, { sleep }: Runtime): Events => {
  const retrieve: Events["get"] = async (id, options = {}) => get(`/events/${idOf(id)}`, options)
  const list: Events["list"] = async (parameters = {}, options = {}) =>
    get(`/events${query(Object.entries(parameters))}`, options)
  async function* follow(interval: number, parameters: ListEvents, options: CallOptions) {
    let { after = null } = parameters
    let hasAnswered = false
    for (;;) {
      const page = await list({ limit: 100, ...parameters, after }, options).catch((error: unknown) => {
        if (hasAnswered && error instanceof PaymuxError && isRetryable(error)) return null
        throw error
      })
      hasAnswered = true
      if (page !== null) yield* page.data
      const isNew = page !== null && page.next_cursor !== null && page.next_cursor !== after
      after = page?.next_cursor ?? after
      if (!(page?.has_more === true && isNew)) await sleep(interval, options.signal)
    }
  }
  return {
    get: retrieve,
    retrieve,
    list,
    follow: ({ interval = defaultInterval, ...parameters } = {}, options = {}) => {
      if (!(Number.isInteger(interval) && interval >= 1 && interval <= 2_147_483_647)) {
        throw new PaymuxUsageError("interval must be a whole number of ms, from 1 to 2147483647")
      }
      return { [Symbol.asyncIterator]: () => follow(interval, parameters, options) }
    }
  }
}

/** ms */
const defaultInterval = 1000
