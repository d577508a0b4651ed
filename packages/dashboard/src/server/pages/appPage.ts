/**
 * The one page of the browser program, for every address of the dashboard. It says where the dashboard stands, and has a
 * nonce of its own for the style sheets that the program adds.
 */
import { HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"

/** `base`: the path of the dashboard in the browser, such as `/payments/dashboard/`. */
export const appPage = (index: string, base: string): HttpServerResponse.HttpServerResponse => {
  const nonce = randomBytes(16).toString("base64")
  // Before everything that loads: the addresses in the page are relative.
  const head = `<head>\n    <base href="${attribute(base)}" />\n    <meta property="csp-nonce" nonce="${nonce}" />`
  return HttpServerResponse.text(
    index.replace("<head>", () => head),
    { contentType: html, headers: { ...guarded, "content-security-policy": policyOf(nonce) } }
  )
}

/** Of a clone in which the app is not built. */
export const notBuiltPage: HttpServerResponse.HttpServerResponse = HttpServerResponse.text(
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The dashboard is not built</title>
</head>
<body>
<main>
<h1>The dashboard is not built</h1>
<p>This installation has no files of the dashboard. In a clone of the repository, run <code>pnpm install</code>, which builds
them. Otherwise install the package <code>@paymux/dashboard</code> again.</p>
<p>The API is not affected.</p>
</main>
</body>
</html>
`,
  {
    status: 503,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  }
)

const html = "text/html; charset=utf-8"

const guarded = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
} as const

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'"
  ].join("; ")

const attribute = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`)
