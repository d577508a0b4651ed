/** Case A: the engine against scripts written by hand, on SQLite, in one process. */
import { createHash, randomUUID } from "node:crypto"
import { join } from "node:path"
import { openBareScript } from "./BareScript.ts"
import { openEngineOnSqlite } from "./EngineContender.ts"
import { interleave, measure } from "./Rounds.ts"
import { contentOfSqlite, differences, settingsOf } from "./SameRows.ts"
import { request } from "./Sample.ts"
import { storageOfSqlite } from "./Storage.ts"

export interface EngineBenchOptions {
  readonly directory: string
  readonly rounds: number
  readonly warmUps: number
  readonly paymentsPerSlice: number
  readonly progress: (done: number, of: number) => void
}

/** Payments at a time, of the engine and of the script. */
export const together = 64

/** Fails where the contenders did not do the same work. */
export const engineBench = async (options: EngineBenchOptions) => {
  const { directory, paymentsPerSlice, rounds, warmUps } = options
  const file = (name: string) => join(directory, `${name}.db`)
  const engine = await openEngineOnSqlite(file("engine"))
  const alone = await openEngineOnSqlite(file("alone"))
  const keyed = await openEngineOnSqlite(file("keyed"))
  const serial = openBareScript(file("serial"))
  const grouped = openBareScript(file("grouped"))
  const groupedKeyed = openBareScript(file("grouped-keyed"))

  const storageOf = (name: keyof typeof engineNames, database: string, run: () => Promise<unknown>) =>
    storageOfSqlite(engineNames[name], file(database), paymentsPerSlice, run)
  const payAll = async (concurrency: number, pay: (each: typeof request) => Promise<unknown>) => {
    const left = Array.from({ length: paymentsPerSlice }, () => request).values()
    const payInTurn = async () => {
      for (const each of left) await pay(each)
    }
    await Promise.all(Array.from({ length: concurrency }, payInTurn))
  }
  const paySerial = () => payAll(1, serial.pay)
  const payGrouped = () => payAll(together, grouped.pay)
  const payKeyed = () =>
    payAll(together, (each) => {
      const fingerprint = createHash("sha256").update(JSON.stringify(each)).digest("hex")
      return groupedKeyed.payOnce(each, { key: randomUUID(), fingerprint })
    })
  const contenders = [
    {
      name: engineNames.concurrent,
      run: () => measure(paymentsPerSlice, () => engine.run(paymentsPerSlice, together))
    },
    { name: engineNames.alone, run: () => measure(paymentsPerSlice, () => alone.run(paymentsPerSlice, 1)) },
    {
      name: engineNames.keyed,
      run: () => measure(paymentsPerSlice, () => keyed.runWithKeys(paymentsPerSlice, together))
    },
    { name: engineNames.serial, run: () => measure(paymentsPerSlice, paySerial) },
    { name: engineNames.grouped, run: () => measure(paymentsPerSlice, payGrouped) },
    { name: engineNames.groupedKeyed, run: () => measure(paymentsPerSlice, payKeyed) }
  ]
  try {
    const measured = await interleave(contenders, options)
    const storage = [
      await storageOf("concurrent", "engine", () => engine.run(paymentsPerSlice, together)),
      await storageOf("alone", "alone", () => alone.run(paymentsPerSlice, 1)),
      await storageOf("keyed", "keyed", () => keyed.runWithKeys(paymentsPerSlice, together)),
      await storageOf("serial", "serial", paySerial),
      await storageOf("grouped", "grouped", payGrouped),
      await storageOf("groupedKeyed", "grouped-keyed", payKeyed)
    ]
    if (settingsOf(serial.database) !== engine.settings) throw new Error("The databases are not set up alike")
    // The costs of storage took another slice.
    const payments = paymentsPerSlice * (rounds + warmUps + 1)
    const workOf = (name: string) => ({
      name,
      payments,
      content: contentOfSqlite(file(name), ["payment_events.position"])
    })
    const work = workOf("engine")
    const unequal = [
      ...["alone", "serial", "grouped"].flatMap((name) => differences(work, workOf(name))),
      ...differences(workOf("keyed"), workOf("grouped-keyed"))
    ]
    if (unequal.length > 0) throw new Error(`The rows are not the same.\n${unequal.join("\n")}`)
    return { measured, storage }
  } finally {
    await engine.close()
    await alone.close()
    await keyed.close()
    serial.close()
    grouped.close()
    groupedKeyed.close()
  }
}

export const engineNames = {
  concurrent: `engine, ${together} at a time`,
  alone: "engine, one at a time",
  keyed: `engine, ${together} at a time, with keys`,
  serial: "bare script, one at a time",
  grouped: `bare script, ${together} at a time`,
  groupedKeyed: `bare script, ${together} at a time, with keys`
} as const
