import type { CardToken, Evidence, ProviderOperation } from "@paymux/core"
import { Cause, Effect } from "effect"
import type { Scope } from "effect"
import type { FakeAnswer, Fault } from "../../fake/Fault.ts"
import { withoutNetwork } from "../exemptions.ts"
import { type ConformanceCheck, CheckFailed } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { requestsOfCreate } from "./faults.ts"
import { receive } from "./receiving.ts"
import { laterKinds } from "./laterKinds.ts"
import { type Hidden, leakIn, masked } from "./leaks.ts"
import { type CapturedOutput, capturingOutput, seenIn } from "./capturedOutput.ts"

export const secrets: ConformanceCheck = {
  id: "secrets",
  title: "no key, secret, card token or personal data of the customer is in logs, errors or results",
  why:
    "Many people read logs, traces and errors, and they are stored for years. A leaked live key can be used to take " +
    "money, and a card token is card data. Vendors repeat request data in their errors.",
  howToFix:
    "Keep every credential `Redacted` until the bytes of the request are written, and out of every result. Return the " +
    "vendor's short code as `vendorCode` and `detail`, never its message. Do not log an operation, request, response " +
    "or header. List the public parts of the credentials in the fake (`publicCredentials`).",
  exempt: withoutNetwork,
  check: (context) =>
    Effect.suspend(() => {
      const hidden = new Map<string, Hidden>()
      const leaks: Array<string> = []
      const note = ({ text, where }: CapturedOutput): boolean => {
        const leak = leakIn(text, [...hidden.values()])
        if (leak !== null) leaks.push(`${leak}, in ${where}`)
        return leak !== null
      }
      const watch: Watch = {
        hide: (kind, text) => void (text.length < shortest || hidden.set(text, { kind, text })),
        note,
        noteAction: (action) => {
          const leak = leakIn(
            seenIn(action),
            [...hidden.values()].filter(({ kind }) => kind === ofCredentials)
          )
          if (leak !== null) leaks.push(`${leak}, in the nextAction`)
        },
        leaks
      }
      return capturingOutput(watched(context, watch), note).pipe(
        Effect.mapError(({ expected, seen, tried, vendor }) => {
          const mask = (text: string) => masked(text, [...hidden.values()])
          return new CheckFailed({
            tried: mask(tried),
            expected: mask(expected),
            seen: mask(seen),
            vendor: vendor.map(mask)
          })
        })
      )
    })
}

interface Watch {
  /** From now on this must not be seen. */
  readonly hide: (kind: string, text: string) => void
  /** This was let out; whether it had a leak. */
  readonly note: (captured: CapturedOutput) => boolean
  /** What the payer is shown: the credentials are not the payer's. */
  readonly noteAction: (action: unknown) => void
  readonly leaks: ReadonlyArray<string>
}

const ofCredentials = "a secret of the credentials"

/** What is shorter is found everywhere. */
const shortest = 8

const watched = Effect.fnUntraced(function* (context: ConformanceContext, watch: Watch) {
  yield* Effect.scoped(longEnough(context, watch))
  for (const [index, sample] of context.samples.entries()) {
    const echoes = yield* Effect.scoped(usually(context, sample, watch))
    const requests = yield* requestsOfCreate(context, sample)
    for (let request = 0; request < requests; request++) {
      for (const fault of index === 0 ? echoes : echoes.slice(0, 3))
        yield* Effect.scoped(faulty(context, sample, fault, request, watch))
    }
    if (index === 0) yield* Effect.scoped(laterOperations(context, echoes, watch))
  }
  yield* Effect.scoped(webhooks(context, watch))
})

const longEnough = Effect.fnUntraced(function* (context: ConformanceContext, watch: Watch) {
  const harness = yield* begin(context, watch)
  const short = harness.vendor.network?.secrets.find((secret) => secret.length < shortest)
  yield* harness.expect(short === undefined, {
    tried: "the credentials of the fake",
    expected: `secrets of ${shortest} characters or more, so that they can be found; what is public in \`publicCredentials\``,
    seen: `one of ${short?.length ?? 0} characters`
  })
})

