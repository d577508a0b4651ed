/** Payers with names in many scripts: right to left, with combining characters, very short and very long. */
import type { SeededRandom } from "@paymux/test-suites/simulation"
import type { CreatePaymentJson } from "paymux"

type Stream = SeededRandom.SeededRandom

const names = [
  "Asha Rao",
  "Ben Okafor",
  "ليلى حدّاد",
  "נועה בן־דוד",
  "آشا رائو",
  // The marks are characters of their own: e and an acute, o and a diaeresis.
  "Zoe\u0301 A\u030angstro\u0308m",
  "Nguye\u0302\u0303n Thi\u0323 A\u0301nh",
  "आशा राव",
  "山田 太郎",
  "김서연",
  "Þórdís Guðmundsdóttir",
  "Maximiliane-Wilhelmina von und zu Freienstein-Hohenlangenau",
  "Y",
  "Ελένη Παπαδοπούλου",
  "Оксана Шевченко",
  "👩🏽‍💻 Priya"
] as const

const countries = ["+9198", "+4915", "+8190", "+9655", "+1415", "+4479"] as const

export const customerOf = (draw: Stream): CreatePaymentJson["customer"] => {
  const number = draw.between(1, 40)
  const country = countries[number % countries.length] ?? countries[0]
  const digits = String(10_000_000 + ((number * 7_919_113) % 89_999_999))
  return {
    email: `payer-${number}@customers.example`,
    phone: `${country}${digits}`,
    name: names[number % names.length] ?? names[0]
  }
}

/** What the merchant writes of an order. Two mix directions, as a client may send them. */
export const descriptionOf = (draw: Stream, order: number): string =>
  draw.weighted([
    [80, `Order ${order}`],
    [8, `Order ${order}: two masala chai tins, one linen tea towel and a gift card for a friend`],
    [6, `طلب رقم ${order}: شاي`],
    [3, `Order ${order} שלום exe`],
    [3, `<b>Order</b> ${order} & "quotes"`]
  ])
