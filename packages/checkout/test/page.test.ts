/** What the page shows for a payment, and that nothing of a payment becomes markup. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { html } from "../src/html/Html.ts"
import { amountOf } from "../src/html/money.ts"
import { panel } from "../src/html/panels.ts"
import { textsFor } from "../src/locale/choose.ts"
import { styleSheet } from "../src/assets/style.ts"
import { masked } from "../src/view.ts"

describe("html", () => {
  it("escapes every text, so that it reads back as it was and is never markup", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const { text: written } = html`<p title="${text}">${text}</p>`
        const inside = written.slice('<p title="'.length, -"</p>".length)
        assert.notMatch(inside.replace('">', ""), /[<>"'`]/)
        assert.strictEqual(
          written.match(/>(.*)</s)?.[1]?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
          text
        )
      })
    )
  })

  it("leaves out what is null, and joins lists", () => {
    assert.strictEqual(html`${null}${[html`<b>1</b>`, html`<b>2</b>`]}${3}`.text, "<b>1</b><b>2</b>3")
  })
})

describe("an amount", () => {
  const shown = (
    currency: string,
    minorUnits: number,
    accept: string | undefined,
    language: "en" | "hi" | null = null
  ) =>
    // Boundary of a test: codes of the list.
    amountOf({ currency: currency as never, minorUnits }, textsFor(language, accept))
      .text.replaceAll(/<[^>]*>|[\u200e\u200f]/g, "")
      .replaceAll(/\s/g, " ")

  it("has the groups, separators and place of the currency of the payer's own region, also in a language that the page does not have", () => {
    for (const [accept, text] of [
      ["en-IN", "€1,23,45,678.90"],
      ["hi", "€1,23,45,678.90"],
      ["en-US,en;q=0.9", "€12,345,678.90"],
      ["de", "12.345.678,90 €"],
      ["DE-at", "€ 12.345.678,90"],
      ["fr-FR, hi;q=0.8", "12 345 678,90 €"],
      ["es;q=0.5, pt-BR;q=0.8, en;q=0.1", "€ 12.345.678,90"],
      ["ja-JP", "€12,345,678.90"]
    ] as const) {
      assert.strictEqual(shown("EUR", 1_234_567_890, accept), text, accept)
    }
  })

  it("is international where the payer's region is unknown: neither Indian groups nor a dollar of one country", () => {
    for (const accept of [undefined, "", "en", "*", "en;q=0", "xx-YY", "english", ";;,,=", "<b>", "en-x-private"]) {
      assert.strictEqual(shown("INR", 12_345_678, accept), "₹123,456.78", accept)
      assert.strictEqual(shown("USD", 12_345_678, accept), "US$123,456.78", accept)
    }
  })

  it("follows the payer's region, not the language that the shop has chosen", () => {
    assert.strictEqual(shown("INR", 12_345_678, "en-US", "hi"), "₹123,456.78")
    assert.strictEqual(shown("INR", 12_345_678, undefined, "hi"), "₹1,23,456.78")
  })

  it("has Latin digits and the decimals of the currency, whatever the header asks for", () => {
    assert.strictEqual(shown("HUF", 12_345, "hu-HU"), "123,45 Ft")
    assert.match(shown("KWD", 12_345, "ar-EG-u-nu-arab"), /^12\.345 /)
    assert.strictEqual(shown("INR", 12_345, "mr-IN-u-nu-deva"), "₹123.45")
  })

  it("names its language, so that it is read out and directed as such in a page of another", () => {
    // Boundary of a test: a code of the list.
    const { text } = amountOf({ currency: "EUR" as never, minorUnits: 5 }, textsFor(null, "de-AT,en;q=0.5"))
    assert.match(text, /^<bdi lang="de-AT">.*<\/bdi>$/)
  })
})

describe("a stablecoin transfer", () => {
  const shown = async (received: number | null) => {
    const [amount, uri] = ["100.00", "ethereum:0xabc"]
    const view = { _tag: "Transfer", address: "0xabc", asset: "USDC", network: "Base", expiresAt: null } as const
    // Boundary of a test: a code of the list.
    const due = { currency: "USD" as never, minorUnits: 10_000 }
    return (await Effect.runPromise(panel({ ...view, amount, uri, received }, due, textsFor("en", "")))).text
  }

  it("asks for what is missing once a part has arrived, without the link and code of the whole amount", async () => {
    const rest = await shown(2_500)
    assert.include(rest, "<h1>Send the rest</h1>")
    assert.include(rest, "<bdi>75.00</bdi> USDC")
    assert.notMatch(rest, /100\.00|ethereum:|class="code"/)
  })

  it("asks for the whole amount before", async () => {
    for (const received of [null, 0]) {
      const whole = await shown(received)
      assert.include(whole, "<h1>Send the exact amount</h1>")
      assert.include(whole, "<bdi>100.00</bdi> USDC")
      assert.match(whole, /ethereum:.*class="code"|class="code".*ethereum:/s)
    }
  })
})

describe("the language", () => {
  it("is the acceptable one with the greatest weight, otherwise English", () => {
    for (const [header, locale] of [
      [undefined, "en-IN"],
      ["", "en-IN"],
      ["hi", "hi-IN"],
      ["HI-in", "hi-IN"],
      ["ta, hi;q=0.8, en;q=0.7", "hi-IN"],
      ["en, hi", "en-IN"],
      ["hi;q=0, fr", "en-IN"],
      ["hi;q=2", "hi-IN"],
      [";;,,=", "en-IN"]
    ] as const) {
      assert.strictEqual(textsFor(null, header).locale, locale, header)
    }
    assert.strictEqual(textsFor("hi", "en").locale, "hi-IN")
  })

  it("has every text in both languages, none of them empty or left in the other", () => {
    const [en, hi] = [textsFor("en", ""), textsFor("hi", "")].map((texts) => flat(texts))
    assert.deepStrictEqual(Object.keys(hi ?? {}), Object.keys(en ?? {}))
    for (const [key, text] of Object.entries(hi ?? {})) {
      assert.isNotEmpty(text, key)
      if (!/locale$/i.test(key)) assert.match(text, /[\u0900-\u097f]/, key)
    }
  })
})

const flat = (value: unknown, path = ""): { readonly [key: string]: string } => {
  if (typeof value === "string") return { [path]: value }
  if (typeof value === "function") return { [path]: String(value("USDC", "Base")) }
  return Object.assign(
    {},
    ...Object.entries(value ?? {}).map(([key, each]) => flat(each, path === "" ? key : `${path}.${key}`))
  )
}

describe("a UPI id", () => {
  it("is masked: its owner recognizes it, and others cannot read it", () => {
    assert.strictEqual(masked("asha.rao@okaxis"), "a•••@okaxis")
    assert.strictEqual(masked("😀x@upi"), "😀•••@upi")
    assert.strictEqual(masked("noat"), "n•••")
  })
})

describe("the color of buttons", () => {
  it("has black or white text, at a contrast of 4.5 or more", () => {
    for (const color of ["#000000", "#ffffff", "#1f5eff", "#ffcc00", "#777777", "#8a3b12", "#00ff00"]) {
      const on = /--on-accent: (#\w+)/.exec(styleSheet(color))?.[1] ?? ""
      assert.isAtLeast(contrast(color, on === "#fff" ? "#ffffff" : "#000000"), 4.5, color)
    }
  })
})

/** WCAG 2.2, written from the definition. */
const contrast = (a: string, b: string): number => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}
const luminance = (color: string): number => {
  const [r = 0, g = 0, b = 0] = [color.slice(1, 3), color.slice(3, 5), color.slice(5, 7)].map((hex) => {
    const channel = Number.parseInt(hex, 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
