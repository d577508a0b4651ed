/** What a page does to people: accessibility by axe, sideways scrolling, and what moves while it loads. */
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "playwright-core"
import { screens } from "./DashboardServer.ts"

const wcag22AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]

/** What breaks WCAG 2.2 AA as the page is now, one sentence for each rule. Empty: nothing that axe can see. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Without a second page that puts frames together, of which the dashboard has none, and without a list of what passed.
  const found = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .withTags(wcag22AA)
    .analyze()
  return found.violations.map(({ help, id, nodes }) => {
    const places = nodes.slice(0, 5).map(({ failureSummary = "", html, target }) => {
      const why = failureSummary.replaceAll(/\s+/g, " ").replace(/^Fix (any|all) of the following: /, "")
      return `  ${target.join(" ")}: ${why}\n    ${html}`
    })
    const more = nodes.length > places.length ? `\n  and ${nodes.length - places.length} more` : ""
    return `${id}: ${help}\n${places.join("\n")}${more}`
  })
}

type Screen = (typeof screens)[keyof typeof screens]

/** A desktop and a phone, one of them in light and the other in dark. For `inTurn`. */
export const screenPairs: ReadonlyArray<ReadonlyArray<Screen>> = [
  [screens.phoneDark, screens.desktopLight],
  [screens.phoneLight, screens.desktopDark]
]

/** On each screen of the pairs. Leaves the page as a desktop in light. */
export const violationsOn = async (
  page: Page,
  pairs: ReadonlyArray<ReadonlyArray<Screen>>
): Promise<ReadonlyArray<string>> => {
  const sentences: Array<string> = []
  for (const { colorScheme, viewport } of pairs.flat()) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const found = await violations(page)
    sentences.push(...found.map((sentence) => `At ${viewport.width} px in ${colorScheme}: ${sentence}`))
  }
  await page.setViewportSize(screens.desktopLight.viewport)
  await page.emulateMedia({ colorScheme: screens.desktopLight.colorScheme })
  return sentences
}

/**
 * Cumulative layout shift since the page was loaded: 0 is none, and more than 0.1 is bad. Measure before anything is
 * pressed: what moves after an input counts too, since for the browser the size of its window is one.
 */
export const layoutShift = (page: Page): Promise<number> => page.evaluate<number>(shift)

/** The greatest sum within five seconds without a pause of one, as web-vitals counts it. The text runs in the page. */
const shift = `new Promise((resolve) => {
  let worst = 0
  let sum = 0
  let first = 0
  let last = 0
  const count = (entries) => {
    for (const { startTime, value } of entries) {
      if (startTime - last > 1000 || startTime - first > 5000) {
        sum = 0
        first = startTime
      }
      last = startTime
      sum += value
      worst = Math.max(worst, sum)
    }
  }
  const observer = new PerformanceObserver((list) => count(list.getEntries()))
  observer.observe({ type: "layout-shift", buffered: true })
  // What is buffered comes in a task of its own.
  requestAnimationFrame(() => setTimeout(() => {
    count(observer.takeRecords())
    observer.disconnect()
    resolve(worst)
  }))
})`

/** By how many pixels the page is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>("Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)")
