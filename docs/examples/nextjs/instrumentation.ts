export const register = async (): Promise<void> => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return
  const { paymux } = await import("./paymux.ts")
  const { close, testKey } = await paymux()
  // Next.js waits for open responses before it exits, and the event stream of a payment page would not end.
  process.once("SIGTERM", () => void close())
  console.log(`http://localhost:${process.env["PORT"] ?? 3000}/v1 takes payments with the key ${testKey}`)
}
