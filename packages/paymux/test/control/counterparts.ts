/**
 * How the library and the commands reach what each endpoint of the control API reaches. A new endpoint needs an entry here,
 * and so a counterpart in both.
 */
export interface Counterpart {
  /** A method of `createPaymux`'s result: `apiKeys.create`. */
  readonly library: string
  /** A command, without `paymux`: `keys create`. */
  readonly command: string
}

/** By group and name of the endpoint. A sentence: why it has no counterpart. */
export const counterparts: { readonly [endpoint: string]: Counterpart | string } = {
  "keys.list": { library: "apiKeys.list", command: "keys list" },
  "keys.create": { library: "apiKeys.create", command: "keys create" },
  "keys.rotate": { library: "apiKeys.rotate", command: "keys rotate" },
  "keys.revoke": { library: "apiKeys.revoke", command: "keys revoke" },

  "endpoints.list": { library: "webhookEndpoints.list", command: "webhooks list" },
  "endpoints.add": { library: "webhookEndpoints.add", command: "webhooks add" },
  "endpoints.update": { library: "webhookEndpoints.update", command: "webhooks edit" },
  "endpoints.enable": { library: "webhookEndpoints.enable", command: "webhooks enable" },
  "endpoints.disable": { library: "webhookEndpoints.disable", command: "webhooks disable" },
  "endpoints.rotate": { library: "webhookEndpoints.rotate", command: "webhooks rotate" },
  "endpoints.test": { library: "webhookEndpoints.test", command: "webhooks test" },
  "endpoints.remove": { library: "webhookEndpoints.remove", command: "webhooks remove" },

  "payments.list": { library: "payments.list", command: "payments list" },
  "payments.get": { library: "payments.get", command: "payments get" },
  "payments.timeline": { library: "payments.timeline", command: "payments timeline" },
  "payments.routing": { library: "rules.explain", command: "rules explain" },
  "payments.simulate":
    "Programs simulate payers at `/v1/sandbox/payments/{id}/simulate`, and the payment page has the same buttons.",
  "payments.capture": { library: "payments.capture", command: "payments capture" },
  "payments.cancel": { library: "payments.cancel", command: "payments cancel" },
  "payments.refund": { library: "refunds.create", command: "payments refund" },

  "refunds.list": { library: "refunds.search", command: "refunds list" },
  "refunds.get": { library: "refunds.get", command: "refunds list" },

  "events.list": { library: "events.list", command: "events list" },
  "events.get": { library: "events.get", command: "events show" },

  "deliveries.list": { library: "webhookDeliveries.list", command: "webhooks deliveries" },
  "deliveries.attempts": { library: "webhookDeliveries.attempts", command: "webhooks attempts" },
  "deliveries.resend": { library: "webhookDeliveries.resend", command: "webhooks resend" },
  "deliveries.countSince": { library: "webhookDeliveries.countSince", command: "webhooks resend" },
  "deliveries.resendSince": { library: "webhookDeliveries.resendSince", command: "webhooks resend" },

  "reviews.list": { library: "reviews.list", command: "review list" },
  "reviews.get": { library: "reviews.get", command: "review show" },
  "reviews.consequences": { library: "reviews.consequences", command: "review resolve" },
  "reviews.resolve": { library: "reviews.resolve", command: "review resolve" },

  "disputes.record": { library: "disputes.record", command: "disputes record" },

  "reports.list": { library: "reports.list", command: "reports list" },
  "reports.get": { library: "reports.get", command: "reports show" },
  "reports.match": { library: "reports.match", command: "reports match" },
  "reports.dismiss": { library: "reports.dismiss", command: "reports dismiss" },

  "statements.list": { library: "statements.list", command: "statements runs" },
  "statements.runs": { library: "statements.runs", command: "statements runs" },
  "statements.differences": { library: "statements.differences", command: "statements differences" },
  "statements.movements": { library: "statements.movements", command: "statements payouts" },
  "statements.payout": { library: "statements.payout", command: "statements payout" },

  "audit.list": { library: "auditLog.list", command: "audit list" },

  "breakers.list": { library: "breakers.list", command: "breakers list" },
  "breakers.history": { library: "breakers.history", command: "breakers history" },

  "providers.list": { library: "providers.list", command: "providers list" },
  "providers.account": { library: "providers.accountRefusals", command: "doctor" },
  "providers.check": { library: "providers.check", command: "doctor" },
  "providers.doctor": { library: "doctor", command: "doctor" },

  "statistics.series": { library: "statistics.series", command: "stats show" },
  "statistics.totals": { library: "statistics.totals", command: "stats show" },
  "statistics.attention": "It counts what the lists of reviews, deliveries and endpoints show.",

  "rules.current": { library: "rules.current", command: "rules show" },
  "rules.vocabulary": "It is what an editor of rules completes.",
  "rules.history": { library: "rules.history", command: "rules history" },
  "rules.get": { library: "rules.get", command: "rules show" },
  "rules.diff": { library: "rules.diff", command: "rules diff" },
  "rules.check": { library: "rules.check", command: "rules check" },
  "rules.explain": { library: "rules.explain", command: "rules explain" },
  "rules.publish": { library: "rules.publish", command: "rules publish" },
  "rules.rollback": { library: "rules.rollback", command: "rules rollback" },
  "rules.startBacktest": { library: "rules.backtest", command: "rules backtest" },
  "rules.getBacktest": { library: "rules.backtest", command: "rules backtest" },
  "rules.cancelBacktest": { library: "rules.backtest", command: "rules backtest" },

  "requests.list": { library: "requests.list", command: "requests list" },
  "requests.get": { library: "requests.get", command: "requests show" },

  "team.list": { library: "dashboard.users", command: "dashboard users" },
  "team.invite": { library: "dashboard.invite", command: "dashboard invite" },
  "team.listInvitations": { library: "dashboard.invitations", command: "dashboard invitations" },
  "team.revokeInvitation": { library: "dashboard.revokeInvitation", command: "dashboard revoke" },
  "team.renewInvitation": { library: "dashboard.renewInvitation", command: "dashboard renew" },
  "team.setRole": { library: "dashboard.setRole", command: "dashboard role" },
  "team.reset": { library: "dashboard.reset", command: "dashboard reset" },
  "team.remove": { library: "dashboard.remove", command: "dashboard remove" },
  ...Object.fromEntries(
    [
      ...["methods", "password", "code", "accept", "reset", "sandbox", "startOidc", "finishOidc"].map(
        (name) => `sign_in.${name}`
      ),
      ...["me", "reauthenticate", "signOut", "signOutEverywhere", "beginTotp", "confirmTotp"].map(
        (name) => `session.${name}`
      )
    ].map((endpoint) => [endpoint, "It is for the browser of one person. A program and a command do not sign in."])
  ),

  "system.openapi": "It describes the control API itself."
}
