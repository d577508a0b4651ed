import { createHash } from "node:crypto"

/** What Adyen calls a payment, or what was asked of one. */
export const pspOf = (id: string, what = ""): string =>
  createHash("sha256").update(`${id} ${what}`).digest("hex").slice(0, 16).toUpperCase()
