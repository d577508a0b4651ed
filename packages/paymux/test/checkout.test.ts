/** The payment page over HTTP: who can open it, what it shows, what it refuses. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { vi } from "vitest"
import { limitDefaults } from "../../checkout/src/Limits.ts"
import { createPaymux } from "../src/index.ts"
import type { Paymux, PaymuxOptions } from "../src/index.ts"

const options = { sandbox: true, database: ":memory:", publicUrl: "http://shop.test" } as const

const minimal = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919876543210", name: "Asha <b>Rao</b>", address: null },
  metadata: { sandbox_scenario: "undecided", note: "<script>1</script>" }
} as const

const methods = {
  "UPI intent": minimal,
  "UPI QR": { ...minimal, payment_method_details: { upi: { flow: "qr" } } },
  "UPI collect": { ...minimal, payment_method_details: { upi: { flow: "collect", vpa: "asha.rao@okaxis" } } },
  card: { ...minimal, payment_method: "card" },
  stablecoin: {
    ...minimal,
    currency: "USD",
    payment_method: "stablecoin",
    payment_method_details: { stablecoin: { asset: "USDC", network: "base" } }
  }
} as const

const encoder = new TextEncoder()

/** One pending payment, and its page. */
const withPage = async (
  work: (page: { readonly paymux: Paymux; readonly url: string; readonly id: string }) => Promise<void>,
  body: Parameters<Paymux["payments"]["create"]>[0] = minimal,
  more: PaymuxOptions<never, true> = {}
) => {
  await using paymux = await createPaymux({ ...options, ...more })
  const { hosted_url, id, status } = await paymux.payments.create(body)
  assert.strictEqual(status, "pending")
  assert.isNotNull(hosted_url)
  await work({ paymux, url: hosted_url ?? "", id })
}

const get = (paymux: Paymux, url: string, headers: { readonly [name: string]: string } = {}) =>
  paymux.fetch(new Request(url, { headers: { ...headers } }))

