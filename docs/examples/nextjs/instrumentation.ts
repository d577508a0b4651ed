export const register = async (): Promise<void> => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return
  const { paymux } = await import("./paymux.ts")
  const { testKey } = await paymux()
  console.log(`http://localhost:${process.env["PORT"] ?? 3000}/v1 takes payments with the key ${testKey}`)
}
