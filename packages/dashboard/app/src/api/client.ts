/**
 * The control API, typed by its document: `useGet(path, { params })` in a component, `call.POST(path, …)` for what changes
 * something. A refusal is thrown as an `ApiProblem`, a lost connection as `ConnectionLost`.
 */
import { QueryClient, useQuery } from "@tanstack/react-query"
import createClient from "openapi-fetch"
import { useState } from "react"
import { serverUrl } from "../place.ts"
import { patiently } from "./busyServer.ts"
import type { components, paths } from "./generated/ControlApi.ts"
import { askForIdentity, isDismissed, noteSession } from "./identityGate.ts"
import type { IdentityRequest } from "./identityGate.ts"
import { ConnectionLost, isProblem, isTransient, problemOf } from "./problems.ts"

export type Schemas = components["schemas"]

/** A refusal of these is shown where they are called: the sign-in itself, the check for a session, signing out. */
const publicPaths = /\/dashboard\/api\/(?:sign-in|session$|session\/(?:sign-out|reauthenticate))/

const ownSession = /\/dashboard\/api\/session$/

const fetchWithIdentity = async (request: Request): Promise<Response> => {
  const again = request.clone()
  const response = await fetchPatiently(request)
  const needed = await identityNeeded(response)
  const { pathname } = new URL(request.url)
  if (needed === "sign-in") noteSession("ended")
  if (response.ok && ownSession.test(pathname)) noteSession("open")
  if (needed === null || publicPaths.test(pathname)) return response
  // Polls of a page whose dialog was closed do not open it again.
  if (request.method === "GET" && isDismissed()) return response
  return (await askForIdentity(needed)) ? fetchPatiently(again) : response
}

const fetchOnce = async (request: Request): Promise<Response> => {
  try {
    return await fetch(request)
  } catch (cause) {
    if (request.signal.aborted) throw cause
    throw new ConnectionLost({ cause })
  }
}

const fetchPatiently = patiently(fetchOnce)

const identityNeeded = async (response: Response): Promise<IdentityRequest | null> => {
  if (response.status !== 401 && response.status !== 403) return null
  const { problem } = await problemOf(response.clone())
  if (problem.code === "sign_in_required") return "sign-in"
  return problem.code === "reauthentication_required" ? "reauthentication" : null
}

export const call = createClient<paths>({ baseUrl: serverUrl, fetch: fetchWithIdentity, cache: "no-store" })

call.use({
  onResponse: async ({ response }) => {
    if (!response.ok) throw await problemOf(response)
    return undefined
  }
})

type GetPath = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths]

type Get<Path extends GetPath> = paths[Path]["get"]

/** What a path answers. */
export type Answer<Path extends GetPath> =
  Get<Path> extends {
    responses: { 200: { content: { "application/json": infer Json } } }
  }
    ? Json
    : never

type Parameters<Path extends GetPath> = Omit<Get<Path>["parameters"], "header" | "cookie">

interface ReadOptions<Data> {
  readonly enabled?: boolean
  /** ms between reads while the page is looked at, at most; `false`: what was read stays as it is. */
  readonly refetchInterval?: number | ((data: Data | undefined) => number | false)
  readonly staleTime?: number
  /** The page before stays until the next one is there. */
  readonly keep?: boolean
}

/** Reads, and reads again when the page is looked at again. */
export const useGet = <Path extends GetPath>(
  path: Path,
  params: Parameters<Path>,
  { keep = false, refetchInterval = () => false, ...options }: ReadOptions<Answer<Path>> = {}
) => {
  // Spreads the polls: the reads of a page, or of tabs that reconnect together, do not reach the server at the same moment.
  const [pace] = useState(() => 1 - 0.2 * Math.random())
  return useQuery<Answer<Path>>({
    ...queryOf(path, params),
    refetchInterval: ({ state: { data, error } }) => {
      const interval = typeof refetchInterval === "number" ? refetchInterval : refetchInterval(data)
      return interval === false || isProblem(error, "forbidden") ? false : interval * pace
    },
    ...(keep && { placeholderData: (before) => before }),
    ...options
  })
}

/** The query of `useGet`, to be read ahead. */
export const queryOf = <Path extends GetPath>(path: Path, params: Parameters<Path>) => ({
  queryKey: [path, params] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => read(path, params, signal)
})

const read = async <Path extends GetPath>(path: Path, params: Parameters<Path>, signal: AbortSignal) => {
  // Boundary: the client cannot tie a path that is a type parameter to its own parameters and answer; `useGet` does.
  const get = call.GET as (path: Path, options: object) => Promise<{ readonly data?: unknown }>
  const { data } = await get(path, { params, signal })
  return data as Answer<Path>
}

/** After a change: everything below this path is read again. */
export const reread = (...paths: ReadonlyArray<GetPath>): Promise<unknown> =>
  Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })))

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => isTransient(error) && failures < 3,
      // A page that stays open asks again when it is looked at, not while it is hidden.
      refetchIntervalInBackground: false
    },
    // An action is repeated by the person, who sees what is known.
    mutations: {
      retry: false,
      // Responses hold secrets that are shown once, requests hold passwords: neither outlives its form.
      gcTime: 0
    }
  }
})
