/** A provider is unreachable for a minute: its circuit breaker opens, payments go to the other one, and it closes again. */
import type { HistoryEngine } from "../HistoryEngine.ts"
import type { Merchant } from "./Merchant.ts"

const payments = 21

export const outage = async ({
  engine,
  merchant
}: {
  readonly engine: HistoryEngine
  readonly merchant: Merchant
}): Promise<void> => {
  const pay = (n: number) =>
    merchant.post("/v1/payments", {
      amount: 14_900 + n * 100,
      currency: "INR",
      payment_method: "upi",
      payment_method_details: { upi: { flow: "collect", vpa: "success@paymux" } },
      customer: { email: `payer-${n}@customers.example`, phone: "+919876543210", name: "آشا رائو" },
      description: `Order ${5_000 + n}`,
      metadata: { order_id: `A-${5_000 + n}`, channel: "app" }
    })
  await engine.setDown("sandbox_upi_a", true)
  for (let n = 0; n < payments; n++) {
    await pay(n)
    engine.forwardTo(engine.now() + 1_500)
  }
  await engine.setDown("sandbox_upi_a", false)
  engine.forwardTo(engine.now() + 60_000)
  await pay(payments)
}
