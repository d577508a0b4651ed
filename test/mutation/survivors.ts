/**
 * Mutants that no judge has to catch, each with the reason. The key holds when lines move: file, kind, the text of the
 * line, what is replaced and by what (see `survivorKey`).
 */
export const knownSurvivors: { readonly [key: string]: string } = {
  'packages/core/src/domain/RawCardData.ts | ConditionalExpression | if (group === "" || digits.length > LONGEST) return false | digits.length > LONGEST → false':
    "It changes the speed only: no network has numbers of more than 19 digits.",
  'packages/core/src/domain/erasure.ts | ConditionalExpression | return [name, name === "payment_method_details" ? withoutPayer(value) : value] | name === "payment_method_details" → true':
    "Equivalent: no other member of a payment or refund in JSON has an object named `upi`, except `metadata`, which is erased before.",
  "packages/core/src/execution/records/Erasure.ts | ObjectLiteral | { concurrency: atOnce, discard: true } | { concurrency: atOnce, discard: true } → {}":
    "It changes the speed only: payments are erased one after the other.",
  "packages/core/src/execution/Executor.ts | BooleanLiteral | if (Option.isNone(admission)) return false | false → true":
    "It changes a delay only: the operation is looked at again after its claim ends, instead of after a minute.",
  "packages/core/src/execution/Executor.ts | BooleanLiteral | return false | false → true":
    "It changes a delay only: an operation whose commit lost a race is checked again after its claim ends, instead of after a minute.",
  'packages/core/src/execution/Executor.ts | ObjectLiteral | const spanOf = ({ attemptSeq, id, kind, paymentId, provider }: Operation) => ({ | { "paymux.payment.id": paymentId, "paymux.operation.id": id, "paymux.operation": kind, "paymux.provider": provider, "paymux.attempt": attemptSeq } → {}':
    "It changes a span only, which the tests of telemetry judge.",
  'packages/core/src/execution/Executor.ts | ConditionalExpression | spanned(operation.kind === "create" ? "paymux.attempt" : `paymux.${operation.kind}`, () => spanOf(operation)) | operation.kind === "create" → true':
    "It changes a span only, which the tests of telemetry judge.",
  'packages/core/src/execution/Executor.ts | EqualityOperator | spanned(operation.kind === "create" ? "paymux.attempt" : `paymux.${operation.kind}`, () => spanOf(operation)) | operation.kind === "create" → operation.kind !== "create"':
    "It changes a span only, which the tests of telemetry judge.",
  "packages/core/src/execution/recover/inbox/webhookEntries.ts | StringLiteral | : yield* Effect.die(new Error(`${provider} returned invalid evidence for a webhook`)) | `${provider} returned invalid evidence for a webhook` → ``":
    "It changes the text of a defect only.",
  "packages/core/src/execution/recover/inquiries.ts | ConditionalExpression | Effect.map(writer.write(record, change, { cause: null, binding: null }), (written) => written !== null) | written !== null → false":
    "Equivalent: the payment is read once more, and is in review already.",
  "packages/core/src/execution/records/Retention.ts | ConditionalExpression | answers + inbox === 0 | answers + inbox === 0 → false":
    "It changes a debug line only.",
  "packages/core/src/execution/send/Sender.ts | ConditionalExpression | if (left < timings.leastForSend) return tooLate | left < timings.leastForSend → false":
    "A second check: the loop of `send` starts no send with less time left.",
  "packages/core/src/execution/begin/followUpOperations.ts | ConditionalExpression | if (record === null || operation === undefined || !isOurs) return yield* paymentError(new RefundNotFound()) | record === null → false":
    "Equivalent: without a record `isOurs` is false.",
  'packages/core/src/execution/recover/shopperReturn.ts | ConditionalExpression | const operation = record.operations.find(({ attemptSeq, kind }) => kind === "create" && attemptSeq === attempt?.seq) | kind === "create" → true':
    "Equivalent: the first operation of an attempt is its create.",
  'packages/provider-kit/src/HttpTransport.ts | StringLiteral | socket.on("data", closeOnUnaskedBytes) | "data" → ""':
    "Equivalent on Node 26, which closes such a connection itself. Node 22 does not.",
  'packages/webhooks/src/NodeWebhookHttp.ts | StringLiteral | response.once("close", () => { | "close" → ""':
    "A second check: `end` or `error` comes before `close`, and the timer has no effect on a closed response.",
  "packages/provider-kit/src/HttpTransport.ts | CallExpression | guardWhileIdle(socket) | guardWhileIdle(socket) → ;":
    "Equivalent on Node 26, which closes such a connection itself. Node 22 does not.",
  'packages/provider-kit/src/HttpTransport.ts | CallExpression | socket.on("data", closeOnUnaskedBytes) | socket.on("data", closeOnUnaskedBytes) → ;':
    "Equivalent on Node 26, which closes such a connection itself. Node 22 does not.",
  "packages/webhooks/src/delivery/DeliveryList.ts | BlockStatement | if (type !== null && walksEvents(query)) { | { return mapSqlError(ofType(tenant, query, type, after, conditions).unprepared) } → {}":
    "It changes the speed only: both queries return the same rows.",
  "packages/webhooks/src/delivery/DeliveryLog.ts | ObjectLiteral | { discard: true } | { discard: true } → {}":
    "Equivalent: the collected results are not used.",
  "packages/http/src/auth/ApiKeyMemory.ts | ConditionalExpression | if (isFresh && entries.size < REMEMBERED_KEYS) break | isFresh && entries.size < REMEMBERED_KEYS → false":
    "It changes the speed only: a new key makes the memory forget the others, which are then looked up again.",
  'packages/http/src/server/KnownRoute.ts | StringLiteral | export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? "" | "" → "Stryker was here!"':
    "Equivalent: `split` returns at least one part."
}
