/** The router of `HttpHandler`. It matches paths exactly, and records the list of its routes. */
import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"

export interface AddedRoute {
  /** The method of the route; `*`: any method. */
  readonly method: string
  readonly path: string
}

/** The routes of the router, in the order of their addition. */
export class AddedRoutes extends Context.Service<AddedRoutes, ReadonlyArray<AddedRoute>>()(
  "@paymux/http/server/AddedRoutes"
) {}

export const exactRouter = Layer.effectContext(
  Effect.map(
    Effect.provideService(HttpRouter.make, HttpRouter.RouterConfig, {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false
    }),
    (router) => {
      const added: Array<AddedRoute> = []
      const listing = HttpRouter.HttpRouter.of({
        ...router,
        add: (method, path, handler, options) => {
          added.push({ method, path })
          return router.add(method, path, handler, options)
        },
        addAll: (routes) => {
          for (const { method, path } of routes) added.push({ method, path })
          return router.addAll(routes)
        }
      })
      return Context.make(HttpRouter.HttpRouter, listing).pipe(Context.add(AddedRoutes, added))
    }
  )
)
