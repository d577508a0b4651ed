/**
 * Creates that come when they come, whether or not the server keeps up: what is due and finds no connection waits in line,
 * as its client would, and goes away after a second.
 */
import { cpuUsage } from "node:process"
import { connection } from "./connection.ts"
import type { Connection } from "./connection.ts"
import { interval, timesOf } from "./Protocol.ts"
import type { LoadAnswer, LoadQuestion } from "./Protocol.ts"

const PATIENCE_MS = 1000

interface Due {
  readonly number: number
  /** ms of `performance.now` */
  readonly at: number
}

const run = async (question: LoadQuestion): Promise<LoadAnswer> => {
  const { connections, duration, from, perSecond, port } = question
  const open = await Promise.all(Array.from({ length: connections }, () => connection(port)))
  // A connection on which nothing was ever asked is closed by the server after ten seconds.
  await Promise.all(open.map((one) => one.ask(firstRequest(question))))
  const idle = [...open]
  const seen = {
    created: [] as Array<number>,
    createdIn: [] as Array<number>,
    waited: [] as Array<number>,
    refused: new Map<string, number>()
  }
  const busy = new Set<Connection>()
  const line: Array<Due> = []
  let next = from
  let unsent = 0

  const come = (at: number): Due => ({ number: next++, at })
  const atOnce = (): Due | undefined => (performance.now() < until ? come(performance.now()) : undefined)
  const following = (): Due | undefined => (perSecond === null ? atOnce() : line.shift())
  /** One create after the other, as long as one is due. */
  const converse = async (one: Connection, first: Due | undefined): Promise<void> => {
    busy.add(one)
    for (let due = first; due !== undefined; due = following()) {
      const { status, text } = await one.ask(createRequest(question, due.number))
      if (status === 201) {
        const now = performance.now()
        const at = Math.floor((now - start) / interval)
        seen.created.push(due.number)
        seen.createdIn[at] = (seen.createdIn[at] ?? 0) + 1
        seen.waited.push(now - due.at)
      } else {
        const answer = `${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ""}`
        seen.refused.set(answer, (seen.refused.get(answer) ?? 0) + 1)
      }
    }
    busy.delete(one)
    idle.push(one)
  }
  const send = (due: Due): void => {
    const one = idle.pop()
    if (one === undefined) line.push(due)
    else void converse(one, due)
  }
  const giveUp = (now: number): void => {
    const stay = line.findIndex(({ at }) => now - at <= PATIENCE_MS)
    unsent += line.splice(0, stay === -1 ? line.length : stay).length
  }

  const before = cpuUsage()
  const start = performance.now()
  const until = start + duration
  if (perSecond === null) for (const one of idle.splice(0)) void converse(one, atOnce())
  else {
    for (let due = start; due < until; giveUp(performance.now())) {
      // Poisson: as clients that know nothing of one another come.
      for (; due <= performance.now(); due += (-Math.log(1 - Math.random()) * 1000) / perSecond) send(come(due))
      await pause(1)
    }
  }
  while (performance.now() < until || busy.size > 0) await pause(1)
  unsent += line.length
  const wall = performance.now() - start
  const { system, user } = cpuUsage(before)
  for (const one of open) one.close()
  return {
    offered: next - from,
    created: seen.created,
    createdIn: Array.from({ length: seen.createdIn.length }, (_, at) => seen.createdIn[at] ?? 0),
    refused: Object.fromEntries(seen.refused),
    unsent,
    waited: timesOf(seen.waited),
    busy: (system + user) / 1000 / wall,
    wall
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The minimal request with what most merchants add; the number makes it unique. */
const createRequest = (question: LoadQuestion, number: number): Buffer => {
  const body = `{"amount":10000,"currency":"INR","payment_method":"upi","description":"Order ${number}","customer":{"email":"asha@example.com","phone":"+919999999999","name":"Asha Rao"},"metadata":{"order_id":"${number}"}}`
  const about = `idempotency-key: order-${number}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return Buffer.from(`POST /v1/payments HTTP/1.1\r\n${common(question)}${about}\r\n${body}`)
}

const firstRequest = (question: LoadQuestion): Buffer => Buffer.from(`GET /healthz HTTP/1.1\r\n${common(question)}\r\n`)

const common = ({ apiKey, port }: LoadQuestion): string =>
  `host: 127.0.0.1:${port}\r\nauthorization: Bearer ${apiKey}\r\n`

process.on("message", (question: LoadQuestion) => void run(question).then((answer) => process.send?.(answer)))
