/** Handlers of the public documentation: the API reference, and a page for each problem. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { isProblemCode, problemList, problemPage } from "../pages/problemPages.ts"
import { referenceFile, referencePage } from "../pages/referencePage.ts"
import { ApiProblem } from "../problems/ApiProblem.ts"
import { answered } from "../auth/RouteError.ts"

export const docsHandlers = (basePath: string) =>
  HttpApiBuilder.group(Api, "docs", (handlers) =>
    Effect.succeed(
      handlers
        .handleRaw("reference", () => Effect.succeed(referencePage))
        .handleRaw("referenceFile", ({ params }) => answered(referenceFile(params.file) ?? noSuchFile))
        .handleRaw("problems", () => Effect.sync(problemList))
        .handleRaw("problem", ({ params }) => answered(problemOf(params.code, basePath)))
    )
  )

const noSuchFile = Effect.fail(new ApiProblem({ code: "not_found", detail: "The reference has no such file." }))

const problemOf = (code: string, basePath: string) =>
  isProblemCode(code)
    ? Effect.sync(() => problemPage(code, basePath))
    : Effect.fail(new ApiProblem({ code: "not_found", detail: "There is no such problem." }))
