/** Random ids and order ids as platforms write them: the same on every run. */

/** A number below `below`. */
export type Draw = (below: number) => number

export const drawing = (seed: number): Draw => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export type Shape = (draw: Draw) => string

const from =
  (alphabet: string) =>
  (draw: Draw, length: number): string => {
    let text = ""
    for (let n = 0; n < length; n++) text += alphabet[draw(alphabet.length)]
    return text
  }

const digits = from("0123456789")
const capitals = from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
const lettersOfId = from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
const crockford = from("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
const hexadecimal = from("0123456789abcdef")
const base36 = from("0123456789abcdefghijklmnopqrstuvwxyz")

const one = <A>(draw: Draw, of: readonly [A, ...ReadonlyArray<A>]): A => of[draw(of.length)] ?? of[0]
const two = (draw: Draw, below: number): string => String(1 + draw(below)).padStart(2, "0")
const day = (draw: Draw): string => `20${two(draw, 29)}${two(draw, 12)}${two(draw, 28)}`
const milliseconds = (draw: Draw): string => `1${digits(draw, 12)}`

/** No order numbers: they must not be refused more often than before. */
export const randomIds: { readonly [kind: string]: Shape } = {
  ULIDs: (draw) => `01${crockford(draw, 24)}`,
  "hexadecimal, 16 digits": (draw) => hexadecimal(draw, 16),
  "hexadecimal, 24 or 32 digits": (draw) => hexadecimal(draw, one(draw, [24, 32])),
  "base 36, 12 to 25 digits": (draw) => base36(draw, one(draw, [12, 16, 18, 20, 25])),
  "bank references": (draw) =>
    one(draw, [
      () => `${capitals(draw, 4)}R${day(draw)}${digits(draw, 8)}`,
      () => `RF${digits(draw, 2)} ${digits(draw, 4)} ${digits(draw, 4)} ${digits(draw, 4)} ${digits(draw, 3)}`,
      () => `${day(draw)}${crockford(draw, 8)}${digits(draw, 6)}`,
      () => `${capitals(draw, 3)}${digits(draw, 13)}`,
      () => digits(draw, 12),
      () => crockford(draw, 16)
    ])()
}

/** By platform; those of one number are what its ids begin with, and how long they are. */
export const orderIds: { readonly [platform: string]: Shape } = {
  "Shopify, 13 digits from 4": (draw) => `4${digits(draw, 12)}`,
  "Shopify, 13 digits from 5 or 6": (draw) => `${one(draw, ["5", "6"])}${digits(draw, 12)}`,
  WooCommerce: (draw) => digits(draw, 3 + draw(5)),
  Magento: (draw) => `${draw(10)}${digits(draw, 8)}`,
  BigCommerce: (draw) => digits(draw, 3 + draw(6)),
  "Amazon, 3-7-7": (draw) => `${digits(draw, 3)}-${digits(draw, 7)}-${digits(draw, 7)}`,
  "eBay, 2-5-5": (draw) => `${digits(draw, 2)}-${digits(draw, 5)}-${digits(draw, 5)}`,
  Etsy: (draw) => digits(draw, 10),
  PrestaShop: (draw) => capitals(draw, 9),
  "Shiprocket, 12 to 15 digits": (draw) => `1${digits(draw, 11 + draw(4))}`,
  "Delhivery, 14 digits from 36": (draw) => `36${digits(draw, 12)}`,
  "Flipkart, OD and 18 digits": (draw) => `OD${digits(draw, 18)}`,
  "AliExpress, 16 digits from 81": (draw) => `81${digits(draw, 14)}`,
  Razorpay: (draw) => `order_${lettersOfId(draw, 14)}`,
  "SAP, 10 digits, and padded to 16": (draw) => `${one(draw, ["", "000000"])}45${digits(draw, 8)}`,
  "milliseconds, microseconds": (draw) => `${milliseconds(draw)}${one(draw, ["", digits(draw, 3)])}`,
  "date, time and two digits": (draw) =>
    `${day(draw)}${two(draw, 23)}${two(draw, 59)}${two(draw, 59)}${digits(draw, 2)}`,
  "ORD- and 13 digits from 4": (draw) => `ORD-4${digits(draw, 12)}`,
  "ORD- and 16 digits from 4": (draw) => `ORD-4${digits(draw, 15)}`,
  "order- and 16 digits from 4": (draw) => `order-4${digits(draw, 15)}`,
  "16 digits from 4": (draw) => `4${digits(draw, 15)}`,
  "16 digits from 62": (draw) => `62${digits(draw, 14)}`
}
