/** A page for each problem: its meaning, the remedy, and an example of the response. No script runs. */
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { problem, problemCodes, problemJson, statusOf, toAnswer } from "../problems/Problem.ts"
import type { Problem, ProblemCode } from "../problems/Problem.ts"
import { escape, guarded, htmlPage } from "./htmlPage.ts"
import { problemTexts } from "./problemTexts.ts"

export const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(problemTexts, text)

/** The list of all problems, ordered by status. */
export const problemList = () =>
  page(
    "Problems – Paymux",
    `<h1>Problems</h1>
<p>Every error is answered as a problem of RFC 9457, <code>application/problem+json</code>. Decide by <code>code</code>;
<code>detail</code> is for people. <code>request_id</code>, also in the header <code>Request-Id</code>, finds the request in the
logs of the server. <a href="../v1/docs">The API</a></p>
<div class="wide"><table>
<thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">what it means</th></tr></thead>
<tbody>
${problemCodes.map(row).join("\n")}
</tbody>
</table></div>`
  )

const row = (code: ProblemCode): string =>
  `<tr><td><a href="problems/${code}"><code>${code}</code></a></td><td>${statusOf(code)}</td><td>${prose(problemTexts[code].meaning)}</td></tr>`

/** The page of a problem. `basePath`: the prefix of `type` in the example. */
export const problemPage = (code: ProblemCode, basePath: string) => {
  const { example, meaning, remedy } = problemTexts[code]
  const shown = problem(code, { ...example, basePath, requestId: "req_0190f3c27b1c4d55a7f0c4e8b2d96a31" })
  const { status, title } = problemJson(shown)
  return page(
    `${code} – Paymux`,
    `<h1>${escape(title)}</h1>
<p><code>${code}</code>, status ${status}</p>
<h2>What it means</h2>
<p>${prose(meaning)}</p>
<h2>What to do</h2>
<p>${prose(remedy)}</p>
<h2>An example</h2>
<pre>HTTP/1.1 ${status}
${escape(headerLines(shown))}</pre>
<pre>${escape(JSON.stringify(problemJson(shown), null, 2))}</pre>
<p><a href="../problems">All problems</a> · <a href="../../v1/docs">The API</a></p>`
  )
}

const headerLines = (shown: Problem): string =>
  Object.entries(toAnswer(shown).headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

/** Converts a text of `problemTexts` to HTML. Backticks in the text mark code. */
const prose = (text: string): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>")

/**
 * Builds the response with an HTML page. The pages link to each other with relative URLs, so that the links work under
 * any base path.
 */
const page = (title: string, body: string) =>
  HttpServerResponse.text(htmlPage({ title, head: `<style>${style}</style>`, body }), {
    contentType: "text/html; charset=utf-8",
    headers
  })

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { margin: 0 }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 4rem }
h1, h2 { line-height: 1.2; margin: 2.5rem 0 .75rem }
h1 { margin-top: 1rem }
code, pre { font: .9em/1.45 ui-monospace, monospace }
pre { padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; overflow: auto; max-height: 30rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line) }
td code { overflow-wrap: anywhere }
`

/** The Content-Security-Policy of these pages, which allows their style by its hash. */
const headers = {
  ...guarded,
  "content-security-policy": `${guarded["content-security-policy"]}; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "cache-control": "public, max-age=3600"
} as const
