/** Keyboard shortcuts, inactive while the person types. Keys of a sequence are separated by a space: `g p`. */
import { useEffect, useRef } from "react"

export type Shortcuts = { readonly [keys: string]: () => void }

const storageKey = "paymux-shortcuts"

/** Speech input triggers single-key shortcuts, so they can be turned off in this browser (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => localStorage.getItem(storageKey) !== "off"

export const turnShortcuts = (state: "on" | "off"): void => localStorage.setItem(storageKey, state)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))

export const useShortcuts = (shortcuts: Shortcuts): void => {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    let before = ""
    let pressedAt = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      // A dialog or a menu has the keyboard to itself.
      if (!areShortcutsOn() || document.querySelector('[role="dialog"], [role="menu"]') !== null) return
      const sequence = event.timeStamp - pressedAt < 1_500 && before !== "" ? `${before} ${event.key}` : event.key
      before = event.key
      pressedAt = event.timeStamp
      const act = latest.current[sequence] ?? latest.current[event.key]
      if (act === undefined) return
      before = ""
      event.preventDefault()
      act()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
}
