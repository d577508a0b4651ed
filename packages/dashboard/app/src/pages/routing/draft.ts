/**
 * The draft of the routing rules: of this person and account, in this browser. It outlives the page and the session, and
 * every tab shows the same one.
 */
import { useMemo, useSyncExternalStore } from "react"
import { basePath } from "../../place.ts"
import { useSession, useTenant } from "../../session/session.ts"

export interface Draft {
  readonly text: string
  /** The version that it was begun from. */
  readonly base: number
}

/** What was written last, by key: storage may be full or refused, and the draft must not vanish from the page then. */
const kept = new Map<string, string | null>()
const listeners = new Set<() => void>()

const readStorage = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const read = (key: string): string | null => {
  const found = kept.get(key)
  if (found !== undefined) return found
  const stored = readStorage(key)
  kept.set(key, stored)
  return stored
}

/** Whether the browser kept it. */
const write = (key: string, value: string | null): boolean => {
  kept.set(key, value)
  for (const listener of listeners) listener()
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

const subscribe = (listener: () => void) => {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === null) kept.clear()
    else kept.set(key, newValue)
    listener()
  }
  listeners.add(listener)
  window.addEventListener("storage", onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener("storage", onStorage)
  }
}

/** Decodes the stored draft. Anything else in the storage counts as no draft. */
const parse = (raw: string | null): Draft | null => {
  if (raw === null) return null
  try {
    const value: unknown = JSON.parse(raw)
    if (typeof value !== "object" || value === null || !("text" in value) || !("base" in value)) return null
    const { base, text } = value
    return typeof text === "string" && typeof base === "number" ? { text, base } : null
  } catch {
    return null
  }
}

export interface DraftStore {
  readonly draft: Draft | null
  /** Whether the browser kept it. */
  readonly save: (draft: Draft) => boolean
  readonly discard: () => void
}

export const useDraft = (): DraftStore => {
  const { id } = useSession()
  const { account } = useTenant()
  const key = `paymux-rules-draft ${basePath} ${account} ${id}`
  const raw = useSyncExternalStore(subscribe, () => read(key))
  const draft = useMemo(() => parse(raw), [raw])
  return { draft, save: (next) => write(key, JSON.stringify(next)), discard: () => void write(key, null) }
}
