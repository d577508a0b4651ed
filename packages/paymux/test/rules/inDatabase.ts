/** A database in the working directory whose rules are in it, from `one.yaml`. */
import { createPaymux } from "../../src/index.ts"

export default async (): Promise<null> => {
  await using _paymux = await createPaymux({
    sandbox: true,
    database: "sqlite:paymux.db",
    routing: { source: "database", initial: "one.yaml" }
  })
  return null
}
