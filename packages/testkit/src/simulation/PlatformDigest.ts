/**
 * The platform digests (`crypto.subtle.digest`) on a thread of its own, in real time. Inside a simulation each digest is
 * counted and they come back one after the other, so that virtual time stands still until the last one has: the only
 * wait in a run that is real, and one that changes nothing.
 */
const digests: { pending: number; tail: Promise<unknown> } = { pending: 0, tail: Promise.resolve() }

/** Runs `simulation` with the platform's digests counted. */
export const counted = async <A>(simulation: () => Promise<A>): Promise<A> => {
  const { subtle } = globalThis.crypto
  const own = Object.getOwnPropertyDescriptor(subtle, "digest")
  const digest = subtle.digest.bind(subtle)
  Object.defineProperty(subtle, "digest", {
    configurable: true,
    value: (...call: Parameters<typeof digest>) => {
      digests.pending++
      const answer = digests.tail.then(() => digest(...call))
      // Two more turns: who waits for the answer goes on before the simulation does.
      digests.tail = answer.then(done, done)
      return answer
    }
  })
  try {
    return await simulation()
  } finally {
    if (own === undefined) Reflect.deleteProperty(subtle, "digest")
    else Object.defineProperty(subtle, "digest", own)
  }
}

const done = () => Promise.resolve().then(() => void digests.pending--)

export const isPending = (): boolean => digests.pending > 0

export const settled = async (): Promise<void> => {
  while (digests.pending > 0) await digests.tail
}
