/** The services that administrative writes go through, each with its entries in the audit log. */
import { Ids, Reviews } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import {
  auditedApiKeys,
  auditedDeliveries,
  auditedEndpoints,
  auditedErasure,
  auditedReports,
  auditedReviews,
  AuditLog,
  pruneAudit
} from "@paymux/dashboard"
import { ApiKeys } from "@paymux/http"
import { UnmatchedReports } from "@paymux/sql"
import { WebhookDeliveryLog, WebhookEndpoints } from "@paymux/webhooks"
import type { EndpointsOptions } from "@paymux/webhooks"
import { Effect, Layer } from "effect"
import * as Customers from "./Customers.ts"

export const apiKeys = Layer.provide(auditedApiKeys, [ApiKeys.layer(), AuditLog.layer])

export const endpoints = (options: EndpointsOptions) =>
  Layer.provide(auditedEndpoints, [WebhookEndpoints.layer(options), AuditLog.layer])

export const deliveryLog = Layer.provide(auditedDeliveries, [WebhookDeliveryLog.layer, AuditLog.layer])

export const erasure = Layer.provide(auditedErasure, [Customers.layer, AuditLog.layer])

export const reviews = Layer.provide(auditedReviews, [
  Reviews.layer.pipe(Layer.provide(PaymentWriter.layer), Layer.provide(Ids.layer)),
  AuditLog.layer
])

export const reports = Layer.provide(auditedReports, [UnmatchedReports.layer, AuditLog.layer])

/** Deletes old entries, once an hour. `null`: none is deleted. */
export const retention = (keepFor: number | null) =>
  keepFor === null
    ? Layer.empty
    : Layer.effectDiscard(
        pruneAudit(keepFor).pipe(
          Effect.catchCause((cause) => Effect.logError("Old entries of the audit log were not deleted", cause)),
          Effect.andThen(Effect.sleep("1 hour")),
          Effect.forever,
          Effect.forkScoped
        )
      ).pipe(Layer.provide(AuditLog.layer))
