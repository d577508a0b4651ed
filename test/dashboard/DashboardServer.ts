/**
 * A served Paymux with its dashboard, a person of each role, and a browser:
 *
 * ```ts
 * const server = await openDashboard({ data: "example" })
 * const { page, problems } = await server.open("payments", { role: "operator", screen: screens.phoneDark })
 * …
 * await server.close()
 * ```
 */
import { AuditLog } from "@paymux/dashboard"
import type { Role } from "@paymux/dashboard"
import { CurrentLoopClock } from "@paymux/http"
import type { PaymuxOptions } from "paymux"
import { Context, Effect, Layer } from "effect"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { databaseLayer } from "../../packages/paymux/src/Database.ts"
import { parseDatabaseUrl } from "../../packages/paymux/src/options/DatabaseUrl.ts"
import { createPaymuxIn } from "../../packages/paymux/src/createPaymux.ts"
import { quickPasswords } from "../../packages/paymux/test/quickPasswords.ts"
import { openBrowser } from "../support/browser.ts"
import { firstRules } from "./example/rules.ts"
import { loadExampleData } from "./exampleData.ts"
import { joinEveryone, people, quickUsers } from "./people.ts"
import { recorded } from "./RecordedPage.ts"
import type { RecordedPage } from "./RecordedPage.ts"
import { placeExampleData } from "./sharedExample.ts"
import { startReceiver } from "./WebhookReceiver.ts"

export interface DashboardServerOptions {
  /** `example`: a month of a shop. Default: people, and nothing else. */
  readonly data?: "none" | "example"
  /** Of PostgreSQL, migrated. Default: SQLite in a folder of its own. */
  readonly database?: string
  /** Default: the sandbox, with the rules in the database. */
  readonly paymux?: PaymuxOptions<string>
}

/** The driver of the browser runs on the same event loop. Its work must not count as that of reads, which would be refused. */
const references = Context.add(quickPasswords, CurrentLoopClock, {
  ...CurrentLoopClock.defaultValue(),
  busy: () => 0
})

const desktop = { width: 1440, height: 900 }
const phone = { width: 360, height: 800 }

export const screens = {
  desktopLight: { viewport: desktop, colorScheme: "light" },
  desktopDark: { viewport: desktop, colorScheme: "dark" },
  phoneLight: { viewport: phone, colorScheme: "light" },
  phoneDark: { viewport: phone, colorScheme: "dark" }
} as const satisfies { readonly [name: string]: BrowserContextOptions }

export interface Opening {
  /** Default: `owner`. `null`: without signing in. */
  readonly role?: Role | null
  /** Default: `desktopLight`. */
  readonly screen?: BrowserContextOptions
}

export type DashboardServer = Awaited<ReturnType<typeof openDashboard>>

export const openDashboard = async ({ data = "none", paymux: given = {}, ...options }: DashboardServerOptions = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-dashboard-"))
  const file = join(folder, "paymux.db")
  const database = options.database ?? `sqlite:${file}`
  const rules = join(folder, "routing.yaml")
  writeFileSync(rules, firstRules)
  const receiver = await startReceiver()
  const server = createServer((request, response) => paymux.node(request, response))
  // A slow machine may be about to send on a connection that is closed after the default of five seconds.
  server.keepAliveTimeout = 120_000
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "string" || address === null ? 0 : address.port
  const publicUrl = `http://127.0.0.1:${port}`
  const sandbox = { sandbox: true, routing: { source: "database", initial: rules } } as const
  const settings = {
    ...(given.providers === undefined && sandbox),
    publicUrl,
    logs: false as const,
    ...given,
    database
  }
  if (data === "none") await addPeople(database)
  // Data that was made with other settings, such as another secret, cannot be read.
  else if (options.database === undefined && Object.keys(given).length === 0)
    await placeExampleData(file, { paymux: settings, receiver })
  else await loadExampleData({ paymux: settings, receiver })
  const paymux = await createPaymuxIn(references, settings)
  const browser = await openBrowser()
  const pages: Array<RecordedPage> = []
  const url = `${settings.publicUrl}${given.basePath ?? ""}`

  /** In a new context, without a session. */
  const newPage = async (screen: BrowserContextOptions = screens.desktopLight): Promise<RecordedPage> => {
    const context = await browser.newContext({
      locale: "en-US",
      timezoneId: "UTC",
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
      ...screen
    })
    // While other tests use the machine, reads of a page wait behind payments, and are repeated.
    context.setDefaultNavigationTimeout(120_000)
    const page = recorded(await context.newPage(), url)
    pages.push(page)
    return page
  }

  /** Signs a person of `role` in to the context of the page, with a password, as a browser does. */
  const signIn = async (page: Page, role: Role): Promise<void> => {
    const { email, password } = people[role]
    const response = await page.context().request.post(`${url}/dashboard/api/sign-in/password`, {
      headers: { origin: new URL(url).origin },
      data: { email, password }
    })
    if (response.status() !== 200) throw new Error(`${role} could not sign in: ${await response.text()}`)
  }

  return {
    url,
    /** Where the server listens, behind what stands in front of it. */
    port,
    database,
    paymux,
    browser,
    newPage,
    signIn,
    /** A page of the dashboard by its path behind account and mode, such as `payments`; from `/` on, a path of the server. */
    open: async (path: string, { role = "owner", screen = screens.desktopLight }: Opening = {}) => {
      const opened = await newPage(screen)
      if (role !== null) await signIn(opened.page, role)
      await opened.page.goto(path.startsWith("/") ? `${url}${path}` : `${url}/dashboard/default/test/${path}`)
      return opened
    },
    /** Of all pages, also of those that are closed. */
    problems: (): ReadonlyArray<string> => pages.flatMap(({ problems }) => problems),
    close: async () => {
      await browser.close()
      receiver.close()
      server.closeAllConnections()
      server.close()
      await paymux.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const addPeople = (url: string): Promise<unknown> => {
  const database = parseDatabaseUrl(url)
  if (database._tag === "Refused") throw new Error(database.sentence)
  return Effect.runPromise(
    joinEveryone().pipe(
      Effect.provide(Layer.provideMerge(Layer.merge(quickUsers, AuditLog.layer), databaseLayer(database)))
    )
  )
}
