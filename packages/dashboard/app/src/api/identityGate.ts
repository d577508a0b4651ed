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
let dismissed = false
const listeners = new Set<() => void>()

const change = (next: Open | null) => {
  open = next
  for (const listener of listeners) listener()
}

/** Resolves when the person signed in (`true`) or gave up. Calls at the same time wait for the same dialog. */
export const askForIdentity = (request: IdentityRequest): Promise<boolean> => {
  if (open !== null) {
    // A session that ended needs more than the proof that was asked for.
    if (request === "sign-in" && open.request !== request) change({ ...open, request })
    return open.done
  }
  const { promise, resolve } = Promise.withResolvers<boolean>()
  change({ request, done: promise, settle: resolve })
  return promise
}

export const settleIdentity = (signedIn: boolean): void => {
  const settled = open
  dismissed = !signedIn
  change(null)
  settled?.settle(signedIn)
}

/** Whether the person closed the last dialog without signing in. */
export const isDismissed = (): boolean => dismissed

/** The person goes on to something else: it may ask again. */
export const forgetDismissal = (): void => {
  dismissed = false
}

/** For `useSyncExternalStore`. */
export const subscribeToIdentity = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const identityRequest = (): IdentityRequest | null => open?.request ?? null
