/** Reads at a steady pace, in a process of its own: what making the load takes does not count as theirs. */
import { connection } from "./connection.ts"
import { timesOf } from "./Protocol.ts"
import type { ReaderAnswer, Target, Times } from "./Protocol.ts"

const READ_EVERY_MS = 20
const CONNECT_EVERY_MS = 100
/** As a load balancer waits for a check of health. */
const PATIENCE_MS = 5000

const run = async (question: Target): Promise<ReaderAnswer> => {
  const until = performance.now() + question.duration
  const kept = await connection(question.port)
  const [reads, fresh] = await Promise.all([
    each(until, READ_EVERY_MS, async () => (await kept.ask(request(question, "/v1/payments?limit=5"))).status === 200),
    each(until, CONNECT_EVERY_MS, () => isHealthy(question))
  ])
  kept.close()
  return { reads, fresh }
}

const isHealthy = async (question: Target): Promise<boolean> => {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), PATIENCE_MS)
  const asked = connection(question.port).then(async (one) => {
    const { status } = await one.ask(request(question, "/healthz"))
    one.close()
    return status === 200
  })
  const answer = await Promise.race([asked.catch(() => false), late.promise])
  clearTimeout(timer)
  return answer
}

const each = async (
  until: number,
  every: number,
  succeeds: () => Promise<boolean>
): Promise<Times & { readonly failed: number }> => {
  const times: Array<number> = []
  let failed = 0
  while (performance.now() < until) {
    const since = performance.now()
    if (!(await succeeds())) failed++
    times.push(performance.now() - since)
    await new Promise((resolve) => setTimeout(resolve, every))
  }
  return { ...timesOf(times), failed }
}

const request = ({ apiKey, port }: Target, path: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${apiKey}\r\n\r\n`)

process.on("message", (question: Target) => void run(question).then((answer) => process.send?.(answer)))
