/** What holds for a request before its handler runs, and in whose name the handler runs. */
import { assert, describe, it } from "@effect/vitest"
import { CurrentLoopClock } from "@paymux/http"
import { Clock, Effect, Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { TestClock } from "effect/testing"
import { accessLayer, CurrentTenant, MemberAccess, PersonalAccess } from "../../src/server/access/AccessControl.ts"
import { Authenticator } from "../../src/server/access/Identity.ts"
import type { Identity } from "../../src/server/access/Identity.ts"
import {
  everyAccount,
  everyMode,
  read,
  sensitiveWrite,
  signedInRecently,
  write
} from "../../src/server/access/Permission.ts"
import { CurrentSignIn } from "../../src/server/api/session/SignInSettings.ts"
import { CurrentActor } from "../../src/server/audit/Actor.ts"
import { cookieInstance, cookiesOf } from "../../src/server/people/cookies.ts"

const minute = 60_000
const publicUrl = "https://pay.example.com"
const params = { account: Schema.String, mode: Schema.String }
const success = Schema.Struct({ actor: Schema.Unknown, tenant: Schema.Unknown })

class Group extends HttpApiGroup.make("group")
  .add(
    HttpApiEndpoint.get("read", "/read", { params, success }).annotateMerge(read),
    HttpApiEndpoint.get("write", "/write", { params, success }).annotateMerge(write("developer")),
    HttpApiEndpoint.get("sensitive", "/sensitive", { params, success }).annotateMerge(sensitiveWrite("developer")),
    HttpApiEndpoint.get("accounts", "/accounts", { params, success }).annotateMerge(everyAccount(write("developer"))),
    HttpApiEndpoint.get("modes", "/modes", { params, success }).annotateMerge(everyMode(write("developer"))),
    HttpApiEndpoint.post("change", "/change", { params, success }).annotateMerge(write("developer")),
    HttpApiEndpoint.get("unruled", "/unruled", { params, success })
  )
  .middleware(MemberAccess)
  .prefix("/:account/:mode") {}

class Own extends HttpApiGroup.make("own")
  .add(HttpApiEndpoint.get("recent", "/recent", { success }).annotateMerge(signedInRecently))
  .middleware(PersonalAccess) {}

class Api extends HttpApi.make("test").add(Group).add(Own) {}

const shown = Effect.gen(function* () {
  return { actor: yield* CurrentActor, tenant: yield* CurrentTenant }
})

const handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "group", (group) =>
    group
      .handle("read", () => shown)
      .handle("write", () => shown)
      .handle("sensitive", () => shown)
      .handle("accounts", () => shown)
      .handle("modes", () => shown)
      .handle("change", () => shown)
      .handle("unruled", () => shown)
  ),
  HttpApiBuilder.group(Api, "own", (group) =>
    group.handle("recent", () => Effect.map(CurrentActor, (actor) => ({ actor, tenant: null })))
  )
)

const asha: Identity = {
  id: "usr_1",
  name: "asha@example.com",
  memberships: [{ account: "shop", modes: ["test", "live"], role: "developer" }],
  authenticatedAt: 0
}

/** Each look at the clock finds that the event loop was busy for a minute, and nothing waits. */
const busyLoop = Effect.sync(() => {
  let busy = 0
  return { now: () => 0, busy: () => (busy += 60_000), sleep: () => Effect.void }
})

const start = Effect.gen(function* () {
  const state: { identity: Identity | null } = { identity: asha }
  const routes = HttpApiBuilder.layer(Api).pipe(
    Layer.provide(handlers),
    Layer.provide(accessLayer({ publicUrl, hasLiveMode: true })),
    Layer.provide(HttpServer.layerServices),
    Layer.provide(Layer.succeed(Authenticator, { identify: () => Effect.sync(() => state.identity) })),
    Layer.provide(
      Layer.succeed(CurrentSignIn, {
        accounts: true,
        cookies: cookiesOf(publicUrl, cookieInstance(Redacted.make("a secret of this test"))),
        publicUrl,
        trustedProxies: 1,
        reauthenticateUrl: null
      })
    )
  )
  const here = yield* Effect.context<never>()
  const web = yield* Effect.acquireRelease(
    Effect.sync(() =>
      HttpRouter.toWebHandler(routes.pipe(Layer.provide(Layer.succeedContext(here))), { disableLogger: true })
    ),
    ({ dispose }) => Effect.promise(dispose)
  )
  const get = Effect.fnUntraced(function* (path: string, method = "GET") {
    const headers = {
      host: "pay.example.com",
      "x-forwarded-for": "198.51.100.1, 203.0.113.7",
      ...(method !== "GET" && { origin: publicUrl })
    }
    const request = new Request(`${publicUrl}${path}`, { method, headers })
    const response = yield* Effect.promise(() => web.handler(request, here))
    const body = JSON.parse(yield* Effect.promise(() => response.text()))
    return { status: response.status, body, retryAfter: response.headers.get("retry-after") }
  })
  return { state, get, codeOf: (path: string) => Effect.map(get(path), ({ body, status }) => body.code ?? status) }
})

