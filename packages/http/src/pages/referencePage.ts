/**
 * The API reference: Swagger UI over the OpenAPI document of this server.
 *
 * The page loads all files from this server, and its policy allows no inline script or style. Requests can be sent with
 * a test key. A live key is rejected: its requests would move money.
 *
 * Gotchas: links are relative, so they work under any base path. Swagger UI is read from disk on each request.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { guarded, htmlPage } from "./htmlPage.ts"

// The empty icon prevents the browser from requesting an icon from the host.
const head = `<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/reference.js" defer></script>`

const body = `<div id="reference"></div>
<noscript><p>The reference needs JavaScript. The API is also described by <a href="openapi.json">an OpenAPI document</a>,
and its errors by <a href="../docs/problems">pages without scripts</a>.</p></noscript>`

const script = `const refuseLiveKeys = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize, { errActions }) => (keys) => {
          errActions.clear({ source: "auth" })
          if (!Object.values(keys).some(({ value }) => String(value).includes("pmx_live_"))) return authorize(keys)
          const message = "Use a test key: requests with a live key move money."
          for (const authId of Object.keys(keys)) errActions.newAuthErr({ authId, source: "auth", level: "error", message })
        }
      }
    }
  }
})

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null, // it would send the document to the makers of Swagger
  plugins: [refuseLiveKeys]
})
`

// The policy allows images from `data:` URLs, because the style sheet of Swagger UI contains its icons as such URLs.
const policy = [
  guarded["content-security-policy"],
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:"
].join("; ")

const headers = { ...guarded, "cache-control": "public, max-age=3600" }

export const referencePage = HttpServerResponse.text(htmlPage({ title: "Paymux API reference", head, body }), {
  contentType: "text/html; charset=utf-8",
  headers: { ...headers, "content-security-policy": policy }
})

/** Serves a file that the page of the API reference loads. The result is `null` if the name is unknown. */
export const referenceFile = (name: string) => {
  switch (name) {
    case "reference.js":
      return Effect.succeed(HttpServerResponse.text(script, { contentType: javascript, headers }))
    case "swagger-ui-bundle.js":
      return fileResponse(name, javascript)
    case "swagger-ui.css":
      return fileResponse(name, css)
    default:
      return null
  }
}

const javascript = "text/javascript; charset=utf-8"
const css = "text/css; charset=utf-8"

const fileResponse = (name: string, contentType: string) =>
  Effect.map(
    Effect.promise(() => readFile(join(dirname(thisFile), swaggerUi, name))),
    (bytes) => HttpServerResponse.uint8Array(bytes, { contentType, headers })
  )

const thisFile = fileURLToPath(import.meta.url)

/**
 * The directory of Swagger UI, relative to this file. The build copies Swagger UI next to the bundle; when run from
 * source, the development dependency is read. The value is a plain path, because the bundler of a host application
 * would follow `resolve` or `new URL` and bundle all of Swagger UI.
 */
const swaggerUi = thisFile.endsWith(".ts") ? "../../node_modules/swagger-ui-dist" : "swagger-ui"
