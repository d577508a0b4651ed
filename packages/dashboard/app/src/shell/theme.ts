/** The color scheme: of the system, unless the person chose one in this browser. */

export type Theme = "system" | "light" | "dark"

const key = "paymux-theme"

export const storedTheme = (): Theme => {
  const stored = localStorage.getItem(key)
  return stored === "light" || stored === "dark" ? stored : "system"
}

export const applyTheme = (theme: Theme): void => {
  if (theme === "system") {
    delete document.documentElement.dataset["theme"]
    localStorage.removeItem(key)
    return
  }
  document.documentElement.dataset["theme"] = theme
  localStorage.setItem(key, theme)
}