/** Approved, asked about, declined, and with credentials that the vendor does not take. Answers what it can repeat. */
const usually = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, watch: Watch) {
  const harness = yield* begin(context, watch)
  const operation = yield* create(harness, sample, watch)
  const seen = yield* harness.send(operation)
  yield* reported(harness, watch, `a ${sample.name} create that is approved`, seen)
  const sent = (yield* harness.vendor.network?.requests ?? Effect.succeed([])).map(({ body, headers }) => ({
    headers,
    body
  }))
  if (harness.operations.inquire !== undefined) {
    yield* reported(harness, watch, "an inquiry", yield* harness.inquire(harness.again(operation, seen)))
  }
  const [decline] = context.declineCodes
  if (decline !== undefined) {
    const declined = yield* harness.send(yield* create(harness, sample, watch, { scripted: { decline } }))
    yield* reported(harness, watch, `a ${sample.name} create that is declined`, declined)
  }
  if (harness.vendor.network !== null) {
    const other = yield* harness.at(harness.vendor.network.withOtherCredentials)
    const refused = yield* other.send(yield* create(other, sample, watch))
    yield* reported(other, watch, `a ${sample.name} create with credentials of the other mode`, refused)
    const away = yield* harness.at(yield* harness.vendor.network.refusing)
    const unsent = yield* away.send(yield* create(away, sample, watch))
    yield* reported(away, watch, `a ${sample.name} create while the vendor's port is closed`, unsent)
  }
  return faultsThatEcho({ sent, secrets: harness.vendor.network?.secrets ?? [], customer: operation.customer })
})

const faulty = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  fault: Echo,
  request: number,
  watch: Watch
) {
  const harness = yield* begin(context, watch)
  const operation = yield* create(harness, sample, watch)
  yield* harness.vendor.network?.failNext(fault, request) ?? Effect.void
  const seen = yield* harness.send(operation)
  yield* reported(harness, watch, `a ${sample.name} create, its request ${request + 1} ${fault.how}`, seen)
  if (request > 0 || harness.operations.inquire === undefined) return
  yield* harness.vendor.network?.failNext(fault) ?? Effect.void
  yield* reported(harness, watch, `an inquiry ${fault.how}`, yield* harness.inquire(harness.again(operation, seen)))
})

const laterOperations = Effect.fnUntraced(function* (
  context: ConformanceContext,
  echoes: ReadonlyArray<Echo>,
  watch: Watch
) {
  for (const { kind, made, harness } of yield* laterKinds(context)) {
    hideOf(made.operation, watch)
    for (const fault of echoes) {
      yield* harness.vendor.network?.failNext(fault) ?? Effect.void
      yield* reported(harness, watch, `a ${kind} ${fault.how}`, yield* harness.send(yield* harness.later(kind, made)))
    }
    yield* reported(harness, watch, `a ${kind}`, yield* harness.send(yield* harness.later(kind, made)))
  }
})

const webhooks = Effect.fnUntraced(function* (context: ConformanceContext, watch: Watch) {
  const harness = yield* begin(context, watch)
  const [sample] = context.samples
  if (harness.vendor.webhooks === null || sample === undefined) return
  const { deliver, events } = harness.vendor.webhooks
  const seen = yield* harness.send(yield* create(harness, sample, watch))
  if (seen._tag === "Answered" && seen.answer._tag === "Pending") yield* harness.vendor.payersAct
  const all = yield* events
  const good = yield* deliver(all.slice(0, 1))
  const foreign = yield* deliver(all.slice(0, 1), { mode: harness.vendor.mode === "test" ? "live" : "test" })
  const deliveries = [
    { how: "a genuine webhook", delivery: good },
    { how: "a webhook signed with another secret", delivery: foreign },
    { how: "a webhook without headers", delivery: { ...good, headers: {} } },
    { how: "a webhook with another body", delivery: { ...good, body: new TextEncoder().encode("{}") } }
  ]
  for (const { delivery, how } of deliveries) {
    const received = yield* receive(harness, delivery)
    switch (received._tag) {
      case "Accepted":
        letOut(watch, "the evidence", received.evidence.map(withoutAction))
        break
      case "Refused":
        letOut(watch, "the WebhookRefused", received.error)
        break
      case "Broke":
        letOut(watch, "what it threw", received.cause)
        break
    }
    yield* nothingLeaked(harness, watch, how)
  }
})

const begin = (context: ConformanceContext, watch: Watch): Effect.Effect<TestHarness, CheckFailed, Scope.Scope> =>
  Effect.tap(context.begin(), ({ vendor }) =>
    Effect.sync(() => {
      for (const secret of vendor.network?.secrets ?? []) watch.hide(ofCredentials, secret)
    })
  )

const create = (
  harness: TestHarness,
  sample: Sample,
  watch: Watch,
  options: Parameters<TestHarness["create"]>[1] = {}
) => Effect.tap(harness.create(sample, options), (operation) => Effect.sync(() => hideOf(operation, watch)))

