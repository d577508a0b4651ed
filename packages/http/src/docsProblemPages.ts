/** A page for each problem: what it means, what to do about it, and an answer as the server gives it. */
import { jsonBlock, prose, table } from "./docsPage.ts"
import type { DocsPage } from "./docsPage.ts"
import { escape } from "./htmlPage.ts"
import { problemTexts } from "./docsProblemTexts.ts"
import { problem, problemCodes, problemJson, statusOf, toAnswer } from "./Problem.ts"
import type { Problem, ProblemCode } from "./Problem.ts"

export const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(problemTexts, text)

/** All of them, in the order of their status. */
export const problemList: DocsPage = {
  title: "Problems – Paymux",
  body: `<h1>Problems</h1>
<p>Every error is answered as a problem of RFC 9457, <code>application/problem+json</code>. Decide by <code>code</code>;
<code>detail</code> is for people. <code>request_id</code>, also in the header <code>Request-Id</code>, finds the request in the
logs of the server. <a href="../v1/docs">The API</a></p>
${table(
  ["code", "status", "what it means"],
  problemCodes.map((code) => [
    `<a href="problems/${code}"><code>${code}</code></a>`,
    String(statusOf(code)),
    prose(problemTexts[code].meaning)
  ])
)}`
}

/** `basePath`: of the server, as in the `type` of its problems. */
export const problemPage = (code: ProblemCode, basePath: string): DocsPage => {
  const { example, meaning, remedy } = problemTexts[code]
  const shown = problem(code, { ...example, basePath, requestId: "req_0190f3c27b1c4d55a7f0c4e8b2d96a31" })
  const { status, title } = problemJson(shown)
  return {
    title: `${code} – Paymux`,
    body: `<h1>${escape(title)}</h1>
<p><code>${code}</code>, status ${status}</p>
<h2>What it means</h2>
<p>${prose(meaning)}</p>
<h2>What to do</h2>
<p>${prose(remedy)}</p>
<h2>An example</h2>
<pre>HTTP/1.1 ${status}
${escape(headerLines(shown))}</pre>
${jsonBlock(problemJson(shown))}
<p><a href="../problems">All problems</a> · <a href="../../v1/docs">The API</a></p>`
  }
}

const headerLines = (shown: Problem): string =>
  Object.entries(toAnswer(shown).headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")
