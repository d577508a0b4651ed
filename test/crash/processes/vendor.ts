/**
 * The vendor as a process of its own, so that no crash of the engine takes its memory along. Its ledger is argument 1;
 * it sends its address over the channel, and ends with it.
 */
import { Schema } from "effect"
import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { openLedger } from "../vendor/Ledger.ts"
import { makeVendor } from "../vendor/Vendor.ts"
import type { Fault, VendorEvent, VendorOperation } from "../vendor/Vendor.ts"
import {
  ControlBody,
  CreateBody,
  KEY_HEADER,
  KILL_HEADER,
  LaterBody,
  OrderBody,
  SIGNATURE_HEADER,
  WEBHOOK_SECRET
} from "../vendor/Wire.ts"
import type { OperationJson } from "../vendor/Wire.ts"
import { resetSocket } from "../../../packages/testkit/src/fake/resetSocket.ts"

/** ms, of the machine. */
const PAYER_DECIDES = 120
const SLOW = 150
const RETRY_WEBHOOK = 200

let control: typeof ControlBody.Type = { webhooks: [], faults: true }
let turn = 0
/** Decisions of payers and webhooks that are still to come. */
let open = 0

const tell = (event: VendorEvent, tries = 0): void => {
  if (tries === 0) open++
  const body = JSON.stringify(event)
  const signature = createHmac("sha256", WEBHOOK_SECRET).update(body).digest("hex")
  const again = () => void setTimeout(() => tell(event, tries + 1), RETRY_WEBHOOK)
  const address = control.webhooks[turn++ % control.webhooks.length]
  if (address === undefined) return again()
  fetch(`${address}/${event.account}`, {
    method: "POST",
    headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signature },
    body
  })
    .then(async (response) => {
      await response.arrayBuffer()
      // Some providers tell everything twice.
      if (!response.ok || (tries === 0 && event.id.endsWith("7"))) again()
      else open--
    })
    .catch(again)
}

const vendor = makeVendor(
  openLedger(process.argv[2] ?? "ledger.jsonl"),
  (decide) => {
    open++
    setTimeout(
      () => {
        decide()
        open--
      },
      PAYER_DECIDES + Math.random() * PAYER_DECIDES
    )
  },
  tell
)

const sends = new Map<string, number>()

/** What is sent again is served well. */
const faultOf = (key: string, asked: Fault): Fault => {
  const before = sends.get(key) ?? 0
  sends.set(key, before + 1)
  return control.faults && before < (asked === "silent_twice" ? 2 : 1) ? asked : "none"
}

const unanswered = new Set<string>()

/** Leaves the first inquiry about some payments unanswered, so that it must be repeated, even if it only confirms a report. */
const isLeftUnanswered = (operation: VendorOperation | null): boolean => {
  if (operation === null || unanswered.has(operation.key) || !/[0369]$/.test(operation.payment.id)) return false
  unanswered.add(operation.key)
  return true
}

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [, account = "", room = "", object = "", action] = (request.url ?? "").split("/")
  const body = await read(request)
  const key = String(request.headers[KEY_HEADER] ?? "")
  killSender(request, "received")
  if (account === "control") {
    if (request.method === "POST") control = Schema.decodeUnknownSync(ControlBody)(body)
    return answer(response, 200, { open })
  }
  if (request.method === "GET" && room === "operations") {
    const found = vendor.find(account, object)
    if (isLeftUnanswered(found)) return
    return found === null ? answer(response, 404, {}) : answer(response, 200, shown(found))
  }
  if (room === "orders") {
    const id = vendor.order({ account, key, ...Schema.decodeUnknownSync(OrderBody)(body) })
    return answer(response, 200, { id })
  }
  if (room === "payments" && object === "") {
    const asked = Schema.decodeUnknownSync(CreateBody)(body)
    const fault = faultOf(key, asked.fault)
    return withFault(request, response, fault, () => vendor.create({ account, key, ...asked, fault }))
  }
  const kind = action === "refunds" ? "refund" : action === "capture" ? "capture" : "cancel"
  const asked = Schema.decodeUnknownSync(LaterBody)(body)
  return withFault(request, response, faultOf(key, asked.fault), () =>
    vendor.later({
      account,
      key,
      kind,
      object,
      merchantOperation: asked.merchantOperation,
      minorUnits: asked.minorUnits
    })
  )
}

const withFault = async (
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  execute: () => VendorOperation | null
): Promise<void> => {
  switch (fault) {
    case "reset_before":
      return resetSocket(request.socket)
    case "error_before":
      return answer(response, 500, {})
    case "not_executed":
      return answer(response, 503, { code: "not_executed" })
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, SLOW))
      break
    default:
  }
  const done = execute()
  killSender(request, "executed")
  switch (fault) {
    case "reset_after":
      return resetSocket(request.socket)
    case "error_after":
      return answer(response, 500, {})
    case "silent_after":
    case "silent_twice":
      return
    default:
      return done === null ? answer(response, 404, {}) : answer(response, 200, shown(done))
  }
}

const shown = ({ currency, kind, minorUnits, outcome, payment }: VendorOperation): OperationJson => ({
  object: payment.id,
  status: kind === "create" ? payment.status : outcome,
  minorUnits: kind === "create" && payment.status === "captured" ? payment.captured : minorUnits,
  currency
})

const killSender = (request: IncomingMessage, moment: "received" | "executed"): void => {
  const [pid, when] = String(request.headers[KILL_HEADER] ?? "").split(" ")
  if (when !== moment) return
  try {
    process.kill(Number(pid), "SIGKILL")
  } catch {
    // It is gone already.
  }
}

const read = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
}

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy())
})
server.keepAliveTimeout = 30_000
server.listen(0, "127.0.0.1", () => {
  // A TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
process.once("disconnect", () => process.exit())
