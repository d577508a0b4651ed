/**
 * Calls that need a person: a session that has ended, or a sign-in that is no longer recent. Such a call waits here while
 * the person signs in over the page as it stands, and is sent again. So no form loses what was typed into it.
 */

export type IdentityRequest = "sign-in" | "reauthentication"

interface Open {
  readonly request: IdentityRequest
  readonly done: Promise<boolean>
  readonly settle: (signedIn: boolean) => void
}

let open: Open | null = null
const listeners = new Set<() => void>()

const change = (next: Open | null) => {
  open = next
  for (const listener of listeners) listener()
}

/** Resolves when the person signed in (`true`) or gave up. Calls at the same time wait for the same dialog. */
export const askForIdentity = (request: IdentityRequest): Promise<boolean> => {
  if (open !== null) return open.done
  const { promise, resolve } = Promise.withResolvers<boolean>()
  change({ request, done: promise, settle: resolve })
  return promise
}

export const settleIdentity = (signedIn: boolean): void => {
  const settled = open
  change(null)
  settled?.settle(signedIn)
}

/** For `useSyncExternalStore`. */
export const subscribeToIdentity = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const identityRequest = (): IdentityRequest | null => open?.request ?? null
