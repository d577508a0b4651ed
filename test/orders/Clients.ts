/** The clients of a run, which request payments of orders and repeat what was not answered, and the payers on the vendors' pages. */
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Effect } from "effect"
import type { Fleet } from "./Fleet.ts"
import type { Charge } from "./Ledger.ts"
import type { Answered, Asked, VendorId } from "./processes/Protocol.ts"
import type { Vendor } from "./Vendor.ts"

/** What was answered to one request, which may have been sent several times under its key. */
export interface ClientAnswer {
  readonly place: string
  /** The payments that it began, by the answers. */
  readonly begun: ReadonlySet<string>
  /** Those of answers between the copy of the database and its loss. */
  readonly mayBeLost: ReadonlySet<string>
  /** The payments that were said to have its order already. */
  readonly takenBy: ReadonlySet<string>
}

interface Options {
  readonly seed: number
  readonly names: ReadonlyArray<string>
  readonly loses: boolean
  readonly vendors: { readonly [id in VendorId]: Vendor }
  readonly fleet: Fleet
  readonly count: (what: string) => void
}

type Phase = 1 | 2 | 3

interface Request extends Asked {
  /** Before the copy, between it and the loss, or after the loss. */
  readonly phase: Phase
  /** ms */
  readonly delay: number
  /** At once: its client has lost patience, or a proxy has repeated it. */
  readonly times: 1 | 2
  readonly begun: Set<string>
  readonly mayBeLost: Set<string>
  readonly takenBy: Set<string>
}

/** After so many answers a server is killed. */
const answersBetweenKills = 150
/** ms between two tries of a client, and how many there are. */
const again = 500
const tries = 90

export const makeClients = (options: Options) => {
  const { count, fleet, names, seed, vendors } = options
  const orders = names.map((order) => requestsOf(options, order))
  let answers = 0
  let isAfterCopy = false
  const began = (request: Request, payment: string) => (isAfterCopy ? request.mayBeLost : request.begun).add(payment)

  /** A client that cannot connect has sent nothing, and tries again. */
  const connect = Effect.fnUntraced(function* (draw: SeededRandom.SeededRandom) {
    while (true) {
      yield* fleet.check
      const server = fleet.server(draw)
      if (server !== null) return server
      yield* Effect.sleep(50)
    }
  })

  const send = Effect.fnUntraced(function* (request: Request, draw: SeededRandom.SeededRandom) {
    const server = yield* connect(draw)
    const answer = yield* Effect.promise(() => server.create(request))
    if (answer === null || answer._tag === "Failed") return answer
    answers += 1
    if (answers % answersBetweenKills === 20) fleet.killOne()
    return answer
  })

  /** Until it has an answer. Without a key it asks once: it might order twice. */
  const ask = Effect.fnUntraced(function* (request: Request, draw: SeededRandom.SeededRandom) {
    for (let left = request.isKeyed ? tries : 1; left > 0; left--) {
      const answer = yield* send(request, draw)
      if (answer !== null && answer._tag !== "Failed") return answer
      count(answer === null ? "killed requests" : `failed: ${answer.reason}`)
      yield* Effect.sleep(again)
    }
    count("without an answer")
    return null
  })

  const take = Effect.fnUntraced(function* (request: Request, answer: Answered, draw: SeededRandom.SeededRandom) {
    if (answer._tag === "Taken") {
      count(answer.isUnclosed ? "not closed" : "refused")
      request.takenBy.add(answer.by)
    }
    if (answer._tag !== "Begun") return
    count("begun")
    began(request, answer.payment)
    yield* payOnPage(request, draw, answer.operation)
  })

  const pay = Effect.fnUntraced(function* (request: Request, draw: SeededRandom.SeededRandom) {
    const all = Array.from({ length: request.times }, () => ask(request, draw))
    const [first = null, second = null] = yield* Effect.all(all, { concurrency: "unbounded" })
    if (second?._tag === "Begun") began(request, second.payment)
    if (second?._tag === "Taken") request.takenBy.add(second.by)
    if (first !== null) yield* take(request, first, draw)
  })

  /** A page may be closed by now: some payers are at their bank already. */
  const payOnPage = Effect.fnUntraced(function* (
    { currency }: Request,
    draw: SeededRandom.SeededRandom,
    operation: string | null
  ) {
    const { ledger } = currency === "EUR" ? vendors.card : vendors.coin
    const charge = ledger.find(operation)
    if (charge === undefined || charge.paidAt !== null || !draw.chance(70)) return
    yield* Effect.sleep(draw.between(0, 400))
    if (charge.isClosed) {
      if (!draw.chance(60)) return
      count("paid on a closed page")
    }
    charge.paidAt = Date.now()
    count("paid on a page")
    const reports = draw.weighted<number>([
      [15, 0],
      [70, 1],
      [15, 2]
    ])
    for (let sent = 0; sent < reports; sent++) report(draw, charge)
  })

  const report = (draw: SeededRandom.SeededRandom, charge: Charge): void =>
    fleet.server(draw)?.receive(charge.vendor, vendors[charge.vendor].reportOf(charge))

  const playAll = (of: (requests: ReadonlyArray<Request>) => ReadonlyArray<Effect.Effect<void>>) =>
    Effect.forEach(orders, (requests) => Effect.all(of(requests), { concurrency: "unbounded", discard: true }), {
      concurrency: 64,
      discard: true
    })

  const played = (requests: ReadonlyArray<Request>, label: string) =>
    requests.map((request) =>
      Effect.delay(pay(request, SeededRandom.stream(seed, label, request.place)), request.delay)
    )

  return {
    play: (phase: Phase) =>
      Effect.suspend(() => {
        isAfterCopy = phase === 2
        return playAll((all) =>
          played(
            all.filter((each) => each.phase === phase),
            "play"
          )
        )
      }),
    /** After the loss, all that was requested under a key before it. */
    repeat: playAll((all) =>
      played(
        all.filter(({ isKeyed, phase }) => isKeyed && phase < 3),
        "repeat"
      )
    ),
    report,
    answers: (): ReadonlyArray<ClientAnswer> => orders.flat()
  }
}

/** Two to five payments of an order, some at once and some after others. */
const requestsOf = ({ loses, seed }: Options, order: string): ReadonlyArray<Request> => {
  const draw = SeededRandom.stream(seed, order)
  const currency = draw.chance(20) ? "USD" : "EUR"
  return Array.from({ length: draw.between(2, 5) }, (_, n): Request => {
    const place = `${order}/${n}`
    const own = SeededRandom.stream(seed, place)
    const isKeyed = own.chance(70)
    return {
      order,
      place,
      currency,
      isKeyed,
      replaces: own.chance(50),
      times: isKeyed && own.chance(20) ? 2 : 1,
      delay: own.chance(60) ? 0 : own.between(1, 150),
      phase: loses
        ? own.weighted<Phase>([
            [30, 1],
            [45, 2],
            [25, 3]
          ])
        : 1,
      begun: new Set(),
      mayBeLost: new Set(),
      takenBy: new Set()
    }
  })
}
