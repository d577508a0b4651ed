/** Every check, in the order of `checkIds`: the order in which a payment meets them. */
import type { ConformanceCheck } from "./ConformanceCheck.ts"
import { amounts } from "./checks/amounts.ts"
import { asDone } from "./checks/asDone.ts"
import { checkpoint } from "./checks/checkpoint.ts"
import { concurrent } from "./checks/concurrent.ts"
import { deadline } from "./checks/deadline.ts"
import { declared } from "./checks/declared.ts"
import { equalRefunds } from "./checks/equalRefunds.ts"
import { idempotency } from "./checks/idempotency.ts"
import { inquiryAgrees } from "./checks/inquiryAgrees.ts"
import { interruption } from "./checks/interruption.ts"
import { lostCommit } from "./checks/lostCommit.ts"
import { neverExceed } from "./checks/neverExceed.ts"
import { nextAction } from "./checks/nextAction.ts"
import { noAnswerIsUnknown } from "./checks/noAnswerIsUnknown.ts"
import { notSent } from "./checks/notSent.ts"
import { oneEffect } from "./checks/oneEffect.ts"
import { rateLimit } from "./checks/rateLimit.ts"
import { reports } from "./checks/reports.ts"
import { secondRefusal } from "./checks/secondRefusal.ts"
import { secrets } from "./checks/secrets.ts"
import { shopperReturn } from "./checks/shopperReturn.ts"
import { statement } from "./checks/statement.ts"
import { statementCursor } from "./checks/statementCursor.ts"
import { statementFaults } from "./checks/statementFaults.ts"
import { testAndLive } from "./checks/testAndLive.ts"
import { vendorCodes } from "./checks/vendorCodes.ts"
import { webhookBatch } from "./checks/webhookBatch.ts"
import { webhookDuplicates } from "./checks/webhookDuplicates.ts"
import { webhookReceipt } from "./checks/webhookReceipt.ts"
import { webhookRefused } from "./checks/webhookRefused.ts"

export const checks: ReadonlyArray<ConformanceCheck> = [
  declared,
  oneEffect,
  concurrent,
  notSent,
  noAnswerIsUnknown,
  secondRefusal,
  checkpoint,
  inquiryAgrees,
  idempotency,
  lostCommit,
  equalRefunds,
  neverExceed,
  reports,
  amounts,
  vendorCodes,
  asDone,
  nextAction,
  shopperReturn,
  rateLimit,
  deadline,
  interruption,
  webhookRefused,
  webhookDuplicates,
  webhookBatch,
  webhookReceipt,
  statement,
  statementCursor,
  statementFaults,
  secrets,
  testAndLive
]
