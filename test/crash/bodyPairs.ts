/** Two requests under one key: the second is another one, or the same one written otherwise. */
import { mulberry32 } from "./Random.ts"

export interface BodyPair {
  readonly first: string
  readonly second: string
}

type Json = { readonly [key: string]: unknown }
type Rewriting = (body: Json, pick: (below: number) => number) => Json

/** What decodes to the same. */
const same: ReadonlyArray<Rewriting> = [
  (body) => body,
  (body) => Object.fromEntries(Object.entries(body).toReversed()),
  (body) => ({ capture_method: "automatic", ...body }),
  (body) => ({ description: null, ...body }),
  (body) => ({ ...body, customer: Object.fromEntries(Object.entries(body["customer"] as Json).toReversed()) }),
  (body) => ({ metadata: {}, ...body }),
  (body) => ({ return_url: null, ...body })
]

/** What may decode to another one: sometimes it picks what stood there. */
const other: ReadonlyArray<Rewriting> = [
  (body, pick) => ({ ...body, amount: 100 + pick(3) }),
  (body, pick) => ({ ...body, description: ["order 1", "order 2", "Order 1", null][pick(4)] }),
  (body, pick) => ({ ...body, capture_method: ["automatic", "manual"][pick(2)] }),
  (body, pick) => ({
    ...body,
    metadata: [{}, { a: "1" }, { a: "2" }, { a: "1", b: "1" }, { b: "1", a: "1" }][pick(5)]
  }),
  (body, pick) => ({
    ...body,
    customer: { email: "asha@example.com", phone: ["+919812345678", "+919812345679"][pick(2)] }
  }),
  (body, pick) => ({ ...body, return_url: [null, "https://shop.example/1", "https://shop.example/2"][pick(3)] }),
  (body, pick) => ({ ...body, client: [{}, { ip: "10.0.0.1" }, { ip: "10.0.0.2" }][pick(3)] })
]

export const bodyPairs = (count: number, seed: number): ReadonlyArray<BodyPair> => {
  const random = mulberry32(seed)
  const pick = (below: number) => Math.floor(random() * below)
  const one = (rewritings: ReadonlyArray<Rewriting>, body: Json): Json =>
    rewritings[pick(rewritings.length)]?.(body, pick) ?? body
  return Array.from({ length: count }, () => {
    const minimal: Json = {
      amount: 100,
      currency: "INR",
      payment_method: "upi",
      customer: { email: "asha@example.com", phone: "+919812345678" }
    }
    const first = one(other, one(other, minimal))
    const second = one(same, random() < 0.5 ? first : one(other, first))
    return {
      first: JSON.stringify(first),
      second: random() < 0.5 ? JSON.stringify(second, null, 2) : JSON.stringify(second)
    }
  })
}
