import type { ProviderOperation } from "@paymux/core"
import type { SeenRequest } from "../../fake/Vendor.ts"

/** Whether a request is about this operation: one that names nothing of it (for an access token) does nothing to it. */
export const names = (
  { body, headers, path }: SeenRequest,
  { id, key, original, paymentId, reference }: ProviderOperation
): boolean => {
  const text = plain([path, body, ...Object.values(headers)].join(" "))
  return [id, key, paymentId, reference, original?.reference].some(
    (name) => typeof name === "string" && text.includes(plain(name))
  )
}

/** Whatever the vendor makes of the letters' case and of dashes: some take ids without dashes, or in capitals. */
const plain = (text: string) => text.toLowerCase().replaceAll("-", "")
