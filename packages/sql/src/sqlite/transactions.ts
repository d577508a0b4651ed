/** Runs many units in one transaction of a connection. */
import type { DatabaseSync } from "node:sqlite"

/** A unit of work in a transaction. It may run twice, so its only effect is SQL. */
export interface TransactionUnit {
  readonly run: () => void
  /** Called with the error if the writes of the unit are not in the database, whether or not the unit has run. */
  readonly fail: (cause: unknown) => void
}

/** Runs every unit of a batch, or reports its failure to the unit. It never throws. */
export const transactions = (db: DatabaseSync) => {
  const begin = db.prepare("BEGIN IMMEDIATE")
  const commit = db.prepare("COMMIT")
  const rollback = db.prepare("ROLLBACK")
  const savepoint = db.prepare("SAVEPOINT unit")
  const release = db.prepare("RELEASE unit")
  const undo = db.prepare("ROLLBACK TO unit")

  const runBatch = (batch: ReadonlyArray<TransactionUnit>): void => {
    if (batch.length === 0) return
    const thrown = transaction(batch, () => {
      for (const unit of batch) unit.run()
    })
    // It is not known which unit threw, nor whether the others would have passed without that unit: each unit is tried on its
    // own.
    if (thrown !== undefined && batch.length > 1) transaction(batch, () => batch.forEach(runApart))
  }

  /**
   * Runs `body` in one transaction, and returns the error if `body` threw it. If nothing was committed, `fail` of every
   * unit was called.
   */
  const transaction = (
    batch: ReadonlyArray<TransactionUnit>,
    body: () => void
  ): { readonly cause: unknown } | undefined => {
    let inBody = false
    try {
      begin.run()
      inBody = true
      body()
      inBody = false
      commit.run()
      return undefined
    } catch (cause) {
      for (const unit of batch) unit.fail(cause)
      rollbackIfOpen()
      return inBody ? { cause } : undefined
    }
  }

  const runApart = (unit: TransactionUnit) => {
    savepoint.run()
    try {
      unit.run()
    } catch (cause) {
      // On a full disk SQLite may end the whole transaction: then the units before this one are lost as well.
      if (!db.isTransaction) throw cause
      undo.run()
      unit.fail(cause)
    }
    release.run()
  }

  const rollbackIfOpen = () => {
    try {
      if (db.isTransaction) rollback.run()
    } catch {
      // If ROLLBACK fails, the transaction stays open. It is ended before the next batch, or that batch fails with the
      // reason.
    }
  }

  return runBatch
}
