/**
 * The URL of the page on which a payer completes a payment. An application that serves the page provides this service.
 *
 * @example
 * ```ts
 * import { HostedPage } from "@paymux/core/wire"
 * import { Layer } from "effect"
 *
 * const live = Layer.succeed(HostedPage, (id) => `https://pay.example.com/pay/${id}`)
 * ```
 */
import { Context } from "effect"
import type { PaymentId } from "../domain/Ids.ts"

/** The URL of a payment's page; `null`: no page is served. */
export type HostedUrl = (id: PaymentId) => string | null

export const noHostedPage: HostedUrl = () => null

export const HostedPage: Context.Reference<HostedUrl> = Context.Reference("@paymux/core/wire/HostedPage", {
  defaultValue: () => noHostedPage
})
