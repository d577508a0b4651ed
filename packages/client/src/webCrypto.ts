import { PaymuxUsageError } from "./PaymuxError.ts"

/** The runtime's WebCrypto. It is not imported: only Node 18 does not have it without being asked. */
export const webCrypto = () => {
  // Boundary: the types of newer runtimes say that it is always there.
  const found = globalThis.crypto as typeof globalThis.crypto | undefined
  if (found !== undefined) return found
  throw new PaymuxUsageError(
    'There is no WebCrypto. On Node 18 run node with --experimental-global-webcrypto, or begin with: globalThis.crypto ??= require("node:crypto").webcrypto'
  )
}
