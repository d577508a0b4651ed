/** Both ways to make a digest give the same: a kept idempotency key is compared with it, also after an update. */
import { assert, describe, it } from "@effect/vitest"
import { Sha256 } from "@paymux/core/engine"
import { Effect, Layer } from "effect"
import * as NodeSha256 from "../src/NodeSha256.ts"

/** FIPS 180-4 (NIST's example values), and texts beyond ASCII by `printf … | sha256sum`. */
const known: ReadonlyArray<readonly [content: string | Uint8Array, digest: string]> = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [new Uint8Array([0x61, 0x62, 0x63]), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
  ],
  ["₹ 100, José", "10c20fea184c1b8e6826e1a5255d2e2cbc09990bbd16b7695e5a873796eb8dc4"],
  // Half of a surrogate pair is the replacement character in UTF-8.
  ["\ud800", "83d544ccc223c057d2bf80d3f2a32982c32c3c0db8e2674820da5064783fb097"]
]

describe.each([
  ["Web Crypto", Layer.empty],
  ["node:crypto", NodeSha256.layer]
])("digests by %s", (_, layer) => {
  it.effect("are SHA-256 in hexadecimal digits", () =>
    Effect.gen(function* () {
      const digest = yield* Sha256
      for (const [content, expected] of known) assert.strictEqual(yield* digest(content), expected)
    }).pipe(Effect.provide(layer))
  )
})
