/** What goes wrong in a page of the dashboard: nothing of it may happen unless a test provokes it. */
import type { Page, Request } from "playwright-core"

export interface RecordedPage {
  readonly page: Page
  /**
   * Grows while the page is open: script errors, what is written to the console as an error (violations of the content
   * security policy among it), responses from 400 on, requests that failed, and requests to any other server.
   */
  readonly problems: ReadonlyArray<string>
}

/** `url`: of the server. */
export const recorded = (page: Page, url: string): RecordedPage => {
  const problems: Array<string> = []
  const origin = new URL(url).origin
  page.on("console", (message) => {
    // A browser says so of each response from 400 on, without its address.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      problems.push(`The console of ${page.url()} says: ${message.text()}`)
    }
  })
  page.on("pageerror", (error) => problems.push(`A script of ${page.url()} threw: ${error.stack ?? error.message}`))
  page.on("request", (request) => {
    const { origin: other, protocol } = new URL(request.url())
    if (protocol.startsWith("http") && other !== origin) problems.push(`${said(request)} goes to another server.`)
  })
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "unknown"
    // The page was left, or a newer request took its place.
    if (reason !== "net::ERR_ABORTED") problems.push(`${said(request)} failed: ${reason}`)
  })
  page.on("response", (response) => {
    if (response.status() >= 400 && !isSignedOut(response.request(), response.status())) {
      problems.push(`${said(response.request())} was answered ${response.status()}.`)
    }
  })
  return { page, problems }
}

const said = (request: Request) => `${request.method()} ${request.url()}`

/** How a page learns that there is no session. */
const isSignedOut = (request: Request, status: number) =>
  status === 401 && request.method() === "GET" && new URL(request.url()).pathname.endsWith("/dashboard/api/session")
