import { Context } from "effect"
import type { Redacted } from "effect"

/** The secret of this installation: given, or in test mode the one its database keeps. */
export class ServerSecret extends Context.Service<ServerSecret, Redacted.Redacted>()("paymux/App/ServerSecret") {}
