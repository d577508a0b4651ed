/** The road to PostgreSQL swallows everything for a while, without a reset. Time runs as it does on the wall. */
import { withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"
import { startTcpProxy, targetOf } from "../TcpProxy.ts"
import { requestOf } from "../Scenarios.ts"

export interface BlackHoleReport extends HarnessReport {
  /** Requests of the time of the hole, and how many of them were answered before it closed. */
  readonly asked: number
  readonly answered: ReadonlyArray<number>
  /** What `readyz` said in the hole, and when it was over. */
  readonly ready: { readonly within: number; readonly after: number }
}

const ASKED = 20

export const blackHole = async (options: {
  readonly database: string
  /** ms */
  readonly duration: number
}): Promise<BlackHoleReport> => {
  const { database, duration } = options
  const proxy = await startTcpProxy(targetOf(database))
  let answered: ReadonlyArray<number> = []
  const ready = { within: 0, after: 0 }
  try {
    const report = await withHarness(
      { name: "hole", database, reach: () => proxy.through(database), rate: 1 },
      async ({ engines, traffic, untilPayments }) => {
        const [engine] = engines
        if (engine === undefined) return
        await untilPayments(40)
        proxy.set({ kind: "black_hole" })
        const closed = new Promise((resolve) => setTimeout(resolve, duration))
        ready.within = await statusOf(`${engine.base()}/readyz`)
        const statuses: Array<number> = []
        for (let index = 0; index < ASKED; index++) {
          void create(engine.base(), engine.key()).then((status) => statuses.push(status))
        }
        await closed
        // What comes later comes too late.
        answered = [...statuses]
        proxy.set({ kind: "pass" })
        ready.after = await untilReady(engine.base())
        await untilPayments(traffic.started() + 40)
      }
    )
    return { ...report, asked: ASKED, answered, ready }
  } finally {
    await proxy.close()
  }
}

const create = async (base: string, key: string): Promise<number> => {
  const response = await fetch(`${base}/v1/payments`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(requestOf({ rail: "upi" }))
  })
  await response.arrayBuffer()
  return response.status
}

const statusOf = async (url: string): Promise<number> => {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

/** The pool finds out automatically that there is a server again. */
const untilReady = async (base: string): Promise<number> => {
  for (let tries = 0; tries < 100; tries++) {
    if ((await statusOf(`${base}/readyz`)) === 200) return 200
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return statusOf(`${base}/readyz`)
}
