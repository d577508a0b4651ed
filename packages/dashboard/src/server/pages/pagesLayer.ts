/**
 * The routes of the pages: one page at every address below `/dashboard`, except those of the control API, and the assets
 * that it loads. The page has no data: without a session it shows the sign-in.
 */
import { isWithin } from "@paymux/http"
import type { KnownRoute } from "@paymux/http"
import { Effect } from "effect"
import type { Layer } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { appFiles, builtApp } from "./appFiles.ts"
import { appPage, notBuiltPage } from "./appPage.ts"
import { acceptedEncoding } from "./encodings.ts"

export interface PagesOptions {
  /** Where browsers reach this server, with its base path. */
  readonly publicUrl: string
  /** Of the built app. Default: in this package. */
  readonly folder?: string
}

const controlApi = "/dashboard/api"

/** For the edge. `/dashboard` itself is an address of any rest. */
export const pagesRoutes: ReadonlyArray<KnownRoute> = [
  { method: "GET", path: "/dashboard/assets/:file", body: "none" },
  { method: "GET", path: "/dashboard/*", except: controlApi, body: "none" }
]

export const pagesLayer = ({
  folder = builtApp,
  publicUrl
}: PagesOptions): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const files = appFiles(folder)
  const base = `${new URL(publicUrl).pathname.replace(/\/+$/, "")}/dashboard/`

  const page = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    if (!isPage(url.split(/[?#]/, 1)[0] ?? "")) return yield* notFound
    const found = yield* Effect.promise(files)
    return found === null ? notBuiltPage : appPage(found.index, base)
  })

  const asset = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { file = "" } = yield* HttpRouter.params
    const found = (yield* Effect.promise(files))?.assets.get(file)
    if (found === undefined) return yield* notFound
    const encoding = found.isCompressible ? acceptedEncoding(headers["accept-encoding"]) : "identity"
    const bytes = yield* Effect.promise(() => found.encoded(encoding))
    return HttpServerResponse.uint8Array(bytes, {
      contentType: found.contentType,
      headers: {
        ...cachedForGood,
        ...(found.isCompressible && { vary: "accept-encoding" }),
        ...(encoding !== "identity" && { "content-encoding": encoding })
      }
    })
  })

  return HttpRouter.use((router) =>
    Effect.andThen(router.add("GET", "/dashboard/assets/:file", asset), router.add("GET", "/dashboard/*", page))
  )
}

/** As if there were no such route: the edge answers. A defect, because the router has no type for it. */
const notFound = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  Effect.die(new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) }))
)

/** Whether the page may be at this path: it has no dot segments, no encoded slash, and no longer part than an id has. */
const isPage = (path: string): boolean =>
  path.length <= 2000 &&
  !isWithin(controlApi, path) &&
  !isWithin("/dashboard/assets", path) &&
  !/%2f|%5c|%00|\\/i.test(path) &&
  !path.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part))

const cachedForGood = {
  "cache-control": "public, max-age=31536000, immutable",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
} as const
