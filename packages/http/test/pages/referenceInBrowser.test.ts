/** The API reference in a browser: what it shows, what it loads, and which requests can be sent from it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Scope } from "effect"
import type { Page } from "playwright-core"
import { hasBrowser, openBrowser } from "../../../../test/support/browser.ts"
import type { Extension } from "../../src/index.ts"
import { openApiDocument } from "../../src/index.ts"
import { TestServer } from "../support/server.ts"

const hostile: Extension = {
  method: "POST",
  path: "/v1/sandbox/:id/<b>",
  handle: () => Effect.die("not called"),
  operation: {
    operationId: "hostile",
    summary: "<script>document.title='x'</script>",
    tags: ["Hostile"],
    description: "Takes <img onerror=\"document.title='x'\"> <form action=/x> & more.",
    responses: { "200": { description: "<b onclick=alert(1)>done</b>" } }
  },
  schemas: { Hostile: { type: "object", properties: { "<i>field</i>": { type: "string", enum: ["<u>"] } } } }
}

interface Opened {
  readonly page: Page
  readonly requests: ReadonlyArray<string>
  /** Errors of the console and of scripts; a violation of the policy is one. */
  readonly errors: ReadonlyArray<string>
}

const wait = <A>(promise: () => Promise<A>) => Effect.promise(promise)

const opened = (url: string): Effect.Effect<Opened, never, Scope.Scope> =>
  Effect.gen(function* () {
    const browser = yield* Effect.acquireRelease(wait(openBrowser), (browser) => wait(() => browser.close()))
    const page = yield* wait(() => browser.newPage({ viewport: { width: 1280, height: 1000 } }))
    page.setDefaultTimeout(120_000)
    const [requests, errors]: [Array<string>, Array<string>] = [[], []]
    page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`))
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text())
    })
    page.on("pageerror", (error) => errors.push(String(error)))
    yield* wait(() => page.goto(url))
    yield* wait(() => page.waitForSelector("text=Create a payment"))
    return { page, requests, errors }
  })

/** Enters a key; answers the text of the dialog afterwards. */
const authorize = async (page: Page, key: string) => {
  await page.click("button.authorize")
  await page.fill(".modal-ux input", key)
  await page.click(".modal-ux button.authorize")
  const text = await page.locator(".modal-ux").innerText()
  await page.click(".modal-ux button.btn-done")
  return text
}

/** Sends the first example of `POST /v1/payments`; answers what the page shows of the response. */
const createPayment = async (page: Page) => {
  const block = page.locator(".opblock-post").first()
  await block.locator(".opblock-summary-control").click()
  await block.getByText("Try it out").click()
  await block.getByRole("button", { name: "Execute" }).click()
  await block.locator(".live-responses-table").waitFor()
  return block.locator(".live-responses-table").innerText()
}

// Scripts for the page, as text: the sources are checked without the types of a browser.
const expandSchemas = `
  for (const schema of document.querySelectorAll(".models article.json-schema-2020-12")) {
    const isDeep = schema.querySelector(".json-schema-2020-12__title").textContent === "CreatePayment"
    schema.querySelector(isDeep ? ".json-schema-2020-12-expand-deep-button" : ".json-schema-2020-12-accordion").click()
  }`
const expandOperations = `for (const each of document.querySelectorAll(".opblock-summary-control")) each.click()`

/** The text of the page with every schema and every operation open. One schema is open down to its last field. */
const expandedText = async (page: Page): Promise<string> => {
  await page.evaluate(expandSchemas)
  await page.locator(".models .json-schema-2020-12__title", { hasText: "fingerprint" }).waitFor()
  const schemas = await page.locator(".models").innerText()
  // Operations are resolved as they are opened, and schemas close again.
  await page.evaluate(expandOperations)
  await page.locator(".opblock:not(:has(.responses-wrapper))").first().waitFor({ state: "detached" })
  // A long path may break before its slashes.
  return (schemas + (await page.locator("#reference").innerText())).replaceAll("\u200B", "")
}

interface Document {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly summary: string
        readonly parameters?: ReadonlyArray<{ readonly name: string }>
      }
    }
  }
  readonly components: { readonly schemas: { readonly [name: string]: { readonly properties?: object } } }
}

const timeout = 300_000

layer(TestServer.layer({ extensions: [hostile] }), { excludeTestServices: true, timeout })(
  "the API reference",
  (it) => {
    it.effect.skipIf(!hasBrowser)(
      "shows every operation, parameter and field, runs nothing of the document, and loads this server's files alone (Linux on x64, or CHROMIUM_PATH)",
      () =>
        Effect.gen(function* () {
          const { url } = yield* TestServer
          const { errors, page, requests } = yield* opened(`${url}/v1/docs`)
          const shown = yield* wait(() => expandedText(page))
          // Boundary of a test: a document of ours.
          const { components, paths } = openApiDocument([hostile]) as unknown as Document
          for (const [path, methods] of Object.entries(paths)) {
            assert.include(shown, path)
            for (const { parameters = [], summary } of Object.values(methods)) {
              assert.include(shown, summary)
              for (const { name } of parameters) assert.include(shown, name)
            }
          }
          for (const [name, { properties = {} }] of Object.entries(components.schemas)) {
            assert.include(shown, name)
            for (const field of Object.keys(properties)) assert.include(shown, field)
          }
          for (const field of ["vendor_code", "fingerprint", "user_agent"]) assert.include(shown, field)
          assert.strictEqual(yield* wait(() => page.title()), "Paymux API reference")
          assert.strictEqual(
            yield* wait(() => page.locator("#reference script, #reference [onclick], #reference [onerror]").count()),
            0
          )
          const files = ["", "/swagger-ui.css", "/swagger-ui-bundle.js", "/reference.js"]
          assert.sameMembers(
            [...requests],
            [...files.map((file) => `GET ${url}/v1/docs${file}`), `GET ${url}/v1/openapi.json`]
          )
          assert.deepStrictEqual(errors, [])
        }),
      timeout
    )
  }
)

layer(TestServer.layer({ basePath: "/shop/payments" }), { excludeTestServices: true, timeout })(
  "its requests",
  (it) => {
    it.effect.skipIf(!hasBrowser)(
      "are sent under the base path with a test key, and never with a live key (Linux on x64, or CHROMIUM_PATH)",
      () =>
        Effect.gen(function* () {
          const { key, newKey, rows, url } = yield* TestServer
          const liveKey = yield* newKey("default", "live")
          const address = `${url}/shop/payments/v1/docs`
          const live = yield* opened(address)
          assert.include(yield* wait(() => authorize(live.page, liveKey)), "Use a test key")
          assert.match(yield* wait(() => createPayment(live.page)), /^401\s/m)
          assert.deepStrictEqual((yield* rows).payments, 0)
          // The browser itself reports a response of 401.
          assert.lengthOf(live.errors, 1)
          const test = yield* opened(address)
          assert.notInclude(yield* wait(() => authorize(test.page, key)), "Use a test key")
          const created = yield* wait(() => createPayment(test.page))
          assert.match(created, /^201\s/m)
          assert.include(created, '"livemode": false')
          for (const { requests } of [live, test]) assert.include(requests, `POST ${url}/shop/payments/v1/payments`)
          assert.deepStrictEqual(test.errors, [])
          assert.deepStrictEqual((yield* rows).payments, 1)
        }),
      timeout
    )
  }
)
