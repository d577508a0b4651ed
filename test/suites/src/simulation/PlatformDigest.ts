/**
 * The platform digests (`crypto.subtle.digest`) on a thread of its own, in real time, and no virtual clock knows. Inside
 * a simulation SHA-256 is therefore computed in place; only the turn of the event loop that a Promise takes is left, and
 * virtual time waits for it.
 */
import { createHash } from "node:crypto"

const digests = { pending: 0, inPlace: false }

/** Runs `simulation` with digests in place: one at a time in a thread. */
export const inPlace = async <A>(simulation: () => Promise<A>): Promise<A> => {
  if (digests.inPlace) throw new Error("A simulation runs already in this thread")
  digests.inPlace = true
  const { subtle } = globalThis.crypto
  const own = Object.getOwnPropertyDescriptor(subtle, "digest")
  Object.defineProperty(subtle, "digest", { configurable: true, value: digest })
  try {
    return await simulation()
  } finally {
    digests.inPlace = false
    if (own === undefined) Reflect.deleteProperty(subtle, "digest")
    else Object.defineProperty(subtle, "digest", own)
  }
}

const digest = (algorithm: string, data: Uint8Array): Promise<ArrayBuffer> => {
  if (algorithm !== "SHA-256") throw new Error(`A simulation digests by SHA-256, not by ${algorithm}`)
  digests.pending++
  const answer = Promise.resolve(Uint8Array.from(createHash("sha256").update(data).digest()).buffer)
  // Who waits for the answer goes on first.
  void answer.then(() => undefined).then(() => void digests.pending--)
  return answer
}

export const isPending = (): boolean => digests.pending > 0

export const settled = async (): Promise<void> => {
  while (digests.pending > 0) await Promise.resolve()
}
