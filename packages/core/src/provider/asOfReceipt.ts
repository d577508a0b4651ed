/**
 * The declaration that a webhook is verified as of the time of its receipt.
 *
 * Without it, an adapter may compare the webhook's timestamp with the clock, so its reports of a webhook that was
 * received days ago are not applied.
 *
 * @example
 * ```ts
 * import { asOfReceipt } from "@paymux/core"
 * import { Effect } from "effect"
 *
 * const webhook = asOfReceipt((_body: Uint8Array, _headers: { readonly [name: string]: string }, _receivedAt: number) =>
 *   Effect.succeed([])
 * )
 * webhook.asOf // => "receipt"
 * ```
 */

/** A function of the provider contract with this declaration. */
export interface AsOfReceipt {
  /** The function compares the times in a webhook with the time of receipt. */
  readonly asOf: "receipt"
}

/**
 * Declares that `webhook` compares every time with `receivedAt`, or compares no time, and never reads the clock. A
 * later call then returns the same result.
 */
export const asOfReceipt = <Webhook extends (...given: never) => unknown>(webhook: Webhook): Webhook & AsOfReceipt =>
  Object.assign(webhook, { asOf: "receipt" } as const)

/** Gives `wrapper` the declaration of the function that it wraps. */
export const declaredAs = <Webhook extends (...given: never) => unknown>(
  { asOf }: Partial<AsOfReceipt>,
  wrapper: Webhook
): Webhook & Partial<AsOfReceipt> => (asOf === "receipt" ? asOfReceipt(wrapper) : wrapper)
