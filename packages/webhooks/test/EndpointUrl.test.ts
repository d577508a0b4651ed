import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AddressPolicy from "../src/endpoint/AddressPolicy.ts"
import { checkEndpointUrl } from "../src/endpoint/EndpointUrl.ts"
import { refusedUrls } from "./refusedUrls.ts"

const check = (url: string, options: { readonly livemode?: boolean; readonly allow?: ReadonlyArray<string> } = {}) =>
  Effect.flatMap(AddressPolicy.make(options.allow ?? []), (policy) =>
    checkEndpointUrl(url, options.livemode ?? false, policy)
  )

const accepted = [
  ["https://shop.io", "https://shop.io/"],
  ["https://shop.io:443/hook?a=b#part", "https://shop.io/hook?a=b"],
  ["http://SHOP.io:8080/hook", "http://shop.io:8080/hook"],
  ["http://shop.io:80/", "http://shop.io/"],
  ["https://bücher.example.com/", "https://xn--bcher-kva.example.com/"],
  [`https://${"a".repeat(63)}.io/`, `https://${"a".repeat(63)}.io/`],
  ["https://8.8.8.8/", "https://8.8.8.8/"],
  ["https://172.32.0.1/", "https://172.32.0.1/"],
  ["https://[::ffff:8.8.8.8]/", "https://[::ffff:808:808]/"],
  ["https://[2606:4700::1111]/", "https://[2606:4700::1111]/"]
] as const

describe("checkEndpointUrl", () => {
  it.effect.each(refusedUrls)("refuses %s for its %s", ([url, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(check(url))
      assert.strictEqual(error._tag === "EndpointUrlRefused" ? error.reason : error._tag, reason)
    })
  )

  it.effect.each(accepted)("takes %s in its normal form", ([url, normal]) =>
    Effect.map(check(url), (saved) => assert.strictEqual(saved, normal))
  )

  it.effect("live events go over https only, whatever is opened", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(check("http://127.0.0.1/", { livemode: true, allow: AddressPolicy.loopback }))
      assert.include(error.message, "https")
      assert.strictEqual(yield* check("https://shop.io/", { livemode: true }), "https://shop.io/")
    })
  )

  it.effect("what is opened is taken in every form, and nothing beside it", () =>
    Effect.gen(function* () {
      const allow = ["10.8.0.0/16", "fd00:1::/32", "192.168.1.7", "Receiver.internal."]
      for (const url of [
        "http://10.8.255.255/",
        "http://168296449/",
        "http://[::ffff:10.8.0.1]/",
        "http://[fd00:1::1]/",
        "http://192.168.1.7/",
        "http://receiver.internal/",
        "http://RECEIVER.internal.:9000/"
      ]) {
        yield* check(url, { allow })
      }
      for (const url of [
        "http://10.9.0.1/",
        "http://[fd00:2::1]/",
        "http://192.168.1.8/",
        "http://other.internal/",
        "http://a.receiver.internal/",
        "http://10.8.0.1:5432/"
      ]) {
        yield* Effect.flip(check(url, { allow }))
      }
    })
  )

  it.effect("the sandbox's list opens the machine itself", () =>
    Effect.forEach(["http://127.0.0.1:3000/", "http://localhost:3000/", "http://[::1]:3000/"], (url) =>
      check(url, { allow: AddressPolicy.loopback })
    )
  )

  it.effect("an entry that opens nothing is an error that names it", () =>
    Effect.gen(function* () {
      const wrong = ["10.0.0.0/33", "10.0.0", "::1/129", "a b", "http://x.io", "", "10.0.0.0/8/8", "fe80::1%1"]
      const error = yield* Effect.flip(AddressPolicy.make([...wrong, "10.0.0.0/8"]))
      assert.deepStrictEqual(error.entries, wrong)
    })
  )
})
