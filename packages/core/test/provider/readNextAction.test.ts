/** What a provider may have a payer do, where it enters. */
import { assert, describe, it } from "@effect/vitest"
import { readNextAction } from "../../src/provider/readNextAction.ts"

const expiresAt = 5
const redirect = (url: unknown) => ({ type: "redirect", url, expiresAt })
const intent = (uri: unknown) => ({ type: "upi_intent", uri, expiresAt })
const qr = (payload: unknown, image: unknown = null) => ({ type: "upi_qr", payload, image, expiresAt })
const transfer = (change: object) => ({
  type: "stablecoin_transfer",
  address: "0xab",
  uri: "ethereum:0xab@1/transfer?value=1e6",
  amount: "12.50",
  asset: "USDC",
  network: "base",
  expiresAt,
  ...change
})

const usable = [
  redirect("https://pay.example.com/3ds?a=1&b=[2]#c"),
  redirect("http://localhost:3000/sandbox/p/1"),
  redirect(`https://pay.example.com/?data=${"a".repeat(8000)}`),
  intent("upi://pay?pa=a@b&pn=Acme Shop&am=1.00"),
  intent("phonepe://pay?pa=a@b"),
  intent("intent://pay?pa=a@b#Intent;scheme=upi;S.browser_fallback_url=https%3A//a.example;end"),
  qr("upi://pay?pa=a@b"),
  qr("000201010212"),
  qr(null, "https://rzp.example/qr/1.png"),
  qr("upi://pay?pa=a@b", "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4="),
  transfer({}),
  transfer({ image: "data:image/png;base64,AAAA" }),
  { type: "wait", expiresAt: null }
]

const bidi = "\u202e"
const schemes = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "vbscript:x",
  "blob:https://a.b/1",
  "about:blank"
]

const unusable = [
  null,
  "https://pay.example.com",
  {},
  { type: "wait", expiresAt: 1e16 },
  { type: "wait" },
  { type: "other", expiresAt },
  ...schemes.flatMap((link) => [
    redirect(link),
    intent(link),
    qr(link),
    transfer({ uri: link }),
    qr("upi://pay", link)
  ]),
  ...["", "/pay", "pay.example.com", "https:", "https://", "https:/a.b", "myapp://pay", "ftp://a.b"].map(redirect),
  ...["https://a b.c", "https://a.b\n", "https://a.b\\@c.d", `https://a.b/${bidi}`, "https://u:p@a.b/"].map(redirect),
  ...["https://a.b;script-src/x", "https://a.b,c/x", "https://a'b/x", "https://a.b:99999/"].map(redirect),
  redirect(`https://a.b/${"a".repeat(8192)}`),
  redirect(7),
  ...["", "upi", "upi:", "upi://pay\u0000", `upi://pay${bidi}`, "\ud800upi://pay"].map(intent),
  intent("intent:alert(1)#Intent;scheme=javascript;end"),
  intent("intent://x#Intent;scheme=upi;S.browser_fallback_url=javascript:alert(1);end"),
  intent(`upi://pay?tn=${"a".repeat(1_000_000)}`),
  qr(null),
  qr(""),
  qr(`upi://pay?tn=${"a".repeat(2048)}`),
  ...[
    "http://a.b/qr.png",
    "https://a.b;script-src/qr.png",
    "https:///",
    "https:",
    "data:text/html,x",
    "data:image/png",
    7
  ].map((image) => qr("upi://pay?pa=a@b", image)),
  qr("upi://pay", `data:image/png;base64,${"A".repeat(131_072)}`),
  ...["", " ", `0xab${bidi}`, "0x\u0000", "a".repeat(501), 7].map((address) => transfer({ address })),
  ...["", "-1", "1,5", "1e3", "1".repeat(61), 1.5].map((amount) => transfer({ amount })),
  ...["", " ", "a".repeat(65), `US${bidi}DC`, 7].flatMap((name) => [
    transfer({ asset: name }),
    transfer({ network: name })
  ]),
  transfer({ image: "javascript:alert(1)" })
]

describe("a next action", () => {
  it.each(usable)("%j is used as it is", (action) => {
    assert.deepEqual<unknown>(readNextAction(action), action)
  })

  it.each(unusable.map((action) => [JSON.stringify(action)?.slice(0, 120), action]))("%s is not used", (_, action) => {
    assert.isString(readNextAction(action))
  })

  it("is used without what the contract does not define", () => {
    const long = "x".repeat(1_000_000)
    assert.deepEqual(readNextAction({ ...transfer({ image: null, asset: null }), long }), {
      type: "stablecoin_transfer",
      address: "0xab",
      uri: "ethereum:0xab@1/transfer?value=1e6",
      amount: "12.50",
      network: "base",
      expiresAt
    })
  })
})
