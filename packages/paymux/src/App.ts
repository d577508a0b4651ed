/**
 * Everything that makes one running Paymux, as Layers: database, engine, API keys, webhooks, and the sandbox where it is
 * wanted. `createPaymux` is a Promise facade over exactly these.
 */
import { Engine, Ids, Retention } from "@paymux/core"
import { paymentLink } from "@paymux/checkout"
import { DoubleOrders, InstanceIds, instanceIds } from "@paymux/core/engine"
import { HostedPage, OrderNumberKeys } from "@paymux/core/wire"
import { auditedPayments, AuditLog } from "@paymux/dashboard"
import { RequestLog, requestRecorder, requestRetention, returnAddress } from "@paymux/http"
import {
  SandboxControl,
  SandboxLedger,
  sandboxProviders,
  SandboxSimulator,
  SandboxNotifier,
  SqlSandboxLedger
} from "@paymux/sandbox"
import { Statements, statisticsTask } from "@paymux/sql"
import { NodeWebhookHttp, WebhookDeliveries, WebhookSender, WebhookTestEvents } from "@paymux/webhooks"
import { Effect, Layer } from "effect"
import * as Audited from "./Audited.ts"
import { engineDatabaseLayer } from "./Database.ts"
import * as EventListener from "./EventListener.ts"
import type { EventGate } from "./EventListener.ts"
import { routable } from "./options/instances.ts"
import type { PaymuxSettings } from "./options/PaymuxOptions.ts"
import { rulesOrigin } from "./options/databaseRouting.ts"
import { sharedUrl } from "./options/DatabaseUrl.ts"
import { installationOwnIds, ownIdsLayer } from "./options/Settings.ts"
import * as DeliveryTelemetry from "./telemetry/DeliveryTelemetry.ts"
import { MetricsText } from "./telemetry/MetricsText.ts"
import * as InstallationNames from "./InstallationNames.ts"
import * as NodeSha256 from "./NodeSha256.ts"
import * as People from "./People.ts"
import * as RecordedBreakers from "./RecordedBreakers.ts"
import * as ConfiguredProviders from "./providers/ConfiguredProviders.ts"
import * as RulesInForce from "./rules/RulesInForce.ts"
import type { RulesSource } from "./rules/RulesInForce.ts"
import { dailyStatements } from "./reconcile/dailyStatements.ts"
import { Installation } from "./secrets/Installation.ts"
import * as RulesService from "./rules/RulesService.ts"
import { version } from "./version.ts"

/** `gate`: the program's own listener gets no request before it is open. */
export const layer = (settings: PaymuxSettings, gate: EventGate) =>
  // A rules file that cannot be read is reported before the database is opened.
  Layer.unwrap(Effect.map(RulesInForce.sourceOf(settings.routing), (rules) => running(settings, gate, rules)))

const running = (settings: PaymuxSettings, gate: EventGate, rules: RulesSource) =>
  Layer.mergeAll(
    webhooks(settings, gate),
    Audited.apiKeys,
    Audited.reviews,
    Audited.reports,
    AuditLog.layer,
    People.layer(settings),
    simulator,
    privacy(settings),
    dailyStatements,
    DoubleOrders.layer,
    statisticsTask({ keepFor: settings.retention.statistics }),
    MetricsText.layer,
    ConfiguredProviders.layer(settings),
    RecordedBreakers.layer(settings.retention.breakers)
  ).pipe(
    Layer.provideMerge(Layer.provide(Statements.layer, Layer.succeed(InstanceIds, instanceIds(settings.providers)))),
    Layer.provideMerge(requestLog(settings)),
    Layer.provideMerge(engine(settings, rules)),
    Layer.provideMerge(hostedPage(settings)),
    Layer.provideMerge(
      Layer.mergeAll(sandbox, ids, NodeSha256.layer, Layer.succeed(OrderNumberKeys, settings.orderNumberKeys))
    ),
    Layer.provideMerge(Installation.layer(settings.secrets)),
    Layer.provideMerge(cell(settings)),
    Layer.provideMerge(engineDatabaseLayer(settings.database, settings.indexedMetadata))
  )

