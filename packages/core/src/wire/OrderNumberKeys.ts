/**
 * The keys of a payment's metadata that contain order numbers, although these may look like card numbers. An
 * application that configures other keys provides this service.
 *
 * @example
 * ```ts
 * import { OrderNumberKeys } from "@paymux/core/wire"
 * import { Layer } from "effect"
 *
 * const live = Layer.succeed(OrderNumberKeys, ["order_id", "waybill"])
 * ```
 */
import { Context } from "effect"
import { defaultOrderNumberKeys } from "../domain/RawCardData.ts"

export const OrderNumberKeys: Context.Reference<ReadonlyArray<string>> = Context.Reference(
  "@paymux/core/wire/OrderNumberKeys",
  { defaultValue: () => defaultOrderNumberKeys }
)
