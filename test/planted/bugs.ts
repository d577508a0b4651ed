/**
 * Bugs of the kind that a refactoring makes, each as one replacement of text, which the tests of its own package must
 * notice. `from` must stand in the file exactly once, so that a bug that no longer fits is noticed, too.
 */
export interface PlantedBug {
  readonly name: string
  /** Below `packages`. */
  readonly package: string
  /** Below its `src`. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** Below its `test`: noticed by this file when the bug was planted. It is run first. */
  readonly caughtBy: string
}

export const plantedBugs: ReadonlyArray<PlantedBug> = [
  {
    name: "accepts a revoked key for as long as it is remembered",
    package: "http",
    file: "auth/ApiKeys.ts",
    from: "        memory.forget(keyId)\n        return recordOf(row)",
    to: "        return recordOf(row)",
    caughtBy: "auth/ApiKeyRotation.test.ts"
  },
  {
    name: "acknowledges a webhook that was only stored like one that was applied",
    package: "http",
    file: "routes/webhookRoutes.ts",
    from: 'jsonResponse(`{"received":"kept"}`, { status: 202 })',
    to: 'jsonResponse(`{"received":"kept"}`)',
    caughtBy: "routes/webhooks.test.ts"
  },
  {
    name: "counts no refused webhook",
    package: "http",
    file: "routes/webhookRoutes.ts",
    from: "return countRefusedWebhook(provider, error.reason).pipe(",
    to: "return Effect.void.pipe(",
    caughtBy: "routes/webhooks.test.ts"
  },
  {
    name: "loses Retry-After where the return page cannot read the database",
    package: "http",
    file: "routes/returnRoutes.ts",
    from: '  "retry-after",\n',
    to: '  "x-retry-after",\n',
    caughtBy: "routes/returns.test.ts"
  },
  {
    name: "keeps one request less than the log may have",
    package: "http",
    file: "requestLog/requestPruning.ts",
    from: "if (kept > most) return",
    to: "if (kept >= most) return",
    caughtBy: "requestLog/RequestLog.test.ts"
  },
  {
    name: "shows a request of the log to the other mode",
    package: "http",
    file: "requestLog/RequestLog.ts",
    from: "WHERE k.account = ${account} AND k.livemode = ${livemode} AND r.id = ${id}`",
    to: "WHERE k.account = ${account} AND r.id = ${id}`",
    caughtBy: "requestLog/RequestLog.test.ts"
  },
  {
    name: "releases operations that a running engine is sending",
    package: "sql",
    file: "store/operations.ts",
    from: `AND status = 'sending' AND owner <> \${bind(owner)}`,
    to: `AND status = 'sending' AND \${bind(owner)} <> ''`,
    caughtBy: "SqlitePaymentStore.test.ts"
  },
  {
    name: "leaves out a card decline at the start of its time",
    package: "sql",
    file: "store/payments.ts",
    from: "a.code IS NOT NULL AND a.ended_at >= ${bind(",
    to: "a.code IS NOT NULL AND a.ended_at > ${bind(",
    caughtBy: "SqlitePaymentStore.test.ts"
  },
  {
    name: "keeps the notes of operators on the reports of an erased payment",
    package: "sql",
    file: "reports/UnmatchedReports.ts",
    from: "WHERE payment_id = ${payment} AND note IS NOT NULL`",
    to: "WHERE payment_id = ${payment} AND note IS NULL`",
    caughtBy: "UnmatchedReports.test.ts"
  },
  {
    name: "misses live operations in the statement of a test account",
    package: "sql",
    file: "statement/missingThere.ts",
    from: " AND p.livemode = ${livemode}\n",
    to: "\n",
    caughtBy: "statement/missingThere.test.ts"
  },
  {
    name: "shows an unmatched report to the other mode",
    package: "sql",
    file: "reports/UnmatchedReports.ts",
    from: "Effect.map(find(sql, livemode, id), readReport)",
    to: "Effect.map(find(sql, null, id), readReport)",
    caughtBy: "UnmatchedReports.test.ts"
  },
  {
    name: "reschedules an operation whose status has changed meanwhile",
    package: "sql",
    file: "store/operations.ts",
    from: `AND status = \${bind(status)}`,
    to: `AND \${bind(status)} <> ''`,
    caughtBy: "SqlitePaymentStore.test.ts"
  },
  {
    name: "keeps the pause of an endpoint that is enabled again",
    package: "webhooks",
    file: "endpoint/Endpoints.ts",
    from: "disabled_reason = NULL, failing_since = NULL, paused_until = NULL",
    to: "disabled_reason = NULL, failing_since = NULL",
    caughtBy: "EndpointHealth.test.ts"
  },
  {
    name: "keeps the former secrets of a removed endpoint",
    package: "webhooks",
    file: "endpoint/Endpoints.ts",
    from: "            yield* sql`DELETE FROM webhook_former_secrets WHERE endpoint_id = ${id}`\n",
    to: "",
    caughtBy: "FormerSecrets.test.ts"
  },
  {
    name: "corrects the first thousand due times after the clock was set back",
    package: "webhooks",
    file: "delivery/Sender.ts",
    from: "while (count >= correctedAtOnce)",
    to: "while (count > correctedAtOnce)",
    caughtBy: "clockCorrections.test.ts"
  },
  {
    name: "settles a delivery under a lease that has expired",
    package: "webhooks",
    file: "delivery/settlements.ts",
    from: "AND claimed_by = ended.owner AND claimed_until = ended.until\n      AND webhook_deliveries.attempts = ended.before",
    to: "AND claimed_by = ended.owner\n      AND webhook_deliveries.attempts = ended.before",
    caughtBy: "Deliveries.test.ts"
  },
  {
    name: "leaves the connections to receivers open after it has stopped",
    package: "webhooks",
    file: "NodeWebhookHttp.ts",
    from: "Effect.sync(() => closeAgents(made))",
    to: "Effect.sync(() => made)",
    caughtBy: "NodeWebhookHttp.test.ts"
  },
  {
    name: "lists deliveries of both modes",
    package: "webhooks",
    file: "delivery/DeliveryList.ts",
    from: "sql`d.account = ${tenant.account} AND d.livemode = ${tenant.livemode}`",
    to: "sql`d.account = ${tenant.account}`",
    caughtBy: "DeliveryLog.test.ts"
  },
  {
    name: "keeps the failover policies of every ruleset there ever was",
    package: "routing",
    file: "Routing.ts",
    from: "if (oldest !== undefined && policies.size > KEPT_POLICIES) policies.delete(oldest)",
    to: "",
    caughtBy: "engine.test.ts"
  },
  {
    name: "forgets the success rates when rules are replaced",
    package: "routing",
    file: "Routing.ts",
    from: "learning: yield* learn(compiled, known)",
    to: "learning: yield* learn(compiled, null)",
    caughtBy: "engine.test.ts"
  },
  {
    name: "fails over by the rules in force instead of those that routed the payment",
    package: "routing",
    file: "Routing.ts",
    from: "(policies.get(ruleset) ?? inForce.compiled.failover)(rule)",
    to: "inForce.compiled.failover(rule)",
    caughtBy: "engine.test.ts"
  },
  {
    name: "takes back one try too few after a sign-in with a code",
    package: "dashboard",
    file: "server/people/SignIn.ts",
    from: "yield* forgiveTries(attempt, 2)",
    to: "yield* forgiveTries(attempt, 1)",
    caughtBy: "people/SignIn.test.ts"
  },
  {
    name: "writes no entry that a refund repeated an earlier request",
    package: "dashboard",
    file: "server/audit/auditedPayments.ts",
    from: "(replayed ? repeated(entry) : Effect.void)",
    to: "(replayed ? Effect.void : Effect.void)",
    caughtBy: "Requested.test.ts"
  },
  {
    name: "requires no recent sign-in for what an account does",
    package: "dashboard",
    file: "server/access/AccessControl.ts",
    from: "  yield* signedInRecently(identity, permission)\n  return { caller",
    to: "  return { caller",
    caughtBy: "access/AccessControl.test.ts"
  },
  {
    name: "lets requests of test mode take the places of live mode",
    package: "dashboard",
    file: "server/access/ConcurrentRequests.ts",
    from: "(tenant.livemode ? live : test)[kind]",
    to: "(tenant.livemode ? live : live)[kind]",
    caughtBy: "ConcurrentRequests.test.ts"
  },
  {
    name: "writes no address of the person into the audit log",
    package: "dashboard",
    file: "server/access/AccessControl.ts",
    from: "role, address: addressOf(request, trustedProxies) }",
    to: "role, address: addressOf(request, trustedProxies) && null }",
    caughtBy: "access/AccessControl.test.ts"
  },
  {
    name: "leaves the timers of a request running after its answer",
    package: "provider-kit",
    file: "ProviderHttp.ts",
    from: "queueMicrotask(() => deadlines.interruptUnsafe())",
    to: "queueMicrotask(() => deadlines)",
    caughtBy: "ProviderHttp.test.ts"
  },
  {
    name: "counts a look-up as something that was sent",
    package: "provider-kit",
    file: "ProviderHttp.ts",
    from: 'if (request.method !== "GET" && wasSent(exit))',
    to: "if (wasSent(exit))",
    caughtBy: "ProviderHttp.test.ts"
  },
  {
    name: "keeps the connection of an interrupted request",
    package: "provider-kit",
    file: "HttpTransport.ts",
    from: "      ended = true\n      close()\n",
    to: "      ended = true\n",
    caughtBy: "ProviderHttp.test.ts"
  },
  {
    name: "looks for a refund on the first page only, again and again",
    package: "adapters/stripe",
    file: "later.ts",
    from: "      after = last.id\n",
    to: "",
    caughtBy: "errors.test.ts"
  },
  {
    name: "looks for a derived operation only from its own creation on",
    package: "adapters/stripe",
    file: "payments.ts",
    from: "(Ids.isDerived(id) ? 86_400 : 60)",
    to: "(Ids.isDerived(id) ? 60 : 60)",
    caughtBy: "conformance.test.ts"
  },
  {
    name: "looks for an earlier refund where none can be",
    package: "adapters/razorpay",
    file: "afterwards.ts",
    from: "taken.filter((each) => each.amount_refunded !== 0)",
    to: "taken.filter((each) => each.amount_refunded === 0)",
    caughtBy: "afterwards.test.ts"
  },
  {
    name: "applies the same webhook twice, for want of its id",
    package: "adapters/razorpay",
    file: "webhook.ts",
    from: 'eventIdOf(headers["x-razorpay-event-id"])',
    to: 'eventIdOf(headers["x-razorpay-event"])',
    caughtBy: "webhook.test.ts"
  },
  {
    name: "reports the same version of a payment again",
    package: "client",
    file: "browser/watchPayment.ts",
    from: "if (payment.version <= version) return",
    to: "if (payment.version < version) return",
    caughtBy: "browser.test.ts"
  },
  {
    name: "verifies a body that the caller may still write into",
    package: "client",
    file: "webhooks.ts",
    from: "if (body instanceof Uint8Array) return new Uint8Array(body)",
    to: "if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>",
    caughtBy: "webhooks.test.ts"
  },
  {
    name: "loses the payment that an error names",
    package: "client",
    file: "apiError.ts",
    from: 'paymentId: textOr(problem["payment_id"], null)',
    to: "paymentId: null",
    caughtBy: "calls.test.ts"
  },
  {
    name: "looks at payments for ever that no page shows any more",
    package: "checkout",
    file: "Changes.ts",
    from: "if (entry?.queues.size === 0) watched.delete(known.id)",
    to: "",
    caughtBy: "Changes.test.ts"
  },
  {
    name: "shows a payment for as long as its link is known",
    package: "checkout",
    file: "Checkout.ts",
    from: "!isOpen(viewOf(payment)) && now - payment.updatedAt > shownFor",
    to: "!isOpen(viewOf(payment)) && payment.updatedAt > now",
    caughtBy: "Checkout.test.ts"
  },
  {
    name: "plays the payer of a live payment",
    package: "checkout",
    file: "Checkout.ts",
    from: "if (simulate !== null && !payment.livemode) {",
    to: "if (simulate !== null) {",
    caughtBy: "Checkout.test.ts"
  },
  {
    name: "keeps event streams open while the server stops",
    package: "checkout",
    file: "Checkout.ts",
    from: "      Stream.interruptWhen(closing),\n",
    to: "",
    caughtBy: "Checkout.test.ts"
  }
]
