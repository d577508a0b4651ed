/**
 * Pictures of every page of the dashboard with a month of data, on a desktop and a phone, in light and dark:
 * `pnpm dashboard:screenshots [folder]`, by default `dashboard-screenshots/`, which git ignores. `--only payments,home` takes
 * these pages alone. Prints what went wrong in a page, and exits with 1 then.
 */
import { mkdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { openDashboard, screens } from "../test/dashboard/DashboardServer.ts"
import { opened } from "../test/dashboard/opened.ts"
import { pagesOf } from "../test/dashboard/pages.ts"
import type { DashboardPage } from "../test/dashboard/pages.ts"
import type { RecordedPage } from "../test/dashboard/RecordedPage.ts"

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } })
const folder = resolve(positionals[0] ?? "dashboard-screenshots")

const chosen = (pages: ReadonlyArray<DashboardPage>): ReadonlyArray<DashboardPage> => {
  if (values.only === undefined) return pages
  const names = values.only.split(",")
  const unknown = names.filter((name) => !pages.some((page) => page.name === name))
  if (unknown.length === 0) return pages.filter(({ name }) => names.includes(name))
  throw new Error(`Unknown pages: ${unknown.join(", ")}. Known: ${pages.map(({ name }) => name).join(", ")}.`)
}

console.log("Loading the data…")
const server = await openDashboard({ data: "example" })

const pictures = async ({ page, problems }: RecordedPage, each: DashboardPage) => {
  const before = problems.length
  for (const { colorScheme, viewport } of Object.values(screens)) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await opened(page, `${server.url}${each.path}`)
    await page.screenshot({ path: join(folder, `${each.name}.${colorScheme}.${viewport.width}.png`), fullPage: true })
  }
  return problems.slice(before)
}

try {
  await mkdir(folder, { recursive: true })
  const signedIn = await server.newPage()
  await server.signIn(signedIn.page, "owner")
  const signedOut = await server.newPage()
  for (const each of chosen(await pagesOf(signedIn.page.context().request, server.url))) {
    const problems = await pictures(each.signedOut ? signedOut : signedIn, each)
    console.log([each.name, ...problems.map((problem) => `  ${problem}`)].join("\n"))
    if (problems.length > 0) process.exitCode = 1
  }
} finally {
  await server.close()
}
