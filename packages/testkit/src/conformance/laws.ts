/** Every law, in the order of `lawIds`: the order in which a payment meets them. */
import type { Law } from "./Law.ts"
import { amounts } from "./laws/amounts.ts"
import { asDone } from "./laws/asDone.ts"
import { checkpoint } from "./laws/checkpoint.ts"
import { concurrent } from "./laws/concurrent.ts"
import { deadline } from "./laws/deadline.ts"
import { declared } from "./laws/declared.ts"
import { equalRefunds } from "./laws/equalRefunds.ts"
import { idempotency } from "./laws/idempotency.ts"
import { inquiryAgrees } from "./laws/inquiryAgrees.ts"
import { interruption } from "./laws/interruption.ts"
import { neverExceed } from "./laws/neverExceed.ts"
import { nextAction } from "./laws/nextAction.ts"
import { noAnswerIsUnknown } from "./laws/noAnswerIsUnknown.ts"
import { notSent } from "./laws/notSent.ts"
import { oneEffect } from "./laws/oneEffect.ts"
import { rateLimit } from "./laws/rateLimit.ts"
import { reports } from "./laws/reports.ts"
import { secondRefusal } from "./laws/secondRefusal.ts"
import { secrets } from "./laws/secrets.ts"
import { shopperReturn } from "./laws/shopperReturn.ts"
import { testAndLive } from "./laws/testAndLive.ts"
import { vendorCodes } from "./laws/vendorCodes.ts"
import { webhookBatch } from "./laws/webhookBatch.ts"
import { webhookDuplicates } from "./laws/webhookDuplicates.ts"
import { webhookRefused } from "./laws/webhookRefused.ts"

export const laws: ReadonlyArray<Law> = [
  declared,
  oneEffect,
  concurrent,
  notSent,
  noAnswerIsUnknown,
  secondRefusal,
  checkpoint,
  inquiryAgrees,
  idempotency,
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
  secrets,
  testAndLive
]
