/** A route reads only what it declares. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { edge } from "../../src/server/Edge.ts"
import type { KnownRoute } from "../../src/index.ts"
import { answered, HttpHandler, readJsonObject } from "../../src/index.ts"

const read = answered(
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    return HttpServerResponse.text(JSON.stringify(yield* readJsonObject(request)))
  })
)

const handlerOf = (routes: ReadonlyArray<KnownRoute>) =>
  HttpHandler.layer(
    Layer.merge(
      edge(routes),
      HttpRouter.use((router) =>
        Effect.andThen(router.add("POST", "/notes", read), router.add("POST", "/notes/:id", read))
      )
    )
  )

const post = (path: string, body: string) =>
  Effect.flatMap(HttpHandler, ({ fetch }) =>
    Effect.promise(async () => {
      const headers = { "content-type": "application/json" }
      return (await fetch(new Request(`http://localhost${path}`, { method: "POST", headers, body }))).status
    })
  )

describe("an address", () => {
  const status = (length: number) =>
    Effect.flatMap(HttpHandler, ({ fetch }) =>
      Effect.promise(async () => (await fetch(new Request(`http://localhost${"/notes?".padEnd(length, "a&")}`))).status)
    )

  it.live("of more than 16 KiB is refused before its query is parsed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([yield* status(16_384), yield* status(16_385), yield* status(10_000_000)], [405, 431, 431])
    }).pipe(Effect.provide(handlerOf([{ method: "POST", path: "/notes", body: "default" }])))
  )
})

describe("a route", () => {
  it.live("that declares no body reads none", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* post("/notes", "{}"), 413)
    }).pipe(Effect.provide(handlerOf([])))
  )

  it.live("reads as many bytes as it declares, and not one more", () =>
    Effect.gen(function* () {
      const bodyOf = (bytes: number) => `{}`.padEnd(bytes)
      assert.deepStrictEqual([yield* post("/notes", bodyOf(100)), yield* post("/notes", bodyOf(101))], [200, 413])
      assert.deepStrictEqual(
        [yield* post("/notes/1", bodyOf(65_536)), yield* post("/notes/1", bodyOf(65_537))],
        [200, 413]
      )
    }).pipe(
      Effect.provide(
        handlerOf([
          { method: "POST", path: "/notes/:id", body: "default" },
          { method: "POST", path: "/notes", body: 100 },
          { method: "GET", path: "/notes/:id", body: "none" }
        ])
      )
    )
  )
})
