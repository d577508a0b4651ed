/** The keyboard alone, for tests of pages: nothing here moves the mouse or focuses an element by script. */
import type { Locator, Page } from "playwright-core"

/** The element with the focus, for people: its tag, role and text. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return "nothing"
    const role = element.getAttribute("role")
    const name = element.getAttribute("aria-label") ?? element.textContent ?? ""
    return (element.tagName.toLowerCase() + (role === null ? "" : "[" + role + "]") + " " + name.trim().slice(0, 60)).trim()
  })()`)

/** The same once an element has it: a dialog that closes gives the focus back a moment after it is gone. */
export const returnedFocus = async (page: Page): Promise<string> => {
  await page.locator("body :focus").waitFor({ state: "attached" })
  return focused(page)
}

/** Presses Tab, or another key such as `Shift+Tab`, until the element has the focus. */
export const moveTo = async (page: Page, target: Locator, { atMost = 60, key = "Tab" } = {}): Promise<void> => {
  const passed: Array<string> = []
  for (let pressed = 0; pressed < atMost; pressed++) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
    passed.push(await focused(page))
  }
  if (await hasFocus(target)) return
  throw new Error(`${key} does not lead to ${String(target)} within ${atMost} steps: ${passed.join(", ")}`)
}

/** Moves to the element and presses Enter, or another key such as `Space`. */
export const activate = async (page: Page, target: Locator, { key = "Enter" } = {}): Promise<void> => {
  await moveTo(page, target)
  await page.keyboard.press(key)
}

/** Moves to a field, replaces what is in it, and types. */
export const fill = async (page: Page, target: Locator, text: string): Promise<void> => {
  await moveTo(page, target)
  await page.keyboard.press("ControlOrMeta+A")
  await page.keyboard.type(text)
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element: Focusable) => element.ownerDocument.activeElement === element)

/** Of an element in the browser. */
interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown }
}
