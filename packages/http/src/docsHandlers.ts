/** The documentation that a server serves to whoever asks: a page for each problem, and the API reference. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./Api.ts"
import { answered, ApiProblem } from "./ApiProblem.ts"
import { docsResponse } from "./docsPage.ts"
import { isProblemCode, problemList, problemPage } from "./docsProblemPages.ts"
import { referencePage } from "./docsReference.ts"
import type { Extension } from "./Extension.ts"
import { openApiDocument } from "./OpenApiDocument.ts"

/** Nothing is written before somebody asks for it: a server that starts does not pay for it. */
export const docsHandlers = (extensions: ReadonlyArray<Extension>, basePath: string) =>
  HttpApiBuilder.group(Api, "docs", (handlers) =>
    Effect.map(
      Effect.cached(Effect.sync(() => docsResponse(referencePage(openApiDocument(extensions, basePath))))),
      (reference) =>
        handlers
          .handleRaw("reference", () => reference)
          .handleRaw("problems", () => problems)
          .handleRaw("problem", ({ params }) => answered(problemOf(params.code, basePath)))
    )
  )

const problems = Effect.sync(() => docsResponse(problemList))

const problemOf = (code: string, basePath: string) =>
  isProblemCode(code)
    ? Effect.succeed(docsResponse(problemPage(code, basePath)))
    : Effect.fail(new ApiProblem({ code: "not_found", detail: "There is no such problem." }))