const post = (paymux: Paymux, url: string, body: string) =>
  paymux.fetch(
    new Request(url, { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded" } })
  )

describe("the payment page", () => {
  for (const [name, body] of Object.entries(methods)) {
    it(`lets the payer of a payment by ${name} pay, and shows the result`, () =>
      withPage(async ({ id, paymux, url }) => {
        const page = await (await get(paymux, url)).text()
        assert.include(page, 'data-open="true"')
        assert.include(page, "Test mode")
        assert.notInclude(page, "asha")
        assert.notInclude(page, "<script>1")
        const decided = await post(paymux, url, "decision=approve")
        assert.deepStrictEqual([decided.status, new URL(decided.headers.get("location") ?? "", url).href], [303, url])
        assert.strictEqual((await paymux.payments.get(id)).status, "succeeded")
        assert.include(await (await get(paymux, url)).text(), "Payment complete")
      }, body))
  }

  for (const name of ["UPI intent", "UPI QR", "stablecoin"] as const) {
    it(`draws the code of ${name} as an image for a page of the merchant's own, while it can be paid`, () =>
      withPage(async ({ paymux, url, id }) => {
        const { next_action: action } = await paymux.payments.get(id)
        const image = action !== null && "image" in action ? (action.image ?? "") : ""
        assert.strictEqual(image, `${url}/qr.svg`)
        const { headers, status } = await get(paymux, image)
        assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/svg+xml"])
        assert.strictEqual(headers.get("cross-origin-resource-policy"), "cross-origin")
        await post(paymux, url, "decision=approve")
        assert.strictEqual((await get(paymux, image)).status, 404)
      }, methods[name]))
  }

  it("draws no image for a card, or under another token", () =>
    withPage(async ({ paymux, url }) => {
      assert.strictEqual((await get(paymux, `${url}/qr.svg`)).status, 404)
      assert.strictEqual((await get(paymux, `${url.slice(0, -1)}!/qr.svg`)).status, 404)
    }, methods.card))

  it("names the coin and the chain that the provider chose, where the payment left them open", () =>
    withPage(
      async ({ id, paymux, url }) => {
        const { next_action: action } = await paymux.payments.get(id)
        assert.deepInclude(action, { type: "stablecoin_transfer", asset: "USDC", network: "base", amount: "100.00" })
        assert.include(await (await get(paymux, url)).text(), "Send only USDC on Base.")
      },
      { ...minimal, currency: "USD", payment_method: "stablecoin" }
    ))

  it("shows what became of a payment that was declined, expired or canceled", async () => {
    for (const [decision, title] of [
      ["decline", "Payment failed"],
      ["expire", "Payment expired"]
    ] as const) {
      await withPage(async ({ paymux, url }) => {
        await post(paymux, url, `decision=${decision}`)
        assert.include(await (await get(paymux, url)).text(), title)
        // A second decision finds it decided.
        assert.strictEqual((await post(paymux, url, "decision=approve")).status, 303)
        assert.include(await (await get(paymux, url)).text(), title)
      })
    }
    await withPage(async ({ id, paymux, url }) => {
      await paymux.payments.cancel(id)
      assert.include(await (await get(paymux, url)).text(), "Payment canceled")
    })
  })

  it("links back to the shop with the payment's id and the shop's own query", () =>
    withPage(
      async ({ id, paymux, url }) => {
        await post(paymux, url, "decision=approve")
        assert.include(
          await (await get(paymux, url)).text(),
          `href="https://shop.example/done?a=1&#38;payment_id=${id}"`
        )
      },
      { ...minimal, return_url: "https://shop.example/done?a=1" }
    ))

  it("has one address for each payment, in every answer", () =>
    withPage(async ({ id, paymux, url }) => {
      assert.match(url, /^http:\/\/shop\.test\/pay\/pay_\w{26}\/[\w-]{22}$/)
      assert.strictEqual((await paymux.payments.get(id)).hosted_url, url)
      assert.strictEqual((await paymux.payments.list()).data[0]?.hosted_url, url)
      const read = await get(paymux, `http://shop.test/v1/payments/${id}`, {
        authorization: `Bearer ${paymux.testKey}`
      })
      assert.strictEqual(JSON.parse(await read.text()).hosted_url, url)
    }))

  it("speaks English and Hindi, by the browser or by option", () =>
    withPage(async ({ paymux, url }) => {
      const of = async (accept: string) => (await get(paymux, url, { "accept-language": accept })).text()
      assert.include(await of("hi-IN,en;q=0.5"), 'lang="hi-IN"')
      assert.include(await of("fr,hi;q=0.3,en;q=0.9"), 'lang="en-IN"')
      assert.include(await of("hi;q=0"), 'lang="en-IN"')
      assert.include(await of(",;q=x,".repeat(1000)), 'lang="en-IN"')
    }))

  it("may be branded, and framed only by the named origins", () =>
    withPage(
      async ({ paymux, url }) => {
        const answer = await get(paymux, url)
        const page = await answer.text()
        assert.include(page, "Chai &#38; Co.")
        assert.include(page, 'lang="hi-IN"')
        assert.include(answer.headers.get("content-security-policy"), "frame-ancestors https://shop.example;")
        const style = /href="(\/pay\/assets\/checkout-\w+\.css)"/.exec(page)?.[1] ?? ""
        const css = await get(paymux, `http://shop.test${style}`)
        assert.include(await css.text(), "--accent: #ffcc00; --on-accent: #000")
        assert.include(css.headers.get("cache-control"), "immutable")
      },
      minimal,
      {
        checkout: {
          name: "Chai & Co.",
          color: "#ffcc00",
          language: "hi",
          frameAncestors: ["https://shop.example"],
          logo: "data:image/png;base64,iVBORw0KGgo="
        }
      }
    ))

  it("runs nothing of its own in line, and is kept by no cache", () =>
    withPage(async ({ paymux, url }) => {
      const answer = await get(paymux, url)
      assert.strictEqual(
        answer.headers.get("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
      )
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.strictEqual(answer.headers.get("referrer-policy"), "no-referrer")
      const page = await answer.text()
      assert.notMatch(page, /<style|<iframe|<input|<script>| (?:on\w+|style)=|url\(/i)
    }))

  it("is under the base path with everything it loads", () =>
    withPage(
      async ({ paymux, url }) => {
        assert.match(url, /^http:\/\/shop\.test\/shop\/payments\/pay\//)
        const page = await (await get(paymux, url)).text()
        for (const [, address = ""] of page.matchAll(/(?:href|src|action|data-events)="(\/[^"]+)"/g)) {
          assert.match(address, /^\/shop\/payments\/pay\//)
          if (address.includes("/assets/")) {
            assert.strictEqual((await get(paymux, `http://shop.test${address}`)).status, 200)
          }
        }
      },
      minimal,
      { basePath: "/shop/payments" }
    ))

  it("is not served where it is switched off", async () => {
    await using paymux = await createPaymux({ ...options, checkout: false })
    // The sandbox keeps it: its payments are decided there.
    assert.isNotNull((await paymux.payments.create(minimal)).hosted_url)
  })
})

describe("a wrong link", () => {
  it("is answered with the same page, whatever is wrong with it", () =>
    withPage(async ({ id, paymux, url }) => {
      const other = await paymux.payments.create(minimal)
      const token = url.split("/").at(-1) ?? ""
      const wrong = [
        `/pay/${other.id}/${token}`,
        `/pay/${id}/${token.slice(0, -1)}`,
        `/pay/${id}/${token}A`,
        `/pay/${id}/${token.toUpperCase()}`,
        `/pay/pay_00000000000000000000000000/${token}`,
        `/pay/x/y`,
        `/pay/${id}/${"%00".repeat(9)}`
      ]
      const answers = await Promise.all(
        wrong.map(async (path) => {
          const answer = await get(paymux, `http://shop.test${path}`)
          return `${answer.status} ${await answer.text()}`
        })
      )
      assert.strictEqual(new Set(answers).size, 1)
      assert.match(answers[0] ?? "", /^404 .*Payment not found/s)
      for (const path of wrong) {
        assert.strictEqual((await get(paymux, `http://shop.test${path}/status`)).status, 404)
        assert.strictEqual((await post(paymux, `http://shop.test${path}`, "decision=approve")).status, 404)
      }
      assert.strictEqual((await paymux.payments.get(id)).status, "pending")
    }))

  it("is what a link becomes 30 days after its payment ended, to the byte", () =>
    withPage(async ({ id, paymux, url }) => {
      await post(paymux, url, "decision=decline")
      const wrong = await get(paymux, `${url}A`)
      const day = 24 * 60 * 60_000
      const ended = Date.now()
      vi.useFakeTimers({ toFake: ["Date"] })
      try {
        vi.setSystemTime(ended + 30 * day - 60_000)
        assert.include(await (await get(paymux, url)).text(), "Payment failed")
        vi.setSystemTime(ended + 30 * day + 60_000)
        const late = await get(paymux, url)
        assert.deepStrictEqual([late.status, await late.text()], [wrong.status, await wrong.text()])
        for (const answer of [late, wrong]) answer.headers.delete("request-id")
        assert.deepStrictEqual([...late.headers], [...wrong.headers])
        for (const part of ["status", "events", "qr.svg"]) {
          assert.strictEqual((await get(paymux, `${url}/${part}`)).status, 404)
        }
        assert.strictEqual((await paymux.payments.get(id)).status, "failed")
      } finally {
        vi.useRealTimers()
      }
    }))

  it("is limited by address, and a correct link is not", () =>
    withPage(async ({ id, paymux, url }) => {
      // Two minutes have room for 60.
      const statuses: Array<number> = []
      for (let n = 0; n < 61; n++) statuses.push((await get(paymux, `http://shop.test/pay/${id}/${n}`)).status)
      assert.deepStrictEqual(new Set(statuses), new Set([404, 429]))
      assert.strictEqual((await get(paymux, url)).status, 200)
    }))
})

describe("the status for a browser", () => {
  it("shows what the payer may know, to any page, and nothing else", () =>
    withPage(async ({ id, paymux, url }) => {
      const answer = await get(paymux, `${url}/status`)
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
      const status = JSON.parse(await answer.text())
      const { next_action } = await paymux.payments.get(id)
      assert.deepStrictEqual(status, {
        id,
        status: "pending",
        pending_reason: "awaiting_customer",
        amount: 10_000,
        currency: "INR",
        next_action,
        expires_at: null,
        version: status.version
      })
    }))

  it("comes as events: first as it is, then with each change, and ends with the payment", () =>
    withPage(async ({ paymux, url }) => {
      const answer = await get(paymux, `${url}/events`)
      assert.include(answer.headers.get("content-type"), "text/event-stream")
      const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
      assert.match((await reader.read()).value ?? "", /^data: \{.*"status":"pending".*\}\n\n$/s)
      await post(paymux, url, "decision=approve")
      let text = ""
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
      assert.match(text, /^data: \{.*"status":"succeeded".*\}\n\n$/s)
    }))
})

describe("open event streams", () => {
  const opened = (port: number, path: string, headers: { readonly [name: string]: string } = {}, from = "127.0.0.1") =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, path: `${path}/events`, host: "127.0.0.1", localAddress: from, agent: false, headers }, resolve)
        .on("error", reject)
        .end()
    })

  const limited = (
    work: (
      open: (headers?: { readonly [name: string]: string }, from?: string) => Promise<IncomingMessage>
    ) => Promise<void>,
    options: PaymuxOptions<never, true> = {}
  ) =>
    withPage(
      async ({ paymux, url }) => {
        const server = createServer(paymux.node).listen(0, "127.0.0.1")
        await once(server, "listening")
        const { port } = server.address() as AddressInfo
        try {
          await work((headers, from) => opened(port, new URL(url).pathname, headers, from))
        } finally {
          server.closeAllConnections()
          server.close()
        }
      },
      minimal,
      options
    )

  const fill = async (open: () => Promise<IncomingMessage>): Promise<ReadonlyArray<IncomingMessage>> => {
    const streams: Array<IncomingMessage> = []
    for (let n = 0; n < limitDefaults.streams; n++) streams.push(await open())
    assert.deepStrictEqual([...new Set(streams.map(({ statusCode }) => statusCode))], [200])
    return streams
  }

  it("are limited by the address of the client, and one that ends makes room", () =>
    limited(async (open) => {
      const [first] = await fill(() => open())
      assert.strictEqual((await open()).statusCode, 429)
      assert.strictEqual((await open({}, "127.0.0.2")).statusCode, 200)
      first?.destroy()
      const again = async (): Promise<number | undefined> => {
        const { statusCode } = await open()
        return statusCode === 429 ? again() : statusCode
      }
      assert.strictEqual(await again(), 200)
    }))

  it("are limited by the address that a trusted proxy names", () =>
    limited(
      async (open) => {
        await fill(() => open({ "x-forwarded-for": "203.0.113.7" }))
        assert.strictEqual((await open({ "x-forwarded-for": "203.0.113.7" })).statusCode, 429)
        assert.strictEqual((await open({ "x-forwarded-for": "203.0.113.7, 203.0.113.8" })).statusCode, 200)
      },
      { trustedProxies: 1 }
    ))

  it("are limited together for all addresses of an IPv6 network of 64 bits", () =>
    limited(
      async (open) => {
        let n = 0
        await fill(() => open({ "x-forwarded-for": `2001:db8:1:2::${(++n).toString(16)}` }))
        assert.strictEqual((await open({ "x-forwarded-for": "2001:db8:1:2:a::1" })).statusCode, 429)
        assert.strictEqual((await open({ "x-forwarded-for": "2001:db8:1:3::1" })).statusCode, 200)
      },
      { trustedProxies: 1 }
    ))

  it("of HEAD are none", () =>
    withPage(async ({ paymux, url }) => {
      for (let n = 0; n < 150; n++) {
        const answer = await paymux.fetch(new Request(`${url}/events`, { method: "HEAD" }))
        assert.strictEqual(answer.status, 200)
      }
      const { status, body } = await get(paymux, `${url}/events`)
      assert.strictEqual(status, 200)
      await body?.cancel()
    }))
})

describe("bad decisions", () => {
  it("change nothing", () =>
    withPage(async ({ id, paymux, url }) => {
      for (const body of ["", "decision=refund", "decision=approve&x=1", "decision=approve&decision=decline", "%"]) {
        await post(paymux, url, body)
        assert.strictEqual((await paymux.payments.get(id)).status, "pending", body.slice(0, 40))
      }
    }))
})

describe("a body that is larger than the form of the page", () => {
  const sizes = { "5 MB of a&": "a&".repeat(2_500_000), "one long value": `decision=${"a".repeat(2_000)}` }

  for (const [name, body] of Object.entries(sizes)) {
    it(`is answered 413 to a Request, with and without a length: ${name}`, () =>
      withPage(async ({ id, paymux, url }) => {
        let pulled = 0
        const chunks = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            pulled++
            controller.enqueue(encoder.encode(body.slice(0, 64 * 1024)))
          }
        })
        const endless = new Request(url, { method: "POST", body: chunks, duplex: "half" })
        assert.strictEqual((await paymux.fetch(endless)).status, 413)
        assert.isAtMost(pulled, 3)
        assert.strictEqual((await post(paymux, url, body)).status, 413)
        assert.strictEqual((await paymux.payments.get(id)).status, "pending")
      }))

    it(`is answered 413 to node:http, with and without a length, and the page works on: ${name}`, () =>
      withPage(async ({ paymux, url }) => {
        const server = createServer(paymux.node).listen(0, "127.0.0.1")
        await once(server, "listening")
        const { port } = server.address() as AddressInfo
        const path = new URL(url).pathname
        const send = (headers: { readonly [name: string]: string }) =>
          new Promise<number | undefined>((resolve, reject) => {
            const asked = request({ port, path, method: "POST", headers }, (response) => {
              resolve(response.statusCode)
              asked.destroy()
            })
            asked.on("error", reject)
            asked.write(body)
            asked.end()
          })
        try {
          assert.strictEqual(await send({ "content-length": String(body.length) }), 413)
          assert.strictEqual(await send({ "transfer-encoding": "chunked" }), 413)
          assert.strictEqual((await get(paymux, url)).status, 200)
        } finally {
          server.closeAllConnections()
          server.close()
        }
      }))
  }
})

