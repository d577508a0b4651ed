/**
 * A Chromium for tests, from the registry alone: `@sparticuz/chromium` carries the compressed binary (Linux, x64) and
 * `playwright-core` drives it. `CHROMIUM_PATH` names another one.
 */
import { chromium } from "playwright-core"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { randomUUID } from "node:crypto"
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createBrotliDecompress } from "node:zlib"

/** Whether the machine can run it. */
export const hasBrowser: boolean =
  process.env["CHROMIUM_PATH"] !== undefined || (process.platform === "linux" && process.arch === "x64")

/** The contexts of one caller, in a browser that others use, too. */
export interface BrowserContexts {
  readonly newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
  /** In a new context. */
  readonly newPage: (options?: BrowserContextOptions) => Promise<Page>
  /** Closes these contexts. */
  readonly close: () => Promise<void>
}

/** In the browser of this thread, which the first caller starts: a start costs more than most tests. It ends with the thread. */
export const openBrowser = async (): Promise<BrowserContexts> => {
  const contexts: Array<BrowserContext> = []
  const newContext = async (options?: BrowserContextOptions) => {
    const context = await (await browserOfThread()).newContext(options)
    contexts.push(context)
    return context
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => void (await Promise.all(contexts.splice(0).map((context) => context.close())))
  }
}

let running: Promise<Browser> | undefined

const browserOfThread = async (): Promise<Browser> => {
  const browser = await (running ??= launchBrowser())
  if (browser.isConnected()) return browser
  running = launchBrowser()
  return running
}

/** Without a network but this machine's: no other name resolves. */
const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? (await unpacked()),
    // As root, as in most containers, Chromium has no sandbox.
    args: [
      "--no-sandbox",
      "--no-zygote",
      "--disable-gpu",
      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1, EXCLUDE localhost"
    ]
  })

/**
 * Unpacked once for a version (0.2 GB), and shared by the processes and threads of a test run: the last one to finish
 * replaces it. Each writes a file of its own, since a file that is still open for writing cannot be run.
 */
const unpacked = async (): Promise<string> => {
  // Its entry is `build/index.js`.
  const folder = join(createRequire(import.meta.url).resolve("@sparticuz/chromium"), "../..")
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const target = join(import.meta.dirname, "../../node_modules/.cache", `chromium-${version}`)
  if (existsSync(join(target, "chromium"))) return join(target, "chromium")
  mkdirSync(target, { recursive: true })
  const partial = join(target, `chromium-${randomUUID()}`)
  await pipeline(
    createReadStream(join(folder, "bin/chromium.br")),
    createBrotliDecompress(),
    createWriteStream(partial, { mode: 0o700 })
  )
  renameSync(partial, join(target, "chromium"))
  return join(target, "chromium")
}
