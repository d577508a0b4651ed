/** The `NameDigest` of every engine, as a server makes it of its secret. */
import { createHmac } from "node:crypto"

export const nameDigest = (text: string): Uint8Array => createHmac("sha256", "a secret").update(text).digest()