describe("a form that is posted to a page", () => {
  const sites = {
    "same-origin": true,
    none: true,
    "same-site": false,
    "cross-site": false
  }
  const posted = (paymux: Paymux, url: string, headers: { readonly [name: string]: string }) =>
    paymux.fetch(
      new Request(url, {
        method: "POST",
        body: "decision=approve",
        headers: { "content-type": "application/x-www-form-urlencoded", origin: "null", ...headers }
      })
    )

  for (const [site, isOwn] of Object.entries(sites)) {
    it(`is ${isOwn ? "accepted" : "refused"} from ${site}, whatever its Origin`, () =>
      withPage(async ({ id, paymux, url }) => {
        const answer = await posted(paymux, url, { "sec-fetch-site": site })
        assert.strictEqual(answer.status, isOwn ? 303 : 403)
        assert.strictEqual((await paymux.payments.get(id)).status, isOwn ? "succeeded" : "pending")
      }))

    it(`is ${isOwn ? "accepted" : "refused"} from ${site} at a simulated provider`, () =>
      withPage(
        async ({ id, paymux }) => {
          const { next_action: action } = await paymux.payments.get(id)
          const url = action?.type === "redirect" ? action.url : ""
          const answer = await posted(paymux, url, { "sec-fetch-site": site })
          assert.strictEqual(answer.status, isOwn ? 303 : 403)
        },
        { ...minimal, currency: "EUR", payment_method: "card", payment_method_details: { card: { token: "tok_3ds" } } }
      ))
  }

  it("is accepted from a browser that does not name the site", () =>
    withPage(async ({ id, paymux, url }) => {
      assert.strictEqual((await posted(paymux, url, {})).status, 303)
      assert.strictEqual((await paymux.payments.get(id)).status, "succeeded")
    }))
})

