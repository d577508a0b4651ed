/** Says for a few seconds what was done. */
import { useSyncExternalStore } from "react"

interface Message {
  readonly id: number
  readonly text: string
}

let messages: ReadonlyArray<Message> = []
let last = 0
const listeners = new Set<() => void>()

const change = (next: ReadonlyArray<Message>) => {
  messages = next
  for (const listener of listeners) listener()
}

export const toast = (text: string): void => {
  const id = ++last
  change([...messages, { id, text }])
  setTimeout(() => change(messages.filter((message) => message.id !== id)), 5_000)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const Toasts = () => {
  const shown = useSyncExternalStore(subscribe, () => messages)
  return (
    // Named a live region, so that it is announced beside an open dialog, which hides everything else.
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-60 flex flex-col items-center gap-2"
    >
      {shown.map(({ id, text }) => (
        <p key={id} className="rounded-lg bg-ink px-4 py-2 text-sm text-canvas shadow-lg">
          {text}
        </p>
      ))}
    </div>
  )
}
