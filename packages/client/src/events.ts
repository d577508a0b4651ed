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
  const list: Events["list"] = async ({ after, ...parameters } = {}, options = {}) =>
    get(`/events${query(Object.entries({ ...parameters, after: after ?? undefined }))}`, options)
  async function* follow(interval: number, parameters: ListEvents, options: CallOptions) {
    let { after = null } = parameters
    let hasAnswered = false
    for (;;) {
      const answer = await list({ limit: 100, ...parameters, after }, options).catch((error: unknown) => {
        if (hasAnswered && error instanceof PaymuxError && isPassing(error)) return error
        throw error
      })
      if (answer instanceof PaymuxError) {
        await sleep(Math.max(interval, answer.retryAfter ?? defaultInterval), options.signal)
        continue
      }
      hasAnswered = true
      yield* answer.data
      const isNew = answer.next_cursor !== null && answer.next_cursor !== after
      after = answer.next_cursor ?? after
      if (!(answer.has_more && isNew)) await sleep(interval, options.signal)
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

/** The server restarts, or has too much to do. An answer that is none of the API's stays an error. */
const isPassing = (error: PaymuxError): boolean => isRetryable(error) && error.code !== "unexpected_answer"

/** ms */
const defaultInterval = 1000