describe("the option checkout", () => {
  const problemsOf = async (checkout: unknown) =>
    createPaymux({ ...options, checkout } as PaymuxOptions<never, true>).then(
      async (paymux) => {
        await paymux.close()
        return "started"
      },
      (error: Error) => error.message
    )

  it("is refused with a sentence for each fault", async () => {
    assert.match(await problemsOf({ nmae: "x" }), /Unknown option "checkout.nmae"/)
    assert.match(await problemsOf({ name: "" }), /checkout\.name/)
    assert.match(await problemsOf({ name: "x".repeat(81) }), /checkout\.name/)
    assert.match(await problemsOf({ logo: "https://cdn.example/logo.png" }), /checkout\.logo/)
    assert.match(await problemsOf({ logo: 'data:image/png;base64,"><script>' }), /checkout\.logo/)
    assert.match(await problemsOf({ color: "red" }), /checkout\.color/)
    assert.match(await problemsOf({ color: "#fff;}" }), /checkout\.color/)
    assert.match(await problemsOf({ language: "fr" }), /checkout\.language/)
    assert.match(await problemsOf({ afterPayment: "close" }), /checkout\.afterPayment/)
    assert.match(await problemsOf({ frameAncestors: ["*"] }), /checkout\.frameAncestors/)
    assert.match(await problemsOf({ frameAncestors: ["https://a.example; script-src *"] }), /checkout\.frameAncestors/)
    assert.match(await problemsOf({ frameAncestors: "https://a.example" }), /checkout\.frameAncestors/)
    assert.match(await problemsOf(true), /checkout must be/)
    assert.match(await problemsOf([]), /checkout must be/)
    assert.strictEqual(await problemsOf(false), "started")
  })
})
