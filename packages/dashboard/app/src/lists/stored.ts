/** What a person chose in this browser, such as the columns of a list. */
import { useState } from "react"

/** `read`: `null` if what is stored is not of this version. */
export const useStored = <Value>(key: string, read: (stored: unknown) => Value | null, initial: Value) => {
  const [value, setValue] = useState(() => {
    const text = localStorage.getItem(key)
    return text === null ? initial : (read(parsed(text)) ?? initial)
  })
  const store = (next: Value) => {
    setValue(next)
    localStorage.setItem(key, JSON.stringify(next))
  }
  return [value, store] as const
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
