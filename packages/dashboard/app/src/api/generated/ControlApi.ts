/**
 * Written by openapi-typescript from the OpenAPI document of the control API: `pnpm generate`. Not to be edited.
 */
/* oxlint-disable max-lines */
export interface paths {
  readonly "/dashboard/api/{account}/{mode}/keys": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List API keys
     * @description All of them, newest first, also those that are no longer accepted.
     */
    readonly get: operations["keys.list"]
    readonly put?: never
    /** Create an API key */
    readonly post: operations["keys.create"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/keys/{id}/rotate": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Replace an API key
     * @description The former key is accepted too until `formerExpiresAt`.
     */
    readonly post: operations["keys.rotate"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/keys/{id}/revoke": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Revoke an API key
     * @description It is refused from then on. Revoking it again changes nothing.
     */
    readonly post: operations["keys.revoke"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/endpoints": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List webhook endpoints
     * @description Oldest first, including disabled ones.
     */
    readonly get: operations["endpoints.list"]
    readonly put?: never
    /** Add a webhook endpoint */
    readonly post: operations["endpoints.add"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/endpoints/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    readonly post?: never
    /**
     * Remove a webhook endpoint
     * @description Its pending deliveries are canceled.
     */
    readonly delete: operations["endpoints.remove"]
    readonly options?: never
    readonly head?: never
    /**
     * Edit a webhook endpoint
     * @description Applies to events sent from then on. The secret stays.
     */
    readonly patch: operations["endpoints.update"]
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/endpoints/{id}/enable": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** Enable a webhook endpoint */
    readonly post: operations["endpoints.enable"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/endpoints/{id}/disable": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Disable a webhook endpoint
     * @description Its pending deliveries are canceled.
     */
    readonly post: operations["endpoints.disable"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/endpoints/{id}/rotate": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** Replace the secret of a webhook endpoint */
    readonly post: operations["endpoints.rotate"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/endpoints/{id}/test": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Send a test event
     * @description One signed event of the type `webhook.test`.
     */
    readonly post: operations["endpoints.test"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/payments": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List payments
     * @description Newest first. Filters combine with AND; a filter with several values takes any of them. A bound of the amount needs exactly one currency.
     */
    readonly get: operations["payments.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/payments/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Read a payment
     * @description With its books, and what may be requested now. Capturing, canceling and refunding it require the `ETag`.
     */
    readonly get: operations["payments.get"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/payments/{id}/timeline": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Read the timeline of a payment
     * @description Oldest first: its request, routing, attempts, operations, evidence, books, events and webhook deliveries.
     */
    readonly get: operations["payments.timeline"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/payments/{id}/capture": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Capture a payment
     * @description A partial capture releases the rest. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is what reading it answers.
     */
    readonly post: operations["payments.capture"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/payments/{id}/cancel": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Cancel a payment
     * @description The body is an empty object. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is what reading it answers.
     */
    readonly post: operations["payments.cancel"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/payments/{id}/refunds": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Refund a payment
     * @description The whole remaining amount, or a part of it. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is what reading it answers.
     */
    readonly post: operations["payments.refund"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/refunds": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List refunds
     * @description Newest first, without automatic reversals.
     */
    readonly get: operations["refunds.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/refunds/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Read a refund */
    readonly get: operations["refunds.get"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/events": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List events
     * @description Newest first, without their bodies.
     */
    readonly get: operations["events.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/events/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Read an event
     * @description Its body, as it is delivered.
     */
    readonly get: operations["events.get"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/deliveries": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List webhook deliveries
     * @description By the time of the event, latest first.
     */
    readonly get: operations["deliveries.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/events/{id}/attempts": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List the attempts of a delivery
     * @description First to last.
     */
    readonly get: operations["deliveries.attempts"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/events/{id}/resend": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Send an event again
     * @description Under its id, with the full retry schedule.
     */
    readonly post: operations["deliveries.resend"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/deliveries/undelivered": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Count undelivered events
     * @description What `resend` would send again.
     */
    readonly get: operations["deliveries.countSince"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/deliveries/resend": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Send undelivered events again
     * @description To endpoints that are not disabled.
     */
    readonly post: operations["deliveries.resendSince"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/reviews": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List open reviews
     * @description A payment may have several.
     */
    readonly get: operations["reviews.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/reviews/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get a payment with its reviews
     * @description By the id of the payment. The `ETag` is what resolving requires.
     */
    readonly get: operations["reviews.get"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/reviews/{id}/resolve": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Resolve a review
     * @description Or correct the outcome of an operation. By the id of the payment. `If-Match` has the version that was read; if the payment has changed since, `current` of the problem is the payment with its reviews, without the evidence.
     */
    readonly post: operations["reviews.resolve"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/reports": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List provider reports that match no payment
     * @description Of the mode, newest first.
     */
    readonly get: operations["reports.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/reports/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get a report */
    readonly get: operations["reports.get"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/reports/{id}/match": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Match a report to a payment
     * @description The engine applies it like every report of the provider, within seconds; see `isApplied`. It cannot be undone.
     */
    readonly post: operations["reports.match"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/reports/{id}/dismiss": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Dismiss a report
     * @description It is kept, and can still be matched.
     */
    readonly post: operations["reports.dismiss"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/audit": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List administrative actions
     * @description Newest first: who did what, from where.
     */
    readonly get: operations["audit.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/requests": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List requests
     * @description The calls of `/v1`, newest first.
     */
    readonly get: operations["requests.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/requests/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Read a request
     * @description With what is kept of its body.
     */
    readonly get: operations["requests.get"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/statistics/series": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get numbers for each hour or day
     * @description Payments by their creation, attempts by their start, refunds by their request, each with its current status. Default: the last 30 days. Steps without anything to count are left out.
     */
    readonly get: operations["statistics.series"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/statistics/totals": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get numbers of a period
     * @description As for each hour or day, for the whole period.
     */
    readonly get: operations["statistics.totals"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/statistics/attention": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get what needs attention
     * @description Counts of open work, for the first page of a dashboard.
     */
    readonly get: operations["statistics.attention"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/breakers": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List circuit breakers
     * @description Of every running process, one for each provider and operation in use.
     */
    readonly get: operations["breakers.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/breakers/history": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List transitions of circuit breakers
     * @description Newest first. `state`: the one entered.
     */
    readonly get: operations["breakers.history"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/providers": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List provider instances
     * @description Of the mode, in the order of the configuration.
     */
    readonly get: operations["providers.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/providers/{id}/check": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Check a provider instance
     * @description Sends a harmless inquiry. It moves no money.
     */
    readonly post: operations["providers.check"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/doctor": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Check the server
     * @description Its configuration, database, rules, providers and public URL.
     */
    readonly post: operations["providers.doctor"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get the current routing rules
     * @description Of rules in the database, the `ETag` is what publishing requires.
     */
    readonly get: operations["rules.current"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/vocabulary": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Get what an editor of rules completes */
    readonly get: operations["rules.vocabulary"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/versions": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** List the versions of the routing rules */
    readonly get: operations["rules.history"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/versions/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get a version of the routing rules
     * @description By its number.
     */
    readonly get: operations["rules.get"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/diff": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Compare two versions of the routing rules */
    readonly get: operations["rules.diff"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/check": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Check a draft of the routing rules
     * @description Against the providers. Nothing is stored.
     */
    readonly post: operations["rules.check"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/explain": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Explain how a payment is routed
     * @description Nothing is stored, and nothing is sent to a provider.
     */
    readonly post: operations["rules.explain"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/publish": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Publish routing rules
     * @description For all accounts and modes. `If-Match` has the version that the change is based on; if another is the newest, `current` of the problem has its `version`, and the `diff` from it to the text. Of a text that is not valid, each of `errors` has its `line` and `column`.
     */
    readonly post: operations["rules.publish"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/rollback": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Roll back the routing rules
     * @description Publishes the text of a former version as a new one.
     */
    readonly post: operations["rules.rollback"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/backtests": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Start a backtest
     * @description Replays stored payments against a draft, in the background of this process, and ends with it. Nothing is sent to a provider.
     */
    readonly post: operations["rules.startBacktest"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/rules/backtests/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Get a backtest
     * @description In the process that started it. Once it has ended, for an hour, and of the last 20.
     */
    readonly get: operations["rules.getBacktest"]
    readonly put?: never
    readonly post?: never
    /**
     * Cancel a backtest
     * @description One that has ended stays as it is.
     */
    readonly delete: operations["rules.cancelBacktest"]
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/team": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * List the team
     * @description People with access to this account and mode, newest first.
     */
    readonly get: operations["team.list"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/team/invitations": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Invite a person
     * @description Hand the link over: no email is sent.
     */
    readonly post: operations["team.invite"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/team/{id}/role": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Change what a user may do
     * @description Replaces what they have in this account.
     */
    readonly post: operations["team.setRole"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/team/{id}/reset": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** Make a link to set a new password */
    readonly post: operations["team.reset"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/{account}/{mode}/team/{id}": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    readonly post?: never
    /**
     * Remove a user
     * @description Takes away all access that you manage, and ends their sessions.
     */
    readonly delete: operations["team.remove"]
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/sign-in": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** How people sign in here */
    readonly get: operations["sign_in.methods"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/sign-in/password": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Sign in with a password
     * @description If TOTP is set up, a code is the next step.
     */
    readonly post: operations["sign_in.password"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/sign-in/code": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Enter a code
     * @description Of the authenticator app, or a recovery code.
     */
    readonly post: operations["sign_in.code"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/sign-in/invitation": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** Accept an invitation */
    readonly post: operations["sign_in.accept"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/sign-in/reset": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Set a new password by a link
     * @description All your sessions end.
     */
    readonly post: operations["sign_in.reset"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/sign-in/sandbox": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** Open the sandbox by the link of its terminal */
    readonly post: operations["sign_in.sandbox"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/sign-in/oidc": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Go to the identity provider
     * @description `again`: the person proves once more who they are.
     */
    readonly get: operations["sign_in.startOidc"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/sign-in/oidc/callback": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /** Come back from the identity provider */
    readonly get: operations["sign_in.finishOidc"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/session": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Who is signed in
     * @description With what they may do in which account and mode.
     */
    readonly get: operations["session.me"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/session/reauthenticate": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Prove again who you are
     * @description For sensitive actions. The session gets a new id.
     */
    readonly post: operations["session.reauthenticate"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/session/sign-out": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** Sign out */
    readonly post: operations["session.signOut"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/session/sign-out-everywhere": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /** End all of your sessions */
    readonly post: operations["session.signOutEverywhere"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/session/totp": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Begin to set up TOTP
     * @description Changes nothing until it is confirmed.
     */
    readonly post: operations["session.beginTotp"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/session/totp/confirm": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly get?: never
    readonly put?: never
    /**
     * Confirm TOTP by a code
     * @description Your other sessions end, and former recovery codes no longer work.
     */
    readonly post: operations["session.confirmTotp"]
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly "/dashboard/api/openapi.json": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The OpenAPI document
     * @description Of the control API: this document.
     */
    readonly get: operations["system.openapi"]
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    readonly RecoveryCodes: {
      /** @description They are in this response only. */
      readonly recoveryCodes: readonly string[]
    }
    readonly TotpConfirmation: {
      readonly code: string
    }
    readonly TotpEnrolment: {
      /** @description In base32. It is in this response only. */
      readonly secret: string
      /** @description `otpauth://totp/…` */
      readonly uri: string
      /** @description SVG */
      readonly qrCode: string
    }
    readonly EndedSessions: {
      readonly ended: number
    }
    readonly Reauthentication: {
      readonly password: string
      /** @description Required if TOTP is set up. */
      readonly code?: string
    }
    readonly SignedInPerson: {
      readonly id: string
      readonly name: string
      readonly memberships: readonly components["schemas"]["Membership"][]
      /** @description Every account and mode that the person may open: by name, `default` first, test before live. */
      readonly accounts: readonly components["schemas"]["OpenAccount"][]
      /** @description When the person last proved who they are, ms UTC. */
      readonly authenticatedAt: number
      /** @description Of the session; `null`: the host decides. */
      readonly expiresAt: number | null
      /** @enum {string} */
      readonly method: "password" | "oidc" | "sandbox" | "host"
      /** @description Live mode is closed until TOTP is set up. */
      readonly needsTotp: boolean
      /** @description Where the person proves again who they are; `null`: by `reauthenticate`. */
      readonly reauthenticateUrl: string | null
    }
    readonly OpenAccount: {
      readonly account: string
      /** @enum {string} */
      readonly mode: "test" | "live"
      /** @enum {string} */
      readonly role: "owner" | "developer" | "operator" | "routing" | "viewer"
    }
    readonly Membership: {
      /** @description `null`: every account. */
      readonly account: string | null
      readonly modes: readonly ("test" | "live")[]
      /** @enum {string} */
      readonly role: "owner" | "developer" | "operator" | "routing" | "viewer"
    }
    readonly SandboxLink: {
      readonly token: string
    }
    readonly PasswordReset: {
      readonly token: string
      readonly password: string
    }
    readonly AcceptedInvitation: {
      readonly email: string
    }
    readonly InvitationAcceptance: {
      readonly token: string
      /** @description Of the first owner, whose link has no address. */
      readonly email?: string
      /** @description A new one, or your own if you are a user already. */
      readonly password: string
    }
    readonly CodeEntry: {
      readonly token: string
      readonly code: string
    }
    readonly SignInStep:
      | {
          /** @enum {string} */
          readonly step: "signed_in"
        }
      | {
          /** @enum {string} */
          readonly step: "code"
          /** @description To be sent with the code. */
          readonly token: string
          /** @description ms UTC */
          readonly expiresAt: number
        }
    readonly PasswordEntry: {
      readonly email: string
      readonly password: string
    }
    readonly SignInMethods: {
      readonly password: boolean
      readonly oidc: boolean
      readonly reauthenticateUrl: string | null
    }
    readonly PersonLink: {
      /** @description Works once. It is in this response only. */
      readonly link: string
      /** @description ms UTC */
      readonly expiresAt: number
    }
    readonly ResetRequest: {
      /** @description Also remove TOTP and recovery codes. */
      readonly totp?: boolean
    }
    readonly RoleChange: {
      /** @enum {string} */
      readonly role: "owner" | "developer" | "operator" | "routing" | "viewer"
      /** @description Default: this account. */
      readonly everyAccount?: boolean
      /** @description Default: this mode. */
      readonly modes?: readonly ["test" | "live"]
    }
    readonly NewInvitation: {
      readonly email: string
      /** @enum {string} */
      readonly role: "owner" | "developer" | "operator" | "routing" | "viewer"
      /** @description Default: this account. */
      readonly everyAccount?: boolean
      /** @description Default: this mode. */
      readonly modes?: readonly ["test" | "live"]
    }
    readonly User: {
      readonly id: string
      readonly email: string
      /** @description Those that concern this account. */
      readonly memberships: readonly components["schemas"]["Membership"][]
      /** @description Without TOTP a password gives access to test mode only. */
      readonly totp: boolean
      /** @enum {string} */
      readonly signsInWith: "password" | "oidc"
      /** @description ms UTC */
      readonly createdAt: number
      /** @description `null`: never. */
      readonly signedInAt: number | null
    }
    readonly Backtest: {
      readonly id: string
      /** @enum {string} */
      readonly state: "running" | "done" | "canceled" | "failed"
      readonly progress: number | ("Infinity" | "-Infinity" | "NaN")
      /** @description ms UTC */
      readonly startedAt: number
      readonly endedAt: number | null
      /** @description Of one that is `done`. */
      readonly result: {
        readonly report: components["schemas"]["BacktestReport"]
        /** @description The first 1000 payments that change, by time. */
        readonly moved: readonly {
          readonly paymentId: string
          /** @description ms UTC */
          readonly createdAt: number
          readonly before: string
          /** @description `null`: no route. */
          readonly after: string | null
          readonly rule: string
        }[]
      } | null
      /** @description Of one that `failed`. `problems`: of a draft that is not valid. */
      readonly failure: {
        readonly message: string
        readonly problems: readonly components["schemas"]["RulesDiagnostic"][]
      } | null
    }
    readonly RulesDiagnostic: {
      /** @description From 1; `null`: of the text as a whole. */
      readonly line: number | null
      /** @description From 1, in UTF-16 units. */
      readonly column: number | null
      readonly message: string
    }
    readonly BacktestReport: {
      /** @enum {boolean} */
      readonly estimate: true
      readonly usesLearnedRates: boolean
      /** @description When the first and the last payment were made; `null`: there were none. */
      readonly period: {
        /** @description ms UTC */
        readonly from: number
        /** @description ms UTC */
        readonly to: number
      } | null
      readonly payments: number
      readonly ruleset: string
      readonly rulesetsBefore: readonly {
        readonly ruleset: string
        readonly payments: number
      }[]
      readonly changes: {
        readonly payments: number
        readonly share: number | ("Infinity" | "-Infinity" | "NaN")
        readonly providers: readonly {
          readonly before: string
          /** @description `null`: no route. */
          readonly after: string | null
          readonly payments: number
        }[]
        readonly rules: readonly {
          readonly before: string
          readonly after: string
          readonly payments: number
        }[]
      }
      readonly noRoute: {
        readonly payments: number
        readonly share: number | ("Infinity" | "-Infinity" | "NaN")
        readonly dropped: readonly {
          readonly rule: string
          readonly provider: string
          readonly reason: string
          readonly payments: number
        }[]
      }
      readonly acceptance: {
        readonly measured: {
          readonly rate: number | ("Infinity" | "-Infinity" | "NaN") | null
          readonly counted: number
        }
        readonly before: {
          readonly rate: number | ("Infinity" | "-Infinity" | "NaN") | null
          readonly coverage: number | ("Infinity" | "-Infinity" | "NaN")
        }
        readonly after: {
          readonly rate: number | ("Infinity" | "-Infinity" | "NaN") | null
          readonly coverage: number | ("Infinity" | "-Infinity" | "NaN")
        }
      }
      readonly providers: readonly {
        readonly provider: string
        readonly measured: {
          readonly rate: number | ("Infinity" | "-Infinity" | "NaN") | null
          readonly counted: number
        }
        readonly before: {
          readonly payments: number
          readonly share: number | ("Infinity" | "-Infinity" | "NaN")
          readonly expected: {
            readonly rate: number | ("Infinity" | "-Infinity" | "NaN") | null
            readonly coverage: number | ("Infinity" | "-Infinity" | "NaN")
          }
        }
        readonly after: {
          readonly payments: number
          readonly share: number | ("Infinity" | "-Infinity" | "NaN")
          readonly expected: {
            readonly rate: number | ("Infinity" | "-Infinity" | "NaN") | null
            readonly coverage: number | ("Infinity" | "-Infinity" | "NaN")
          }
        }
        readonly currencies: readonly {
          readonly currency: string
          readonly before: {
            readonly payments: number
            readonly amount: number | ("Infinity" | "-Infinity" | "NaN")
            readonly cost: number | ("Infinity" | "-Infinity" | "NaN")
            readonly feeUnknown: number
          }
          readonly after: {
            readonly payments: number
            readonly amount: number | ("Infinity" | "-Infinity" | "NaN")
            readonly cost: number | ("Infinity" | "-Infinity" | "NaN")
            readonly feeUnknown: number
          }
        }[]
      }[]
      readonly currencies: readonly {
        readonly currency: string
        readonly before: {
          readonly payments: number
          readonly amount: number | ("Infinity" | "-Infinity" | "NaN")
          readonly cost: number | ("Infinity" | "-Infinity" | "NaN")
          readonly feeUnknown: number
        }
        readonly after: {
          readonly payments: number
          readonly amount: number | ("Infinity" | "-Infinity" | "NaN")
          readonly cost: number | ("Infinity" | "-Infinity" | "NaN")
          readonly feeUnknown: number
        }
      }[]
      readonly rules: readonly {
        readonly name: string
        /** @description Payments that it decides. */
        readonly takes: number
        /** @description Payments that its conditions hold for, whichever rule decides them. */
        readonly matches: number
        /** @description `false`: `matches` is the least it can be. */
        readonly exact: boolean
        /** @enum {string} */
        readonly state: "used" | "shadowed" | "dead" | "unknown"
        readonly shadowedBy: readonly {
          readonly rule: string
          readonly payments: number
        }[]
      }[]
      readonly default: {
        readonly payments: number
        readonly share: number | ("Infinity" | "-Infinity" | "NaN")
      }
    }
    readonly NewBacktest: {
      /** @description The draft. Default: the current rules. */
      readonly text?: string
      /** @description ms UTC, inclusive. */
      readonly from: number
      /** @description ms UTC, exclusive. Default: now. */
      readonly until?: number
    }
    readonly RulesVersion: {
      /** @description Ascending. */
      readonly version: number
      /** @description As payments name it: `sha256:` and the hex digest. */
      readonly ruleset: string
      /** @description `database`, the name of the file, `options` or `default`. */
      readonly source: string
      /** @description ms UTC; when it was published, or for the first time in force. */
      readonly at: number
      /** @description `null`: of a file, which does not say. */
      readonly author: {
        readonly kind: string
        readonly id: string
        readonly name: string | null
      } | null
      readonly note: string | null
      /** @description The version whose text was published again. */
      readonly restores: number | null
    }
    readonly RulesRollback: {
      /** @description Whose text is published again. */
      readonly version: number
      /** @description Why, for the history: one line of at most 500 characters. */
      readonly note?: string | null
    }
    readonly RulesPublication: {
      readonly text: string
      /** @description Why, for the history: one line of at most 500 characters. */
      readonly note?: string | null
    }
    readonly ExplainedDecision: {
      readonly explanation: {
        readonly ruleset: string
        /** @description From the first to the one that decided; that is `default` where none matches. */
        readonly rules: readonly {
          readonly name: string
          readonly matches: boolean
          readonly conditions: readonly components["schemas"]["ExplainedCondition"][]
        }[]
        readonly answer:
          | {
              /** @enum {string} */
              readonly _tag: "Plan"
              readonly decision: {
                readonly rule: string
                readonly ruleset: string
                readonly reason: string
                readonly candidates: readonly {
                  readonly provider: string
                  readonly reason: string
                }[]
                readonly dropped: readonly {
                  readonly provider: string
                  readonly reason: string
                }[]
              }
              /** @description In the order to try. */
              readonly candidates: readonly {
                readonly provider: string
                readonly reason: string
              }[]
            }
          | {
              /** @enum {string} */
              readonly _tag: "NoRoute"
              readonly rule: string
              readonly ruleset: string
              readonly candidates: readonly {
                readonly provider: string
                readonly reason: string
              }[]
            }
      }
      /** @description Success rates could not be read: they are taken as unknown. */
      readonly ratesUnknown: boolean
    }
    readonly ExplainedCondition: {
      /** @description Such as `amount gte 500000`; `all`, `any` or `not` of those in `of`. */
      readonly asked: string
      readonly holds: boolean
      /** @description What the payment has; `null`: nothing. */
      readonly actual: string | number | ("Infinity" | "-Infinity" | "NaN") | boolean | null
      readonly of: readonly components["schemas"]["ExplainedCondition"][]
    }
    readonly ExplainRules: {
      /** @description A stored payment. This, or `request`. */
      readonly paymentId?: string
      readonly request?: unknown
      /** @description Of a `request`: ms UTC. Default: now. */
      readonly at?: number
      /** @description A draft. Default: the rules that decided the stored payment, or the current rules. */
      readonly text?: string
    }
    readonly CheckedRules:
      | {
          /** @enum {boolean} */
          readonly valid: true
          readonly ruleset: string
          /** @description How many. */
          readonly rules: number
          readonly problems: readonly unknown[]
        }
      | {
          /** @enum {boolean} */
          readonly valid: false
          readonly problems: readonly components["schemas"]["RulesDiagnostic"][]
        }
    readonly RulesDraft: {
      readonly text: string
    }
    readonly RulesVersionText: {
      /** @description Ascending. */
      readonly version: number
      /** @description As payments name it: `sha256:` and the hex digest. */
      readonly ruleset: string
      /** @description `database`, the name of the file, `options` or `default`. */
      readonly source: string
      /** @description ms UTC; when it was published, or for the first time in force. */
      readonly at: number
      /** @description `null`: of a file, which does not say. */
      readonly author: {
        readonly kind: string
        readonly id: string
        readonly name: string | null
      } | null
      readonly note: string | null
      /** @description The version whose text was published again. */
      readonly restores: number | null
      /** @description As it was written, with comments. Other rules: as YAML. */
      readonly text: string
    }
    readonly RulesVocabulary: {
      readonly providers: readonly {
        readonly id: string
        readonly mode: string
        readonly methods: readonly string[]
      }[]
      /** @description `metadata.<key>` comes on top. */
      readonly conditions: readonly string[]
    }
    readonly CurrentRules: {
      /** @description Ascending. */
      readonly version: number
      /** @description As payments name it: `sha256:` and the hex digest. */
      readonly ruleset: string
      /** @description `database`, the name of the file, `options` or `default`. */
      readonly source: string
      /** @description ms UTC; when it was published, or for the first time in force. */
      readonly at: number
      /** @description `null`: of a file, which does not say. */
      readonly author: {
        readonly kind: string
        readonly id: string
        readonly name: string | null
      } | null
      readonly note: string | null
      /** @description The version whose text was published again. */
      readonly restores: number | null
      /** @description As it was written, with comments. Other rules: as YAML. */
      readonly text: string
      /** @description Where the rules are edited. Only those in the `database` can be published here. */
      readonly origin:
        | {
            /** @enum {string} */
            readonly kind: "file"
            readonly file: string
          }
        | {
            /** @enum {string} */
            readonly kind: "database" | "options" | "default"
          }
      /** @description The ruleset that this process decides by. It differs from `ruleset` while a version spreads, and if that has `problems`. */
      readonly inForce: string
      /** @description Why this version does not fit the providers of this process, which decides by an older one. */
      readonly problems: readonly components["schemas"]["RulesDiagnostic"][]
    }
    readonly Finding: {
      /** @enum {string} */
      readonly grade: "ok" | "warning" | "fault"
      /** @description What was checked. */
      readonly name: string
      /** @description What was found; of a warning or fault also what to do. */
      readonly text: string
    }
    readonly ProviderInstance: {
      /** @description As routing rules name it. */
      readonly id: string
      /** @enum {string} */
      readonly mode: "test" | "live"
      /** @description Such as `stripe`. */
      readonly adapter: string | null
      /** @description The version of the provider contract. */
      readonly specVersion: number
      /** @description The address to enter at the provider. `null`: it sends no webhooks. */
      readonly webhookUrl: string | null
      readonly methods: {
        readonly [key: string]: components["schemas"]["ProviderMethod"]
      }
      readonly operations: {
        readonly [key: string]: components["schemas"]["ProviderOperation"]
      }
    }
    readonly ProviderOperation: {
      readonly idempotency: {
        /** @enum {string} */
        readonly by: "header" | "body" | "reference" | "lookup" | "none"
        readonly lifetimeMs: number | ("Infinity" | "-Infinity" | "NaN")
      }
      readonly canInquire: boolean
      readonly costlyInquiry: boolean
      readonly notFoundIsFinalAfterMs: number | ("Infinity" | "-Infinity" | "NaN") | null
      readonly lookBackMs: readonly (number | ("Infinity" | "-Infinity" | "NaN"))[]
      /** @enum {string} */
      readonly reports: "movement" | "total"
      readonly rateLimitIsNotExecuted: boolean
      readonly declineIsFinal: boolean
      readonly cancelIsFinal: boolean
      readonly abandonedAfterMs: number | ("Infinity" | "-Infinity" | "NaN") | null
      readonly partial: boolean
    }
    readonly ProviderMethod: {
      readonly currencies: readonly string[] | "any"
      readonly flows: {
        readonly [key: string]: {
          readonly requires?: readonly string[]
          readonly captureMethods?: readonly string[]
          readonly cancelable?: boolean
        }
      }
      readonly amount?: {
        readonly min?: number | ("Infinity" | "-Infinity" | "NaN")
        readonly max?: number | ("Infinity" | "-Infinity" | "NaN")
      }
      readonly phoneCodes?: readonly string[]
      readonly captureMethods?: readonly string[]
      readonly networks?: readonly string[]
      readonly assets?: readonly {
        readonly asset: string
        readonly network: string
      }[]
    }
    readonly CircuitBreakerTransition: {
      /** @description ms UTC */
      readonly at: number
      readonly provider: string
      readonly operation: string
      /** @enum {string} */
      readonly from: "closed" | "open" | "half_open"
      /** @enum {string} */
      readonly to: "closed" | "open" | "half_open"
      /** @enum {string} */
      readonly cause:
        | "failure_rate"
        | "misconfigured"
        | "open_time_over"
        | "probe_succeeded"
        | "probe_answered"
        | "probe_failed"
      /** @description A random id, another one at each start. */
      readonly process: string
      readonly host: string
    }
    readonly CircuitBreaker: {
      readonly provider: string
      readonly operation: string
      /** @enum {string} */
      readonly state: "closed" | "open" | "half_open"
      /** @description `null`: it never left its first state. */
      readonly cause:
        | ("failure_rate" | "misconfigured" | "open_time_over" | "probe_succeeded" | "probe_answered" | "probe_failed")
        | null
      /** @description ms UTC */
      readonly since: number
      /** @description A random id, another one at each start. */
      readonly process: string
      readonly host: string
      readonly pid: number
      /** @description ms UTC; when the process last reported. */
      readonly seenAt: number
    }
    readonly Attention: {
      /** @description Pending payments; 10000 stands for 10,000 or more. */
      readonly pending: number
      /** @description Payments with an open review; 10000 stands for 10,000 or more. */
      readonly inReview: number
      /** @description Webhook endpoints whose last attempt failed. */
      readonly failingEndpoints: number
      /** @description Webhook endpoints that receive nothing. */
      readonly disabledEndpoints: number
      /** @description Circuit breakers of this process that are not closed. */
      readonly openBreakers: readonly {
        readonly provider: string
        readonly operation: string
        readonly state: string
        /** @description ms UTC */
        readonly since: number
      }[]
    }
    readonly Numbers: {
      /** @description The value of `groupBy`. `null`: without `groupBy`, or without a failure code. */
      readonly group: string | null
      readonly count: number
      /** @description By status. */
      readonly outcomes: {
        readonly [key: string]: number
      }
      /** @description 0 to 1, of those that are decided. `null`: none is, or the query is by outcome or failure code. */
      readonly successRate: number | ("Infinity" | "-Infinity" | "NaN") | null
      readonly amounts: readonly {
        readonly currency: string
        /** @description Of all that are counted: minor units, as decimal digits. */
        readonly amount: string
        /** @description What was captured of payments; of attempts or refunds that succeeded. Minor units, as decimal digits. */
        readonly succeeded: string
      }[]
      /** @description Of attempts that have ended: ms from start to end, at most 4.9 % off. */
      readonly duration: {
        readonly count: number
        readonly p50: number | ("Infinity" | "-Infinity" | "NaN")
        readonly p95: number | ("Infinity" | "-Infinity" | "NaN")
        readonly p99: number | ("Infinity" | "-Infinity" | "NaN")
      } | null
    }
    readonly SeriesPoint: {
      /** @description ms UTC */
      readonly start: number
      /** @description The value of `groupBy`. `null`: without `groupBy`, or without a failure code. */
      readonly group: string | null
      readonly count: number
      /** @description By status. */
      readonly outcomes: {
        readonly [key: string]: number
      }
      /** @description 0 to 1, of those that are decided. `null`: none is, or the query is by outcome or failure code. */
      readonly successRate: number | ("Infinity" | "-Infinity" | "NaN") | null
      readonly amounts: readonly {
        readonly currency: string
        /** @description Of all that are counted: minor units, as decimal digits. */
        readonly amount: string
        /** @description What was captured of payments; of attempts or refunds that succeeded. Minor units, as decimal digits. */
        readonly succeeded: string
      }[]
      /** @description Of attempts that have ended: ms from start to end, at most 4.9 % off. */
      readonly duration: {
        readonly count: number
        readonly p50: number | ("Infinity" | "-Infinity" | "NaN")
        readonly p95: number | ("Infinity" | "-Infinity" | "NaN")
        readonly p99: number | ("Infinity" | "-Infinity" | "NaN")
      } | null
    }
    readonly RequestDetails: {
      /** @description As in the header `Request-Id` of the response. */
      readonly id: string
      /** @description ms UTC */
      readonly at: number
      readonly method: string
      /** @description Without the query. */
      readonly path: string
      /** @description Such as `/v1/payments/:id`. */
      readonly route: string
      readonly status: number
      /** @description The code of the problem; `null`: it succeeded. */
      readonly problem: string | null
      readonly keyId: string
      readonly durationMs: number | ("Infinity" | "-Infinity" | "NaN")
      /** @description Whether the response is that of a former request with the same key. */
      readonly replayed: boolean
      readonly paymentId: string | null
      readonly refundId: string | null
      readonly request: unknown
      /** @description Of a failed request, its problem. */
      readonly response: {
        readonly code: string
        readonly detail: string
        readonly errors: readonly {
          readonly pointer: string
          readonly message: string
        }[]
      } | null
    }
    readonly LoggedRequest: {
      /** @description As in the header `Request-Id` of the response. */
      readonly id: string
      /** @description ms UTC */
      readonly at: number
      readonly method: string
      /** @description Without the query. */
      readonly path: string
      /** @description Such as `/v1/payments/:id`. */
      readonly route: string
      readonly status: number
      /** @description The code of the problem; `null`: it succeeded. */
      readonly problem: string | null
      readonly keyId: string
      readonly durationMs: number | ("Infinity" | "-Infinity" | "NaN")
      /** @description Whether the response is that of a former request with the same key. */
      readonly replayed: boolean
      readonly paymentId: string | null
      readonly refundId: string | null
    }
    readonly AuditEntry: {
      readonly id: number
      /** @description ms UTC */
      readonly at: number
      readonly account: string
      readonly livemode: boolean
      readonly actor: {
        /** @enum {string} */
        readonly kind: "user" | "command" | "program"
        readonly id: string
        readonly name: string | null
        readonly role: ("owner" | "developer" | "operator" | "routing" | "viewer") | null
        readonly address: string | null
      }
      readonly action: string
      readonly target: string | null
      /** @enum {string} */
      readonly outcome: "done" | "requested" | "refused" | "repeated"
      readonly before: {
        readonly [key: string]:
          | string
          | number
          | ("Infinity" | "-Infinity" | "NaN")
          | boolean
          | null
          | readonly string[]
      } | null
      readonly after: {
        readonly [key: string]:
          | string
          | number
          | ("Infinity" | "-Infinity" | "NaN")
          | boolean
          | null
          | readonly string[]
      } | null
    }
    readonly UnmatchedReport: {
      readonly id: string
      readonly provider: string
      /** @enum {string} */
      readonly status: "waiting" | "parked" | "foreign" | "matched" | "dismissed"
      /** @description What is reported, such as `succeeded` or `refund_succeeded`. */
      readonly kind: string
      /** @description The operation that it names. */
      readonly operationId: string | null
      /** @description The provider's reference that it is about. */
      readonly reference: string | null
      /** @description In the smallest unit of `currency`. */
      readonly amount: number | null
      readonly currency: string | null
      readonly vendorCode: string | null
      /** @description The provider's id of the event, or a digest. */
      readonly event: string
      /** @description `sha256:` of the webhook's bytes. */
      readonly document: string | null
      /** @description ms UTC */
      readonly receivedAt: number
      /** @description ms UTC, by the provider's clock. */
      readonly occurredAt: number | null
      /** @description `false`: what was reported has been deleted. */
      readonly isComplete: boolean
      /** @description The payment that it was matched to. */
      readonly paymentId: string | null
      /** @description `true`: it has been applied to that payment. */
      readonly isApplied: boolean
      /** @description Why it was dismissed. */
      readonly note: string | null
      readonly decidedAt: number | null
    }
    readonly ReportDismissal: {
      /** @description Why: 1 to 1000 characters. */
      readonly note: string
    }
    readonly ReportMatch: {
      /** @description Of this account and mode. */
      readonly paymentId: string
      /** @description Such as a refund. Default: the create operation at the provider of the report. */
      readonly operationId?: string
    }
    readonly ResolvedPayment: {
      readonly payment: components["schemas"]["Payment"]
      /** @description As in the `ETag`. */
      readonly version: number
    }
    readonly Payment: {
      /** @description `pay_` and 26 characters that sort by time. */
      readonly id: string
      /**
       * @description The type of the object.
       * @enum {string}
       */
      readonly object: "payment"
      /** @description `false`: created with a test key; no money moves. */
      readonly livemode: boolean
      /**
       * @description `succeeded`, `failed` and `canceled` are final, except for money that arrives late. `authorized`: the money is held and waits for a capture.
       * @enum {string}
       */
      readonly status: "pending" | "authorized" | "succeeded" | "failed" | "canceled"
      /** @description Set only while the payment is pending. `outcome_unknown`: a provider has not reported the outcome; the server inquires until it is known. */
      readonly pending_reason:
        | ("awaiting_customer" | "processing" | "outcome_unknown" | "awaiting_finality" | "needs_review")
        | null
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      readonly amount: number
      /** @description The captured amount. */
      readonly amount_captured: number
      /** @description The refunded amount. */
      readonly amount_refunded: number
      /** @description The received amount, where it can differ from `amount` (stablecoin). While the payment is pending, what has been detected so far, final or not. */
      readonly amount_received?: number
      /** @description ISO 4217, in capitals. */
      readonly currency: string
      /**
       * @description How the payer pays.
       * @enum {string}
       */
      readonly payment_method: "upi" | "card" | "stablecoin"
      /** @description Details under the name of the payment method. Tokens are not returned. */
      readonly payment_method_details: {
        /** @description For a UPI payment. */
        readonly upi?: {
          /**
           * @description `intent`: a link that opens a UPI app. `qr`: a QR code to scan. `collect`: a payment request in the payer's UPI app.
           * @enum {string}
           */
          readonly flow: "intent" | "qr" | "collect"
          /** @description The payer's UPI id. */
          readonly vpa?: string
        }
        /** @description For a card payment. */
        readonly card?: {
          /** @description In lower case, such as `visa` or `mastercard`. It determines the limit of declines. */
          readonly network: string | null
          /** @description The issuer's country: ISO 3166, two capitals. Used for routing. */
          readonly country: string | null
          /** @description Used for routing. */
          readonly funding: string | null
          /** @description The first six to eight digits. Used for routing. */
          readonly bin: string | null
        }
        /** @description For a stablecoin payment. */
        readonly stablecoin?: {
          /** @description The coin, such as `USDC`; `null`: not chosen yet. */
          readonly asset: string | null
          /** @description The chain, such as `base`; `null`: not chosen yet. */
          readonly network: string | null
        }
      }
      /**
       * @description As requested.
       * @enum {string}
       */
      readonly capture_method: "automatic" | "manual"
      /** @description As requested. */
      readonly description: string | null
      /** @description As requested. */
      readonly customer: {
        /** @description The payer's e-mail address. */
        readonly email: string
        /** @description The payer's phone number, with `+` and country code. */
        readonly phone: string
        /** @description The payer's name. */
        readonly name: string | null
      }
      /** @description As requested. */
      readonly metadata: {
        readonly [key: string]: string
      }
      /** @description As requested. */
      readonly return_url: string | null
      /** @description What the payer has to do next, by its `type`. `null`: nothing. */
      readonly next_action:
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "upi_intent"
            /** @description A link that opens the payer's app or wallet. */
            readonly uri: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            readonly image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "upi_qr"
            /** @description The text of the QR code. */
            readonly payload?: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            readonly image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "redirect"
            /** @description A page of the provider. It returns the payer to this server, which redirects to `return_url`. */
            readonly url: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "stablecoin_transfer"
            /** @description Used for this payment only. */
            readonly address: string
            /** @description A link that opens the payer's app or wallet. */
            readonly uri: string
            /** @description A decimal string in units of the coin, such as `12.50`. */
            readonly amount: string
            /** @description The coin to send, such as `USDC`. */
            readonly asset?: string
            /** @description The chain to send it on, such as `base`. */
            readonly network?: string
            /** @description A QR code of it: the URL of an image, which may be a `data:` URL. */
            readonly image?: string
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | {
            /**
             * @description `upi_intent`: open `uri` on the payer's phone. `upi_qr`: show `payload` as a QR code, or show `image`. `redirect`: redirect the payer to `url`. `stablecoin_transfer`: ask the payer to send `amount` to `address`. `wait`: the payer confirms elsewhere.
             * @enum {string}
             */
            readonly type: "wait"
            /** @description RFC 3339, UTC. `null`: the provider sets no time. */
            readonly expires_at: string | null
          }
        | null
      /** @description A page on which the payer completes the payment and sees its result. Anyone with the link can open it. `null`: this server serves no payment page. */
      readonly hosted_url: string | null
      /** @description `null` unless it failed. */
      readonly failure: {
        /**
         * @description The same codes for every provider.
         * @enum {string}
         */
        readonly code:
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
          | "authorization_expired"
        /** @description For people; it may change. */
        readonly message: string
        /** @description Whether a new payment may succeed. */
        readonly retryable: boolean
      } | null
      /** @description Captured in excess of the payment and not returned yet, at all its providers together. Absent: nothing. Not part of `amount_captured`. */
      readonly overpayment?: number
      /** @description What an operator has to resolve: one review for each charge or operation in question. */
      readonly reviews: readonly {
        /** @description `rev_…`. It does not change while the review is open. */
        readonly id: string
        /**
         * @description Why it is open. `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization`: money or a hold in excess of the payment. `inquiries_exhausted`: an unknown outcome.
         * @enum {string}
         */
        readonly reason:
          | "amount_mismatch"
          | "excess_capture"
          | "excess_refund"
          | "duplicate_capture"
          | "late_success"
          | "late_authorization"
          | "reference_conflict"
          | "unreadable_report"
          | "inquiries_exhausted"
          | "close_failed"
          | "capture_failed"
          | "paid_after_close"
          | "contradiction"
        /** @description The provider instance that has the money. */
        readonly provider: string
        /** @description The provider's reference of the charge, capture or refund in question. `null`: the provider reported none. */
        readonly reference: string | null
        /** @description The operation in question, `op_…`. `null`: the payment has no operation for it. */
        readonly operation: string | null
        /** @description The amount in question, in the smallest unit of the review's `currency`. */
        readonly amount: number
        /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
        readonly currency: string
        /**
         * Format: date-time
         * @description RFC 3339, UTC. When the review was opened.
         */
        readonly since: string
      }[]
      /** @description `true`: the money arrived after the payment had failed. */
      readonly late?: boolean
      /**
       * Format: date-time
       * @description RFC 3339, UTC. When the payer first disputed it.
       */
      readonly disputed_at?: string
      /** @description The provider instance that took the money, otherwise the latest that was tried. */
      readonly provider: string
      /** @description Why the providers were tried in this order. */
      readonly routing: {
        /** @description The routing rule that matched; `default` if none did. */
        readonly rule: string
        /** @description The digest of the rules that were in force. */
        readonly ruleset: string
        /** @description How the rule chose, such as `priority` or `split`. */
        readonly reason: string
        /** @description Providers that were not candidates, and why. */
        readonly dropped: readonly {
          /** @description A provider instance that the rule named. */
          readonly provider: string
          /** @description Why it could not take the payment, such as `currency_not_supported`, `amount_too_large` or `breaker_open`. */
          readonly reason: string
        }[]
      }
      /** @description One for each provider that was tried, in order. */
      readonly attempts: readonly {
        /** @description From 1. */
        readonly seq: number
        /** @description The provider instance, by its name in the server's configuration. */
        readonly provider: string
        /** @description The provider's reference, such as `pi_…`. `null`: the provider reported none. */
        readonly reference: string | null
        /** @description The attempt's status. `not_executed`: the provider proved that it did nothing; the next one was tried. */
        readonly status: string
        /** @description Why this provider was chosen. */
        readonly reason: string
        /** @description Why it failed: one of the codes of `failure`. */
        readonly code: string | null
        /** @description The provider's own code. */
        readonly vendor_code: string | null
        /**
         * @description The status of the reversal, for an attempt whose money is in excess of the payment.
         * @enum {string}
         */
        readonly reversal?: "pending" | "succeeded" | "failed"
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         */
        readonly started_at: string
        /** @description RFC 3339, UTC. `null`: not ended. */
        readonly ended_at: string | null
      }[]
      /** @description The requested captures and cancels. */
      readonly operations: readonly {
        /** @description `op_` and 26 characters that sort by time. */
        readonly id: string
        /**
         * @description The requested operation.
         * @enum {string}
         */
        readonly kind: "capture" | "cancel"
        /**
         * @description The operation's status.
         * @enum {string}
         */
        readonly status: "pending" | "succeeded" | "failed"
        /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
        readonly amount: number
        /** @description The provider's reference, such as `pi_…`. `null`: the provider reported none. */
        readonly reference: string | null
        /** @description Why it failed: one of the codes of `failure`. */
        readonly code: string | null
        /**
         * Format: date-time
         * @description RFC 3339, UTC.
         */
        readonly created_at: string
        /** @description RFC 3339, UTC. `null`: not ended. */
        readonly ended_at: string | null
      }[]
      /** @description Increases with every change: of two copies, the greater version is the newer. */
      readonly version: number
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      readonly created_at: string
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      readonly updated_at: string
    }
    readonly NewReviewResolution: {
      /** @description This, or `operation`. */
      readonly review?: string
      /** @description One without a review, whose outcome is wrong here. */
      readonly operation?: string
      /** @enum {string} */
      readonly resolution: "succeeded" | "not_done" | "given_back" | "dismissed"
      /** @description What proves it, such as the provider's reference and who looked it up: 1 to 10,000 characters. */
      readonly evidence: string
      /** @description What the provider's dashboard shows, in minor units, of a resolution that `takesAmount`. */
      readonly amount?: number
    }
    readonly ReviewedPayment: {
      readonly payment: components["schemas"]["Payment"]
      /** @description As in the `ETag`. */
      readonly version: number
      /** @description Those that are open. */
      readonly reviews: readonly components["schemas"]["ReviewDetails"][]
      readonly resolved: readonly {
        readonly review: string
        /** @enum {string} */
        readonly resolution: "succeeded" | "not_done" | "given_back" | "dismissed"
        /** @description ms UTC */
        readonly resolvedAt: number
      }[]
      readonly operations: readonly components["schemas"]["ReviewedOperation"][]
      /** @description What has changed the payment, in order: the last 500. Its timeline has all. */
      readonly evidence: readonly components["schemas"]["ReviewEvidence"][]
    }
    readonly ReviewEvidence: {
      readonly operationId: string
      readonly source: string
      readonly kind: string
      readonly vendorCode: string | null
      readonly eventId: string | null
      /** @description `sha256:` of the webhook's bytes, or the text of an operator. */
      readonly document: string | null
      /** @description ms UTC, by the provider's clock. */
      readonly occurredAt: number | null
      /** @description ms UTC */
      readonly recordedAt: number
    }
    readonly ReviewedOperation: {
      readonly id: string
      /** @enum {string} */
      readonly kind: "create" | "capture" | "cancel" | "refund"
      /** @enum {string} */
      readonly purpose: "requested" | "reversal" | "expiry"
      readonly status: string
      readonly provider: string
      /** @description In the smallest unit of the currency. */
      readonly amount: number
      readonly reference: string | null
    }
    readonly ReviewDetails: {
      readonly id: string
      /** @enum {string} */
      readonly reason:
        | "amount_mismatch"
        | "excess_capture"
        | "excess_refund"
        | "duplicate_capture"
        | "late_success"
        | "late_authorization"
        | "reference_conflict"
        | "unreadable_report"
        | "inquiries_exhausted"
        | "close_failed"
        | "capture_failed"
        | "paid_after_close"
        | "contradiction"
      /** @description The instance that has the money. */
      readonly provider: string
      /** @description Of the charge or movement in question. */
      readonly reference: string | null
      /** @description The operation in question. */
      readonly operationId: string | null
      /** @description In the smallest unit of the currency. */
      readonly amount: number
      readonly currency: string
      /** @description ms UTC */
      readonly since: number
      /** @description Those that fit. */
      readonly resolutions: readonly {
        /** @enum {string} */
        readonly resolution: "succeeded" | "not_done" | "given_back" | "dismissed"
        readonly takesAmount: boolean
      }[]
      /** @description About the attempt in question. */
      readonly reported: readonly components["schemas"]["ReportedMoney"][]
    }
    readonly ReportedMoney: {
      /** @enum {string} */
      readonly kind:
        | "authorized"
        | "captured"
        | "capture_reversed"
        | "released"
        | "received"
        | "refunded"
        | "refund_returned"
        | "disputed"
        | "dispute_reversed"
        | "fee"
        | "payout"
        | "correction"
      /**
       * @description `movement`: of money, once. `total`: all that its charge has captured so far.
       * @enum {string}
       */
      readonly basis: "movement" | "total"
      /** @description In the smallest unit of the currency. */
      readonly amount: number
      readonly currency: string
      readonly reference: string | null
      readonly source: string
      /** @description ms UTC */
      readonly recordedAt: number
    }
    readonly Review: {
      readonly paymentId: string
      readonly id: string
      /** @enum {string} */
      readonly reason:
        | "amount_mismatch"
        | "excess_capture"
        | "excess_refund"
        | "duplicate_capture"
        | "late_success"
        | "late_authorization"
        | "reference_conflict"
        | "unreadable_report"
        | "inquiries_exhausted"
        | "close_failed"
        | "capture_failed"
        | "paid_after_close"
        | "contradiction"
      /** @description The instance that has the money. */
      readonly provider: string
      /** @description Of the charge or movement in question. */
      readonly reference: string | null
      /** @description The operation in question. */
      readonly operationId: string | null
      /** @description In the smallest unit of the currency. */
      readonly amount: number
      readonly currency: string
      /** @description ms UTC */
      readonly since: number
      /** @description Of the report in question. */
      readonly source: string | null
    }
    readonly ResendSince: {
      /** @description ms UTC */
      readonly since: number
      /** @description Default: all. */
      readonly endpointId?: string
    }
    readonly Resent: {
      readonly data: readonly {
        readonly endpointId: string
        /** @enum {string} */
        readonly outcome: "resent" | "endpoint_disabled" | "endpoint_removed" | "in_flight"
      }[]
    }
    readonly Resend: {
      /** @description Default: all that it was for. */
      readonly endpointId?: string
    }
    readonly WebhookAttempt: {
      readonly attempt: number
      /** @description ms UTC */
      readonly endedAt: number
      readonly duration: number | ("Infinity" | "-Infinity" | "NaN")
      readonly status: number | null
      readonly error: string | null
      readonly answer: string | null
    }
    readonly WebhookDelivery: {
      readonly eventId: string
      readonly endpointId: string
      /** @enum {string} */
      readonly status: "pending" | "delivered" | "dead" | "canceled"
      /** @description ms UTC */
      readonly happenedAt: number
      readonly attempts: number
      readonly nextTryAt: number | null
      readonly lastAt: number | null
      readonly lastStatus: number | null
      readonly lastError: string | null
      /** @description The beginning of the last response body. */
      readonly lastAnswer: string | null
    }
    readonly Event: {
      /**
       * @description What happened.
       * @enum {string}
       */
      readonly type:
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
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
      readonly timestamp: string
      /** @description The payment, and the object that changed. */
      readonly data: {
        /** @description The event's id, the same in every delivery attempt: ignore an id that you have processed. */
        readonly id: string
        /** @description The number of the payment's event, from 1 without gaps. */
        readonly sequence: number
        readonly payment: components["schemas"]["Payment"] & unknown
        readonly refund?: components["schemas"]["Refund"] & unknown
        /** @description Only with `payment.review_opened` and `payment.review_resolved`: the review, as the payment shows it. */
        readonly review?: {
          /** @description `rev_…`. It does not change while the review is open. */
          readonly id: string
          /**
           * @description Why it is open. `duplicate_capture`, `late_success`, `excess_capture` and `late_authorization`: money or a hold in excess of the payment. `inquiries_exhausted`: an unknown outcome.
           * @enum {string}
           */
          readonly reason:
            | "amount_mismatch"
            | "excess_capture"
            | "excess_refund"
            | "duplicate_capture"
            | "late_success"
            | "late_authorization"
            | "reference_conflict"
            | "unreadable_report"
            | "inquiries_exhausted"
            | "close_failed"
            | "capture_failed"
            | "paid_after_close"
            | "contradiction"
          /** @description The provider instance that has the money. */
          readonly provider: string
          /** @description The provider's reference of the charge, capture or refund in question. `null`: the provider reported none. */
          readonly reference: string | null
          /** @description The operation in question, `op_…`. `null`: the payment has no operation for it. */
          readonly operation: string | null
          /** @description The amount in question, in the smallest unit of the review's `currency`. */
          readonly amount: number
          /** @description ISO 4217, as the provider reported it: it may differ from the payment's. */
          readonly currency: string
          /**
           * Format: date-time
           * @description RFC 3339, UTC. When the review was opened.
           */
          readonly since: string
          /** @description Only with `payment.review_resolved`: how an operator resolved the review. `null`: resolved by a later report of the provider. */
          readonly resolution?: ("succeeded" | "not_done" | "given_back" | "dismissed") | null
        }
      }
    }
    readonly Refund: {
      /** @description `re_` and 26 characters that sort by time. */
      readonly id: string
      /**
       * @description The type of the object.
       * @enum {string}
       */
      readonly object: "refund"
      /** @description `false`: created with a test key; no money moves. */
      readonly livemode: boolean
      /** @description The refunded payment, `pay_…`. */
      readonly payment: string
      /**
       * @description `failed`: nothing was refunded; see `failure`.
       * @enum {string}
       */
      readonly status: "pending" | "succeeded" | "failed"
      /** @description In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000. */
      readonly amount: number
      /** @description ISO 4217, in capitals: the payment's. */
      readonly currency: string
      /** @description As requested. */
      readonly reason: string | null
      /** @description `null` unless it failed. */
      readonly failure: {
        /**
         * @description The same codes for every provider.
         * @enum {string}
         */
        readonly code:
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
          | "authorization_expired"
        /** @description For people; it may change. */
        readonly message: string
        /** @description Whether a new refund may succeed. */
        readonly retryable: boolean
      } | null
      /** @description The provider instance, by its name in the server's configuration. */
      readonly provider: string
      /** @description The provider's reference of the refund. `null`: the provider reported none. */
      readonly reference: string | null
      /**
       * Format: date-time
       * @description RFC 3339, UTC.
       */
      readonly created_at: string
      /** @description RFC 3339, UTC. `null`: not ended. */
      readonly ended_at: string | null
    }
    readonly LoggedEvent: {
      readonly id: string
      /** @enum {string} */
      readonly type:
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "payment.review_opened"
        | "payment.review_resolved"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      readonly paymentId: string
      /** @description The number of the payment's event, from 1 without gaps. */
      readonly sequence: number
      /** @description ms UTC */
      readonly createdAt: number
    }
    readonly CreateRefund: {
      /** @description In the smallest unit of the payment's currency. Absent: the whole remaining amount. */
      readonly amount?: number
      /** @description Your own text, stored with the refund; some providers receive it. */
      readonly reason?: string | null
    }
    readonly CancelPayment: Record<string, unknown>
    readonly CapturePayment: {
      /** @description In the smallest unit of the payment's currency. Absent: the whole remaining amount. */
      readonly amount?: number
    }
    readonly TimelineItem:
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "created"
          /** @description In the smallest unit of the currency. */
          readonly amount: number
          readonly currency: string
          readonly paymentMethod: string
          readonly captureMethod: string
        }
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "routed"
          readonly rule: string
          readonly ruleset: string
          readonly reason: string
          readonly candidates: readonly {
            /** @description The provider instance. */
            readonly provider: string
            readonly reason: string
          }[]
          /** @description Providers that were not candidates, and why. */
          readonly dropped: readonly {
            /** @description The provider instance. */
            readonly provider: string
            readonly reason: string
          }[]
        }
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "attempt_started"
          readonly attempt: number
          /** @description The provider instance. */
          readonly provider: string
          readonly reason: string
        }
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "attempt_ended"
          readonly attempt: number
          /** @description The provider instance. */
          readonly provider: string
          readonly status: string
          readonly code: string | null
          readonly vendorCode: string | null
        }
      | {
          /** @description ms UTC */
          readonly at: number
          /** @enum {string} */
          readonly kind: "operation_started" | "operation_ended"
          readonly operation: string
          /** @enum {string} */
          readonly operationKind: "create" | "capture" | "cancel" | "refund"
          /** @enum {string} */
          readonly purpose: "requested" | "reversal" | "expiry"
          readonly attempt: number
          /** @description The provider instance. */
          readonly provider: string
          /** @description In the smallest unit of the currency. */
          readonly amount: number
          readonly currency: string
          /** @description As it is now. */
          readonly status: string
          readonly code: string | null
          readonly vendorCode: string | null
          readonly reference: string | null
        }
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "evidence"
          readonly operation: string
          readonly source: string
          readonly outcome: string
          readonly vendorCode: string | null
          /** @description The provider's id of its event. */
          readonly eventId: string | null
          /** @description The digest of a webhook, or the text of an operator, who may have named the customer. */
          readonly document: string | null
          /** @description By the provider's clock. */
          readonly occurredAt: number | null
        }
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "entry"
          /** @enum {string} */
          readonly entry:
            | "authorized"
            | "captured"
            | "capture_reversed"
            | "released"
            | "received"
            | "refunded"
            | "refund_returned"
            | "disputed"
            | "dispute_reversed"
            | "fee"
            | "payout"
            | "correction"
          /** @enum {string} */
          readonly basis: "movement" | "total"
          /** @description In the smallest unit of the currency. */
          readonly amount: number
          readonly currency: string
          readonly attempt: number
          readonly operation: string | null
          /** @description The provider instance. */
          readonly provider: string
          readonly reference: string | null
          readonly source: string
        }
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "event"
          readonly event: string
          /** @enum {string} */
          readonly type:
            | "payment.pending"
            | "payment.authorized"
            | "payment.succeeded"
            | "payment.failed"
            | "payment.canceled"
            | "payment.disputed"
            | "payment.capture_failed"
            | "payment.late_reversed"
            | "payment.review_opened"
            | "payment.review_resolved"
            | "refund.pending"
            | "refund.succeeded"
            | "refund.failed"
          readonly sequence: number
          /** @description Of the events that open and resolve a review. */
          readonly review: {
            readonly id: string
            /** @enum {string} */
            readonly reason:
              | "amount_mismatch"
              | "excess_capture"
              | "excess_refund"
              | "duplicate_capture"
              | "late_success"
              | "late_authorization"
              | "reference_conflict"
              | "unreadable_report"
              | "inquiries_exhausted"
              | "close_failed"
              | "capture_failed"
              | "paid_after_close"
              | "contradiction"
            readonly amount: number
            readonly currency: string
            /** @description By an operator; `null`: open, or resolved by a later report. */
            readonly resolution: string | null
          } | null
        }
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "delivery"
          readonly event: string
          readonly endpoint: string
          readonly status: string
          readonly attempts: number
          readonly nextTryAt: number | null
        }
      | {
          /** @description ms UTC */
          readonly at: number
          readonly kind: "delivery_attempt"
          readonly event: string
          readonly endpoint: string
          readonly attempt: number
          readonly duration: number | ("Infinity" | "-Infinity" | "NaN")
          /** @description The HTTP status; `null`: no response. */
          readonly status: number | null
          readonly error: string | null
        }
    readonly PaymentDetails: {
      readonly payment: components["schemas"]["Payment"]
      /** @description Increases with every change. */
      readonly version: number
      readonly balance: components["schemas"]["PaymentBalance"]
      /** @description What may be requested now. */
      readonly actions: readonly components["schemas"]["PaymentAction"][]
    }
    readonly PaymentAction: {
      /** @enum {string} */
      readonly kind: "capture" | "cancel" | "refund"
      /** @description The most that may be requested, in minor units; `null`: it would be refused. */
      readonly amount: number | null
      /** @description Whether less than `amount` may be requested. */
      readonly partial: boolean
      /** @description Why it would be refused. */
      readonly refusal: string | null
    }
    readonly PaymentBalance: {
      readonly currency: string
      /** @description In the smallest unit of the payment's currency. */
      readonly captured: number
      /** @description In the smallest unit of the payment's currency. */
      readonly refunded: number
      /** @description Refunds that are requested, and not decided yet. */
      readonly refunding: number
      /** @description Reserved at all providers, and not captured. */
      readonly held: number
      /** @description Captured in excess of the payment, and not returned. */
      readonly overpaid: number
      /** @description The part of the excess that is being refunded automatically. */
      readonly returning: number
      /** @description Of each open review, in the smallest unit of its own currency. */
      readonly inQuestion: readonly {
        readonly review: string
        readonly amount: number
        readonly currency: string
      }[]
    }
    readonly TestEventResult: {
      readonly delivered: boolean
      readonly duration: number | ("Infinity" | "-Infinity" | "NaN")
      /** @description The HTTP status; `null`: no response. */
      readonly status: number | null
      readonly error: string | null
      /** @description The beginning of the response body. */
      readonly answer: string | null
    }
    readonly RotatedWebhookSecret: {
      /** @description It is in this response only. */
      readonly secret: string
      /** @description Until then the former secret signs too. */
      readonly formerUntil: number | null
    }
    readonly WebhookSecretRotation: {
      readonly overlapMs?: number | ("Infinity" | "-Infinity" | "NaN")
    }
    readonly WebhookEndpoint: {
      readonly id: string
      readonly account: string
      readonly livemode: boolean
      /** @description `process:` is the program that embeds Paymux. */
      readonly url: string
      /** @description Types it receives; `null`: all. */
      readonly events: readonly string[] | null
      /** @description ms UTC */
      readonly createdAt: number
      /** @description Every attempt since then has failed. */
      readonly failingSince: number | null
      readonly disabledAt: number | null
      readonly disabledReason: ("gone" | "failing" | "operator") | null
    }
    readonly WebhookEndpointEdit: {
      readonly url?: string
      /** @description `null`: all. */
      readonly events?:
        | readonly [
            | "payment.pending"
            | "payment.authorized"
            | "payment.succeeded"
            | "payment.failed"
            | "payment.canceled"
            | "payment.disputed"
            | "payment.capture_failed"
            | "payment.late_reversed"
            | "payment.review_opened"
            | "payment.review_resolved"
            | "refund.pending"
            | "refund.succeeded"
            | "refund.failed"
          ]
        | null
    }
    readonly AddedWebhookEndpoint: {
      readonly id: string
      readonly account: string
      readonly livemode: boolean
      /** @description `process:` is the program that embeds Paymux. */
      readonly url: string
      /** @description Types it receives; `null`: all. */
      readonly events: readonly string[] | null
      /** @description ms UTC */
      readonly createdAt: number
      /** @description Every attempt since then has failed. */
      readonly failingSince: number | null
      readonly disabledAt: number | null
      readonly disabledReason: ("gone" | "failing" | "operator") | null
      /** @description Verifies what is sent there. It is in this response only. */
      readonly secret: string
    }
    readonly NewWebhookEndpoint: {
      readonly url: string
      /** @description Default: all. */
      readonly events?: readonly [
        | "payment.pending"
        | "payment.authorized"
        | "payment.succeeded"
        | "payment.failed"
        | "payment.canceled"
        | "payment.disputed"
        | "payment.capture_failed"
        | "payment.late_reversed"
        | "payment.review_opened"
        | "payment.review_resolved"
        | "refund.pending"
        | "refund.succeeded"
        | "refund.failed"
      ]
    }
    readonly ApiKey: {
      readonly keyId: string
      readonly account: string
      readonly livemode: boolean
      readonly name: string
      /** @description The key, shortened: `pmx_test_…wxyz`. */
      readonly display: string
      /** @description ms UTC */
      readonly createdAt: number
      readonly revokedAt: number | null
      /** @description From then on a rotated key is refused. */
      readonly expiresAt: number | null
      /** @description Up to a minute late. */
      readonly lastUsedAt: number | null
    }
    readonly RotatedApiKey: {
      readonly id: string
      /** @description The secret key. It is in this response only. */
      readonly key: string
      /** @description ms UTC */
      readonly formerExpiresAt: number
    }
    readonly ApiKeyRotation: {
      readonly overlapMs?: number | ("Infinity" | "-Infinity" | "NaN")
    }
    readonly CreatedApiKey: {
      readonly id: string
      /** @description The secret key. It is in this response only. */
      readonly key: string
    }
    readonly NewApiKey: {
      readonly name: string
    }
    /** @description RFC 9457. Programs read `code`; `detail` is for people. */
    readonly Problem: {
      /**
       * Format: uri-reference
       * @description A page of this server that explains the code.
       */
      readonly type: string
      /** @description The same for every problem with this code. */
      readonly title: string
      /** @description The status of the response. */
      readonly status: number
      /** @description What is wrong with this request, for people. It never contains a value of the request. */
      readonly detail: string
      /**
       * @description The stable identifier of the problem, for programs.
       * @enum {string}
       */
      readonly code:
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
        | "operation_in_flight"
        | "operation_not_supported"
        | "payload_too_large"
        | "unsupported_media_type"
        | "idempotency_key_reused"
        | "no_route"
        | "card_not_retried"
        | "precondition_required"
        | "rate_limited"
        | "headers_too_large"
        | "internal"
        | "no_provider_available"
        | "overloaded"
        | "service_unavailable"
      /** @description Every fault of the request, if there are several or one has a position. */
      readonly errors: readonly {
        /** @description JSON pointer into the body, or the name of a parameter. */
        readonly pointer: string
        /** @description What is wrong at this position; for people. */
        readonly message: string
        /** @description Of a fault in the text of rules. */
        readonly line?: number
        /** @description Of a fault in the text of rules, in UTF-16 units. */
        readonly column?: number
      }[]
      /** @description Identifies the request in the server's logs; also the `Request-Id` header. */
      readonly request_id: string
      /** @description The id of the request's trace, if the server records traces. */
      readonly trace_id?: string
      /** @description Of `version_conflict`: what the object is now. Of rules, their `version` and the `diff`. Of a `conflict` about a report: the report as it is now. */
      readonly current?: Record<string, unknown>
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
  readonly "keys.list": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["ApiKey"][]
          }
        }
      }
    }
  }
  readonly "keys.create": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["NewApiKey"]
      }
    }
    readonly responses: {
      /** @description CreatedApiKey */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["CreatedApiKey"]
        }
      }
    }
  }
  readonly "keys.rotate": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ApiKeyRotation"]
      }
    }
    readonly responses: {
      /** @description RotatedApiKey */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["RotatedApiKey"]
        }
      }
    }
  }
  readonly "keys.revoke": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description ApiKey */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["ApiKey"]
        }
      }
    }
  }
  readonly "endpoints.list": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["WebhookEndpoint"][]
          }
        }
      }
    }
  }
  readonly "endpoints.add": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["NewWebhookEndpoint"]
      }
    }
    readonly responses: {
      /** @description AddedWebhookEndpoint */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["AddedWebhookEndpoint"]
        }
      }
    }
  }
  readonly "endpoints.remove": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "endpoints.update": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["WebhookEndpointEdit"]
      }
    }
    readonly responses: {
      /** @description WebhookEndpoint */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["WebhookEndpoint"]
        }
      }
    }
  }
  readonly "endpoints.enable": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "endpoints.disable": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "endpoints.rotate": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["WebhookSecretRotation"]
      }
    }
    readonly responses: {
      /** @description RotatedWebhookSecret */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["RotatedWebhookSecret"]
        }
      }
    }
  }
  readonly "endpoints.test": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description TestEventResult */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["TestEventResult"]
        }
      }
    }
  }
  readonly "payments.list": {
    readonly parameters: {
      readonly query?: {
        readonly status?: readonly ("pending" | "authorized" | "succeeded" | "failed" | "canceled")[]
        readonly paymentMethod?: readonly ("upi" | "card" | "stablecoin")[]
        readonly currency?: readonly string[]
        readonly provider?: readonly string[]
        readonly customerEmail?: readonly string[]
        readonly providerReference?: readonly string[]
        readonly failureCode?: readonly (
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
          | "authorization_expired"
        )[]
        readonly cardFingerprint?: readonly string[]
        readonly amountMin?: string
        readonly amountMax?: string
        readonly metadata?: readonly string[]
        readonly inReview?: "true" | "false"
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["Payment"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "payments.get": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description PaymentDetails */
      readonly 200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          readonly ETag?: string
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["PaymentDetails"]
        }
      }
    }
  }
  readonly "payments.timeline": {
    readonly parameters: {
      readonly query?: {
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["TimelineItem"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "payments.capture": {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        readonly "If-Match": string
        /** @description The same key and request are executed once, and answered alike. Such as a random UUID. */
        readonly "Idempotency-Key": string
      }
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CapturePayment"]
      }
    }
    readonly responses: {
      /** @description Payment */
      readonly 200: {
        headers: {
          /** @description The response of an earlier request with the same key. */
          readonly "Idempotent-Replayed"?: "true"
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Payment"]
        }
      }
    }
  }
  readonly "payments.cancel": {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        readonly "If-Match": string
        /** @description The same key and request are executed once, and answered alike. Such as a random UUID. */
        readonly "Idempotency-Key": string
      }
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CancelPayment"]
      }
    }
    readonly responses: {
      /** @description Payment */
      readonly 200: {
        headers: {
          /** @description The response of an earlier request with the same key. */
          readonly "Idempotent-Replayed"?: "true"
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Payment"]
        }
      }
    }
  }
  readonly "payments.refund": {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        readonly "If-Match": string
        /** @description The same key and request are executed once, and answered alike. Such as a random UUID. */
        readonly "Idempotency-Key": string
      }
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CreateRefund"]
      }
    }
    readonly responses: {
      /** @description Refund */
      readonly 201: {
        headers: {
          /** @description The response of an earlier request with the same key. */
          readonly "Idempotent-Replayed"?: "true"
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Refund"]
        }
      }
    }
  }
  readonly "refunds.list": {
    readonly parameters: {
      readonly query?: {
        readonly statuses?: readonly ["pending" | "succeeded" | "failed"]
        readonly paymentId?: string
        readonly provider?: string
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["Refund"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "refunds.get": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Refund */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Refund"]
        }
      }
    }
  }
  readonly "events.list": {
    readonly parameters: {
      readonly query?: {
        readonly types?: readonly [
          | "payment.pending"
          | "payment.authorized"
          | "payment.succeeded"
          | "payment.failed"
          | "payment.canceled"
          | "payment.disputed"
          | "payment.capture_failed"
          | "payment.late_reversed"
          | "payment.review_opened"
          | "payment.review_resolved"
          | "refund.pending"
          | "refund.succeeded"
          | "refund.failed"
        ]
        readonly paymentId?: string
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["LoggedEvent"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "events.get": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Event */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Event"]
        }
      }
    }
  }
  readonly "deliveries.list": {
    readonly parameters: {
      readonly query?: {
        readonly endpointId?: string
        readonly status?: "pending" | "delivered" | "dead" | "canceled" | "failed"
        readonly eventId?: string
        readonly paymentId?: string
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["WebhookDelivery"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "deliveries.attempts": {
    readonly parameters: {
      readonly query: {
        readonly endpointId: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["WebhookAttempt"][]
          }
        }
      }
    }
  }
  readonly "deliveries.resend": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["Resend"]
      }
    }
    readonly responses: {
      /** @description Resent */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Resent"]
        }
      }
    }
  }
  readonly "deliveries.countSince": {
    readonly parameters: {
      readonly query: {
        readonly since: string
        readonly endpointId?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly count: number
          }
        }
      }
    }
  }
  readonly "deliveries.resendSince": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ResendSince"]
      }
    }
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly count: number
          }
        }
      }
    }
  }
  readonly "reviews.list": {
    readonly parameters: {
      readonly query?: {
        readonly order?: "age" | "amount"
        readonly reason?:
          | "amount_mismatch"
          | "excess_capture"
          | "excess_refund"
          | "duplicate_capture"
          | "late_success"
          | "late_authorization"
          | "reference_conflict"
          | "unreadable_report"
          | "inquiries_exhausted"
          | "close_failed"
          | "capture_failed"
          | "paid_after_close"
          | "contradiction"
        readonly provider?: string
        readonly currency?: string
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["Review"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "reviews.get": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description ReviewedPayment */
      readonly 200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          readonly ETag?: string
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["ReviewedPayment"]
        }
      }
    }
  }
  readonly "reviews.resolve": {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        readonly "If-Match": string
      }
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["NewReviewResolution"]
      }
    }
    readonly responses: {
      /** @description ResolvedPayment */
      readonly 200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          readonly ETag?: string
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["ResolvedPayment"]
        }
      }
    }
  }
  readonly "reports.list": {
    readonly parameters: {
      readonly query?: {
        readonly statuses?: readonly ["waiting" | "parked" | "foreign" | "matched" | "dismissed"]
        readonly provider?: string
        readonly kind?: string
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["UnmatchedReport"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "reports.get": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description UnmatchedReport */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["UnmatchedReport"]
        }
      }
    }
  }
  readonly "reports.match": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ReportMatch"]
      }
    }
    readonly responses: {
      /** @description UnmatchedReport */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["UnmatchedReport"]
        }
      }
    }
  }
  readonly "reports.dismiss": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ReportDismissal"]
      }
    }
    readonly responses: {
      /** @description UnmatchedReport */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["UnmatchedReport"]
        }
      }
    }
  }
  readonly "audit.list": {
    readonly parameters: {
      readonly query?: {
        readonly action?:
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
          | "review.resolve"
          | "report.match"
          | "report.dismiss"
          | "customer.erase"
          | "user.invite"
          | "user.join"
          | "user.role"
          | "user.remove"
          | "user.reset"
          | "user.password"
          | "user.totp"
          | "routing.publish"
          | "routing.rollback"
        readonly actorId?: string
        readonly target?: string
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["AuditEntry"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "requests.list": {
    readonly parameters: {
      readonly query?: {
        readonly status?: ("2xx" | "4xx" | "5xx") | string
        readonly method?: string
        readonly route?: string
        readonly keyId?: string
        readonly problem?: string
        readonly requestId?: string
        readonly paymentId?: string
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["LoggedRequest"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "requests.get": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description RequestDetails */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["RequestDetails"]
        }
      }
    }
  }
  readonly "statistics.series": {
    readonly parameters: {
      readonly query?: {
        readonly of?: "payments" | "attempts" | "refunds"
        readonly from?: string
        readonly until?: string
        readonly groupBy?: "provider" | "method" | "currency" | "failureCode"
        readonly providers?: string | readonly string[]
        readonly methods?: string | readonly string[]
        readonly currencies?: string | readonly string[]
        readonly outcomes?: string | readonly string[]
        readonly failureCodes?: string | readonly string[]
        readonly step?: "hour" | "day"
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            /** @enum {string} */
            readonly of: "payments" | "attempts" | "refunds"
            /** @description ms UTC */
            readonly from: number
            /** @description ms UTC */
            readonly until: number
            /** @enum {string} */
            readonly step: "hour" | "day"
            readonly points: readonly components["schemas"]["SeriesPoint"][]
            /** @description When the oldest event happened that is not counted yet; `null`: all are counted. */
            readonly uncountedSince: number | null
          }
        }
      }
    }
  }
  readonly "statistics.totals": {
    readonly parameters: {
      readonly query?: {
        readonly of?: "payments" | "attempts" | "refunds"
        readonly from?: string
        readonly until?: string
        readonly groupBy?: "provider" | "method" | "currency" | "failureCode"
        readonly providers?: string | readonly string[]
        readonly methods?: string | readonly string[]
        readonly currencies?: string | readonly string[]
        readonly outcomes?: string | readonly string[]
        readonly failureCodes?: string | readonly string[]
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            /** @enum {string} */
            readonly of: "payments" | "attempts" | "refunds"
            /** @description ms UTC */
            readonly from: number
            /** @description ms UTC */
            readonly until: number
            readonly groups: readonly components["schemas"]["Numbers"][]
            /** @description When the oldest event happened that is not counted yet; `null`: all are counted. */
            readonly uncountedSince: number | null
          }
        }
      }
    }
  }
  readonly "statistics.attention": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Attention */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Attention"]
        }
      }
    }
  }
  readonly "breakers.list": {
    readonly parameters: {
      readonly query?: {
        readonly provider?: string
        readonly operation?: string
        readonly state?: "closed" | "open" | "half_open"
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["CircuitBreaker"][]
          }
        }
      }
    }
  }
  readonly "breakers.history": {
    readonly parameters: {
      readonly query?: {
        readonly provider?: string
        readonly operation?: string
        readonly state?: "closed" | "open" | "half_open"
        readonly from?: string
        readonly until?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["CircuitBreakerTransition"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "providers.list": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["ProviderInstance"][]
          }
        }
      }
    }
  }
  readonly "providers.check": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["Finding"][]
          }
        }
      }
    }
  }
  readonly "providers.doctor": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["Finding"][]
          }
        }
      }
    }
  }
  readonly "rules.current": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description CurrentRules */
      readonly 200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          readonly ETag?: string
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["CurrentRules"]
        }
      }
    }
  }
  readonly "rules.vocabulary": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description RulesVocabulary */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["RulesVocabulary"]
        }
      }
    }
  }
  readonly "rules.history": {
    readonly parameters: {
      readonly query?: {
        readonly ruleset?: string
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["RulesVersion"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "rules.get": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description RulesVersionText */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["RulesVersionText"]
        }
      }
    }
  }
  readonly "rules.diff": {
    readonly parameters: {
      readonly query: {
        readonly from: string
        readonly to: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            /** @description Unified; empty: the texts are the same. */
            readonly diff: string
          }
        }
      }
    }
  }
  readonly "rules.check": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["RulesDraft"]
      }
    }
    readonly responses: {
      /** @description CheckedRules */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["CheckedRules"]
        }
      }
    }
  }
  readonly "rules.explain": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ExplainRules"]
      }
    }
    readonly responses: {
      /** @description ExplainedDecision */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["ExplainedDecision"]
        }
      }
    }
  }
  readonly "rules.publish": {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        readonly "If-Match": string
      }
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["RulesPublication"]
      }
    }
    readonly responses: {
      /** @description RulesVersion */
      readonly 200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          readonly ETag?: string
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["RulesVersion"]
        }
      }
    }
  }
  readonly "rules.rollback": {
    readonly parameters: {
      readonly query?: never
      readonly header: {
        /** @description The `ETag` of what the change is based on, such as `"7"`. */
        readonly "If-Match": string
      }
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["RulesRollback"]
      }
    }
    readonly responses: {
      /** @description RulesVersion */
      readonly 200: {
        headers: {
          /** @description The version, such as `"7"`: the `If-Match` of a change. Rules that stand in a file have none. */
          readonly ETag?: string
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["RulesVersion"]
        }
      }
    }
  }
  readonly "rules.startBacktest": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["NewBacktest"]
      }
    }
    readonly responses: {
      /** @description Backtest */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Backtest"]
        }
      }
    }
  }
  readonly "rules.getBacktest": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Backtest */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Backtest"]
        }
      }
    }
  }
  readonly "rules.cancelBacktest": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Backtest */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["Backtest"]
        }
      }
    }
  }
  readonly "team.list": {
    readonly parameters: {
      readonly query?: {
        readonly limit?: string
        readonly after?: string
      }
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": {
            readonly data: readonly components["schemas"]["User"][]
            /** @description The cursor of the next page; `null`: this is the last. */
            readonly next: string | null
          }
        }
      }
    }
  }
  readonly "team.invite": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["NewInvitation"]
      }
    }
    readonly responses: {
      /** @description PersonLink */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["PersonLink"]
        }
      }
    }
  }
  readonly "team.setRole": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["RoleChange"]
      }
    }
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "team.reset": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ResetRequest"]
      }
    }
    readonly responses: {
      /** @description PersonLink */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["PersonLink"]
        }
      }
    }
  }
  readonly "team.remove": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path: {
        readonly account: string
        readonly mode: string
        readonly id: string
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "sign_in.methods": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description SignInMethods */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["SignInMethods"]
        }
      }
    }
  }
  readonly "sign_in.password": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PasswordEntry"]
      }
    }
    readonly responses: {
      /** @description SignInStep */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["SignInStep"]
        }
      }
    }
  }
  readonly "sign_in.code": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CodeEntry"]
      }
    }
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "sign_in.accept": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["InvitationAcceptance"]
      }
    }
    readonly responses: {
      /** @description AcceptedInvitation */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["AcceptedInvitation"]
        }
      }
    }
  }
  readonly "sign_in.reset": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PasswordReset"]
      }
    }
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "sign_in.sandbox": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["SandboxLink"]
      }
    }
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "sign_in.startOidc": {
    readonly parameters: {
      readonly query?: {
        readonly again?: "true" | "false"
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description <No Content> */
      readonly 303: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "sign_in.finishOidc": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description <No Content> */
      readonly 303: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "session.me": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description SignedInPerson */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["SignedInPerson"]
        }
      }
    }
  }
  readonly "session.reauthenticate": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["Reauthentication"]
      }
    }
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "session.signOut": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description <No Content> */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readonly "session.signOutEverywhere": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description EndedSessions */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["EndedSessions"]
        }
      }
    }
  }
  readonly "session.beginTotp": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description TotpEnrolment */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["TotpEnrolment"]
        }
      }
    }
  }
  readonly "session.confirmTotp": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["TotpConfirmation"]
      }
    }
    readonly responses: {
      /** @description RecoveryCodes */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": components["schemas"]["RecoveryCodes"]
        }
      }
    }
  }
  readonly "system.openapi": {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown
        }
        content: {
          readonly "application/json": Record<string, unknown>
        }
      }
    }
  }
}
