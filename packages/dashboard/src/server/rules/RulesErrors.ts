/** Why a request about routing rules is refused, each in words for a payments team. */
import { Schema } from "effect"

const Place = Schema.NullOr(Schema.Int)

/** The rules cannot be used; every problem with its line and column. */
export class RulesInvalid extends Schema.TaggedError<RulesInvalid>()("RulesInvalid", {
  problems: Schema.Array(Schema.Struct({ line: Place, column: Place, message: Schema.String }))
}) {
  override get message() {
    const lines = this.problems.map(({ column, line, message }) =>
      line === null ? `The text ${message}` : `${line}:${column} ${message}`
    )
    return `The rules are not valid:\n${lines.join("\n")}`
  }
}

/** Another version was published since the author read the rules. */
export class RulesConflict extends Schema.TaggedError<RulesConflict>()("RulesConflict", {
  /** The version that the author started from. */
  from: Schema.Int,
  /** The newest one. */
  version: Schema.Int,
  /** Unified, from the newest version to what was to be published. */
  diff: Schema.String
}) {
  override get message() {
    return this.version > this.from
      ? `Version ${this.version} was published in the meantime. Merge your change into it, and publish from version ${this.version}.`
      : `The newest version is ${this.version}, not ${this.from}. Publish from version ${this.version}.`
  }
}

const Origin = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("file"), file: Schema.String }),
  Schema.Struct({ kind: Schema.Literals(["database", "options", "default"]) })
])

/** Rules that are kept elsewhere are edited there. */
export class RulesNotInDatabase extends Schema.TaggedError<RulesNotInDatabase>()("RulesNotInDatabase", {
  origin: Origin
}) {
  override get message() {
    const { origin } = this
    if (origin.kind === "file") return `The rules come from the file ${origin.file}: edit it there.`
    return origin.kind === "options"
      ? "The rules come from the configuration of the server: edit them there."
      : 'The rules are not in the database: set routing: { source: "database" } in the configuration of the server.'
  }
}

export class RulesUnchanged extends Schema.TaggedError<RulesUnchanged>()("RulesUnchanged", {
  version: Schema.Int
}) {
  override get message() {
    return `The text is that of version ${this.version}, which is the newest: there is nothing to publish.`
  }
}

export class RulesVersionNotFound extends Schema.TaggedError<RulesVersionNotFound>()("RulesVersionNotFound", {
  version: Schema.Int
}) {
  override get message() {
    return `Version ${this.version} of the rules not found.`
  }
}

export class RulesRequestInvalid extends Schema.TaggedError<RulesRequestInvalid>()("RulesRequestInvalid", {
  errors: Schema.Array(Schema.Struct({ pointer: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.errors.map(({ message, pointer }) => `${pointer} ${message}`).join("; ")
  }
}

export class RulesPaymentNotFound extends Schema.TaggedError<RulesPaymentNotFound>()("RulesPaymentNotFound", {
  id: Schema.String
}) {
  override get message() {
    return `Payment ${this.id} not found.`
  }
}

/** The worker thread could not finish, such as for want of memory or time. Payments are not affected. */
export class RulesWorkFailed extends Schema.TaggedError<RulesWorkFailed>()("RulesWorkFailed", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

export class BacktestsBusy extends Schema.TaggedError<BacktestsBusy>()("BacktestsBusy", { most: Schema.Int }) {
  override get message() {
    return `${this.most} backtests are running in this process, which is the most: wait for one, or cancel it.`
  }
}