/** Two simulated providers per rail stand behind the configured ones. */
const engine = (settings: PaymuxSettings, rules: RulesSource) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const simulator = {
        ledger: yield* SandboxLedger,
        notifier: yield* SandboxNotifier,
        control: yield* SandboxControl
      }
      const { cellUrl, sandbox } = settings
      const simulated = sandbox === null ? [] : sandboxProviders(simulator, sandbox)
      const providers = [...settings.providers, ...simulated]
      const candidates = [...routable(settings), ...simulated]
      const started = yield* Effect.provide(RulesInForce.start(settings, rules, candidates), AuditLog.layer)
      const router = RulesInForce.routerLayer(started, candidates)
      const rulesService = RulesService.layer({
        origin: rulesOrigin(settings.routing),
        started: started._tag === "Database" ? started : null,
        providers: candidates,
        databaseUrl: sharedUrl(settings.database)
      })
      const engine = Engine.layer({
        providers,
        retired: settings.retired,
        router,
        publicUrl: cellUrl,
        returnSchemes: (account) =>
          Object.hasOwn(settings.returnSchemes, account) ? (settings.returnSchemes[account] ?? []) : [],
        returnAddress: returnAddress({ key: (yield* Installation).keys.returns, publicUrl: cellUrl }),
        lateSuccess: settings.lateSuccess,
        reconciler: { reviewAbsentAfter: settings.reviewAbsentAfter },
        cardRetries: settings.cardRetries,
        breaker: settings.breaker
      })
      // One layer is built once: the service that replaces rules is that of the engine's router.
      const audited = Layer.provide(auditedPayments, AuditLog.layer)
      return Layer.mergeAll(
        Layer.provideMerge(audited, engine),
        Layer.provideMerge(
          rulesService,
          Layer.provideMerge(RulesInForce.layer(started, candidates), [router, AuditLog.layer])
        )
      )
    })
  )

const sandbox = Layer.mergeAll(SandboxNotifier.layer, SandboxControl.layer).pipe(
  Layer.provideMerge(SqlSandboxLedger.layer)
)

const ids = Layer.provide(Ids.layer, InstallationNames.layer)

const simulator = SandboxSimulator.layer

const hostedPage = ({ cellUrl, checkout }: PaymuxSettings) =>
  checkout === null
    ? Layer.empty
    : Layer.effect(
        HostedPage,
        Effect.map(Effect.service(Installation), ({ secrets }) => paymentLink({ secrets, publicUrl: cellUrl }))
      )

const cell = (settings: PaymuxSettings) => ownIdsLayer(installationOwnIds(settings.cell))

/** Closed before the database is, so that nothing is lost that was answered. */
const requestLog = ({ requestLog, retention }: PaymuxSettings) =>
  requestRetention(retention.requests).pipe(
    Layer.provideMerge(RequestLog.layer),
    Layer.provideMerge(requestLog ? requestRecorder : Layer.empty)
  )

const privacy = ({ retention }: PaymuxSettings) =>
  Layer.mergeAll(Audited.erasure, Retention.layer(retention), Audited.retention(retention.audit))

const webhooks = (settings: PaymuxSettings, gate: EventGate) =>
  Layer.mergeAll(
    WebhookSender.layer({
      version,
      disableAfter: settings.webhookDisableAfter,
      keepDeliveriesFor: settings.retention.deliveries,
      ...EventListener.eventListener(settings, gate)
    }),
    WebhookTestEvents.layer({ version }),
    Audited.deliveryLog
  ).pipe(
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(Effect.service(Installation), ({ secrets }) =>
          Audited.endpoints({ secrets, allow: settings.webhookAllow })
        )
      )
    ),
    Layer.provide([
      Layer.provide(DeliveryTelemetry.counted, WebhookDeliveries.layer),
      Layer.provide(DeliveryTelemetry.traced, NodeWebhookHttp.layer({ allow: settings.webhookAllow }))
    ])
  )