const hideOf = ({ client, customer, method }: ProviderOperation, watch: Watch): void => {
  if (method.rail === "card") {
    if (method.token !== null) watch.hide("the card token", method.token)
    for (const token of Object.values(method.tokens).flatMap(textsIn)) watch.hide("the card token", token)
  }
  if (method.rail === "upi" && method.vpa !== null) watch.hide("the customer's UPI address", method.vpa)
  watch.hide("the customer's email address", customer.email ?? "")
  watch.hide("the customer's phone number", customer.phone ?? "")
  // As it is written without the country's code.
  watch.hide("the customer's phone number", customer.phone?.slice(-10) ?? "")
  watch.hide("the customer's name", customer.name ?? "")
  watch.hide("the customer's street", customer.address?.line1 ?? "")
  watch.hide("the customer's postal code", customer.address?.postalCode ?? "")
  watch.hide("the customer's IP address", client?.ip ?? "")
}

const textsIn = (token: CardToken): ReadonlyArray<string> =>
  typeof token === "string" ? [token] : Object.values(token).filter((part) => typeof part === "string")

/** What the engine gets, and what it is made of: it is logged, kept and shown to operators. */
const reported = Effect.fnUntraced(function* (harness: TestHarness, watch: Watch, tried: string, ending: Ending) {
  switch (ending._tag) {
    case "Answered":
      letOut(watch, `the answer ${ending.answer._tag}`, withoutAction(ending.answer))
      if (ending.answer._tag === "Pending") watch.noteAction(ending.answer.nextAction)
      break
    case "Failed":
      letOut(watch, `the ProviderError ${ending.error.reason._tag}`, ending.error)
      break
    case "NotTaken":
      letOut(watch, "the answer", ending.answer)
      break
    case "Broke":
      letOut(watch, "what it threw", ending.cause)
      break
    case "DidNotEnd":
      break
  }
  letOut(watch, "a checkpoint", harness.checkpoints)
  letOut(watch, "what it emitted", harness.emitted.map(withoutAction))
  letOut(watch, "the provider", harness.provider)
  letOut(watch, "the operations of the provider", harness.made)
  yield* nothingLeaked(harness, watch, tried)
})

const letOut = (watch: Watch, where: string, value: unknown): void => {
  watch.note({ where, text: seenIn(value) })
  watch.note({ where: `${where}, by JSON.stringify`, text: asJson(value) })
  if (value instanceof Error)
    watch.note({ where: `${where}, its message and stack`, text: `${value}\n${value.stack ?? ""}` })
  if (Cause.isCause(value)) watch.note({ where, text: Cause.pretty(value) })
}

const asJson = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return ""
  }
}

/** The payer is shown it: it carries what the vendor has for the payer. */
const withoutAction = (answer: object | Evidence): object => {
  const { nextAction: _, ...rest } = { nextAction: null, ...answer }
  return "outcome" in rest && typeof rest.outcome === "object" && rest.outcome !== null
    ? { ...rest, outcome: withoutAction(rest.outcome) }
    : rest
}

const nothingLeaked = (harness: TestHarness, { leaks }: Watch, tried: string) =>
  harness.expect(leaks.length === 0, {
    tried,
    expected: "no key, secret, card token or customer's address, name or number in anything that the adapter lets out",
    seen: leaks[0] ?? ""
  })

interface Echo extends Fault {
  readonly how: string
}

/** Vendors repeat what was sent to them: headers, keys, the card and the customer. */
const faultsThatEcho = (known: {
  readonly secrets: ReadonlyArray<string>
  readonly sent: ReadonlyArray<object>
  readonly customer: object
}): ReadonlyArray<Echo> => {
  const repeated = JSON.stringify({
    ...known,
    basic: known.secrets.map((secret) => `Basic ${Buffer.from(`merchant:${secret}`).toString("base64")}`)
  })
  // Long enough that the start of it, which a failed check shows, has nothing to hide.
  const message = `This request could not be done. What follows is what was sent, word for word: ${repeated}`
  const json = {
    error: { code: "conformance_echo", type: "conformance_echo", message, description: message, detail: message },
    code: "conformance_echo",
    message,
    detail: message,
    errors: [{ code: "conformance_echo", message }],
    request: known
  }
  const answers: ReadonlyArray<FakeAnswer> = [
    // The first three stand for all of them.
    { status: 400, json },
    { status: 401, json },
    { status: 500, json },
    { status: 403, json },
    { status: 404, json },
    { status: 409, json },
    { status: 422, json },
    { status: 429, json },
    { status: 502, text: message },
    { status: 200, json },
    { status: 200, text: message }
  ]
  return [
    ...answers.map((reply) => ({
      executed: false,
      reply,
      how: `answered ${reply.status} with ${reply.json === undefined ? "a text" : "JSON"} that repeats what was sent`
    })),
    { executed: true, reply: "reset", how: "reset before the answer" },
    { executed: true, reply: "half_body", how: "closed in the middle of the answer" },
    { executed: true, reply: "not_http", how: "answered what is not HTTP" }
  ]
}
