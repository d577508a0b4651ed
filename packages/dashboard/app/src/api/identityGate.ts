/**
 * Requests that wait for a sign-in, because the session has ended or the last sign-in is too long ago. The person signs in
 * over the current page, and the request is sent again. Forms keep what was entered.
 */

export type IdentityRequest = "sign-in" | "reauthentication"

interface Open {
  readonly request: IdentityRequest
  readonly done: Promise<boolean>
  readonly settle: (signedIn: boolean) => void
}

let open: Open | null = null
let dismissed = false
let ended = false
const listeners = new Set<() => void>()

const change = (next: Open | null) => {
  open = next
  notify()
}

const notify = () => {
  for (const listener of listeners) listener()
}

/** The session as of the last response. Pages hide their content after it ended. */
export const noteSession = (state: "open" | "ended"): void => {
  ended = state === "ended"
  notify()
}

export const hasSessionEnded = (): boolean => ended

/** Resolves to whether the person signed in. Requests at the same time share one dialog. */
export const askForIdentity = (request: IdentityRequest): Promise<boolean> => {
  if (open !== null) {
    // The session ended while a password was requested: a full sign-in is required.
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
  if (signedIn) ended = false
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
