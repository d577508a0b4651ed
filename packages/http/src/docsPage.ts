/**
 * The shell of every page of documentation: HTML that runs no script, loads nothing from anywhere, and may be kept.
 *
 * Links between the pages are relative, so that they hold wherever the server is mounted.
 */
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { escape, guarded, htmlPage } from "./htmlPage.ts"
import type { HtmlPage } from "./htmlPage.ts"

export type DocsPage = Pick<HtmlPage, "title" | "body">

export const docsResponse = ({ body, title }: DocsPage): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(htmlPage({ title, head: `<style>${style}</style>`, body }), {
    contentType: "text/html; charset=utf-8",
    headers
  })

/** A sentence of our own, whose backticks mark code. */
export const prose = (text: string): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>")

/** JSON to look at. */
export const jsonBlock = (value: unknown): string => `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`

/** What is not known is left out, rather than shown as an empty table. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0
    ? ""
    : `<div class="wide"><table>
<thead><tr>${head.map((cell) => `<th scope="col">${escape(cell)}</th>`).join("")}</tr></thead>
<tbody>
${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}
</tbody>
</table></div>`

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { margin: 0 }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 4rem }
h1, h2, h3 { line-height: 1.2; margin: 2.5rem 0 .75rem }
h1 { margin-top: 1rem }
h3, section > h2 { border-top: 1px solid var(--line); padding-top: 1.5rem }
h4 { margin: 1.25rem 0 .25rem }
code, pre { font: .9em/1.45 ui-monospace, monospace }
pre { padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; overflow: auto; max-height: 30rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line) }
td code { overflow-wrap: anywhere }
summary { cursor: pointer; margin: .5rem 0 }
nav ul { list-style: none; padding: 0 }
`

/** The one style that these pages have is named by its hash: no other is applied. */
const headers = {
  ...guarded,
  "content-security-policy": `${guarded["content-security-policy"]}; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "cache-control": "public, max-age=3600"
} as const