describe("a request of the control API", () => {
  it.effect("is done in the name of its person, with their role and address", () =>
    Effect.gen(function* () {
      const { get } = yield* start
      const { body } = yield* get("/shop/live/read")
      const actor = { kind: "user", id: asha.id, name: asha.name, role: "developer", address: "203.0.113.7" }
      assert.deepStrictEqual(body, { actor, tenant: { account: "shop", livemode: true } })
      const own = yield* get("/recent")
      assert.deepStrictEqual(own.body.actor, { ...actor, role: null })
    })
  )

  it.effect("is answered 429 if it reads and reads have used up their share, and else done", () =>
    Effect.gen(function* () {
      const { get } = yield* start
      // Each is charged half of the burst.
      for (const _ of ["first", "second"]) assert.strictEqual((yield* get("/shop/live/read")).status, 200)
      const { body, retryAfter, status } = yield* get("/shop/live/read")
      assert.deepStrictEqual([status, body.code, retryAfter], [429, "rate_limited", "1"])
      assert.strictEqual((yield* get("/shop/live/change", "POST")).status, 200)
      assert.strictEqual((yield* get("/recent")).status, 200)
    }).pipe(Effect.provideServiceEffect(CurrentLoopClock, busyLoop))
  )

  it.effect("requires a recent sign-in where the endpoint says so, and nowhere else", () =>
    Effect.gen(function* () {
      const { codeOf, state } = yield* start
      yield* TestClock.adjust(10 * minute)
      for (const path of ["/shop/test/sensitive", "/recent"]) assert.strictEqual(yield* codeOf(path), 200)
      yield* TestClock.adjust(1)
      for (const path of ["/shop/test/sensitive", "/recent"]) {
        assert.strictEqual(yield* codeOf(path), "reauthentication_required", path)
      }
      for (const path of ["/shop/test/read", "/shop/test/write"]) assert.strictEqual(yield* codeOf(path), 200, path)
      state.identity = { ...asha, authenticatedAt: yield* Clock.currentTimeMillis }
      assert.strictEqual(yield* codeOf("/shop/test/sensitive"), 200)
    })
  )

  it.effect("requires a session, access to the account and mode, and a role that the endpoint allows", () =>
    Effect.gen(function* () {
      const { codeOf, state } = yield* start
      for (const path of ["/other/test/read", "/shop/other/read", "/shop/TEST/read", "/shop%00/test/read"]) {
        assert.strictEqual(yield* codeOf(path), "not_found", path)
      }
      assert.strictEqual(yield* codeOf("/shop/test/unruled"), "forbidden")
      state.identity = { ...asha, memberships: [{ account: "shop", modes: ["test"], role: "viewer" }] }
      assert.strictEqual(yield* codeOf("/shop/test/read"), 200)
      assert.strictEqual(yield* codeOf("/shop/live/read"), "not_found")
      for (const path of ["/shop/test/write", "/shop/test/sensitive", "/shop/test/accounts", "/shop/test/modes"]) {
        assert.strictEqual(yield* codeOf(path), "forbidden", path)
      }
      state.identity = null
      for (const path of ["/shop/test/read", "/recent"]) assert.strictEqual(yield* codeOf(path), "sign_in_required")
    })
  )

  it.effect("requires a role in every account, and in live mode, for what applies to all of them", () =>
    Effect.gen(function* () {
      const { codeOf, state } = yield* start
      for (const path of ["/shop/test/accounts", "/shop/test/modes"]) {
        assert.strictEqual(yield* codeOf(path), "forbidden", path)
      }
      state.identity = { ...asha, memberships: [{ account: null, modes: ["test"], role: "developer" }] }
      assert.strictEqual(yield* codeOf("/shop/test/accounts"), 200)
      assert.strictEqual(yield* codeOf("/shop/test/modes"), "forbidden")
      state.identity = { ...asha, memberships: [{ account: null, modes: ["test", "live"], role: "developer" }] }
      assert.strictEqual(yield* codeOf("/shop/test/modes"), 200)
    })
  )
})
