/**
 * Written by openapi-typescript from the OpenAPI document of the control API: `pnpm generate`. Not to be edited.
 */
/* oxlint-disable max-lines */
export interface paths {
  "/dashboard/api/{account}/{mode}/keys": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List API keys
     * @description All of them, newest first, also those that are no longer accepted.
     */
    get: operations["keys.list"]
    put?: never
    /** Create an API key */
    post: operations["keys.create"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/keys/{id}/rotate": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replace an API key
     * @description The former key is accepted too until `formerExpiresAt`.
     */
    post: operations["keys.rotate"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/keys/{id}/revoke": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Revoke an API key
     * @description It is refused from then on. Revoking it again changes nothing.
     */
    post: operations["keys.revoke"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/endpoints": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List webhook endpoints
     * @description Oldest first, including disabled ones.
     */
    get: operations["endpoints.list"]
    put?: never
    /** Add a webhook endpoint */
    post: operations["endpoints.add"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/endpoints/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Remove a webhook endpoint
     * @description Its pending deliveries are canceled.
     */
    delete: operations["endpoints.remove"]
    options?: never
    head?: never
    /**
     * Edit a webhook endpoint
     * @description Applies to events sent from then on. The secret stays.
     */
    patch: operations["endpoints.update"]
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/endpoints/{id}/enable": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Enable a webhook endpoint */
    post: operations["endpoints.enable"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/endpoints/{id}/disable": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Disable a webhook endpoint
     * @description Its pending deliveries are canceled.
     */
    post: operations["endpoints.disable"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/endpoints/{id}/rotate": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Replace the secret of a webhook endpoint */
    post: operations["endpoints.rotate"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/endpoints/{id}/test": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test event
     * @description One signed event of the type `webhook.test`.
     */
    post: operations["endpoints.test"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List payments
     * @description Newest first. Filters combine with AND; a filter with several values takes any of them. A bound of the amount needs exactly one currency.
     */
    get: operations["payments.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a payment
     * @description With its books, and what may be requested now. Capturing, canceling and refunding it require the `ETag`.
     */
    get: operations["payments.get"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments/{id}/timeline": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the timeline of a payment
     * @description Oldest first: its request, routing, attempts, operations, evidence, books, events and webhook deliveries.
     */
    get: operations["payments.timeline"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments/{id}/routing": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Explain how a payment was routed
     * @description Rule by rule, by the rules that were in force when it was created.
     */
    get: operations["payments.routing"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments/{id}/simulate": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Simulate the payer of a sandbox payment
     * @description It happens at once, in place of what was to come. A payment that is decided is answered 409. No money moves.
     */
    post: operations["payments.simulate"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments/{id}/capture": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Capture a payment
     * @description A partial capture releases the rest. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is what reading it answers.
     */
    post: operations["payments.capture"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments/{id}/cancel": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Cancel a payment
     * @description The body is an empty object. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is what reading it answers.
     */
    post: operations["payments.cancel"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments/{id}/refunds": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Refund a payment
     * @description The whole remaining amount, or a part of it. With `override`, also more than disputes, and refunds made outside of Paymux, leave. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is what reading it answers.
     */
    post: operations["payments.refund"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/refunds": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List refunds
     * @description Newest first, without automatic reversals.
     */
    get: operations["refunds.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/refunds/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Read a refund */
    get: operations["refunds.get"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/events": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List events
     * @description Newest first, without their bodies.
     */
    get: operations["events.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/events/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read an event
     * @description Its body, as it is delivered.
     */
    get: operations["events.get"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/deliveries": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List webhook deliveries
     * @description By the time of the event, latest first.
     */
    get: operations["deliveries.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/events/{id}/attempts": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the attempts of a delivery
     * @description First to last.
     */
    get: operations["deliveries.attempts"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/events/{id}/resend": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send an event again
     * @description Under its id, with the full retry schedule.
     */
    post: operations["deliveries.resend"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/deliveries/undelivered": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count undelivered events
     * @description What `resend` would send again.
     */
    get: operations["deliveries.countSince"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/deliveries/resend": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send undelivered events again
     * @description To endpoints that are not disabled.
     */
    post: operations["deliveries.resendSince"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/reviews": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List open reviews
     * @description A payment may have several.
     */
    get: operations["reviews.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/reviews/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a payment with its reviews
     * @description By the id of the payment. The `ETag` is what resolving requires.
     */
    get: operations["reviews.get"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/reviews/{id}/consequences": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the consequences of a resolution
     * @description The effect of the resolution on the payment, before it is given. By the id of the payment. Nothing is written.
     */
    get: operations["reviews.consequences"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/reviews/{id}/resolve": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Resolve a review
     * @description Or correct the outcome of an operation. By the id of the payment. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is the payment with its reviews, without the evidence.
     */
    post: operations["reviews.resolve"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/payments/{id}/disputes": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Record a dispute
     * @description Or its amount, or how it ended, where the provider does not report it. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is the payment.
     */
    post: operations["disputes.record"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/reports": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List provider reports that match no payment
     * @description Of the mode, newest first.
     */
    get: operations["reports.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/reports/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get a report */
    get: operations["reports.get"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/reports/{id}/match": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Match a report to a payment
     * @description The engine applies it like every report of the provider, within seconds; see `isApplied`. It cannot be undone.
     */
    post: operations["reports.match"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/reports/{id}/dismiss": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Dismiss a report
     * @description It is kept, and can still be matched.
     */
    post: operations["reports.dismiss"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/statements": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the statements of providers
     * @description Up to when each was read, and its last run, for the mode.
     */
    get: operations["statements.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/statements/runs": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List runs that have read statements
     * @description Newest first.
     */
    get: operations["statements.runs"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/statements/differences": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List differences between the books and statements
     * @description Newest first.
     */
    get: operations["statements.differences"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/statements/{id}/movements": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List movements of a provider's statement
     * @description Newest first.
     */
    get: operations["statements.movements"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/statements/{id}/payout": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a payout
     * @description What was transferred, and the sums of what it consists of.
     */
    get: operations["statements.payout"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/audit": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List administrative actions
     * @description Newest first: who did what, from where. Only owners get email addresses and the addresses of clients.
     */
    get: operations["audit.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/requests": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List requests
     * @description The calls of `/v1`, newest first.
     */
    get: operations["requests.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/requests/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read a request
     * @description With what is kept of its body.
     */
    get: operations["requests.get"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/statistics/series": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get numbers for each hour or day
     * @description Payments by their creation, attempts by their start, refunds by their request, each with its current status. Default: the last 30 days. Steps without anything to count are left out.
     */
    get: operations["statistics.series"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/statistics/totals": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get numbers of a period
     * @description As for each hour or day, for the whole period.
     */
    get: operations["statistics.totals"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/statistics/attention": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get what needs attention
     * @description Counts of open work, for the first page of a dashboard.
     */
    get: operations["statistics.attention"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/breakers": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List circuit breakers
     * @description Of every running process, one for each provider and operation in use.
     */
    get: operations["breakers.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/breakers/history": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List transitions of circuit breakers
     * @description Newest first. `state`: the one entered.
     */
    get: operations["breakers.history"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/providers": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List provider instances
     * @description Of the mode, in the order of the configuration.
     */
    get: operations["providers.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/providers/{id}/account": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what the account at a provider is not enabled for
     * @description As the payments of the last seven days show it, the latest first.
     */
    get: operations["providers.account"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/providers/{id}/check": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Check a provider instance
     * @description Sends a harmless inquiry. It moves no money.
     */
    post: operations["providers.check"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/doctor": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Check the server
     * @description Its configuration, database, rules, providers and public URL.
     */
    post: operations["providers.doctor"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the current routing rules
     * @description Of rules in the database, the `ETag` is what publishing requires.
     */
    get: operations["rules.current"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/vocabulary": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Get what an editor of rules completes */
    get: operations["rules.vocabulary"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/versions": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the versions of the routing rules */
    get: operations["rules.history"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/versions/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a version of the routing rules
     * @description By its number.
     */
    get: operations["rules.get"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/diff": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Compare two versions of the routing rules */
    get: operations["rules.diff"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/check": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Check a draft of the routing rules
     * @description Against the providers. Nothing is stored.
     */
    post: operations["rules.check"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/explain": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Explain how a payment is routed
     * @description Nothing is stored, and nothing is sent to a provider.
     */
    post: operations["rules.explain"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/publish": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Publish routing rules
     * @description For all accounts and modes. `If-Match` has the version that the change is based on; if another is the newest, `current` of the problem has its `version`, and the `diff` from it to the text. Of a text that is not valid, each of `errors` has its `line` and `column`.
     */
    post: operations["rules.publish"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/rollback": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Roll back the routing rules
     * @description Publishes the text of a former version as a new one.
     */
    post: operations["rules.rollback"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/backtests": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Start a backtest
     * @description Replays stored payments against a draft, in the background of this process, and ends with it. Nothing is sent to a provider.
     */
    post: operations["rules.startBacktest"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/rules/backtests/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a backtest
     * @description In the process that started it. Once it has ended, for an hour, and of the last 20.
     */
    get: operations["rules.getBacktest"]
    put?: never
    post?: never
    /**
     * Cancel a backtest
     * @description One that has ended stays as it is.
     */
    delete: operations["rules.cancelBacktest"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/team": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the team
     * @description People with access to this account and mode, newest first.
     */
    get: operations["team.list"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/team/invitations": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List open invitations
     * @description All that give access to this account and mode, newest first. Without links.
     */
    get: operations["team.listInvitations"]
    put?: never
    /**
     * Invite a person
     * @description Hand the link over: no email is sent.
     */
    post: operations["team.invite"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/team/invitations/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke an invitation
     * @description Its link no longer works.
     */
    delete: operations["team.revokeInvitation"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/team/invitations/{id}/link": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make a new link for an invitation
     * @description It works for 72 hours. The former link no longer works.
     */
    post: operations["team.renewInvitation"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/team/{id}/role": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change what a user may do
     * @description Replaces what they have in this account.
     */
    post: operations["team.setRole"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/team/{id}/reset": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Make a link to set a new password */
    post: operations["team.reset"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/{account}/{mode}/team/{id}": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Remove a user
     * @description Takes away all access that you manage, and ends their sessions.
     */
    delete: operations["team.remove"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/sign-in": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** How people sign in here */
    get: operations["sign_in.methods"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/sign-in/password": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in with a password
     * @description If TOTP is set up, a code is the next step.
     */
    post: operations["sign_in.password"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/sign-in/code": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Enter a code
     * @description Of the authenticator app, or a recovery code.
     */
    post: operations["sign_in.code"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/sign-in/invitation": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Accept an invitation */
    post: operations["sign_in.accept"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/sign-in/reset": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Set a new password by a link
     * @description All your sessions end.
     */
    post: operations["sign_in.reset"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/sign-in/sandbox": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Open the sandbox by the link of its terminal */
    post: operations["sign_in.sandbox"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/sign-in/oidc": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Go to the identity provider
     * @description `again`: the person proves once more who they are.
     */
    get: operations["sign_in.startOidc"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/sign-in/oidc/callback": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Come back from the identity provider */
    get: operations["sign_in.finishOidc"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/session": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Who is signed in
     * @description With what they may do in which account and mode.
     */
    get: operations["session.me"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/session/reauthenticate": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Prove again who you are
     * @description For sensitive actions. The session gets a new id.
     */
    post: operations["session.reauthenticate"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/session/sign-out": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Sign out */
    post: operations["session.signOut"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/session/sign-out-everywhere": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** End all of your sessions */
    post: operations["session.signOutEverywhere"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/session/totp": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Begin to set up TOTP
     * @description Changes nothing until it is confirmed.
     */
    post: operations["session.beginTotp"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/session/totp/confirm": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Confirm TOTP by a code
     * @description Your other sessions end, and former recovery codes no longer work.
     */
    post: operations["session.confirmTotp"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/dashboard/api/openapi.json": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The OpenAPI document
     * @description Of the control API: this document.
     */
    get: operations["system.openapi"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    RecoveryCodes: {
      /** @description They are in this response only. */
      recoveryCodes: string[]
    }
    TotpConfirmation: {
      code: string
    }
    TotpEnrolment: {
      /** @description In base32. It is in this response only. */
      secret: string
      /** @description `otpauth://totp/…` */
      uri: string
      /** @description SVG */
      qrCode: string
    }
    EndedSessions: {
      ended: number
    }
    Reauthentication: {
      password: string
      /** @description Required if TOTP is set up. */
      code?: string
    }
    SignedInPerson: {
      id: string
      name: string
      memberships: components["schemas"]["Membership"][]
      /** @description Every account and mode that the person may open: by name, `default` first, test before live. */
      accounts: components["schemas"]["OpenAccount"][]
      /** @description When the person last proved who they are, ms UTC. */
      authenticatedAt: number
      /** @description Of the session; `null`: the host decides. */
      expiresAt: number | null
      /** @enum {string} */
      method: "password" | "oidc" | "sandbox" | "host"
      /** @description Live mode is closed until TOTP is set up. */
      needsTotp: boolean
      /** @description Where the person proves again who they are; `null`: by `reauthenticate`. */
      reauthenticateUrl: string | null
    }
    OpenAccount: {
      account: string
      /** @enum {string} */
      mode: "test" | "live"
      /** @enum {string} */
      role: "owner" | "developer" | "operator" | "routing" | "viewer"
    }
    Membership: {
      /** @description `null`: every account. */
      account: string | null
      modes: ("test" | "live")[]
      /** @enum {string} */
      role: "owner" | "developer" | "operator" | "routing" | "viewer"
    }
    SandboxLink: {
      token: string
    }
    PasswordReset: {
      token: string
      password: string
    }
    AcceptedInvitation: {
      email: string
    }
    InvitationAcceptance: {
      token: string
      /** @description Of the first owner, whose link has no address. */
      email?: string
      /** @description A new one, or your own if you are a user already. */
      password: string
    }
    CodeEntry: {
      token: string
      code: string
    }
    SignInStep:
      | {
          /** @enum {string} */
          step: "signed_in"
        }
      | {
          /** @enum {string} */
          step: "code"
          /** @description To be sent with the code. */
          token: string
          /** @description ms UTC */
          expiresAt: number
        }
    PasswordEntry: {
      email: string
      password: string
    }
    SignInMethods: {
      password: boolean
      oidc: boolean
      reauthenticateUrl: string | null
    }
    PersonLink: {
      /** @description Works once. It is in this response only. */
      link: string
      /** @description ms UTC */
      expiresAt: number
    }
    ResetRequest: {
      /** @description Also remove TOTP and recovery codes. */
      totp?: boolean
    }
    RoleChange: {
      /** @enum {string} */
      role: "owner" | "developer" | "operator" | "routing" | "viewer"
      /** @description Default: this account. */
      everyAccount?: boolean
      /** @description Default: this mode. */
      modes?: ("test" | "live")[]
    }
    Invitation: {
      id: string
      email: string
      /** @description `null`: every account. */
      account: string | null
      modes: ("test" | "live")[]
      /** @enum {string} */
      role: "owner" | "developer" | "operator" | "routing" | "viewer"
      /** @description The email address of a user, or the name of the account at the terminal or of the program. */
      invitedBy: string
      /** @description ms UTC */
      createdAt: number
      /** @description ms UTC */
      expiresAt: number
    }
    NewInvitation: {
      email: string
      /** @enum {string} */
      role: "owner" | "developer" | "operator" | "routing" | "viewer"
      /** @description Default: this account. */
      everyAccount?: boolean
      /** @description Default: this mode. */
      modes?: ("test" | "live")[]
    }
    User: {
      id: string
      email: string
      /** @description Those that concern this account. */
      memberships: components["schemas"]["Membership"][]
      /** @description Without TOTP a password gives access to test mode only. */
      totp: boolean
      /** @enum {string} */
      signsInWith: "password" | "oidc"
      /** @description ms UTC */
      createdAt: number
      /** @description `null`: never. */
      signedInAt: number | null
    }
    Backtest: {
      id: string
      /** @enum {string} */
      state: "running" | "done" | "canceled" | "failed"
      /** @description 0 to 1. */
      progress: number
      /** @description ms UTC */
      startedAt: number
      endedAt: number | null
      /** @description Of one that is `done`. */
      result: {
        report: components["schemas"]["BacktestReport"]
        /** @description The first 1000 payments that change, by time. */
        moved: {
          paymentId: string
          /** @description ms UTC */
          createdAt: number
          before: string
          /** @description `null`: no route. */
          after: string | null
          rule: string
        }[]
      } | null
      /** @description Of one that `failed`. `problems`: of a draft that is not valid. */
      failure: {
        message: string
        problems: components["schemas"]["RulesDiagnostic"][]
      } | null
    }
    RulesDiagnostic: {
      /** @description From 1; `null`: of the text as a whole. */
      line: number | null
      /** @description From 1, in UTF-16 units. */
      column: number | null
      message: string
    }
    BacktestReport: {
      /** @enum {boolean} */
      estimate: true
      usesLearnedRates: boolean
      /** @description When the first and the last payment were made; `null`: there were none. */
      period: {
        /** @description ms UTC */
        from: number
        /** @description ms UTC */
        to: number
      } | null
      payments: number
      ruleset: string
      rulesetsBefore: {
        ruleset: string
        payments: number
      }[]
      changes: {
        payments: number
        share: number
        providers: {
          before: string
          /** @description `null`: no route. */
          after: string | null
          payments: number
        }[]
        rules: {
          before: string
          after: string
          payments: number
        }[]
      }
      noRoute: {
        payments: number
        share: number
        dropped: {
          rule: string
          provider: string
          reason: string
          payments: number
        }[]
      }
      acceptance: {
        measured: {
          rate: number | null
          counted: number
        }
        before: {
          rate: number | null
          /** @description Nine times out of ten the rate lies in it. */
          range: {
            low: number
            high: number
          } | null
          /** @description The payments that have an estimate: all others are of a kind that the provider has never had. */
          coverage: number
        }
        after: {
          rate: number | null
          /** @description Nine times out of ten the rate lies in it. */
          range: {
            low: number
            high: number
          } | null
          /** @description The payments that have an estimate: all others are of a kind that the provider has never had. */
          coverage: number
        }
      }
      providers: {
        provider: string
        measured: {
          rate: number | null
          counted: number
        }
        before: {
          payments: number
          share: number
          expected: {
            rate: number | null
            /** @description Nine times out of ten the rate lies in it. */
            range: {
              low: number
              high: number
            } | null
            /** @description The payments that have an estimate: all others are of a kind that the provider has never had. */
            coverage: number
          }
        }
        after: {
          payments: number
          share: number
          expected: {
            rate: number | null
            /** @description Nine times out of ten the rate lies in it. */
            range: {
              low: number
              high: number
            } | null
            /** @description The payments that have an estimate: all others are of a kind that the provider has never had. */
            coverage: number
          }
        }
        currencies: {
          currency: string
          before: {
            payments: number
            /** @description Minor units. */
            amount: number
            /** @description Minor units, by the draft's fees. */
            cost: number
            feeUnknown: number
          }
          after: {
            payments: number
            /** @description Minor units. */
            amount: number
            /** @description Minor units, by the draft's fees. */
            cost: number
            feeUnknown: number
          }
        }[]
      }[]
      currencies: {
        currency: string
        before: {
          payments: number
          /** @description Minor units. */
          amount: number
          /** @description Minor units, by the draft's fees. */
          cost: number
          feeUnknown: number
        }
        after: {
          payments: number
          /** @description Minor units. */
          amount: number
          /** @description Minor units, by the draft's fees. */
          cost: number
          feeUnknown: number
        }
      }[]
      rules: {
        name: string
        /** @description Payments that it decides. */
        takes: number
        /** @description Payments that its conditions hold for, whichever rule decides them. */
        matches: number
        /** @description `false`: `matches` is the least it can be. */
        exact: boolean
        /** @enum {string} */
        state: "used" | "shadowed" | "dead" | "unknown"
        shadowedBy: {
          rule: string
          payments: number
        }[]
      }[]
      default: {
        payments: number
        share: number
      }
    }
    NewBacktest: {
      /** @description The draft. Default: the current rules. */
      text?: string
      /** @description ms UTC, inclusive. */
      from: number
      /** @description ms UTC, exclusive. Default: now. */
      until?: number
    }
    RulesVersion: {
      /** @description Ascending. */
      version: number
      /** @description As payments name it: `sha256:` and the hex digest. */
      ruleset: string
      /** @description `database`, the name of the file, `options` or `default`. */
      source: string
      /** @description ms UTC; when it was published, or for the first time in force. */
      at: number
      /** @description `null`: of a file, which does not say. */
      author: {
        kind: string
        id: string
        name: string | null
      } | null
      note: string | null
      /** @description The version whose text was published again. */
      restores: number | null
    }
    RulesRollback: {
      /** @description Whose text is published again. */
      version: number
      /** @description Why, for the history: one line of at most 500 characters. */
      note?: string | null
      /** @description `true`: publish although `exclude` or `outages` leave payments without a provider. The audit log says so. Default: `false`. */
      acceptNoRoute?: boolean
    }
    RulesPublication: {
      text: string
      /** @description Why, for the history: one line of at most 500 characters. */
      note?: string | null
      /** @description `true`: publish although `exclude` or `outages` leave payments without a provider. The audit log says so. Default: `false`. */
      acceptNoRoute?: boolean
    }
    ExplainedDecision: {
      explanation: {
        ruleset: string
        /** @description The decision in one paragraph, with the numbers that it stores. For people: its words may change. */
        summary: string
        /** @description From the first to the one that decided; that is `default` where none matches. */
        rules: {
          name: string
          matches: boolean
          conditions: components["schemas"]["ExplainedCondition"][]
        }[]
        answer:
          | {
              /** @enum {string} */
              _tag: "Plan"
              decision: {
                rule: string
                ruleset: string
                reason: string
                candidates: {
                  provider: string
                  reason: string
                }[]
                dropped: {
                  provider: string
                  reason: string
                }[]
              }
              /** @description In the order to try. */
              candidates: {
                provider: string
                reason: string
              }[]
            }
          | {
              /** @enum {string} */
              _tag: "NoRoute"
              rule: string
              ruleset: string
              candidates: {
                provider: string
                reason: string
              }[]
            }
      }
      /** @description Success rates could not be read: they are taken as unknown. */
      ratesUnknown: boolean
    }
    ExplainedCondition: {
      /** @description Such as `amount gte 500000`; `all`, `any` or `not` of those in `of`. */
      asked: string
      holds: boolean
      /** @description What the payment has; `null`: nothing. */
      actual: string | number | boolean | null
      of: components["schemas"]["ExplainedCondition"][]
    }
    ExplainRules: {
      /** @description A stored payment. This, or `request`. */
      paymentId?: string
      request?: unknown
      /** @description Of a `request`: ms UTC. Default: now. */
      at?: number
      /** @description A draft. Default: the rules that decided the stored payment, or the current rules. */
      text?: string
    }
    CheckedRules:
      | {
          /** @enum {boolean} */
          valid: true
          ruleset: string
          /** @description How many. */
          rules: number
          problems: unknown[]
          /** @description Parts that do nothing, or something else than they seem to. The rules can be published. */
          warnings: components["schemas"]["RulesDiagnostic"][]
        }
      | {
          /** @enum {boolean} */
          valid: false
          problems: components["schemas"]["RulesDiagnostic"][]
          /**
           * @description All problems are payments that get no provider because of `exclude` or `outages`: `acceptNoRoute` publishes the draft.
           * @enum {boolean}
           */
          acceptable?: true
        }
    RulesDraft: {
      text: string
    }
    RulesVersionText: {
      /** @description Ascending. */
      version: number
      /** @description As payments name it: `sha256:` and the hex digest. */
      ruleset: string
      /** @description `database`, the name of the file, `options` or `default`. */
      source: string
      /** @description ms UTC; when it was published, or for the first time in force. */
      at: number
      /** @description `null`: of a file, which does not say. */
      author: {
        kind: string
        id: string
        name: string | null
      } | null
      note: string | null
      /** @description The version whose text was published again. */
      restores: number | null
      /** @description As it was written, with comments. Other rules: as YAML. */
      text: string
    }
    RulesVocabulary: {
      providers: {
        id: string
        mode: string
        methods: string[]
      }[]
      /** @description `metadata.<key>` comes on top, with the operators of `account`. */
      conditions: {
        name: string
        /** @description What may stand in a mapping below it. */
        operators: string[]
        /** @description All that it may be compared with; empty: no list. */
        values: string[]
      }[]
    }
    CurrentRules: {
      /** @description Ascending. */
      version: number
      /** @description As payments name it: `sha256:` and the hex digest. */
      ruleset: string
      /** @description `database`, the name of the file, `options` or `default`. */
      source: string
      /** @description ms UTC; when it was published, or for the first time in force. */
      at: number
      /** @description `null`: of a file, which does not say. */
      author: {
        kind: string
        id: string
        name: string | null
      } | null
      note: string | null
      /** @description The version whose text was published again. */
      restores: number | null
      /** @description As it was written, with comments. Other rules: as YAML. */
      text: string
      /** @description Where the rules are edited. Only those in the `database` can be published here. */
      origin:
        | {
            /** @enum {string} */
            kind: "file"
            file: string
          }
        | {
            /** @enum {string} */
            kind: "database" | "options" | "default"
          }
      /** @description The ruleset that this process decides by. It differs from `ruleset` while a version spreads, and if that has `problems`. */
      inForce: string
      /** @description Why this version does not fit the providers of this process, which decides by an older one. */
      problems: components["schemas"]["RulesDiagnostic"][]
    }
    Finding: {
      /** @enum {string} */
      grade: "ok" | "warning" | "fault"
      /** @description What was checked. */
      name: string
      /** @description What was found; of a warning or fault also what to do. */
      text: string
    }
    AccountRefusal: {
      /** @enum {string} */
      paymentMethod: "upi" | "card" | "stablecoin"
      /** @description As the merchant requested it. */
      flow: string
      currency: string
      /** @enum {string} */
      code: "account_not_enabled" | "details_required"
      /** @description The provider's own code. */
      vendorCode: string | null
      /** @description What to do about it. */
      help: string
      /** @description How often, of the latest 1,000 refusals. */
      count: number
      /** @description ms UTC */
      lastAt: number
    }
    ProviderInstance: {
      /** @description As routing rules name it. */
      id: string
      /** @enum {string} */
      mode: "test" | "live"
      /** @description Whether it takes no new payments. It still serves inquiries, webhooks, captures and refunds of earlier ones. */
      retired: boolean
      /** @description The ids that it had before, oldest first: earlier payments have them. */
      formerly: string[]
      /** @description Such as `stripe`. */
      adapter: string | null
      /** @description The version of the provider contract. */
      specVersion: number
      /** @description The address to enter at the provider. `null`: it sends no webhooks. */
      webhookUrl: string | null
      methods: {
        [key: string]: components["schemas"]["ProviderMethod"]
      }
      operations: {
        [key: string]: components["schemas"]["ProviderOperation"]
      }
    }
    ProviderOperation: {
      idempotency: {
        /** @enum {string} */
        by: "header" | "body" | "reference" | "lookup" | "none"
        lifetimeMs: number | ("Infinity" | "-Infinity" | "NaN")
      }
      canInquire: boolean
      /** @description Whether an inquiry needs nothing but the names of Paymux, so that it finds what the database has lost. */
      inquiresByName: boolean
      costlyInquiry: boolean
      notFoundIsFinalAfterMs: number | ("Infinity" | "-Infinity" | "NaN") | null
      lookBackMs: (number | ("Infinity" | "-Infinity" | "NaN"))[]
      /** @enum {string} */
      reports: "movement" | "total"
      rateLimitIsNotExecuted: boolean
      declineIsFinal: boolean
      cancelIsFinal: boolean
      /** @description Whether each charge of a page that is paid more than once can be inquired about and refunded. */
      chargesByReference: boolean
      abandonedAfterMs: number | ("Infinity" | "-Infinity" | "NaN") | null
      partial: boolean
    }
    ProviderMethod: {
      currencies: string[] | "any"
      flows: {
        [key: string]: {
          requires?: string[]
          captureMethods?: string[]
          cancelable?: boolean
        }
      }
      /** @description The limits by currency, in major units, such as `0.50`. */
      amounts?: {
        currency: string
        min?: string
        max?: string
      }[]
      phoneCodes?: string[]
      captureMethods?: string[]
      networks?: string[]
      assets?: {
        asset: string
        network: string
      }[]
    }
    CircuitBreakerTransition: {
      /** @description ms UTC */
      at: number
      provider: string
      operation: string
      /** @enum {string} */
      from: "closed" | "open" | "half_open"
      /** @enum {string} */
      to: "closed" | "open" | "half_open"
      /** @enum {string} */
      cause: "failure_rate" | "misconfigured" | "open_time_over" | "probe_succeeded" | "probe_answered" | "probe_failed"
      /** @description A random id, another one at each start. */
      process: string
      host: string
    }
    CircuitBreaker: {
      provider: string
      operation: string
      /** @enum {string} */
      state: "closed" | "open" | "half_open"
      /** @description `null`: it never left its first state. */
      cause:
        | ("failure_rate" | "misconfigured" | "open_time_over" | "probe_succeeded" | "probe_answered" | "probe_failed")
        | null
      /** @description ms UTC */
      since: number
      /** @description A random id, another one at each start. */
      process: string
      host: string
      pid: number
      /** @description ms UTC; when the process last reported. */
      seenAt: number
    }
    Attention: {
      /** @description Pending payments; 10000 stands for 10,000 or more. */
      pending: number
      /** @description Payments with an open review; 10000 stands for 10,000 or more. */
      inReview: number
      /** @description Webhook endpoints whose last attempt failed. */
      failingEndpoints: number
      /** @description Webhook endpoints that receive nothing. */
      disabledEndpoints: number
      /** @description Circuit breakers of this process that are not closed. */
      openBreakers: {
        provider: string
        operation: string
        state: string
        /** @description ms UTC */
        since: number
      }[]
    }
    Numbers: {
      /** @description The value of `groupBy`. `null`: without `groupBy`, or without a failure code. */
      group: string | null
      count: number
      /** @description By status. */
      outcomes: {
        [key: string]: number
      }
      /** @description 0 to 1, of those that are decided. `null`: none is, or the query is by outcome or failure code. */
      successRate: number | ("Infinity" | "-Infinity" | "NaN") | null
      amounts: {
        currency: string
        /** @description Of all that are counted: minor units, as decimal digits. */
        amount: string
        /** @description What was captured of payments; of attempts or refunds that succeeded. Minor units, as decimal digits. */
        succeeded: string
      }[]
      /** @description Of attempts that have ended: ms from start to end, at most 4.9 % off. */
      duration: {
        count: number
        p50: number | ("Infinity" | "-Infinity" | "NaN")
        p95: number | ("Infinity" | "-Infinity" | "NaN")
        p99: number | ("Infinity" | "-Infinity" | "NaN")
      } | null
    }
    SeriesPoint: {
      /** @description ms UTC */
      start: number
      /** @description The value of `groupBy`. `null`: without `groupBy`, or without a failure code. */
      group: string | null
      count: number
      /** @description By status. */
      outcomes: {
        [key: string]: number
      }
      /** @description 0 to 1, of those that are decided. `null`: none is, or the query is by outcome or failure code. */
      successRate: number | ("Infinity" | "-Infinity" | "NaN") | null
      amounts: {
        currency: string
        /** @description Of all that are counted: minor units, as decimal digits. */
        amount: string
        /** @description What was captured of payments; of attempts or refunds that succeeded. Minor units, as decimal digits. */
        succeeded: string
      }[]
      /** @description Of attempts that have ended: ms from start to end, at most 4.9 % off. */
      duration: {
        count: number
        p50: number | ("Infinity" | "-Infinity" | "NaN")
        p95: number | ("Infinity" | "-Infinity" | "NaN")
        p99: number | ("Infinity" | "-Infinity" | "NaN")
      } | null
    }
    RequestDetails: {
      /** @description As in the header `Request-Id` of the response. */
      id: string
      /** @description ms UTC */
      at: number
      method: string
      /** @description Without the query. */
      path: string
      /** @description Such as `/v1/payments/:id`. */
      route: string
      status: number
      /** @description The code of the problem; `null`: it succeeded. */
      problem: string | null
      keyId: string
      durationMs: number | ("Infinity" | "-Infinity" | "NaN")
      /** @description Whether the response is that of a former request with the same key. */
      replayed: boolean
      paymentId: string | null
      refundId: string | null
      request: unknown
      /** @description Of a failed request, its problem. */
      response: {
        code: string
        detail: string
        errors: {
          pointer: string
          message: string
        }[]
      } | null
    }
    LoggedRequest: {
      /** @description As in the header `Request-Id` of the response. */
      id: string
      /** @description ms UTC */
      at: number
      method: string
      /** @description Without the query. */
      path: string
      /** @description Such as `/v1/payments/:id`. */
      route: string
      status: number
      /** @description The code of the problem; `null`: it succeeded. */
      problem: string | null
      keyId: string
      durationMs: number | ("Infinity" | "-Infinity" | "NaN")
      /** @description Whether the response is that of a former request with the same key. */
      replayed: boolean
      paymentId: string | null
      refundId: string | null
    }
    AuditEntry: {
      id: number
      /** @description ms UTC */
      at: number
      account: string
      livemode: boolean
      actor: {
        /** @enum {string} */
        kind: "user" | "command" | "program"
        id: string
        name: string | null
        role: ("owner" | "developer" | "operator" | "routing" | "viewer") | null
        address: string | null
      }
      action: string
      target: string | null
      /** @enum {string} */
      outcome: "done" | "requested" | "refused" | "repeated"
      before: {
        [key: string]: string | number | ("Infinity" | "-Infinity" | "NaN") | boolean | null | string[]
      } | null
      after: {
        [key: string]: string | number | ("Infinity" | "-Infinity" | "NaN") | boolean | null | string[]
      } | null
    }
    StatementPayout: {
      /** @description The provider's id of the payout. */
      id: string
      provider: string
      /** @description What was transferred to the bank, or returned by it. Empty: the statement has no such movement. */
      transfers: components["schemas"]["StatementMovement"][]
      /** @description The other movements of the payout, by type, direction and currency, before fees. */
      parts: {
        /** @enum {string} */
        type:
          | "payment"
          | "capture"
          | "refund"
          | "refund_failed"
          | "dispute"
          | "dispute_reversed"
          | "fee"
          | "payout"
          | "adjustment"
        /**
         * @description `in`: the account gained it.
         * @enum {string}
         */
        direction: "in" | "out"
        currency: string
        count: number
        /** @description Minor units as text: the sum may exceed 2^53. */
        amount: string
      }[]
      /** @description What the parts have added to the balance. */
      nets: {
        currency: string
        /** @description Minor units as text: the sum may exceed 2^53. */
        amount: string
      }[]
      /** @description Parts without a known net amount. */
      withoutNet: number
    }
    StatementMovement: {
      /** @description The provider's id of the booking. */
      id: string
      /** @enum {string} */
      type:
        | "payment"
        | "capture"
        | "refund"
        | "refund_failed"
        | "dispute"
        | "dispute_reversed"
        | "fee"
        | "payout"
        | "adjustment"
      /** @description The id of an operation that the provider returned. */
      operation: string | null
      reference: string | null
      /** @description The provider's reference of the payment that a capture, refund or dispute belongs to. */
      original: string | null
      amount: components["schemas"]["StatementMoney_1"]
      /**
       * @description `in`: the account gained it.
       * @enum {string}
       */
      direction: "in" | "out"
      /** @description The fee of the provider; negative if a fee was given back. */
      fee: components["schemas"]["StatementMoney"] | null
      net: components["schemas"]["StatementMoney"] | null
      /** @description The provider's id of the payout that contains it. */
      payout: string | null
      /** @description ms UTC */
      bookedAt: number
      /** @enum {string} */
      result: "matched" | "differs" | "foreign" | "account"
      /** @description The operation that it is about. */
      operationId: string | null
      paymentId: string | null
      /** @description Of the payment; `null`: it is not in the database. */
      account: string | null
    }
    StatementMoney: {
      /** @description In the smallest unit of `currency`. */
      minorUnits: number
      currency: string
    }
    /** @description Above zero, before fees. */
    StatementMoney_1: {
      /** @description In the smallest unit of `currency`. */
      minorUnits: number
      currency: string
    }
    StatementDifference: {
      id: number
      provider: string
      /** @enum {string} */
      kind:
        | "missing_here"
        | "missing_there"
        | "refund_not_booked"
        | "duplicate_here"
        | "other_status"
        | "other_amount"
        | "other_currency"
        | "duplicate_there"
        | "unknown_refund"
        | "other_reference"
        | "wrong_fee"
        | "changed_movement"
      /** @description The provider's id of the movement; `null`: the statement has none. */
      movement: string | null
      operationId: string | null
      paymentId: string | null
      /** @description Of the payment; `null`: it is not in the database. */
      account: string | null
      /** @description Whether the payment has an open review. */
      isInReview: boolean
      /** @description What the books have. */
      expected: components["schemas"]["StatementMoney"] | null
      /** @description What the statement has. */
      found: components["schemas"]["StatementMoney"] | null
      /** @description The run that found it first. */
      run: number
      /** @description ms UTC */
      foundAt: number
      /** @description ms UTC; when a later statement had what this one was without. */
      resolvedAt: number | null
    }
    StatementRun: {
      id: number
      provider: string
      livemode: boolean
      /** @description `provider`, or `file:` and the name of a file. */
      source: string
      /** @description ms UTC, inclusive. */
      since: number
      /** @description ms UTC, exclusive. Equal to `since`: a file without a stated time. */
      until: number
      /** @description Where the run continues. */
      cursor: string | null
      pages: number
      /** @enum {string} */
      state: "reading" | "comparing" | "complete" | "canceled" | "failed"
      /** @description Movements by result; a movement that an earlier run has entered counts as repeated only. */
      counts: {
        matched: number
        differs: number
        foreign: number
        account: number
        repeated: number
        differences: {
          [key: string]: number
        }
      }
      /** @description Why it failed. */
      problem: string | null
      /** @description ms UTC */
      startedAt: number
      /** @description ms UTC */
      updatedAt: number
      endedAt: number | null
    }
    ProviderStatement: {
      provider: string
      /** @description Whether its adapter has a statement, which a running server reads once a day. `false`: files only. */
      hasStatement: boolean
      /** @description ms UTC, up to where the provider's own statement was read without a gap. `null`: never. */
      readUntil: number | null
      lastRun: components["schemas"]["StatementRun"] | null
    }
    UnmatchedReport: {
      id: string
      provider: string
      /** @enum {string} */
      status: "waiting" | "parked" | "foreign" | "matched" | "dismissed"
      /** @description The reported event, such as `succeeded` or `refund_succeeded`. */
      kind: string
      /** @description The operation that it names. */
      operationId: string | null
      /** @description The provider's reference that it is about. */
      reference: string | null
      /** @description In the smallest unit of `currency`. */
      amount: number | null
      currency: string | null
      vendorCode: string | null
      /** @description The provider's id of the event, or a digest. */
      event: string
      /** @description `sha256:` of the webhook's bytes. */
      document: string | null
      /** @description ms UTC */
      receivedAt: number
      /** @description ms UTC, by the provider's clock. */
      occurredAt: number | null
      /** @description `false`: the content of the report has been deleted. */
      isComplete: boolean
      /** @description The payment that it was matched to. */
      paymentId: string | null
      /** @description `true`: it has been applied to that payment. */
      isApplied: boolean
      /** @description Why it was dismissed. */
      note: string | null
      decidedAt: number | null
    }
    ReportDismissal: {
      /** @description Why: 1 to 1000 characters. */
      note: string
    }
    ReportMatch: {
      /** @description Of this account and mode. */
      paymentId: string
      /** @description Such as a refund. Default: the create operation at the provider of the report. */
      operationId?: string
    }
    ResolvedPayment: {
      payment: components["schemas"]["Payment"]
      /** @description As in the `ETag`. */
      version: number
    }
    Payment: {
      /** @description `pay_` and 26 characters that sort by time; in a cell also `_` and its name. */
      id: string
      /**
       * @description The type of the object.
       * @enum {string}
       */
      object: "payment"
      /** @description `false`: created with a test key; no money moves. */
      livemode: boolean
      /**
       * @description `succeeded`, `failed` and `canceled` are final, except for money that arrives late. `authorized`: the money is held and waits for a capture.
       * @enum {string}
       */
      status: "pending" | "authorized" | "succeeded" | "failed" | "canceled"
      /** @description Set only while the payment is pending. `outcome_unknown`: a provider has not reported the outcome; the server inquires until it is known. */
      pending_reason:
        | ("awaiting_customer" | "processing" | "outcome_unknown" | "awaiting_finality" | "needs_review")
        | null
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      amount: number
      /** @description The captured amount. */
      amount_captured: number
      /** @description The refunded amount. */
      amount_refunded: number
      /** @description The received amount, where it differs from `amount`. If it is less than `amount` on a succeeded payment, an operator has accepted it. While a stablecoin payment is pending, it is the amount detected so far, final or not. */
      amount_received?: number
      /** @description ISO 4217, in capitals. */
      currency: string
      /**
       * @description How the payer pays.
       * @enum {string}
       */
      payment_method: "upi" | "card" | "stablecoin"
      /** @description Details under the name of the payment method. Tokens are not returned. */
      payment_method_details: {
        /** @description For a UPI payment. */
        upi?: {
          /**
           * @description `intent`: a link that opens a UPI app. `qr`: a QR code to scan. `collect`: a payment request in the payer's UPI app.
           * @enum {string}
           */
          flow: "intent" | "qr" | "collect"
          /** @description The payer's UPI id. */
          vpa?: string
        }
        /** @description For a card payment. */
        card?: {
          /** @description In lower case, such as `visa` or `mastercard`. It determines the limit of declines. */
          network: string | null
          /** @description The issuer's country: ISO 3166, two capitals. Used for routing. */
          country: string | null
          /** @description Used for routing. */
          funding: string | null
          /** @description The first six to eight digits. Used for routing. */
          bin: string | null
        }
        /** @description For a stablecoin payment. */
        stablecoin?: {
          /** @description The coin, such as `USDC`; `null`: not chosen yet. */
          asset: string | null
          /** @description The chain, such as `base`; `null`: not chosen yet. */
          network: string | null
        }
      }
      /**
       * @description As requested.
       * @enum {string}
       */
      capture_method: "automatic" | "manual"
      /** @description As requested. */
      description: string | null
      /** @description As requested. */
      customer: {
        /** @description The payer's e-mail address. */
        email: string | null
        /** @description The payer's phone number: `+`, country code and digits, without separators. */
        phone: string | null
        /** @description The payer's name. */
        name: string | null
        /** @description The billing address. */
        address: {
          /** @description Street and number. */
          line1: string
          /** @description Apartment, floor or company. */
          line2: string | null
          /** @description City, town or village. */
          city: string | null
          /** @description State, province or region. */
          state: string | null
          /** @description Postal code. */
          postal_code: string | null
          /** @description ISO 3166-1, two capitals. */
          country: string
        } | null
      }
      /** @description As requested. */
      metadata: {
        [key: string]: string
      }
      /** @description As requested. */
      return_url: string | null
      /** @description As requested. Absent: none. */
      order?: string
      /** @description The next step of the payer, by its `type`. `null`: none. */
      next_action:
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            type: "upi_intent"
            /** @description A link that opens the payer's app or wallet. */
            uri: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            type: "upi_qr"
            /** @description The text of the QR code. */
            payload?: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            type: "redirect"
            /** @description A page of the provider. It returns the payer to this server, which redirects to `return_url`. */
            url: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            type: "stablecoin_transfer"
            /** @description Used for this payment only. */
            address: string
            /** @description A link that opens the payer's app or wallet. */
            uri: string
            /** @description A decimal string in units of the coin, such as `12.50`. */
            amount: string
            /** @description The coin to send, such as `USDC`. */
            asset?: string
            /** @description The chain to send it on, such as `base`. */
            network?: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            type: "wait"
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            expires_at: string | null
          }
        | null
      /** @description A page on which the payer completes the payment and sees its result. Anyone with the link can open it. `null`: this server serves no payment page. */
      hosted_url: string | null
      /** @description `null` unless it failed. */
      failure: {
        /**
         * @description The same codes for every provider.
         * @enum {string}
         */
        code:
          | "insufficient_funds"
          | "do_not_honor"
          | "expired_card"
          | "incorrect_cvc"
          | "invalid_number"
          | "authentication_required"
          | "authentication_failed"
          | "lost_or_stolen"
          | "suspected_fraud"
          | "limit_exceeded"
          | "not_permitted"
          | "issuer_unavailable"
          | "processing_error"
          | "customer_canceled"
          | "customer_timeout"
          | "invalid_vpa"
          | "incorrect_pin"
          | "account_closed"
          | "unsupported"
          | "generic_decline"
          | "provider_unavailable"
          | "request_rejected"
          | "provider_misconfigured"
          | "account_not_enabled"
          | "details_required"
          | "authorization_expired"
        /** @description For people; it may change. */
        message: string
        /** @description Whether a new payment may succeed. */
        retryable: boolean
      } | null
      /** @description Captured in excess of the payment and not returned yet, at all its providers together. Absent: nothing. Not part of `amount_captured`. */
      overpayment?: number
      /** @description The open questions for an operator: one review for each charge or operation in question. */
      reviews: {
        /** @description `rev_…`. It does not change while the review is open. */
        id: string
        /**
         * @description Why it is open. `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization`: money or a hold in excess of the payment. `inquiries_exhausted`: an unknown outcome. `instance_not_configured`: the provider instance is not configured, so nothing can be inquired.
         * @enum {string}
         */
        reason:
          | "amount_mismatch"
          | "excess_capture"
          | "excess_refund"
          | "disputed_refund"
          | "duplicate_capture"
          | "possible_duplicate"
          | "late_success"
          | "late_authorization"
          | "reference_conflict"
          | "unreadable_report"
          | "inquiries_exhausted"
          | "instance_not_configured"
          | "close_failed"
          | "capture_failed"
          | "paid_after_close"
          | "contradiction"
        /** @description The provider instance that has the money. */
        provider: string
        /** @description The provider's reference of the charge, capture or refund in question. `null`: the provider reported none. */
        reference: string | null
        /** @description The operation in question, `op_…`. `null`: the payment has no operation for it. */
        operation: string | null
        /** @description The amount in question, in the smallest unit of the review's `currency`. */
        amount: number
        /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
        currency: string
        /**
         * Format: date-time
         * @description RFC 3339, UTC. When the review was opened.
         */
        since: string
      }[]
      /** @description `true`: the money arrived after the payment had failed. */
      late?: boolean
      /**
       * Format: date-time
       * @description RFC 3339, UTC. When the payer first disputed it.
       */
      disputed_at?: string
      /** @description The disputed amount of open and lost disputes together, at most the captured amount. It reduces the refundable amount. Absent: none. */
      amount_disputed?: number
      /** @description One for each dispute of its charges. Absent: there was none. */
      disputes?: {
        /** @description The provider's reference of the dispute, such as `dp_…`. `null`: the provider reported none. */
        reference: string | null
        /** @description The provider instance whose charge is disputed. */
        provider: string
        /** @description In the smallest unit of the dispute's `currency`. If the provider reported none, the whole charge. */
        amount: number
        /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
        currency: string
        /**
         * @description `open` and `lost` reduce the refundable amount. `won`: the money is yours again.
         * @enum {string}
         */
        status: "open" | "lost" | "won"
        /**
         * @description Who the status is from: a report of the provider, or an operator.
         * @enum {string}
         */
        source: "provider" | "operator"
        /**
         * Format: date-time
         * @description RFC 3339, UTC. When it was first recorded.
         */
        opened_at: string
        /** @description RFC 3339, UTC. `null`: not ended. */
        closed_at: string | null
      }[]
      /** @description The provider instance that took the money, otherwise the latest that was tried. */
      provider: string
      /** @description Why the providers were tried in this order. */
      routing: {
        /** @description The routing rule that matched; `default` if none did. */
        rule: string
        /** @description The digest of the rules that were in force. */
        ruleset: string
        /** @description How the rule chose, such as `priority` or `split`. */
        reason: string
        /** @description Providers that were not candidates, and why. */
        dropped: {
          /** @description A provider instance that the rule named. */
          provider: string
          /** @description Why it was not a candidate, such as `currency_not_supported`, `amount_too_large`, `excluded`, `outage: maintenance` or `breaker_open`. */
          reason: string
        }[]
        /** @description The experiment that the payment is part of, if the rule is one. */
        experiment?: {
          /** @description Its name in the rules. */
          name: string
          /** @description The provider that the payment was assigned to, whichever provider took it. */
          arm: string
        }
      }
      /** @description One for each provider that was tried, in order. */
      attempts: {
        /** @description From 1. */
        seq: number
        /** @description The provider instance, by its name in the server's configuration. */
        provider: string
        /** @description The provider's reference, such as `pi_…`. `null`: the provider reported none. */
        reference: string | null
        /** @description The attempt's status. `not_executed`: the provider proved that it did nothing; the next one was tried. */
        status: string
        /** @description Why this provider was chosen. */
        reason: string
        /** @description Why it failed: one of the codes of `failure`. */
        code: string | null
        /** @description The provider's own code. */
        vendor_code: string | null
        /**
         * @description The status of the reversal, for an attempt whose money is in excess of the payment.
         * @enum {string}
         */
        reversal?: "pending" | "succeeded" | "failed"
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         */
        started_at: string
        /** @description RFC 3339, UTC. `null`: not ended. */
        ended_at: string | null
      }[]
      /** @description The requested captures and cancels. */
      operations: {
        /** @description `op_` and 26 characters that sort by time; in a cell also `_` and its name. */
        id: string
        /**
         * @description The requested operation.
         * @enum {string}
         */
        kind: "capture" | "cancel"
        /**
         * @description The operation's status.
         * @enum {string}
         */
        status: "pending" | "succeeded" | "failed"
        /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
        amount: number
        /** @description The provider's reference, such as `pi_…`. `null`: the provider reported none. */
        reference: string | null
        /** @description Why it failed: one of the codes of `failure`. */
        code: string | null
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         */
        created_at: string
        /** @description RFC 3339, UTC. `null`: not ended. */
        ended_at: string | null
      }[]
      /** @description Increases with every change: of two copies, the greater version is the newer. */
      version: number
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      created_at: string
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      updated_at: string
    }
    NewDispute: {
      /**
       * @description `open` and `lost` reduce what can be refunded; `won` gives it back. Only an open dispute is won.
       * @enum {string}
       */
      status: "open" | "lost" | "won"
      /** @description The provider's reference of the dispute. Absent: it is not known. */
      reference?: string
      /** @description Minor units of the payment's currency, at most the captured amount of the charge. Absent: the known amount of the dispute, or the whole charge. */
      amount?: number
      /** @description Must be the payment's. */
      currency?: string
      /** @description The instance whose charge is disputed. Absent: the one that has the dispute, or the payment's own. */
      provider?: string
      /** @description What shows it, such as the letter of the bank and who read it: 1 to 10,000 characters. */
      evidence: string
    }
    NewReviewResolution: {
      /** @description This, or `operation`. */
      review?: string
      /** @description One without a review, whose outcome is wrong here. */
      operation?: string
      /** @enum {string} */
      resolution: "succeeded" | "not_done" | "given_back" | "dismissed"
      /** @description What proves it, such as the provider's reference and who looked it up: 1 to 10,000 characters. */
      evidence: string
      /** @description What the provider's dashboard shows, in minor units, of a resolution that `takesAmount`. */
      amount?: number
      /** @description Required where the consequences have an `acceptance`, and rejected elsewhere. */
      acceptance?: {
        /** @description Exactly the amount of the consequences' `acceptance`. */
        amount: number
        /** @description Why this amount is enough, in 1 to 500 characters. It is kept in the audit log, which has no data of customers. */
        reason: string
      }
    }
    ReviewConsequences: {
      /** @description As in the `ETag`. */
      version: number
      consequences: components["schemas"]["Consequences"]
    }
    Consequences: {
      /** @description Of the payment. */
      status: {
        /** @enum {string} */
        before: "pending" | "authorized" | "succeeded" | "failed" | "canceled"
        /** @enum {string} */
        after: "pending" | "authorized" | "succeeded" | "failed" | "canceled"
      }
      /** @description Sent to the merchant, in this order. */
      events: (
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.dispute_closed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "payment.review_opened"
        | "payment.review_resolved"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      )[]
      currency: string
      /** @description Of the payment, as requested. */
      amount: number
      captured: {
        /** @description In the smallest unit of the currency. */
        before: number
        /** @description In the smallest unit of the currency. */
        after: number
      }
      refunded: {
        /** @description In the smallest unit of the currency. */
        before: number
        /** @description In the smallest unit of the currency. */
        after: number
      }
      /** @description Captured in excess of the payment, and not returned. */
      overpaid: {
        /** @description In the smallest unit of the currency. */
        before: number
        /** @description In the smallest unit of the currency. */
        after: number
      }
      /** @description `amount_received` of the payment in the events; `null`: they have none. */
      received: number | null
      /** @description Another amount than requested is accepted: the resolution needs this amount and a reason in `acceptance`. `null`: it is not. */
      acceptance: {
        /** @description In the smallest unit of the currency. */
        amount: number
        /** @description In the smallest unit of the currency. */
        requested: number
      } | null
      /** @description Those whose status changes. */
      operations: {
        id: string
        /** @enum {string} */
        kind: "create" | "capture" | "cancel" | "refund"
        /** @enum {string} */
        purpose: "requested" | "reversal" | "expiry"
        provider: string
        /** @description In the smallest unit of the currency. */
        amount: number
        status: {
          before: string
          after: string
        }
      }[]
      closed: {
        review: string
        /** @enum {string} */
        reason:
          | "amount_mismatch"
          | "excess_capture"
          | "excess_refund"
          | "disputed_refund"
          | "duplicate_capture"
          | "possible_duplicate"
          | "late_success"
          | "late_authorization"
          | "reference_conflict"
          | "unreadable_report"
          | "inquiries_exhausted"
          | "instance_not_configured"
          | "close_failed"
          | "capture_failed"
          | "paid_after_close"
          | "contradiction"
      }[]
      /** @description New reviews, and those that then have another reason or amount. */
      opened: {
        review: string
        /** @enum {string} */
        reason:
          | "amount_mismatch"
          | "excess_capture"
          | "excess_refund"
          | "disputed_refund"
          | "duplicate_capture"
          | "possible_duplicate"
          | "late_success"
          | "late_authorization"
          | "reference_conflict"
          | "unreadable_report"
          | "inquiries_exhausted"
          | "instance_not_configured"
          | "close_failed"
          | "capture_failed"
          | "paid_after_close"
          | "contradiction"
        /** @description In the smallest unit of the currency. */
        amount: number
        currency: string
      }[]
      /** @description What Paymux does next: `refund` and `release` return money or a hold in excess, if the provider supports it. `inquire`: it asks the provider about an operation. */
      automatic: {
        /** @enum {string} */
        action: "refund" | "release" | "inquire"
        provider: string
        /** @description In the smallest unit of the currency. */
        amount: number
        /** @description `null`: with the next report of the provider. */
        at: number | null
      }[]
    }
    ReviewedPayment: {
      payment: components["schemas"]["Payment"]
      /** @description As in the `ETag`. */
      version: number
      /** @description Those that are open. */
      reviews: components["schemas"]["ReviewDetails"][]
      resolved: {
        review: string
        /** @enum {string} */
        resolution: "succeeded" | "not_done" | "given_back" | "dismissed"
        /** @description ms UTC */
        resolvedAt: number
      }[]
      operations: components["schemas"]["ReviewedOperation"][]
      /** @description What has changed the payment, in order: the last 500. Its timeline has all. */
      evidence: components["schemas"]["ReviewEvidence"][]
    }
    ReviewEvidence: {
      operationId: string
      source: string
      kind: string
      vendorCode: string | null
      eventId: string | null
      /** @description `sha256:` of the webhook's bytes, or the text of an operator. */
      document: string | null
      /** @description ms UTC, by the provider's clock. */
      occurredAt: number | null
      /** @description ms UTC */
      recordedAt: number
    }
    ReviewedOperation: {
      id: string
      /** @enum {string} */
      kind: "create" | "capture" | "cancel" | "refund"
      /** @enum {string} */
      purpose: "requested" | "reversal" | "expiry"
      status: string
      provider: string
      /** @description In the smallest unit of the currency. */
      amount: number
      reference: string | null
    }
    ReviewDetails: {
      id: string
      /** @enum {string} */
      reason:
        | "amount_mismatch"
        | "excess_capture"
        | "excess_refund"
        | "disputed_refund"
        | "duplicate_capture"
        | "possible_duplicate"
        | "late_success"
        | "late_authorization"
        | "reference_conflict"
        | "unreadable_report"
        | "inquiries_exhausted"
        | "instance_not_configured"
        | "close_failed"
        | "capture_failed"
        | "paid_after_close"
        | "contradiction"
      /** @description The instance that has the money. */
      provider: string
      /** @description Of the charge or movement in question. */
      reference: string | null
      /** @description The operation in question. */
      operationId: string | null
      /** @description In the smallest unit of the currency. */
      amount: number
      currency: string
      /** @description ms UTC */
      since: number
      /** @description Those that fit. */
      resolutions: {
        /** @enum {string} */
        resolution: "succeeded" | "not_done" | "given_back" | "dismissed"
        takesAmount: boolean
        /** @description Without an `amount`. `null`: the resolution needs one. */
        consequences: components["schemas"]["Consequences"] | null
      }[]
      /** @description About the attempt in question. */
      reported: components["schemas"]["ReportedMoney"][]
    }
    ReportedMoney: {
      /** @enum {string} */
      kind:
        | "authorized"
        | "captured"
        | "capture_reversed"
        | "released"
        | "received"
        | "refunded"
        | "refund_returned"
        | "disputed"
        | "dispute_lost"
        | "dispute_reversed"
        | "fee"
        | "payout"
        | "correction"
      /**
       * @description `movement`: of money, once. `total`: all that its charge has captured so far.
       * @enum {string}
       */
      basis: "movement" | "total"
      /** @description In the smallest unit of the currency. */
      amount: number
      currency: string
      reference: string | null
      source: string
      /** @description ms UTC */
      recordedAt: number
    }
    Review: {
      paymentId: string
      id: string
      /** @enum {string} */
      reason:
        | "amount_mismatch"
        | "excess_capture"
        | "excess_refund"
        | "disputed_refund"
        | "duplicate_capture"
        | "possible_duplicate"
        | "late_success"
        | "late_authorization"
        | "reference_conflict"
        | "unreadable_report"
        | "inquiries_exhausted"
        | "instance_not_configured"
        | "close_failed"
        | "capture_failed"
        | "paid_after_close"
        | "contradiction"
      /** @description The instance that has the money. */
      provider: string
      /** @description Of the charge or movement in question. */
      reference: string | null
      /** @description The operation in question. */
      operationId: string | null
      /** @description In the smallest unit of the currency. */
      amount: number
      currency: string
      /** @description ms UTC */
      since: number
      /** @description Of the report in question. */
      source: string | null
    }
    ResendSince: {
      /** @description ms UTC */
      since: number
      /** @description Default: all. */
      endpointId?: string
    }
    Resent: {
      data: {
        endpointId: string
        /** @enum {string} */
        outcome: "resent" | "endpoint_disabled" | "endpoint_removed" | "in_flight"
      }[]
    }
    Resend: {
      /** @description Default: all that it was for. */
      endpointId?: string
    }
    WebhookAttempt: {
      attempt: number
      /** @description ms UTC */
      endedAt: number
      duration: number | ("Infinity" | "-Infinity" | "NaN")
      status: number | null
      error: string | null
      answer: string | null
    }
    WebhookDelivery: {
      eventId: string
      /** @description Of the event. */
      type:
        | (
            | "payment.pending"
            | "payment.authorized"
            | "payment.succeeded"
            | "payment.failed"
            | "payment.canceled"
            | "payment.disputed"
            | "payment.dispute_closed"
            | "payment.capture_failed"
            | "payment.late_reversed"
            | "payment.review_opened"
            | "payment.review_resolved"
            | "refund.pending"
            | "refund.succeeded"
            | "refund.failed"
          )
        | null
      /** @description Of the event. */
      paymentId: string | null
      endpointId: string
      /** @enum {string} */
      status: "pending" | "delivered" | "dead" | "canceled"
      /** @description ms UTC */
      happenedAt: number
      attempts: number
      nextTryAt: number | null
      lastAt: number | null
      lastStatus: number | null
      lastError: string | null
      /** @description The beginning of the last response body. */
      lastAnswer: string | null
    }
    Event: {
      /**
       * @description The type of the event.
       * @enum {string}
       */
      type:
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.dispute_closed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "payment.review_opened"
        | "payment.review_resolved"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      /**
       * Format: date-time
       * @description RFC 3339, UTC. When it happened.
       */
      timestamp: string
      /** @description The payment, and the object that changed. */
      data: {
        /** @description The event's id, the same in every delivery attempt: ignore an id that you have processed. */
        id: string
        /** @description The number of the payment's event, from 1 without gaps. */
        sequence: number
        payment: components["schemas"]["Payment"] & unknown
        refund?: components["schemas"]["Refund"] & unknown
        /** @description Only with `payment.disputed` and `payment.dispute_closed`: the dispute, as the payment shows it. */
        dispute?: {
          /** @description The provider's reference of the dispute, such as `dp_…`. `null`: the provider reported none. */
          reference: string | null
          /** @description The provider instance whose charge is disputed. */
          provider: string
          /** @description In the smallest unit of the dispute's `currency`. If the provider reported none, the whole charge. */
          amount: number
          /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
          currency: string
          /**
           * @description `open` and `lost` reduce the refundable amount. `won`: the money is yours again.
           * @enum {string}
           */
          status: "open" | "lost" | "won"
          /**
           * @description Who the status is from: a report of the provider, or an operator.
           * @enum {string}
           */
          source: "provider" | "operator"
          /**
           * Format: date-time
           * @description RFC 3339, UTC. When it was first recorded.
           */
          opened_at: string
          /** @description RFC 3339, UTC. `null`: not ended. */
          closed_at: string | null
        }
        /** @description Only with `payment.review_opened` and `payment.review_resolved`: the review, as the payment shows it. */
        review?: {
          /** @description `rev_…`. It does not change while the review is open. */
          id: string
          /**
           * @description Why it is open. `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization`: money or a hold in excess of the payment. `inquiries_exhausted`: an unknown outcome. `instance_not_configured`: the provider instance is not configured, so nothing can be inquired.
           * @enum {string}
           */
          reason:
            | "amount_mismatch"
            | "excess_capture"
            | "excess_refund"
            | "disputed_refund"
            | "duplicate_capture"
            | "possible_duplicate"
            | "late_success"
            | "late_authorization"
            | "reference_conflict"
            | "unreadable_report"
            | "inquiries_exhausted"
            | "instance_not_configured"
            | "close_failed"
            | "capture_failed"
            | "paid_after_close"
            | "contradiction"
          /** @description The provider instance that has the money. */
          provider: string
          /** @description The provider's reference of the charge, capture or refund in question. `null`: the provider reported none. */
          reference: string | null
          /** @description The operation in question, `op_…`. `null`: the payment has no operation for it. */
          operation: string | null
          /** @description The amount in question, in the smallest unit of the review's `currency`. */
          amount: number
          /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
          currency: string
          /**
           * Format: date-time
           * @description RFC 3339, UTC. When the review was opened.
           */
          since: string
          /** @description Only with `payment.review_resolved`: how an operator resolved the review. `null`: resolved by a later report of the provider. */
          resolution?: ("succeeded" | "not_done" | "given_back" | "dismissed") | null
        }
      }
    }
    Refund: {
      /** @description `re_` and 26 characters that sort by time. */
      id: string
      /**
       * @description The type of the object.
       * @enum {string}
       */
      object: "refund"
      /** @description `false`: created with a test key; no money moves. */
      livemode: boolean
      /** @description The refunded payment, `pay_…`. */
      payment: string
      /**
       * @description `failed`: nothing was refunded; see `failure`.
       * @enum {string}
       */
      status: "pending" | "succeeded" | "failed"
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      amount: number
      /** @description ISO 4217, in capitals: the payment's. */
      currency: string
      /** @description As requested. */
      reason: string | null
      /** @description `null` unless it failed. */
      failure: {
        /**
         * @description The same codes for every provider.
         * @enum {string}
         */
        code:
          | "insufficient_funds"
          | "do_not_honor"
          | "expired_card"
          | "incorrect_cvc"
          | "invalid_number"
          | "authentication_required"
          | "authentication_failed"
          | "lost_or_stolen"
          | "suspected_fraud"
          | "limit_exceeded"
          | "not_permitted"
          | "issuer_unavailable"
          | "processing_error"
          | "customer_canceled"
          | "customer_timeout"
          | "invalid_vpa"
          | "incorrect_pin"
          | "account_closed"
          | "unsupported"
          | "generic_decline"
          | "provider_unavailable"
          | "request_rejected"
          | "provider_misconfigured"
          | "account_not_enabled"
          | "details_required"
          | "authorization_expired"
        /** @description For people; it may change. */
        message: string
        /** @description Whether a new refund may succeed. */
        retryable: boolean
      } | null
      /** @description The provider instance, by its name in the server's configuration. */
      provider: string
      /** @description The provider's reference of the refund. `null`: the provider reported none. */
      reference: string | null
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      created_at: string
      /** @description RFC 3339, UTC. `null`: not ended. */
      ended_at: string | null
    }
    LoggedEvent: {
      id: string
      /** @enum {string} */
      type:
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.dispute_closed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "payment.review_opened"
        | "payment.review_resolved"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      paymentId: string
      /** @description The number of the payment's event, from 1 without gaps. */
      sequence: number
      /** @description ms UTC */
      createdAt: number
    }
    CreateOperatorRefund: {
      /** @description In the smallest unit of the payment's currency. Absent: the whole remaining amount. */
      amount?: number
      /** @description Your own text, stored with the refund; some providers receive it. */
      reason?: string | null
      /** @description The evidence that the refund is right, although disputes or refunds made outside of Paymux leave less: 1 to 10,000 characters. It is stored with the payment. */
      override?: string
    }
    CancelPayment: Record<string, unknown>
    CapturePayment: {
      /** @description In the smallest unit of the payment's currency. Absent: the whole remaining amount. */
      amount?: number
    }
    PaymentSimulation: {
      /** @enum {string} */
      decision: "approve" | "decline" | "expire"
    }
    TimelineItem:
      | {
          /** @description ms UTC */
          at: number
          kind: "created"
          /** @description In the smallest unit of the currency. */
          amount: number
          currency: string
          paymentMethod: string
          captureMethod: string
        }
      | {
          /** @description ms UTC */
          at: number
          kind: "routed"
          rule: string
          ruleset: string
          reason: string
          candidates: {
            /** @description The provider instance. */
            provider: string
            reason: string
          }[]
          /** @description Providers that were not candidates, and why. */
          dropped: {
            /** @description The provider instance. */
            provider: string
            reason: string
          }[]
        }
      | {
          /** @description ms UTC */
          at: number
          kind: "attempt_started"
          attempt: number
          /** @description The provider instance. */
          provider: string
          reason: string
        }
      | {
          /** @description ms UTC */
          at: number
          kind: "attempt_ended"
          attempt: number
          /** @description The provider instance. */
          provider: string
          status: string
          code: string | null
          vendorCode: string | null
        }
      | {
          /** @description ms UTC */
          at: number
          /** @enum {string} */
          kind: "operation_started" | "operation_ended"
          operation: string
          /** @enum {string} */
          operationKind: "create" | "capture" | "cancel" | "refund"
          /** @enum {string} */
          purpose: "requested" | "reversal" | "expiry"
          attempt: number
          /** @description The provider instance. */
          provider: string
          /** @description In the smallest unit of the currency. */
          amount: number
          currency: string
          /** @description As it is now. */
          status: string
          code: string | null
          vendorCode: string | null
          reference: string | null
        }
      | {
          /** @description ms UTC */
          at: number
          kind: "evidence"
          operation: string
          source: string
          outcome: string
          vendorCode: string | null
          /** @description The provider's id of its event. */
          eventId: string | null
          /** @description The digest of a webhook, or the text of an operator, who may have named the customer. */
          document: string | null
          /** @description By the provider's clock. */
          occurredAt: number | null
        }
      | {
          /** @description ms UTC */
          at: number
          kind: "entry"
          /** @enum {string} */
          entry:
            | "authorized"
            | "captured"
            | "capture_reversed"
            | "released"
            | "received"
            | "refunded"
            | "refund_returned"
            | "disputed"
            | "dispute_lost"
            | "dispute_reversed"
            | "fee"
            | "payout"
            | "correction"
          /** @enum {string} */
          basis: "movement" | "total"
          /** @description In the smallest unit of the currency. */
          amount: number
          currency: string
          attempt: number
          operation: string | null
          /** @description The provider instance. */
          provider: string
          reference: string | null
          source: string
        }
      | {
          /** @description ms UTC */
          at: number
          kind: "event"
          event: string
          /** @enum {string} */
          type:
            | "payment.pending"
            | "payment.authorized"
            | "payment.succeeded"
            | "payment.failed"
            | "payment.canceled"
            | "payment.disputed"
            | "payment.dispute_closed"
            | "payment.capture_failed"
            | "payment.late_reversed"
            | "payment.review_opened"
            | "payment.review_resolved"
            | "refund.pending"
            | "refund.succeeded"
            | "refund.failed"
          sequence: number
          /** @description Of the events that open and resolve a review. */
          review: {
            id: string
            /** @enum {string} */
            reason:
              | "amount_mismatch"
              | "excess_capture"
              | "excess_refund"
              | "disputed_refund"
              | "duplicate_capture"
              | "possible_duplicate"
              | "late_success"
              | "late_authorization"
              | "reference_conflict"
              | "unreadable_report"
              | "inquiries_exhausted"
              | "instance_not_configured"
              | "close_failed"
              | "capture_failed"
              | "paid_after_close"
              | "contradiction"
            amount: number
            currency: string
            /** @description By an operator; `null`: open, or resolved by a later report. */
            resolution: string | null
          } | null
        }
      | {
          /** @description ms UTC */
          at: number
          kind: "delivery"
          event: string
          endpoint: string
          status: string
          attempts: number
          nextTryAt: number | null
        }
      | {
          /** @description ms UTC */
          at: number
          kind: "delivery_attempt"
          event: string
          endpoint: string
          attempt: number
          duration: number | ("Infinity" | "-Infinity" | "NaN")
          /** @description The HTTP status; `null`: no response. */
          status: number | null
          error: string | null
        }
    PaymentDetails: {
      payment: components["schemas"]["Payment"]
      /** @description Increases with every change. */
      version: number
      balance: components["schemas"]["PaymentBalance"]
      /** @description What may be requested now. */
      actions: components["schemas"]["PaymentAction"][]
      /** @description Whether its payer can be simulated now: see `simulate`. */
      simulated: boolean
    }
    PaymentAction: {
      /** @enum {string} */
      kind: "capture" | "cancel" | "refund"
      /** @description The most that may be requested, in minor units; `null`: it would be refused. */
      amount: number | null
      /** @description Whether less than `amount` may be requested. */
      partial: boolean
      /** @description Why it would be refused. */
      refusal: string | null
      /** @description Of a refund: what an operator may request beyond `amount` with evidence. */
      override: {
        /** @description The most that may be requested with `override`, in minor units. */
        amount: number
        /** @description Whether less than `amount` may be requested. */
        partial: boolean
        refundable: components["schemas"]["RefundableAmounts"]
      } | null
    }
    RefundableAmounts: {
      /** @description The captured amount of the charge. */
      captured: number
      /** @description By refunds of this installation. */
      refunded: number
      /** @description By refunds of this installation that are in progress. */
      pending: number
      /** @description Outside of this installation, such as in the provider's dashboard. */
      refundedElsewhere: number
      /** @description By disputes that are open or lost. */
      disputed: number
      /** @description The most that can be refunded without `override`. */
      available: number
    }
    PaymentBalance: {
      currency: string
      /** @description In the smallest unit of the payment's currency. */
      captured: number
      /** @description In the smallest unit of the payment's currency. */
      refunded: number
      /** @description Refunds that are requested, and not decided yet. */
      refunding: number
      /** @description Refunded outside of Paymux, such as in the provider's dashboard. Refunds of an excess are not included. */
      refundedElsewhere: number
      /** @description Reserved at all providers, and not captured. */
      held: number
      /** @description Captured in excess of the payment, and not returned. */
      overpaid: number
      /** @description The part of the excess that is being refunded automatically. */
      returning: number
      /** @description Of each open review, in the smallest unit of its own currency. */
      inQuestion: {
        review: string
        amount: number
        currency: string
      }[]
    }
    TestEventResult: {
      delivered: boolean
      duration: number | ("Infinity" | "-Infinity" | "NaN")
      /** @description The HTTP status; `null`: no response. */
      status: number | null
      error: string | null
      /** @description The beginning of the response body. */
      answer: string | null
    }
    RotatedWebhookSecret: {
      /** @description It is in this response only. */
      secret: string
      /** @description Until then the former secret signs too. */
      formerUntil: number | null
    }
    WebhookSecretRotation: {
      overlapMs?: number | ("Infinity" | "-Infinity" | "NaN")
    }
    WebhookEndpoint: {
      id: string
      account: string
      livemode: boolean
      /** @description `process:` is the program that embeds Paymux. */
      url: string
      /** @description Types it receives; `null`: all. */
      events: string[] | null
      /** @description ms UTC */
      createdAt: number
      /** @description Every attempt since then has failed. */
      failingSince: number | null
      disabledAt: number | null
      disabledReason: ("gone" | "failing" | "operator") | null
    }
    WebhookEndpointEdit: {
      url?: string
      /** @description `null`: all. */
      events?:
        | (
            | "payment.pending"
            | "payment.authorized"
            | "payment.succeeded"
            | "payment.failed"
            | "payment.canceled"
            | "payment.disputed"
            | "payment.dispute_closed"
            | "payment.capture_failed"
            | "payment.late_reversed"
            | "payment.review_opened"
            | "payment.review_resolved"
            | "refund.pending"
            | "refund.succeeded"
            | "refund.failed"
          )[]
        | null
    }
    AddedWebhookEndpoint: {
      id: string
      account: string
      livemode: boolean
      /** @description `process:` is the program that embeds Paymux. */
      url: string
      /** @description Types it receives; `null`: all. */
      events: string[] | null
      /** @description ms UTC */
      createdAt: number
      /** @description Every attempt since then has failed. */
      failingSince: number | null
      disabledAt: number | null
      disabledReason: ("gone" | "failing" | "operator") | null
      /** @description Verifies what is sent there. It is in this response only. */
      secret: string
    }
    NewWebhookEndpoint: {
      url: string
      /** @description Default: all. */
      events?: (
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.dispute_closed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "payment.review_opened"
        | "payment.review_resolved"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      )[]
    }
    ApiKey: {
      keyId: string
      account: string
      livemode: boolean
      name: string
      /** @description The key, shortened: `pmx_test_…wxyz`. */
      display: string
      /** @description ms UTC */
      createdAt: number
      revokedAt: number | null
      /** @description From then on a rotated key is refused. */
      expiresAt: number | null
      /** @description Up to a minute late. */
      lastUsedAt: number | null
    }
    RotatedApiKey: {
      id: string
      /** @description The secret key. It is in this response only. */
      key: string
      /** @description ms UTC */
      formerExpiresAt: number
    }
    ApiKeyRotation: {
      overlapMs?: number | ("Infinity" | "-Infinity" | "NaN")
    }
    CreatedApiKey: {
      id: string
      /** @description The secret key. It is in this response only. */
      key: string
    }
    NewApiKey: {
      name: string
    }
    /** @description RFC 9457. Programs read `code`; `detail` is for people. */
    Problem: {
      /**
       * Format: uri-reference
       * @description A page of this server that explains the code.
       */
      type: string
      /** @description The same for every problem with this code. */
      title: string
      /** @description The status of the response. */
      status: number
      /** @description An explanation of the problem with this request, for people. It never contains a value of the request, except the name of a cell. */
      detail: string
      /**
       * @description The stable identifier of the problem, for programs.
       * @enum {string}
       */
      code:
        | "invalid_request"
        | "invalid_json"
        | "raw_card_data_not_accepted"
        | "idempotency_key_invalid"
        | "webhook_stale"
        | "unauthorized"
        | "webhook_signature_invalid"
        | "sign_in_required"
        | "sign_in_failed"
        | "forbidden"
        | "origin_not_allowed"
        | "reauthentication_required"
        | "not_found"
        | "method_not_allowed"
        | "request_timeout"
        | "conflict"
        | "version_conflict"
        | "idempotency_in_flight"
        | "order_taken"
        | "operation_in_flight"
        | "operation_not_supported"
        | "refund_exceeds_available"
        | "event_not_stored"
        | "payload_too_large"
        | "unsupported_media_type"
        | "misdirected_request"
        | "idempotency_key_reused"
        | "no_route"
        | "card_not_retried"
        | "precondition_required"
        | "rate_limited"
        | "headers_too_large"
        | "internal"
        | "no_provider_available"
        | "restoring"
        | "overloaded"
        | "service_unavailable"
      /** @description Every fault of the request, if there are several or one has a position. */
      errors: {
        /** @description JSON pointer into the body, or the name of a parameter. */
        pointer: string
        /** @description An explanation of the fault at this position, for people. */
        message: string
        /** @description Of a fault in the text of rules. */
        line?: number
        /** @description Of a fault in the text of rules, in UTF-16 units. */
        column?: number
      }[]
      /** @description Identifies the request in the server's logs; also the `Request-Id` header. */
      request_id: string
      /** @description The id of the request's trace, if the server records traces. */
      trace_id?: string
      /** @description Only for `idempotency_key_reused`: the payment created by the first request with this key. */
      payment_id?: string
      /** @description Only for `refund_exceeds_available`, in minor units: the refundable rest of the charge, and how it is computed. */
      refundable?: {
        /** @description The captured amount of the charge. */
        captured: number
        /** @description By refunds of this installation. */
        refunded: number
        /** @description By refunds of this installation that are in progress. */
        pending: number
        /** @description Outside of this installation, such as in the provider's dashboard. */
        refunded_elsewhere: number
        /** @description By disputes that are open or lost. */
        disputed: number
        /** @description The most that can be refunded. */
        available: number
      }
      /** @description Only for `event_not_stored`: the value of `after` with which nothing that is still stored is missed. `null`: leave `after` out, to begin with the oldest event. */
      resume_after?: string | null
      /** @description Of `version_conflict`: what the object is now. Of rules, their `version` and the `diff`. Of a `conflict` about a report: the report as it is now. */
      current?: Record<string, unknown>
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  "keys.list": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ApiKey"][]
          }
        }
      }
    }
  }
  "keys.create": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewApiKey"]
      }
    }
    responses: {
      /** @description CreatedApiKey */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["CreatedApiKey"]
        }
      }
    }
  }
  "keys.rotate": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["ApiKeyRotation"]
      }
    }
    responses: {
      /** @description RotatedApiKey */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["RotatedApiKey"]
        }
      }
    }
  }
  "keys.revoke": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description ApiKey */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["ApiKey"]
        }
      }
    }
  }
  "endpoints.list": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookEndpoint"][]
          }
        }
      }
    }
  }
  "endpoints.add": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewWebhookEndpoint"]
      }
    }
    responses: {
      /** @description AddedWebhookEndpoint */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["AddedWebhookEndpoint"]
        }
      }
    }
  }
  "endpoints.remove": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "endpoints.update": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookEndpointEdit"]
      }
    }
    responses: {
      /** @description WebhookEndpoint */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["WebhookEndpoint"]
        }
      }
    }
  }
  "endpoints.enable": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "endpoints.disable": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "endpoints.rotate": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookSecretRotation"]
      }
    }
    responses: {
      /** @description RotatedWebhookSecret */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["RotatedWebhookSecret"]
        }
      }
    }
  }
  "endpoints.test": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description TestEventResult */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TestEventResult"]
        }
      }
    }
  }
  "payments.list": {
    parameters: {
      query?: {
        status?: ("pending" | "authorized" | "succeeded" | "failed" | "canceled")[]
        paymentMethod?: ("upi" | "card" | "stablecoin")[]
        currency?: string[]
        provider?: string[]
        customerEmail?: string[]
        providerReference?: string[]
        failureCode?: (
          | "insufficient_funds"
          | "do_not_honor"
          | "expired_card"
          | "incorrect_cvc"
          | "invalid_number"
          | "authentication_required"
          | "authentication_failed"
          | "lost_or_stolen"
          | "suspected_fraud"
          | "limit_exceeded"
          | "not_permitted"
          | "issuer_unavailable"
          | "processing_error"
          | "customer_canceled"
          | "customer_timeout"
          | "invalid_vpa"
          | "incorrect_pin"
          | "account_closed"
          | "unsupported"
          | "generic_decline"
          | "provider_unavailable"
          | "request_rejected"
          | "provider_misconfigured"
          | "account_not_enabled"
          | "details_required"
          | "authorization_expired"
        )[]
        cardFingerprint?: string[]
        order?: string[]
        amountMin?: string
        amountMax?: string
        metadata?: string[]
        inReview?: "true" | "false"
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Payment"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
            /** @description ms UTC. Present if a search for metadata without an index ended before the page was full: older payments may match, and `next` continues with them. */
            searchedUntil?: number
          }
        }
      }
    }
  }
  "payments.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description PaymentDetails */
      200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PaymentDetails"]
        }
      }
    }
  }
  "payments.timeline": {
    parameters: {
      query?: {
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["TimelineItem"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "payments.routing": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description ExplainedDecision */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["ExplainedDecision"]
        }
      }
    }
  }
  "payments.simulate": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["PaymentSimulation"]
      }
    }
    responses: {
      /** @description Payment */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Payment"]
        }
      }
    }
  }
  "payments.capture": {
    parameters: {
      query?: never
      header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        "If-Match": string
        /** @description The same key and request are executed once, and answered alike. Such as a random UUID. */
        "Idempotency-Key": string
      }
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["CapturePayment"]
      }
    }
    responses: {
      /** @description Payment */
      200: {
        headers: {
          /** @description The response of an earlier request with the same key. */
          "Idempotent-Replayed"?: "true"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Payment"]
        }
      }
    }
  }
  "payments.cancel": {
    parameters: {
      query?: never
      header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        "If-Match": string
        /** @description The same key and request are executed once, and answered alike. Such as a random UUID. */
        "Idempotency-Key": string
      }
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["CancelPayment"]
      }
    }
    responses: {
      /** @description Payment */
      200: {
        headers: {
          /** @description The response of an earlier request with the same key. */
          "Idempotent-Replayed"?: "true"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Payment"]
        }
      }
    }
  }
  "payments.refund": {
    parameters: {
      query?: never
      header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        "If-Match": string
        /** @description The same key and request are executed once, and answered alike. Such as a random UUID. */
        "Idempotency-Key": string
      }
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateOperatorRefund"]
      }
    }
    responses: {
      /** @description Refund */
      201: {
        headers: {
          /** @description The response of an earlier request with the same key. */
          "Idempotent-Replayed"?: "true"
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Refund"]
        }
      }
    }
  }
  "refunds.list": {
    parameters: {
      query?: {
        statuses?: ("pending" | "succeeded" | "failed")[]
        paymentId?: string
        provider?: string
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Refund"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "refunds.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Refund */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Refund"]
        }
      }
    }
  }
  "events.list": {
    parameters: {
      query?: {
        types?: (
          | "payment.pending"
          | "payment.authorized"
          | "payment.succeeded"
          | "payment.failed"
          | "payment.canceled"
          | "payment.disputed"
          | "payment.dispute_closed"
          | "payment.capture_failed"
          | "payment.late_reversed"
          | "payment.review_opened"
          | "payment.review_resolved"
          | "refund.pending"
          | "refund.succeeded"
          | "refund.failed"
        )[]
        paymentId?: string
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["LoggedEvent"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "events.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Event */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Event"]
        }
      }
    }
  }
  "deliveries.list": {
    parameters: {
      query?: {
        endpointId?: string
        status?: "pending" | "delivered" | "dead" | "canceled" | "failed"
        eventId?: string
        paymentId?: string
        types?: (
          | "payment.pending"
          | "payment.authorized"
          | "payment.succeeded"
          | "payment.failed"
          | "payment.canceled"
          | "payment.disputed"
          | "payment.dispute_closed"
          | "payment.capture_failed"
          | "payment.late_reversed"
          | "payment.review_opened"
          | "payment.review_resolved"
          | "refund.pending"
          | "refund.succeeded"
          | "refund.failed"
        )[]
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookDelivery"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "deliveries.attempts": {
    parameters: {
      query: {
        endpointId: string
      }
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["WebhookAttempt"][]
          }
        }
      }
    }
  }
  "deliveries.resend": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["Resend"]
      }
    }
    responses: {
      /** @description Resent */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Resent"]
        }
      }
    }
  }
  "deliveries.countSince": {
    parameters: {
      query: {
        since: string
        endpointId?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            count: number
          }
        }
      }
    }
  }
  "deliveries.resendSince": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["ResendSince"]
      }
    }
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            count: number
          }
        }
      }
    }
  }
  "reviews.list": {
    parameters: {
      query?: {
        order?: "age" | "amount"
        reason?:
          | "amount_mismatch"
          | "excess_capture"
          | "excess_refund"
          | "disputed_refund"
          | "duplicate_capture"
          | "possible_duplicate"
          | "late_success"
          | "late_authorization"
          | "reference_conflict"
          | "unreadable_report"
          | "inquiries_exhausted"
          | "instance_not_configured"
          | "close_failed"
          | "capture_failed"
          | "paid_after_close"
          | "contradiction"
        provider?: string
        currency?: string
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Review"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "reviews.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description ReviewedPayment */
      200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["ReviewedPayment"]
        }
      }
    }
  }
  "reviews.consequences": {
    parameters: {
      query: {
        review?: string
        operation?: string
        resolution: "succeeded" | "not_done" | "given_back" | "dismissed"
        amount?: string
      }
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description ReviewConsequences */
      200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["ReviewConsequences"]
        }
      }
    }
  }
  "reviews.resolve": {
    parameters: {
      query?: never
      header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        "If-Match": string
      }
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewReviewResolution"]
      }
    }
    responses: {
      /** @description ResolvedPayment */
      200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["ResolvedPayment"]
        }
      }
    }
  }
  "disputes.record": {
    parameters: {
      query?: never
      header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        "If-Match": string
      }
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewDispute"]
      }
    }
    responses: {
      /** @description ResolvedPayment */
      200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["ResolvedPayment"]
        }
      }
    }
  }
  "reports.list": {
    parameters: {
      query?: {
        statuses?: ("waiting" | "parked" | "foreign" | "matched" | "dismissed")[]
        provider?: string
        kind?: string
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["UnmatchedReport"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "reports.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description UnmatchedReport */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UnmatchedReport"]
        }
      }
    }
  }
  "reports.match": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReportMatch"]
      }
    }
    responses: {
      /** @description UnmatchedReport */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UnmatchedReport"]
        }
      }
    }
  }
  "reports.dismiss": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReportDismissal"]
      }
    }
    responses: {
      /** @description UnmatchedReport */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UnmatchedReport"]
        }
      }
    }
  }
  "statements.list": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ProviderStatement"][]
          }
        }
      }
    }
  }
  "statements.runs": {
    parameters: {
      query?: {
        provider?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["StatementRun"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "statements.differences": {
    parameters: {
      query?: {
        provider?: string
        kind?:
          | "missing_here"
          | "missing_there"
          | "refund_not_booked"
          | "duplicate_here"
          | "other_status"
          | "other_amount"
          | "other_currency"
          | "duplicate_there"
          | "unknown_refund"
          | "other_reference"
          | "wrong_fee"
          | "changed_movement"
        state?: "open" | "resolved"
        run?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["StatementDifference"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "statements.movements": {
    parameters: {
      query: {
        of: "foreign" | "payouts" | "payout"
        payout?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["StatementMovement"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "statements.payout": {
    parameters: {
      query: {
        payout: string
      }
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description StatementPayout */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["StatementPayout"]
        }
      }
    }
  }
  "audit.list": {
    parameters: {
      query?: {
        action?:
          | "api_key.create"
          | "api_key.rotate"
          | "api_key.revoke"
          | "webhook_endpoint.create"
          | "webhook_endpoint.update"
          | "webhook_endpoint.enable"
          | "webhook_endpoint.disable"
          | "webhook_endpoint.rotate_secret"
          | "webhook_endpoint.delete"
          | "webhook_delivery.resend"
          | "payment.capture"
          | "payment.cancel"
          | "payment.refund"
          | "payment.simulate"
          | "review.resolve"
          | "dispute.record"
          | "report.match"
          | "report.dismiss"
          | "customer.erase"
          | "user.invite"
          | "user.revoke_invitation"
          | "user.join"
          | "user.role"
          | "user.remove"
          | "user.reset"
          | "user.password"
          | "user.totp"
          | "routing.publish"
          | "routing.rollback"
          | "database.mark_restored"
          | "secret.rotate"
        actorId?: string
        target?: string
        outcome?: "done" | "requested" | "refused" | "repeated"
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["AuditEntry"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "requests.list": {
    parameters: {
      query?: {
        status?: ("2xx" | "4xx" | "5xx") | string
        method?: string
        route?: string
        keyId?: string
        problem?: string
        requestId?: string
        paymentId?: string
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["LoggedRequest"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "requests.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description RequestDetails */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["RequestDetails"]
        }
      }
    }
  }
  "statistics.series": {
    parameters: {
      query?: {
        of?: "payments" | "attempts" | "refunds"
        from?: string
        until?: string
        groupBy?: "provider" | "method" | "currency" | "failureCode"
        providers?: string | string[]
        methods?: string | string[]
        currencies?: string | string[]
        outcomes?: string | string[]
        failureCodes?: string | string[]
        step?: "hour" | "day"
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @enum {string} */
            of: "payments" | "attempts" | "refunds"
            /** @description ms UTC */
            from: number
            /** @description ms UTC */
            until: number
            /** @enum {string} */
            step: "hour" | "day"
            points: components["schemas"]["SeriesPoint"][]
            /** @description When the oldest event happened that is not counted yet; `null`: all are counted. */
            uncountedSince: number | null
          }
        }
      }
    }
  }
  "statistics.totals": {
    parameters: {
      query?: {
        of?: "payments" | "attempts" | "refunds"
        from?: string
        until?: string
        groupBy?: "provider" | "method" | "currency" | "failureCode"
        providers?: string | string[]
        methods?: string | string[]
        currencies?: string | string[]
        outcomes?: string | string[]
        failureCodes?: string | string[]
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @enum {string} */
            of: "payments" | "attempts" | "refunds"
            /** @description ms UTC */
            from: number
            /** @description ms UTC */
            until: number
            groups: components["schemas"]["Numbers"][]
            /** @description When the oldest event happened that is not counted yet; `null`: all are counted. */
            uncountedSince: number | null
          }
        }
      }
    }
  }
  "statistics.attention": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Attention */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Attention"]
        }
      }
    }
  }
  "breakers.list": {
    parameters: {
      query?: {
        provider?: string
        operation?: string
        state?: "closed" | "open" | "half_open"
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["CircuitBreaker"][]
          }
        }
      }
    }
  }
  "breakers.history": {
    parameters: {
      query?: {
        provider?: string
        operation?: string
        state?: "closed" | "open" | "half_open"
        from?: string
        until?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["CircuitBreakerTransition"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "providers.list": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["ProviderInstance"][]
          }
        }
      }
    }
  }
  "providers.account": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["AccountRefusal"][]
          }
        }
      }
    }
  }
  "providers.check": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Finding"][]
          }
        }
      }
    }
  }
  "providers.doctor": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Finding"][]
          }
        }
      }
    }
  }
  "rules.current": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description CurrentRules */
      200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["CurrentRules"]
        }
      }
    }
  }
  "rules.vocabulary": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description RulesVocabulary */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["RulesVocabulary"]
        }
      }
    }
  }
  "rules.history": {
    parameters: {
      query?: {
        ruleset?: string
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["RulesVersion"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "rules.get": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description RulesVersionText */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["RulesVersionText"]
        }
      }
    }
  }
  "rules.diff": {
    parameters: {
      query: {
        from: string
        to: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @description Unified; empty: the texts are the same. */
            diff: string
          }
        }
      }
    }
  }
  "rules.check": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["RulesDraft"]
      }
    }
    responses: {
      /** @description CheckedRules */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["CheckedRules"]
        }
      }
    }
  }
  "rules.explain": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExplainRules"]
      }
    }
    responses: {
      /** @description ExplainedDecision */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["ExplainedDecision"]
        }
      }
    }
  }
  "rules.publish": {
    parameters: {
      query?: never
      header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        "If-Match": string
      }
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["RulesPublication"]
      }
    }
    responses: {
      /** @description RulesVersion */
      200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["RulesVersion"]
        }
      }
    }
  }
  "rules.rollback": {
    parameters: {
      query?: never
      header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        "If-Match": string
      }
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["RulesRollback"]
      }
    }
    responses: {
      /** @description RulesVersion */
      200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["RulesVersion"]
        }
      }
    }
  }
  "rules.startBacktest": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewBacktest"]
      }
    }
    responses: {
      /** @description Backtest */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Backtest"]
        }
      }
    }
  }
  "rules.getBacktest": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Backtest */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Backtest"]
        }
      }
    }
  }
  "rules.cancelBacktest": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Backtest */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["Backtest"]
        }
      }
    }
  }
  "team.list": {
    parameters: {
      query?: {
        limit?: string
        after?: string
      }
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["User"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            next: string | null
          }
        }
      }
    }
  }
  "team.listInvitations": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": {
            data: components["schemas"]["Invitation"][]
          }
        }
      }
    }
  }
  "team.invite": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewInvitation"]
      }
    }
    responses: {
      /** @description PersonLink */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PersonLink"]
        }
      }
    }
  }
  "team.revokeInvitation": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "team.renewInvitation": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description PersonLink */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PersonLink"]
        }
      }
    }
  }
  "team.setRole": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["RoleChange"]
      }
    }
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "team.reset": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["ResetRequest"]
      }
    }
    responses: {
      /** @description PersonLink */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PersonLink"]
        }
      }
    }
  }
  "team.remove": {
    parameters: {
      query?: never
      header?: never
      path: {
        account: string
        mode: string
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "sign_in.methods": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description SignInMethods */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SignInMethods"]
        }
      }
    }
  }
  "sign_in.password": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasswordEntry"]
      }
    }
    responses: {
      /** @description SignInStep */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SignInStep"]
        }
      }
    }
  }
  "sign_in.code": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["CodeEntry"]
      }
    }
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "sign_in.accept": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["InvitationAcceptance"]
      }
    }
    responses: {
      /** @description AcceptedInvitation */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["AcceptedInvitation"]
        }
      }
    }
  }
  "sign_in.reset": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["PasswordReset"]
      }
    }
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "sign_in.sandbox": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["SandboxLink"]
      }
    }
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "sign_in.startOidc": {
    parameters: {
      query?: {
        again?: "true" | "false"
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      303: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "sign_in.finishOidc": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      303: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "session.me": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description SignedInPerson */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["SignedInPerson"]
        }
      }
    }
  }
  "session.reauthenticate": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["Reauthentication"]
      }
    }
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "session.signOut": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description <No Content> */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  "session.signOutEverywhere": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description EndedSessions */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["EndedSessions"]
        }
      }
    }
  }
  "session.beginTotp": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description TotpEnrolment */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["TotpEnrolment"]
        }
      }
    }
  }
  "session.confirmTotp": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "application/json": components["schemas"]["TotpConfirmation"]
      }
    }
    responses: {
      /** @description RecoveryCodes */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["RecoveryCodes"]
        }
      }
    }
  }
  "system.openapi": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/json": Record<string, unknown>
        }
      }
    }
  }
}
